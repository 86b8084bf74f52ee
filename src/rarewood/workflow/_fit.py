"""Fit a model on a table, estimate its scores on new rows, and write a model file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from rarewood.workflow._estimates import Estimates, fit_prepared, fit_stream
from rarewood.workflow._files import check_exists, check_not_input, check_writable
from rarewood.workflow._fit_settings import FitSettings
from rarewood.workflow._listener import Listener
from rarewood.workflow._reading import Reading, read_table
from rarewood.workflow._recipes import (
    check_sampling,
    find_entry,
    for_table,
    make_classifier,
    with_sampling,
)

if TYPE_CHECKING:
    from rarewood.intake._findings import Findings
    from rarewood.intake._prepare import PreparedTable
    from rarewood.intake._prepare_stream import PreparedStream
    from rarewood.workflow._model_entry import ModelEntry

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
    entry: ModelEntry | None = None

    @property
    def trees(self) -> list[Any]:
        """The fitted trees; none for a model of another package."""
        from rarewood.modelfile._wrappers import unwrap

        if not _is_own(self.entry):
            return []

        inner = unwrap(self.model).classifier
        return list(inner) if hasattr(inner, "estimators_") else [inner]


def fit(
    data: Any = None,
    target: str | None = None,
    *,
    out: str | os.PathLike[str],
    from_run: Any = None,
    pos_label: Any = None,
    model: Any = None,
    params: Mapping[str, Any] | None = None,
    sampling: str | None = None,
    threshold: Any = "auto",
    folds: int = 5,
    id: Sequence[str] = (),
    random_state: int | None = None,
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
    from_run : str, Path or Comparison, default=None
        A comparison, or its folder: table, target, rare class, columns, seed and goal are those of
        the comparison unless given, and so is the recommended model. A model is fitted on all rows
        after a ``quick`` comparison.
    model : str or classifier, default=None
        The name of a model in :func:`models`, also of another package, or a tree or forest of
        rarewood; by default the recommended model of ``from_run``, or "rare-forest". A model of
        another package gets the preparation of categories and missing values that it has in
        :func:`compare`.
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
    random_state : int, default=None
        Seed of the model, the folds and samples of rows; by default that of ``from_run``, or 0.
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
        the most probable class; ``entry``, that of its name in :func:`models`; ``trees``, the
        fitted trees, none for a model of another package; ``pos_label``, the rare class;
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

    The recommended model of a comparison:

    >>> found = workflow.compare(
    ...     "wine", models=["hddt", "cart"], protocol="cv2", n_jobs=1, out=out.parent / "run"
    ... )
    >>> fitted = workflow.fit(from_run=found, out=out)
    >>> fitted.entry.name == found.verdict["recommended"]
    True
    """
    place = check_writable(out)
    sampling = check_sampling(sampling)
    chosen = FitSettings.of(
        data, target, pos_label, model, threshold, random_state, reading, from_run
    )
    check_not_input(place, chosen.data)
    listener = listener or Listener()
    entry = find_entry(chosen.model)  # all words are checked before slow imports
    check_exists(chosen.data)
    listener.on_step("loading libraries")
    classifier = make_classifier(chosen.model, entry, params, chosen.random_state, n_jobs)
    ids = list(dict.fromkeys(id))
    is_path = isinstance(chosen.data, (str, os.PathLike))
    listener.on_step(f"reading {Path(chosen.data).name if is_path else ''}")
    options: Reading = {**chosen.reading, "drop": [*ids, *chosen.reading.get("drop", ())]}
    prepared, streamed = read_table(
        chosen.data, chosen.target, chosen.pos_label, chosen.random_state, stream, options
    )
    findings = prepared.findings
    if findings.target in ids:
        raise ValueError(f"{findings.target!r} is the target and cannot be an `id` column.")
    listener.on_table(findings, streamed)
    rule = chosen.threshold
    if isinstance(rule, str) and rule == "auto":
        rule = "f" if len(findings.classes) == 2 else None
    n_rare, folds = _check_classes(findings, rule, folds)
    how = {"rule": rule, "folds": folds, "seed": chosen.random_state}
    name = type(model).__name__ if entry is None else entry.name
    notes = {"preset": name, "sampling": sampling or "none", "seed": chosen.random_state}
    if streamed is not None:
        _check_stream(entry, classifier, sampling)
        listener.on_model(classifier, _set_for_stream(classifier))
        estimates, fitted, texts = fit_stream(classifier, prepared, verbose=verbose, **how)
    else:
        table = cast("PreparedTable", prepared)
        classifier = for_table(entry, classifier, table.X)
        estimator = with_sampling(sampling, classifier, table.X, n_rare, chosen.random_state)
        listener.on_model(classifier, [])
        estimates, fitted, texts = fit_prepared(estimator, table, **how)
        if not _is_own(entry) or classifier.splitter == "oblique":
            notes["surrogate"] = _surrogate(table, estimates, chosen.random_state)
    _save(fitted, place, prepared, estimates, ids, notes)
    about = prepared.pos_label, estimates, findings, [*chosen.warnings(prepared), *texts], entry
    return FittedModel(place, fitted, *about)


def _is_own(entry: ModelEntry | None) -> bool:
    """Whether a model is one of rarewood: by its name, or given as a classifier."""
    return entry is None or entry.is_own


def _check_stream(entry: ModelEntry | None, classifier: Any, sampling: str) -> None:
    """Raise for a model or a sampling that needs the whole table."""
    if sampling:
        raise ValueError(
            f"`sampling` {sampling} needs the whole table in memory: set `sampling` to none, use a "
            "part of the rows with `sample`, or read the table whole."
        )
    if entry is not None and not entry.is_own:
        raise ValueError(
            f"The model {entry.name} needs the whole table in memory: use a part of the rows with "
            "`sample`, or a model of rarewood."
        )
    if not hasattr(classifier, "max_bins"):  # C4.5 sorts the values of all rows
        name = type(classifier).__name__ if entry is None else entry.name
        raise ValueError(
            f"The model {name} needs the whole table in memory: use a part of the rows with "
            "`sample`, or another model of rarewood."
        )


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
