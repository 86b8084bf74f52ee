"""From a table to findings, and to features and labels that models take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.datasets._files import pandas
from rarewood.intake._errors import TableError, count, short_list
from rarewood.intake._findings import ColumnFinding, Findings
from rarewood.intake._kinds import classify
from rarewood.intake._labels import REST, choose_target, find_rare, labels_of
from rarewood.intake._raw_table import Source
from rarewood.intake._recipe import Step, follow, make_step
from rarewood.intake._whole_files import FrameSource

__all__ = [
    "Prepared",
    "chosen_names",
    "few_rare",
    "find_columns",
    "inspect",
    "prepare",
    "two_classes",
]

_USED = ("numeric", "nominal", "flag")
_SHOWN = 20
_FEW_RARE = 10


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table as models take it.

    Attributes
    ----------
    X : pandas.DataFrame
        Numbers and categories; missing values are missing.
    y : ndarray
        Labels.
    rare : label
        The rare class.
    findings : Findings
        What was found in the table.
    recipe : list of dict
        How the features were made; :func:`follow` makes those of another table in the same way.
    rows : ndarray of int
        Which rows of the table these are: rows without a label are left out.
    """

    X: Any
    y: NDArray[Any]
    rare: Any
    findings: Findings
    recipe: list[Step]
    rows: NDArray[np.intp]


def inspect(
    table: Any,
    target: str | None = None,
    rare: Any = None,
    *,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
) -> Findings:
    r"""Say what is in a table.

    Parameters
    ----------
    table : pandas.DataFrame or Source
        Features and target.
    target : str, default=None
        The column to predict; by default the one that the source names.
    rare : label, default=None
        The rare class; by default the one with the fewest rows.
    keep : list of str
        Columns to use though they hold dates, text or identifiers.
    drop : list of str
        Columns not to use.

    Returns
    -------
    findings : Findings
        Plain data.

    Examples
    --------
    >>> import pandas as pd
    >>> from rarewood.intake import inspect
    >>> table = pd.DataFrame({"age": [20, 31, 44], "sex": list("fmf"), "ill": ["no", "no", "yes"]})
    >>> print("\n".join(inspect(table, "ill").lines()))
    table: 3 rows, 2 columns used (1 numeric, 1 nominal)
    target 'ill': no 2, yes 1
    rare class 'yes': 1 row, 33.33%; 2.0 others for each of them
    note: only 1 row of the rare class 'yes': what is said of it will be uncertain
    """
    return prepare(table, target, rare, keep=keep, drop=drop).findings


def prepare(
    table: Any,
    target: str | None = None,
    rare: Any = None,
    *,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
    against_rest: bool = False,
) -> Prepared:
    """Make features and labels of a table.

    Numbers stay numbers; texts with few values, and true or false, become categories. Dates, free
    text, identifiers and constant columns are left out unless they are asked for: then dates become
    days since 1970, and texts categories. Infinite numbers count as missing.

    Parameters
    ----------
    table : pandas.DataFrame or Source
        Features and target.
    target : str, default=None
        The column to predict; by default the one that the source names.
    rare : label, default=None
        The rare class, also as text; by default the one with the fewest rows.
    keep : list of str
        Columns to use though they hold dates, text or identifiers.
    drop : list of str
        Columns not to use.
    against_rest : bool, default=False
        Where there are more than two classes and ``rare`` is given, make them two: it and "rest".

    Returns
    -------
    prepared : Prepared
        Features, labels, the rare class, findings and the recipe.
    """
    source = table if isinstance(table, Source) else FrameSource("table", table)
    frame = source.read() if isinstance(table, Source) else table
    target = choose_target(source, target)
    kept, dropped = chosen_names(source, keep, target), chosen_names(source, drop, target)
    labels, has_label = labels_of(frame[target], source.name)
    given = source.rare if rare is None and target == source.target else rare
    chosen = find_rare(labels, given, target)
    notes = [f"{source.name} {note}" for note in source.notes]
    labels, chosen = two_classes(labels, chosen, against_rest and rare is not None, notes)
    if not has_label.all():
        frame = frame[has_label].reset_index(drop=True)
    columns, recipe = find_columns(frame, target, kept, dropped)
    if not recipe:
        reasons = "; ".join(f"{c.name}: {c.reason}" for c in columns[:5])
        reasons = reasons or f"only {target!r}, the column to predict, is left"
        raise TableError(f"{source.name} has no column to learn from ({reasons}).")
    features = follow(recipe, frame)
    notes += _notes(frame, features, [step["name"] for step in recipe])
    counts = _counts(labels)
    notes += few_rare(counts, chosen)
    findings = Findings(
        name=source.name,
        n_rows=len(labels),
        target=target,
        classes=counts,
        rare=str(chosen),
        columns=columns,
        n_unlabelled=int((~has_label).sum()),
        notes=notes,
        about=dict(source.about),
    )
    return Prepared(features, labels, chosen, findings, recipe, np.flatnonzero(has_label))


