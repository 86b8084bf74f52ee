"""A model file as the commands use it: the model, what is known of it, and its rare class."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rarewood.cli._errors import CommandError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LoadedModel", "ModelPath", "open_model"]

ModelPath = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file, as rarewood fit writes it.")
]


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model out of a file.

    Attributes
    ----------
    path : Path
        The file.
    model : estimator
        As it was saved.
    scorer : estimator
        The same without a threshold around it: it gives the probabilities.
    classifier : RareTreeClassifier or RareForestClassifier
        The tree or forest inside.
    facts : dict
        See :func:`rarewood.modelfile.describe`.
    rare : label
        The class that the model is after.
    threshold : float or None
        From which probability on it is predicted; None where the most probable class is.
    """

    path: Path
    model: Any
    scorer: Any
    classifier: Any
    facts: dict[str, Any]
    rare: Any
    threshold: float | None

    @property
    def fit_notes(self) -> dict[str, Any]:
        """What ``rarewood fit`` has noted; empty for a model that was saved in Python."""
        return _fit_notes(self.facts)

    @property
    def ids(self) -> list[str]:
        """Columns that named the rows in training."""
        found = self.fit_notes.get("ids", [])
        return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []

    @property
    def classes(self) -> list[Any]:
        """The labels."""
        labels: list[Any] = self.classifier.classes_.tolist()
        return labels

    @property
    def rare_number(self) -> int:
        """The place of the rare class among the classes."""
        return self.classes.index(self.rare)

    def decide(self, proba: NDArray[np.float64]) -> NDArray[Any]:
        """Return the labels that the model predicts, given its probabilities."""
        import numpy as np

        if self.threshold is None:
            codes = proba.argmax(axis=1)
        else:
            is_alert = proba[:, self.rare_number] >= self.threshold
            codes = np.where(is_alert, self.rare_number, 1 - self.rare_number)
        labels: NDArray[Any] = self.classifier.classes_.take(codes)
        return labels


def open_model(path: Path, n_jobs: int | None = None) -> LoadedModel:
    """Read a model file."""
    from rarewood.modelfile import describe, load

    if not path.exists():
        raise CommandError(f"There is no model file {path}. Make one with rarewood fit.")
    if path.is_dir():
        raise CommandError(f"{path} is a folder, not a model file.")
    facts, model = describe(path), load(path)
    threshold = getattr(model, "threshold_", None)
    scorer = model if threshold is None else model.estimator_
    classifier = getattr(scorer, "estimator_", scorer)  # inside a correction of the prior
    if n_jobs is not None:
        classifier.set_params(n_jobs=n_jobs)
    return LoadedModel(path, model, scorer, classifier, facts, _rare(model, facts), threshold)


def _rare(model: Any, facts: dict[str, Any]) -> Any:
    """Return the rare class: the model's own, the one that fit was told, or the smallest."""
    if hasattr(model, "pos_label_"):
        return model.pos_label_
    classes = facts["classes"]
    number = _fit_notes(facts).get("rare_class")
    if isinstance(number, int) and 0 <= number < len(classes):
        return classes[number]
    counts = facts["training"]["class_counts"]
    return classes[counts.index(min(counts))] if counts else classes[-1]


def _fit_notes(facts: dict[str, Any]) -> dict[str, Any]:
    notes = facts["notes"].get("fit") if isinstance(facts["notes"], dict) else None
    return notes if isinstance(notes, dict) else {}
