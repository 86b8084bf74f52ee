"""Labels become class numbers.

Workers of a cluster encode arrays and Arrow columns only; imports for other labels are deferred.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._arrow import arrow, dictionary_of, kind_of, one_array
from rarewood.table._checks import check_dense
from rarewood.table._columns import family, is_missing

Labels = NDArray[Any]
ClassNumbers = NDArray[np.int32]

_BLOCK = 1 << 16  # labels


def encode_labels(y: Any, first_row: int = 0) -> tuple[Labels, ClassNumbers]:
    """Return the classes, sorted, in the type of y, and the class number of every sample.

    Labels are text, booleans, or whole numbers of any type. ``first_row`` is the number of the
    first row in its table, for messages.
    """
    if type(y).__module__ == "pyarrow.lib":
        return _encode_arrow(one_array(y), first_row)
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
    return _encode_sorted(labels)


def class_number(classes: Labels, pos_label: Any) -> int:
    """Return the number of the class with a label."""
    known = classes.tolist()
    try:
        return int(known.index(pos_label))
    except ValueError:  # of an array too, which compares with no label
        raise ValueError(
            f"pos_label must be one of the classes {known}, got {pos_label!r}."
        ) from None


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
            raise _missing_label(int(series.is_null().arg_true()[0]))
        is_text = series.dtype == nw.String  # polars would make texts of a fixed width
        y = np.array(series.to_list(), dtype=object) if is_text else series.to_numpy()
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {y.shape} instead. Multilabel and "
            "multioutput targets are not supported: fit one model for each column of y."
        )
    labels: Labels = column_or_1d(y, warn=True)
    return labels


def _check_classes(labels: Labels) -> None:
    """Raise scikit-learn's error for labels that cannot be classes, such as measurements."""
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(labels)


def _missing_label(row: int) -> ValueError:
    """Error for a sample without a label."""
    return ValueError(
        f"Input y contains NaN or another missing value, first in row {row}. Every sample needs a "
        "label: leave out the samples without one."
    )


def _encode_arrow(labels: Any, first_row: int) -> tuple[Labels, ClassNumbers]:
    pa = arrow()
    is_missing = labels.is_null(nan_is_null=True)
    if is_missing.true_count:
        row = int(np.argmax(is_missing.to_numpy(zero_copy_only=False)))
        raise _missing_label(first_row + row)
    if pa.types.is_decimal(labels.type):
        labels = labels.cast(pa.float64())
    if kind_of(labels.type) != "categorical" or pa.types.is_boolean(labels.type):
        return encode_labels(labels.to_numpy(zero_copy_only=False))
    values, places = dictionary_of(labels)
    is_used = np.zeros(len(values), dtype=bool)
    is_used[places] = True
    used = values.filter(pa.array(is_used)).to_numpy(zero_copy_only=False)
    classes, numbers = encode_labels(used)
    of_value = np.zeros(len(values), dtype=np.int32)
    of_value[is_used] = numbers
    return classes, of_value[places]


def _encode_sorted(labels: Labels) -> tuple[Labels, ClassNumbers]:
    classes, y = np.unique(labels, return_inverse=True)
    return classes, y.astype(np.int32)


def _encode_integers(labels: Labels) -> tuple[Labels, ClassNumbers]:
    """Encode by a lookup table where the values are close together, else by sorting."""
    if labels.dtype.kind == "b":
        classes, y = _encode_integers(labels.view(np.uint8))
        return classes.astype(bool), y
    if len(labels) == 0:
        return labels, np.empty(0, dtype=np.int32)
    low, high = int(labels.min()), int(labels.max())
    if high - low > min(4 * len(labels) + 1024, np.iinfo(np.int32).max):
        return _encode_sorted(labels)
    # Differences may not fit into a small type, nor large unsigned values into a signed one.
    wide = np.int64 if high < 2**63 else np.uint64
    is_seen = np.zeros(high - low + 1, dtype=bool)
    y = np.empty(len(labels), dtype=np.int32)
    blocks = [slice(first, first + _BLOCK) for first in range(0, len(labels), _BLOCK)]
    for rows in blocks:  # copies of a wide type, of few labels at a time
        y[rows] = labels[rows].astype(wide) - wide(low)
        is_seen[y[rows]] = True
    numbers = (np.cumsum(is_seen) - 1).astype(np.int32)
    for rows in blocks:
        y[rows] = numbers[y[rows]]
    classes = (np.flatnonzero(is_seen).astype(wide) + wide(low)).astype(labels.dtype)
    return classes, y


def _encode_floats(labels: Labels) -> tuple[Labels, ClassNumbers]:
    is_missing = np.isnan(labels)
    if is_missing.any():
        raise _missing_label(int(is_missing.argmax()))
    largest = np.abs(labels).max(initial=0)
    if np.isinf(largest):
        raise ValueError(f"Input y contains infinity or a value too large for {labels.dtype!r}.")
    if (np.trunc(labels) != labels).any():
        _check_classes(labels)  # raises: measurements are not classes
    if largest >= 2**53:
        return _encode_sorted(labels)
    classes, y = _encode_integers(labels.astype(np.int64))
    return classes.astype(labels.dtype), y


def _encode_texts(labels: Labels) -> tuple[Labels, ClassNumbers]:
    """Encode by hashing, which is many times faster than sorting texts."""
    texts = labels.tolist()
    classes = sorted(set(texts))
    numbers = {text: number for number, text in enumerate(classes)}
    y = np.fromiter(map(numbers.__getitem__, texts), dtype=np.int32, count=len(texts))
    return np.array(classes, dtype=labels.dtype), y


def _encode_objects(labels: Labels) -> tuple[Labels, ClassNumbers]:
    values = labels.tolist()
    if set(map(type, values)) == {str}:  # the usual case, decided quickly
        return _encode_texts(labels)
    missing = [row for row, value in enumerate(values) if is_missing(value)]
    if missing:
        raise _missing_label(missing[0])
    found = family(values)
    if found == "text":
        return _encode_texts(labels)
    if found in ("number", "bool"):
        plain = np.array(values)
        return encode_labels(plain if plain.dtype != object else plain.astype(np.float64))
    if found is not None and " and " in found:
        raise ValueError(
            f"y contains labels of different types: {found}. Convert them to one type."
        )
    _check_classes(labels)
    raise ValueError(f"Unknown label type: {found}. Labels are text, booleans or whole numbers.")
