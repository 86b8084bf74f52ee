"""Checks of tables and weights that need only NumPy, so that workers of a cluster start quickly."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BLOCK = 2**20  # values checked at once, so that no copy of the table is made


def check_dense(X: Any, name: str = "X") -> None:
    """Raise a TypeError with a remedy for a SciPy sparse matrix."""
    sparse = sys.modules.get("scipy.sparse")  # imported by whoever made one
    if sparse is not None and sparse.issparse(X):
        raise TypeError(
            f"{name} is a sparse matrix; rarewood needs dense data. Use {name}.toarray() to "
            "convert it to a dense array (this may need much memory)."
        )


def check_shape(table_shape: tuple[int, ...], max_rows: int) -> None:
    """Raise a ValueError for a table without rows or columns, or with too many rows."""
    n_rows, n_features = table_shape
    shape = f"(shape=({n_rows}, {n_features}))"
    required = "while a minimum of 1 is required."
    if n_rows == 0:
        raise ValueError(f"Found array with 0 sample(s) {shape} {required}")
    if n_features == 0:
        raise ValueError(f"Found array with 0 feature(s) {shape} {required}")
    if n_rows > max_rows:
        raise ValueError(
            f"X has {n_rows} samples; a tree can be grown on at most {max_rows}. Fit on a "
            "random subset of them."
        )


def check_n_features(n_features: int, n_fitted: int, owner: str = "the model") -> None:
    """Raise a ValueError unless a table has as many features as a fitted model."""
    if n_features != n_fitted:
        raise ValueError(
            f"X has {n_features} features, but {owner} is expecting {n_fitted} features as input."
        )


def check_unique_names(names: Sequence[Any], table: str) -> None:
    """Raise a ValueError for a table with several columns of one name."""
    twice = next((name for name, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        raise ValueError(f"{table} has several columns named {twice!r}: rename all but one.")


def check_lengths(n_rows: int, n_labels: int) -> None:
    """Raise a ValueError unless there is one label for every row."""
    if n_rows != n_labels:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} and y has {n_labels}."
        )


def check_finite(X: NDArray[Any], names: NDArray[np.object_] | None) -> None:
    """Raise a ValueError that names the column of an infinite value; NaN is allowed.

    The core checks every value as it reads it; this finds the column after its error.
    """
    step = max(1, _BLOCK // X.shape[1])
    for start in range(0, X.shape[0], step):
        infinite = np.isinf(X[start : start + step]).any(axis=0)
        if infinite.any():
            column = int(infinite.argmax())
            label = column if names is None else repr(names[column])
            raise ValueError(
                f"Input X contains infinity or a value too large for {X.dtype!r}, in column "
                f"{label}. Replace infinite values by a number, or by NaN if they are missing."
            )


@contextmanager
def naming_infinite(X: NDArray[Any], names: NDArray[np.object_] | None) -> Iterator[None]:
    """Let an error of the core about an infinite value name the column."""
    try:
        yield
    except ValueError:
        check_finite(X, names)
        raise


def check_weights(weights: NDArray[np.float64], first_row: int = 0) -> None:
    """Raise a ValueError unless weights are finite and not negative; they may all be zero."""
    with np.errstate(over="ignore"):
        lowest, total = weights.min(initial=0), weights.sum()
    if not np.isfinite(total):
        is_missing = np.isnan(weights)
        if is_missing.any():
            raise ValueError(
                "Input sample_weight contains NaN or another missing value, first in row "
                f"{first_row + int(is_missing.argmax())}. Every sample needs a weight; use zero to "
                "leave a sample out."
            )
        if np.isinf(weights).any():
            raise ValueError(
                "Input sample_weight contains infinity or a value too large for "
                f"{weights.dtype!r}. Weights are finite numbers."
            )
        raise ValueError("sample_weight is too large: the sum of the weights is infinite.")
    if lowest < 0:
        row = first_row + int(weights.argmin())
        raise ValueError(
            f"Negative values in sample_weight, such as {lowest:g} for row {row}. "
            "Weights must not be negative; use 0 to exclude a sample."
        )


def check_any_weight(is_any: bool) -> None:
    """Raise a ValueError if no sample has a nonzero weight."""
    if not is_any:
        raise ValueError(
            "sample_weight is zero for every sample. "
            "Sample weights must contain at least one non-zero number."
        )
