"""The column to predict: its classes, and the rare one among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.datasets._files import pandas
from rarewood.intake._errors import TableError, did_you_mean, short_list
from rarewood.intake._raw_table import Source

__all__ = ["MOST_CLASSES", "REST", "choose_target", "find_rare", "labels_of", "rare_among"]

MOST_CLASSES = 100
_MOST_NUMBERS = 30  # a numeric target with more values is an amount
_MOST_FRACTIONS = 5  # ... and so is one with more values that are not whole
REST = "rest"


def choose_target(source: Source, target: str | None) -> str:
    """Return the column to predict: the one given, else the one that the source names."""
    if target is not None:
        return source.find(target, "column to predict named")
    if source.target is not None:
        return source.target
    raise TableError(
        f"Say which column of {source.name} to predict, with --target. Its columns are "
        f"{short_list(source.columns)}."
    )


def labels_of(column: Any, name: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the labels of a column, and in which rows there is one.

    Parameters
    ----------
    column : pandas.Series
        The column to predict.
    name : str
        Name of the table, for messages.

    Returns
    -------
    labels : ndarray
        Texts, whole numbers or booleans, without the missing ones.
    has_label : ndarray of bool
        Rows that have one.
    """
    target = column.name
    has_label = column.notna().to_numpy()
    values = column[has_label]
    if not len(values):
        raise TableError(f"{name}: the column to predict, {target!r}, has no values.")
    n_distinct = int(values.nunique())
    if pandas().api.types.is_datetime64_any_dtype(values):
        raise TableError(f"{name}: the column to predict, {target!r}, holds dates, not classes.")
    labels = np.array(values.tolist())
    is_number = labels.dtype.kind in "fiu"
    is_whole = labels.dtype.kind != "f" or bool((labels == np.trunc(labels)).all())
    if n_distinct > (_MOST_NUMBERS if is_whole else _MOST_FRACTIONS) and is_number:
        raise TableError(
            f"{name}: the column to predict, {target!r}, has {n_distinct:,} different numbers: it "
            "is an amount, and rarewood tells classes apart. Make classes of it first, such as "
            "above 1000 or not."
        )
    if n_distinct > MOST_CLASSES:
        raise TableError(
            f"{name}: the column to predict, {target!r}, has {n_distinct:,} different values, and "
            f"no more than {MOST_CLASSES} classes can be told apart. Is it the right column?"
        )
    if n_distinct == 1:
        raise TableError(
            f"{name}: the column to predict, {target!r}, is {labels[0]} in every row; there is "
            "nothing to tell apart."
        )
    if labels.dtype.kind == "f" and is_whole:
        labels = labels.astype(np.int64)
    elif labels.dtype.kind not in "iub":
        labels = np.array([str(value) for value in values.tolist()])
    return labels, has_label


def find_rare(labels: NDArray[Any], rare: Any, target: str) -> Any:
    """Return the rare class: the label that was meant, else the one with the fewest rows."""
    classes, counts = np.unique(labels, return_counts=True)
    return rare_among(dict(zip(classes.tolist(), counts.tolist(), strict=True)), rare, target)


def rare_among(counts: Mapping[Any, int], rare: Any, target: str) -> Any:
    """Return the rare class among labels whose rows have been counted; see :func:`find_rare`."""
    if rare is None:
        return min(counts, key=lambda label: counts[label])
    for label in counts:
        if label == rare or _spelled(label) == _spelled(rare):
            return label
    known = [str(label) for label in counts]
    raise TableError(
        f"{target!r} has no class {str(rare)!r}.{did_you_mean(str(rare), known)} Its classes are "
        f"{short_list(known)}."
    )


def _spelled(label: Any) -> str:
    """A label as people write it: 1 for 1.0, and true for True."""
    text = str(label).strip()
    if isinstance(label, bool) or text.lower() in ("true", "false"):
        return text.lower()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else text
