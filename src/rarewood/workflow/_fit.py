"""Fit a model on a table, estimate its scores on new rows, and write a model file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rarewood.workflow._estimates import Estimates, fit_prepared, fit_stream
from rarewood.workflow._files import check_exists, check_not_input, check_writable
from rarewood.workflow._listener import Listener
from rarewood.workflow._reading import Reading, read_table
from rarewood.workflow._recipes import check_sampling, find_own, make_classifier, with_sampling

if TYPE_CHECKING:
    from rarewood.intake._findings import Findings
    from rarewood.intake._prepare import PreparedTable
    from rarewood.intake._prepare_stream import PreparedStream

_MAX_BINS = 255


@dataclass(frozen=True, eq=False)
class FittedModel:
    """Result of :func:`fit`, which describes the attributes."""

    path: Path
    model: Any
    pos_label: Any
    estimates: Estimates
    findings: Findings
    warnings: list[str]

    @property
    def trees(self) -> list[Any]:
        """The fitted trees."""
        from rarewood.modelfile._wrappers import unwrap

        inner = unwrap(self.model).classifier
        return list(inner) if hasattr(inner, "estimators_") else [inner]


def fit(
    data: Any,
    target: str | None = None,
    *,
    out: str | os.PathLike[str],
    pos_label: Any = None,
    model: Any = "rare-forest",
    params: Mapping[str, Any] | None = None,
    sampling: str | None = None,
    threshold: Any = "auto",
    folds: int = 5,
    id: Sequence[str] = (),
    random_state: int = 0,
    n_jobs: int | None = -1,
    stream: bool | None = None,
    verbose: bool = False,
    listener: Listener | None = None,
    **reading: Unpack[Reading],
) -> FittedModel:
    """Fit a model on a table, estimate its scores on new rows, and write it to a file.

    Parameters
    ----------
    data, target, pos_label, listener, **reading
        As for :func:`compare`.
    out : str or Path
        The model file.
    model : str or classifier, default="rare-forest"
        A tree or forest of rarewood, or its name in :func:`models`.
    params : dict, default=None
        Parameters of the classifier to set, such as {"criterion": "gini"}.
    sampling : str, default=None
        "pattern", "smote", "random-over", "random-under" or "wrapper"; needs imbalanced-learn.
    threshold : rule, float, str or None, default="auto"
        Decision threshold on the probability of the rare class, or a rule to choose it, such as
        "cost:fp=10,fn=500", "alerts<=50/2000" or "recall>=0.9"; see :mod:`rarewood.operating`.
        None predicts the most probable class. "auto" is the best F1 for two classes, and None for
        more.
    folds : int, default=5
        Number of folds for the estimates. Forests that draw rows use out-of-bag scores instead.
    id : list of str, default=()
        Columns that identify the rows: not used, and kept by :func:`predict`.
    random_state : int, default=0
        Seed of the model, the folds and samples of rows.
    n_jobs : int, default=-1
        Number of threads; -1 for all cores.
    stream : bool, default=None
        Whether to read a Parquet file, or a folder of them, in batches; by default if it would take
        more than ``memory``, or half of the free memory.
    verbose : bool, default=False
        Whether to write the progress of each pass over batches to the standard error stream.

    Returns
    -------
    fitted : FittedModel
        Attributes: ``path`` of the model file; ``model``, a
        :class:`rarewood.operating.ThresholdedClassifier`, or the classifier itself if it predicts
        the most probable class; ``trees``, the fitted trees; ``pos_label``, the rare class;
        ``findings`` of :func:`rarewood.intake.prepare`; ``warnings``, a list of texts;
        ``estimates``, scores on samples that were not used for training. Attributes of the
        estimates: ``origin``, such as "out of bag", "out of fold, 5 folds" or "300 rows held out";
        ``auc`` and ``average_precision`` of the rare class; ``counts``, the
        :class:`rarewood.operating.Confusion` of the predictions; ``point``, the
        :class:`rarewood.operating.OperatingPoint`, None for the most probable class.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> out = Path(tempfile.mkdtemp()) / "wine.rarewood"
    >>> fitted = workflow.fit("wine", out=out, pos_label="class_2", model="hddt")
    >>> fitted.estimates.origin, fitted.path.exists()
    ('out of fold, 5 folds', True)
    """
    from rarewood.intake._prepare import PreparedTable
    from rarewood.intake._prepare_stream import PreparedStream

    place = check_writable(out)
    check_not_input(place, data)
    listener = listener or Listener()
    sampling = check_sampling(sampling)
    if isinstance(model, str):
        find_own(model)  # all words are checked before slow imports
    check_exists(data)
    listener.on_step("loading libraries")
    classifier = make_classifier(model, params, random_state, n_jobs)
    ids = list(dict.fromkeys(id))
    listener.on_step(f"reading {Path(data).name if isinstance(data, (str, os.PathLike)) else ''}")
    reading["drop"] = [*ids, *reading.get("drop", ())]
    prepared, streamed = read_table(data, target, pos_label, random_state, stream, reading)
    findings = prepared.findings
    if findings.target in ids:
        raise ValueError(f"{findings.target!r} is the target and cannot be an `id` column.")
    listener.on_table(findings, streamed)
    if isinstance(threshold, str) and threshold == "auto":
        threshold = "f" if len(findings.classes) == 2 else None
    n_rare, folds = _check_classes(findings, threshold, folds)
    how = {"rule": threshold, "folds": folds, "seed": random_state}
    if isinstance(prepared, PreparedStream):
        if sampling:
            raise ValueError(
                f"`sampling` {sampling} needs the whole table in memory: set `sampling` to none, "
                "use a part of the rows with `sample`, or read the table whole."
            )
        listener.on_model(classifier, _set_for_stream(classifier))
        estimates, fitted, texts = fit_stream(classifier, prepared, verbose=verbose, **how)
    else:
        estimator = with_sampling(sampling, classifier, prepared.X, n_rare, random_state)
        listener.on_model(classifier, [])
        estimates, fitted, texts = fit_prepared(estimator, prepared, **how)
    name = model if isinstance(model, str) else type(model).__name__
    notes = {"preset": name, "sampling": sampling or "none", "seed": random_state}
    if classifier.splitter == "oblique" and isinstance(prepared, PreparedTable):
        notes["surrogate"] = _surrogate(prepared, estimates, random_state)
    _save(fitted, place, prepared, estimates, ids, notes)
    return FittedModel(place, fitted, prepared.pos_label, estimates, findings, texts)


def _check_classes(findings: Findings, rule: Any, folds: int) -> tuple[int, int]:
    """Return how many rows of the smallest class a fit has at least, and how many folds."""
    counts = findings.classes
    label, smallest = min(counts.items(), key=lambda item: item[1])
    if rule is not None and len(counts) > 2:
        raise ValueError(
            f"`threshold` needs two classes, and {findings.target!r} has {len(counts)}: choose the "
            "class of interest with `pos_label`, or set `threshold` to none."
        )
    if smallest < 2:
        raise ValueError(
            f"Class {label!r} has one row, so a model cannot be tested. Add rows of the class, or "
            "merge it with another one."
        )
    folds = min(folds, smallest)
    return smallest - -(-smallest // folds), folds


def _set_for_stream(classifier: Any) -> list[str]:
    """Set the parameters that fitting in batches needs, and return them as texts."""
    changed: dict[str, Any] = {}
    if classifier.splitter == "oblique":
        changed = {"max_bins": "auto"} if classifier.max_bins is None else {}
    elif classifier.max_bins in ("auto", None):
        changed = {"max_bins": _MAX_BINS}
    classifier.set_params(**changed)
    return [f"{name}={value}" for name, value in changed.items()]


def _surrogate(prepared: PreparedTable, estimates: Estimates, seed: int) -> dict[str, Any] | None:
    """Return a tree without hyperplanes that stands for the model where its rules are read."""
    from rarewood.workflow._surrogate import make_surrogate

    if estimates.decided is None:
        return None
    rows = estimates.decided.rows
    X, y = prepared.X.iloc[rows], prepared.y[rows]
    return make_surrogate(X, y, estimates.decided.labels, prepared.pos_label, seed)


def _save(
    model: Any,
    place: Path,
    prepared: PreparedTable | PreparedStream,
    estimates: Estimates,
    ids: list[str],
    notes: dict[str, Any],
) -> None:
    """Write the model file with the notes that predict needs."""
    from rarewood.modelfile import save

    findings = prepared.findings
    found = [column.name for column in findings.skipped if column.kind == "id"]
    about = findings.to_dict()
    fit_notes = {
        "recipe": prepared.recipe,
        "ids": [*ids, *found],
        "rare_class": model.classes_.tolist().index(prepared.pos_label),
        "table": {name: about[name] for name in ("name", "n_rows", "target", "classes")},
        **notes,
        "estimates": estimates.to_dict(),
    }
    save(model, place, target=findings.target, notes={"fit": fit_notes})
