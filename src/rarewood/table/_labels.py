"""Labels become class numbers, sample and class weights become one weight for every row.

Whole numbers and texts in arrays are all that workers of a cluster encode. What other labels need
is slow to import, and done where it is used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.table._checks import check_any_weight, check_dense, check_weights
from rarewood.table._columns import family, is_missing
from rarewood.table._exact_sum import exact_totals

__all__ = [
    "Weights",
    "class_factors",
    "combine_weights",
    "encode_labels",
    "missing_label",
    "weigh_rows",
]

Labels = NDArray[Any]
Codes = NDArray[np.int32]


def encode_labels(y: Any) -> tuple[Labels, Codes]:
    """Return the classes in order, and the class number of every row.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels: text, booleans, or whole numbers of any type.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
        The distinct labels, sorted, in the type of y.
    codes : ndarray of int32 of shape (n_rows,)
        The place of each label among the classes.
    """
    labels = _as_labels(y)
    kind = labels.dtype.kind
    if kind in "iub":
        return _encode_integers(labels)
    if kind == "f":
        return _encode_floats(labels)
    if kind == "O":
        return _encode_objects(labels)
    if kind == "U":
        return _encode_texts(labels)
    _check_classes(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int32)


def _as_labels(y: Any) -> Labels:
    """Return y as an array with one dimension."""
    if type(y) is np.ndarray and y.ndim == 1:
        return y
    if y is None:
        raise ValueError("This classifier requires y to be passed, but the target y is None.")
    import narwhals.stable.v2 as nw
    from sklearn.utils import column_or_1d

    check_dense(y, "y")
    if nw.dependencies.is_into_series(y):
        series = nw.from_native(y, series_only=True)
        if series.null_count() > 0:
            raise missing_label(int(series.is_null().arg_true()[0]))
        y = series.to_numpy()
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {y.shape} instead. Targets of several "
            "outputs are not supported: fit one model for each column of y."
        )
    labels: Labels = column_or_1d(y, warn=True)
    return labels


def _check_classes(labels: Labels) -> None:
    """Raise scikit-learn's error for what cannot be classes, such as measurements."""
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(labels)


def missing_label(row: int) -> ValueError:
    """Error for a row without a label."""
    return ValueError(
        f"Input y contains NaN or another missing value, first in row {row}. Every row needs a "
        "label: leave out the rows without one."
    )


def _encode_integers(labels: Labels) -> tuple[Labels, Codes]:
    """Encode by a table of the values seen where they lie close together, else by sorting."""
    if labels.dtype.kind == "b":
        classes, codes = _encode_integers(labels.view(np.uint8))
        return classes.astype(bool), codes
    if len(labels) == 0:
        return labels, np.empty(0, dtype=np.int32)
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * len(labels) + 1024:
        classes, inverse = np.unique(labels, return_inverse=True)
        return classes, inverse.astype(np.int32)
    # Differences may not fit into a small type, nor large unsigned values into a signed one.
    wide = np.int64 if high < 2**63 else np.uint64
    places = (labels.astype(wide) - wide(low)).astype(np.intp)
    is_seen = np.zeros(high - low + 1, dtype=bool)
    is_seen[places] = True
    numbers = (np.cumsum(is_seen) - 1).astype(np.int32)
    classes = (np.flatnonzero(is_seen).astype(wide) + wide(low)).astype(labels.dtype)
    return classes, numbers[places]


def _encode_floats(labels: Labels) -> tuple[Labels, Codes]:
    is_missing = np.isnan(labels)
    if is_missing.any():
        raise missing_label(int(is_missing.argmax()))
    largest = np.abs(labels).max(initial=0)
    if np.isinf(largest):
        raise ValueError(f"Input y contains infinity or a value too large for {labels.dtype!r}.")
    if (np.trunc(labels) != labels).any():
        _check_classes(labels)  # raises: measurements are not classes
    if largest >= 2**53:
        classes, inverse = np.unique(labels, return_inverse=True)
        return classes, inverse.astype(np.int32)
    classes, codes = _encode_integers(labels.astype(np.int64))
    return classes.astype(labels.dtype), codes


