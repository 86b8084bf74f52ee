"""A model file as the tasks use it: the model, its description, and its rare class."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rarewood.operating import OperatingCurve, OperatingPoint

_N_BOOTSTRAP = 500
_FOREIGN = "ForeignClassifier"


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model of a file."""

    path: Path
    model: Any  # as it was saved
    scorer: Any  # the model without its threshold: gives the probabilities
    classifier: Any  # the tree or forest inside
    facts: dict[str, Any]  # see rarewood.modelfile.describe
    fit_notes: dict[str, Any]  # of fit; empty for a model that was saved otherwise
    pos_label: Any
    threshold: float | None  # None predicts the most probable class
    curve: OperatingCurve | None = None  # of samples that were not used for training
    point: OperatingPoint | None = None  # of the threshold

    @property
    def is_foreign(self) -> bool:
        """Whether the classifier is one of another package."""
        return type(self.classifier).__name__ == _FOREIGN

    @property
    def ids(self) -> list[str]:
        """Columns that identified the rows in training."""
        found = self.fit_notes.get("ids", [])
        return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []

    @property
    def classes(self) -> list[Any]:
        """The labels."""
        labels: list[Any] = self.classifier.classes_.tolist()
        return labels

    @property
    def pos_number(self) -> int:
        """Position of the rare class among the classes."""
        return self.classes.index(self.pos_label)

    def at(self, threshold: Any) -> LoadedModel:
        """Return the model with another threshold: a probability, or a rule that chooses it."""
        from rarewood.operating._choice import choose_on_curve
        from rarewood.operating._rule_text import as_rule
        from rarewood.operating._rules import GivenThreshold

        rule = as_rule(threshold)
        if len(self.classes) != 2:
            raise ValueError("`threshold` needs a model of two classes.")
        if self.curve is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # no alert at all, which the notes say
                point = choose_on_curve(
                    self.curve, rule, unreachable="closest", n_bootstrap=_N_BOOTSTRAP,
                    random_state=0,
                )  # fmt: skip
            return replace(self, threshold=point.threshold, point=point)
        if isinstance(rule, GivenThreshold):
            return replace(self, threshold=rule.threshold, point=None)
        raise ValueError(
            f"{self.path} has no held-out scores from which a threshold for {rule} could be "
            "chosen: fit the model again with a `threshold`, or give a probability."
        )

    def decide(self, proba: NDArray[np.float64]) -> NDArray[Any]:
        """Return the labels that the model predicts, given its probabilities."""
        import numpy as np

        if self.threshold is None:
            places = proba.argmax(axis=1)
        else:
            is_alert = proba[:, self.pos_number] >= self.threshold
            places = np.where(is_alert, self.pos_number, 1 - self.pos_number)
        labels: NDArray[Any] = self.classifier.classes_.take(places)
        return labels


def open_model(model: Any, n_jobs: int | None = None, trust_foreign: bool = False) -> LoadedModel:
    """Read a model file, or that of a FittedModel, which is trusted.

    Models of other packages predict with one thread: see ``predicting_alike``.
    """
    is_path = isinstance(model, (str, os.PathLike))
    path = Path(model if is_path else model.path)
    if not path.exists():
        raise FileNotFoundError(f"There is no model file {path}. Write one with 'rarewood fit'.")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a model file.")
    from rarewood.modelfile import describe, load

    facts, model = describe(path), load(path, trust_foreign=trust_foreign or not is_path)
    _check_plain(path, model)
    threshold = getattr(model, "threshold_", None)
    scorer = model if threshold is None else model.estimator_
    is_foreign = type(scorer).__name__ == _FOREIGN
    # The latter is the one inside a correction of the prior.
    classifier = scorer if is_foreign else getattr(scorer, "estimator_", scorer)
    if n_jobs is not None and not is_foreign and "n_jobs" in classifier.get_params(deep=False):
        classifier.set_params(n_jobs=n_jobs)
    notes = facts["notes"].get("fit") if isinstance(facts["notes"], dict) else None
    notes = notes if isinstance(notes, dict) else {}
    label = _pos_label(model, facts, notes)
    curve, point = (getattr(model, name, None) for name in ("curve_", "operating_point_"))
    return LoadedModel(
        path, model, scorer, classifier, facts, notes, label, threshold, curve, point
    )


def _check_plain(path: Path, model: Any) -> None:
    """Raise for a model with parts of scikit-learn, whose columns a file does not describe."""
    while not (hasattr(model, "tree_") or hasattr(model, "forest_")):
        if type(model).__name__ == _FOREIGN:
            return
        if not type(model).__module__.startswith("rarewood."):
            raise ValueError(
                f"{path} has a {type(model).__name__} of scikit-learn, which the command line does "
                "not support. Load it in Python with rarewood.load."
            )
        model = model.estimator_


def _pos_label(model: Any, facts: dict[str, Any], notes: dict[str, Any]) -> Any:
    """Return the rare class of the threshold, of the fit, or the smallest one in training."""
    if hasattr(model, "pos_label_"):
        return model.pos_label_
    classes = facts["classes"]
    number = notes.get("rare_class")
    if isinstance(number, int) and 0 <= number < len(classes):
        return classes[number]
    counts = facts["training"]["class_counts"]
    return classes[counts.index(min(counts))] if counts else classes[-1]