def chosen_names(source: Source, names: Iterable[str], target: str) -> set[str]:
    """Return names of columns that are there, and are not the one to predict."""
    found = {source.find(name) for name in names}
    if target in found:
        raise TableError(f"{target!r} is the column to predict: it cannot be a feature, too.")
    return found


def two_classes(
    labels: NDArray[Any], rare: Any, wanted: bool, notes: list[str]
) -> tuple[NDArray[Any], Any]:
    """Make two classes of labels: the rare one, and the rest; notes tell of it."""
    n_classes = len(np.unique(labels))
    if not wanted or n_classes < 3:
        return labels, rare
    notes.append(f"{n_classes} classes were made two: {rare} against the rest")
    rest = REST if str(rare) != REST else "others"
    return np.where(labels == rare, str(rare), rest), str(rare)


def few_rare(counts: dict[str, int], rare: Any) -> list[str]:
    """Return a note if the rare class has few rows."""
    n_rare = counts[str(rare)]
    if n_rare >= _FEW_RARE:
        return []
    return [
        f"only {count(n_rare, 'row')} of the rare class {str(rare)!r}: what is said of it will be "
        "uncertain"
    ]


def _counts(labels: NDArray[Any]) -> dict[str, int]:
    classes, counts = np.unique(labels, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return {str(classes[k]): int(counts[k]) for k in order}


def find_columns(
    frame: Any, target: str, kept: set[str], dropped: set[str]
) -> tuple[list[ColumnFinding], list[Step]]:
    """Return what is in the columns of a table, and how those that are used become features."""
    columns, recipe = [], []
    for name in map(str, frame.columns):
        if name == target:
            continue
        kind, remark = classify(frame[name])
        finding = _describe(frame[name], kind, remark)
        if name in dropped:
            finding = replace(finding, used=False, reason="left out as asked")
        elif name in kept and not finding.used:
            finding = replace(finding, used=True, reason=f"used as asked, though {remark}")
        if finding.used:
            recipe.append(make_step(frame[name], kind))
        columns.append(finding)
    return columns, recipe


def _describe(column: Any, kind: str, remark: str) -> ColumnFinding:
    name, values = str(column.name), column.dropna()
    n_distinct = 0 if kind == "other" else int(values.nunique())
    low = high = None
    categories: dict[str, int] = {}
    if kind == "numeric":
        low, high = float(values.min()), float(values.max())
    elif kind in ("nominal", "flag", "constant"):
        top = values.value_counts().head(_SHOWN)
        categories = {str(value): int(n) for value, n in top.items() if n}
    used = kind in _USED
    n_missing = len(column) - len(values)
    return ColumnFinding(name, kind, used, remark, n_missing, n_distinct, low, high, categories)


def _notes(frame: Any, features: Any, used: list[str]) -> list[str]:
    """What concerns the table as a whole."""
    same: dict[Any, list[str]] = {}
    for name in used:
        values = pandas().util.hash_pandas_object(frame[name], index=False).to_numpy()
        same.setdefault(hash(values.tobytes()), []).append(name)
    notes = [
        f"the columns {short_list(map(repr, names[:-1]))} and {names[-1]!r} hold the same values"
        for names in same.values()
        if len(names) > 1
    ]
    n_infinite = int((features.isna().sum() - frame[used].isna().sum()).clip(lower=0).sum())
    if n_infinite:
        notes.append(f"{count(n_infinite, 'infinite or unreadable value')} counted as missing")
    return notes