def _encode_texts(labels: Labels) -> tuple[Labels, Codes]:
    """Encode by hashing, which is many times faster than sorting texts."""
    texts = labels.tolist()
    classes = sorted(set(texts))
    numbers = {text: number for number, text in enumerate(classes)}
    codes = np.fromiter(map(numbers.__getitem__, texts), dtype=np.int32, count=len(texts))
    return np.array(classes, dtype=labels.dtype), codes


def _encode_objects(labels: Labels) -> tuple[Labels, Codes]:
    values = labels.tolist()
    if set(map(type, values)) == {str}:  # the usual case, without a look at every value
        return _encode_texts(labels)
    missing = [row for row, value in enumerate(values) if is_missing(value)]
    if missing:
        raise missing_label(missing[0])
    found = family(values)
    if found == "text":
        return _encode_texts(labels)
    if found in ("number", "bool"):
        plain = np.array(values)
        return encode_labels(plain if plain.dtype != object else plain.astype(np.float64))
    if found is not None and " and " in found:
        raise ValueError(f"y mixes labels of different kinds: {found}. Make them one kind.")
    _check_classes(labels)
    raise ValueError(f"Unknown label type: {found}. Labels are text, booleans or whole numbers.")


class Weights(NamedTuple):
    """Weight of each row that is kept, None where all weigh one; the rows kept, None if all are."""

    weights: NDArray[np.float64] | None
    rows: NDArray[np.intp] | None

    @property
    def is_plain(self) -> bool:
        """Whether every row that is kept weighs one."""
        weights = self.weights
        return weights is None or bool(weights.min(initial=1) == 1 == weights.max(initial=1))


def combine_weights(
    sample_weight: Any, class_weight: Any, classes: Labels, codes: Codes
) -> Weights:
    """Multiply sample and class weights, and find the rows that weigh anything.

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,) or None
        Weight of each row.
    class_weight : dict, "balanced" or None
        Weight of each class. "balanced" makes the weights of all classes equal in total, with
        sample weights taken into account.
    classes, codes : ndarray
        What :func:`encode_labels` returned.

    Returns
    -------
    weights : Weights
        Rows of weight zero are left out: they count as absent.
    """
    from rarewood._validation import sample_weights

    weights = None if sample_weight is None else sample_weights(sample_weight, len(codes))
    factors = None
    if class_weight is not None:
        totals = exact_totals(weights, codes, len(classes)).values
        factors = class_factors(class_weight, classes, totals)
    weighed = weigh_rows(weights, factors, codes)
    check_any_weight(weighed.rows is None or len(weighed.rows) > 0)
    if weighed.is_plain:
        return Weights(None, weighed.rows)
    return weighed


def weigh_rows(
    weights: NDArray[np.float64] | None, factors: NDArray[np.float64] | None, codes: Codes
) -> Weights:
    """Multiply the weights of rows and those of their classes, and leave out rows of weight zero.

    Parameters
    ----------
    weights : ndarray of shape (n_rows,) or None
        Weight of each row.
    factors : ndarray of shape (n_classes,) or None
        Weight of each class.
    codes : ndarray of shape (n_rows,)
        Class number of each row.

    Returns
    -------
    weights : Weights
        Those that are left, which may be none.
    """
    if factors is not None:
        by_row = factors[codes]
        weights = by_row if weights is None else weights * by_row
        check_weights(weights)
    if weights is None:
        return Weights(None, None)
    rows = None
    if weights.min(initial=1) == 0:
        rows = np.flatnonzero(weights)
        weights = weights[rows]
    return Weights(weights, rows)


def class_factors(
    class_weight: Any, classes: Labels, totals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weight of each class, given what its rows weigh in all."""
    if isinstance(class_weight, str):  # "balanced"
        is_present = totals > 0
        share = totals.sum() / np.count_nonzero(is_present)
        by_class = np.zeros_like(totals)
        by_class[is_present] = share / totals[is_present]
        return by_class
    from sklearn.utils.class_weight import compute_class_weight

    given: NDArray[np.float64] = compute_class_weight(class_weight, classes=classes, y=classes)
    return given
