"""Checks shared by fit and predict; the one file that touches scikit-learn's private names."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import joblib
import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils import check_random_state
from sklearn.utils._metadata_requests import _routing_enabled
from sklearn.utils._param_validation import (
    Interval,
    RealNotInt,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import (
    _check_feature_names as check_feature_names,
)
from sklearn.utils.validation import (
    _check_sample_weight,
    _get_feature_names,
    _num_samples,
)

__all__ = [
    "Interval",
    "RealNotInt",
    "StrOptions",
    "check_any_weight",
    "check_dense",
    "check_feature_names",
    "check_finite",
    "check_lengths",
    "check_parameters",
    "check_shape",
    "feature_names",
    "naming_infinite",
    "number_of_rows",
    "number_of_threads",
    "routed_parameters",
    "row_weights",
    "sample_weights",
    "seed_from",
    "take_rows",
]

_BLOCK = 2**20  # values looked at in one go, so that no copy of the table is made


def check_parameters(estimator: Any) -> None:
    """Raise scikit-learn's error for a parameter out of range; defaults are not looked at."""
    if get_config()["skip_parameter_validation"]:
        return
    constraints = estimator._parameter_constraints
    estimator_type: type = type(estimator)
    defaults = _defaults(estimator_type)
    given = {name: getattr(estimator, name) for name in constraints}
    given = {name: value for name, value in given.items() if value is not defaults.get(name)}
    if given:
        validate_parameter_constraints(constraints, given, caller_name=estimator_type.__name__)


@cache
def _defaults(estimator_type: type) -> dict[str, object]:
    parameters = inspect.signature(estimator_type).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters}


def check_dense(X: Any, name: str = "X") -> None:
    """Raise a TypeError with a remedy for a SciPy sparse matrix."""
    if scipy.sparse.issparse(X):
        raise TypeError(
            f"{name} is a sparse matrix; rarewood needs dense data. Use {name}.toarray() to "
            "convert it to a dense array (mind the memory it takes)."
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
            f"X has {n_rows} rows, more than the {max_rows} that a tree can number. "
            "Fit on a sample of the rows, or on several parts."
        )


def check_lengths(n_rows: int, n_labels: int) -> None:
    """Raise a ValueError unless there is one label for every row."""
    if n_rows != n_labels:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} and y has {n_labels}."
        )


def number_of_rows(data: Any) -> int:
    """Length of anything array-like."""
    return int(_num_samples(data))


def feature_names(X: Any) -> NDArray[np.object_] | None:
    """Column names of a DataFrame when all of them are strings, else None."""
    if isinstance(X, np.ndarray):
        return None
    names: NDArray[np.object_] | None = _get_feature_names(X)
    return names


def check_finite(X: NDArray[Any], names: NDArray[np.object_] | None) -> None:
    """Raise a ValueError that names the column of an infinite value; NaN is allowed.

    The core looks at every value as it reads it, and only its error leads here.
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


def sample_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Weights as one finite, non-negative number for every row, not all zero."""
    weights = row_weights(sample_weight, n_rows)
    check_any_weight(bool(weights.any()))
    return weights


def row_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Weights as one finite, non-negative number for every row; they may all be zero."""
    plain = (
        type(sample_weight) is np.ndarray
        and sample_weight.dtype == np.float64
        and sample_weight.shape == (n_rows,)
    )
    if not plain:
        # scikit-learn wants the table for its length only.
        table = np.broadcast_to(np.float64(0), (n_rows, 1))
        sample_weight = _check_sample_weight(sample_weight, table, dtype=np.float64)
    weights: NDArray[np.float64] = sample_weight
    with np.errstate(over="ignore"):
        lowest, total = weights.min(initial=0), weights.sum()
    if not np.isfinite(total):
        _check_sample_weight(weights, weights, dtype=np.float64)  # raises for NaN and infinity
        raise ValueError("sample_weight is too large: the sum of the weights is infinite.")
    if lowest < 0:
        row = int(weights.argmin())
        raise ValueError(
            f"Negative values in sample_weight, such as {lowest:g} for row {row}. "
            "Weights count rows; use zero to leave a row out."
        )
    return weights


def check_any_weight(is_any: bool) -> None:
    """Raise a ValueError if no row weighs anything."""
    if not is_any:
        raise ValueError(
            "sample_weight is zero for every row, which leaves nothing to fit. "
            "Sample weights must contain at least one non-zero number."
        )


def number_of_threads(n_jobs: int | None) -> int:
    """Threads for ``n_jobs``, with joblib's meaning of None, -1 and a surrounding backend.

    A worker of joblib that is asked for "all" cores takes its share of them only, so that a
    parallel search over forests does not start more threads than there are cores.
    """
    n_threads = int(joblib.effective_n_jobs(n_jobs))
    if n_jobs is not None and n_jobs > 0:
        return n_threads
    if getattr(joblib.parallel.get_active_backend()[0], "nesting_level", 0):
        share = os.environ.get("OMP_NUM_THREADS", "")  # joblib sets it in its processes
        return min(n_threads, int(share)) if share.isdigit() and int(share) > 0 else 1
    return min(n_threads, int(joblib.cpu_count()))  # a cluster has more, but not in this process


def seed_from(random_state: Any) -> int:
    """A seed of the core's generator: the integer itself, or a draw from a RandomState."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(0, 2**63 - 1, dtype=np.int64))


def routed_parameters(estimator: Any, params: dict[str, Any]) -> dict[str, Any]:
    """Return what ``fit`` of a wrapped estimator gets of what ``fit`` of its wrapper got."""
    params = {name: value for name, value in params.items() if value is not None}
    if not _routing_enabled():
        return params
    return dict(process_routing(estimator, "fit", **params).estimator.fit)
