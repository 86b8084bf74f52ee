"""Checks shared by fit and predict; the only module that uses private names of scikit-learn."""

from __future__ import annotations

import inspect
import os
from functools import cache
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils import check_random_state
from sklearn.utils._metadata_requests import _routing_enabled as routing_enabled
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import (
    _check_feature_names as check_feature_names,
)
from sklearn.utils.validation import (
    _check_sample_weight,
    _get_feature_names,
    _num_samples,
)

from rarewood.table._checks import check_any_weight, check_weights

__all__ = [
    "HasMethods",
    "Interval",
    "RealNotInt",
    "StrOptions",
    "check_feature_names",
    "check_parameters",
    "feature_names",
    "number_of_rows",
    "number_of_threads",
    "output_container",
    "routing_enabled",
    "sample_weights",
    "seed_from",
    "take_rows",
]


def check_parameters(estimator: Any) -> None:
    """Raise scikit-learn's error for a parameter out of range; defaults are not checked."""
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


def number_of_rows(data: Any) -> int:
    """Return the number of rows of anything array-like."""
    return int(_num_samples(data))


def feature_names(X: Any) -> NDArray[np.object_] | None:
    """Return the column names of a DataFrame if all are strings, else None."""
    if isinstance(X, np.ndarray):
        return None
    names: NDArray[np.object_] | None = _get_feature_names(X)
    return names


def sample_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return the weight of every row; raise unless finite, not negative, and not all zero."""
    plain = (
        type(sample_weight) is np.ndarray
        and sample_weight.dtype == np.float64
        and sample_weight.shape == (n_rows,)
    )
    if not plain:
        # scikit-learn needs the table for its length only.
        table = np.broadcast_to(np.float64(0), (n_rows, 1))
        sample_weight = _check_sample_weight(sample_weight, table, dtype=np.float64)
    weights: NDArray[np.float64] = sample_weight
    check_weights(weights)
    check_any_weight(bool(weights.any()))
    return weights


def number_of_threads(n_jobs: int | None) -> int:
    """Return the number of threads for ``n_jobs``, as joblib defines it.

    A joblib worker with ``n_jobs=-1`` uses its fraction of the cores only, so that a parallel
    search over forests does not start more threads than there are cores.
    """
    n_threads = int(joblib.effective_n_jobs(n_jobs))
    if n_jobs is not None and n_jobs > 0:
        return n_threads
    if getattr(joblib.parallel.get_active_backend()[0], "nesting_level", 0):
        limit = os.environ.get("OMP_NUM_THREADS", "")  # joblib sets it in its processes
        return min(n_threads, int(limit)) if limit.isdigit() and int(limit) > 0 else 1
    return min(n_threads, int(joblib.cpu_count()))  # a cluster has more, but not in this process


def output_container(transformer: Any) -> str | None:
    """Return the DataFrame library chosen by ``set_output``; None for arrays."""
    chosen: str = _get_output_config("transform", transformer)["dense"]
    return None if chosen == "default" else chosen


def seed_from(random_state: Any) -> int:
    """Return a seed of the core: the integer itself, or a draw from a RandomState."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(0, 2**63 - 1, dtype=np.int64))
