"""The target column: its classes, and the class of interest among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.datasets._files import pandas
from rarewood.intake._errors import TableError, both_ends, count, did_you_mean, short_list
from rarewood.intake._raw_table import RawTable

_MOST_CLASSES = 100
_MOST_NUMBERS = 30  # a numeric target with more values is continuous
_MOST_DECIMALS = 5  # and so is one with more values that are not integers
_FEW_RARE = 10


@dataclass(frozen=True, eq=False)
class Labels:
    """Sorted classes, and the class number ``y`` of each row; -1 if its label is missing."""

    classes: NDArray[Any]
    y: NDArray[np.int32]
    pos_label: Any
    notes: list[str] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """Number of rows of each class, the most frequent first."""
        sizes = np.bincount(self.y[self.y >= 0], minlength=len(self.classes))
        order = np.argsort(-sizes, kind="stable")
        return {str(self.classes[k]): int(sizes[k]) for k in order}


def choose_target(table: RawTable, target: str | None) -> str:
    """Return the target column: the given one, else the one that the source defines."""
    if target is not None:
        return table.find(target, "target column")
    if table.target is not None:
        return table.target
    raise TableError(
        f"{table.name} needs a target column: name it with --target. The columns are "
        f"{both_ends(table.columns)}."
    )


def encode_labels(
    columns: Iterable[Any], table: RawTable, target: str, pos_label: Any, one_vs_rest: bool
) -> Labels:
    """Encode a target column, which comes in consecutive parts.

    ``pos_label`` may be text; by default it is that of the table, else the smallest class. If it is
    given and ``one_vs_rest`` is set, more than two classes become two.
    """
    where = f"{table.name}: the target column {target!r}"
    values, places = _distinct(columns, where)
    names, numbers = np.unique(_as_labels(values, where), return_inverse=True)
    y = np.append(numbers, -1)[places]
    sizes = np.bincount(y[y >= 0], minlength=len(names)).tolist()
    given = table.pos_label if pos_label is None and target == table.target else pos_label
    chosen = _find_label(dict(zip(names.tolist(), sizes, strict=True)), given, target)
    notes = []
    if one_vs_rest and pos_label is not None and len(names) > 2:
        notes.append(f"{len(names)} classes were reduced to two: {chosen} and the rest")
        rest = "rest" if str(chosen) != "rest" else "others"
        chosen, joined = str(chosen), np.where(names == chosen, str(chosen), rest)
        names, numbers = np.unique(joined, return_inverse=True)
        y = np.append(numbers, -1)[y]
    labels = Labels(names, y.astype(np.int32), chosen, notes)
    n_rare = labels.counts[str(chosen)]
    if n_rare < _FEW_RARE:
        rows = count(n_rare, "row")
        notes.append(f"the rare class {str(chosen)!r} has only {rows}: estimates will be uncertain")
    return labels


def _distinct(columns: Iterable[Any], where: str) -> tuple[list[Any], NDArray[np.int32]]:
    """Return the distinct values of a column, and which of them each row has; -1 for none."""
    numbers: dict[Any, int] = {}
    places = []
    for column in columns:
        try:
            codes, found = pandas().factorize(column)
        except TypeError:
            held = type(column.dropna().iloc[0]).__name__
            raise TableError(f"{where} contains values of type {held}, not classes.") from None
        if len(numbers) <= 10 * _MOST_CLASSES:  # more are refused anyway
            for value in found.tolist():
                numbers.setdefault(value, len(numbers))
        of_part = [numbers.get(value, -1) for value in found.tolist()]
        places.append(np.array([*of_part, -1], dtype=np.int32)[codes])
    return list(numbers), np.concatenate(places)


def _as_labels(values: list[Any], where: str) -> NDArray[Any]:
    """Return distinct values as labels; raise a TableError if they are not classes."""
    n = len(values)
    if not n:
        raise TableError(f"{where} has no values.")
    if pandas().api.types.is_datetime64_any_dtype(pandas().Series(values)):
        raise TableError(f"{where} contains dates, not classes.")
    labels = np.array(values)
    is_number = labels.dtype.kind in "fiu"
    is_integer = labels.dtype.kind != "f" or bool((labels == np.trunc(labels)).all())
    if is_number and n > (_MOST_NUMBERS if is_integer else _MOST_DECIMALS):
        raise TableError(
            f"{where} is continuous ({n:,} distinct numbers), but rarewood is for classification. "
            "Convert it to classes first, for example by a threshold."
        )
    if n > _MOST_CLASSES:
        raise TableError(
            f"{where} has {n:,} distinct values; at most {_MOST_CLASSES} classes are supported. "
            "Check that it is the right column."
        )
    if n == 1:
        raise TableError(
            f"{where} has a single class, {labels[0]}. At least two are needed to fit a model."
        )
    if labels.dtype.kind == "f" and is_integer:
        return labels.astype(np.int64)
    return labels if labels.dtype.kind in "iub" else np.array([str(value) for value in values])


def _find_label(counts: Mapping[Any, int], pos_label: Any, target: str) -> Any:
    """Return the label that is meant, by default the one with the fewest rows."""
    if pos_label is None:
        return min(counts, key=lambda label: counts[label])
    for label in counts:
        if label == pos_label or _spelled(label) == _spelled(pos_label):
            return label
    known = [str(label) for label in counts]
    raise TableError(
        f"{target!r} has no class {str(pos_label)!r}.{did_you_mean(str(pos_label), known)} Its "
        f"classes are {short_list(known)}."
    )


def _spelled(label: Any) -> str:
    """Return a label as people write it: 1 for 1.0, and true for True."""
    text = str(label).strip()
    if isinstance(label, bool) or text.lower() in ("true", "false"):
        return text.lower()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else text
