"""Tables of a few hundred to a few thousand rows, for the searches that large nodes use."""

from __future__ import annotations

import numpy as np

from oracle.cases import Case
from oracle.problem import Limits, Problem

KINDS = (
    "continuous",
    "balanced",
    "coarse",
    "mixed",
    "skewed",
    "missing",
    "categorical",
    "float32",
    "hard",
)


def deep(case: Case) -> Limits:
    """Fully grown, but where infinities tie: those trees peel off one row after the other."""
    return Limits(max_depth=8 if case.has_infinities else 0)


def medium_problem(kind: str, n: int, k: int, seed: int = 0, weighted: bool = False) -> Problem:
    """Classes that depend on some of the columns, with noise; one class is rare."""
    rng = np.random.default_rng([seed, n, k, KINDS.index(kind)])
    X = rng.normal(size=(n, 5))
    signal = X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * rng.normal(size=n)
    share = {"skewed": 0.01, "balanced": 1 / k}.get(kind, 0.08)
    edges = np.quantile(signal, 1 - share * np.arange(k - 1, 0, -1))
    y = np.searchsorted(edges, signal).astype(np.int32)
    n_categories = np.zeros(5, dtype=np.int64)
    if kind == "coarse":
        X = np.round(X * 3)
    elif kind == "mixed":  # a few values, many values, heavy duplicates, a constant
        X[:, 1] = np.round(X[:, 1])
        X[:, 2] = np.where(X[:, 2] < 0.5, 0.0, X[:, 2])
        X[:, 3] = 7.0
    elif kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
        X[signal > edges[0], 4] = np.nan
        X[rng.random(n) < 0.5, 4] = np.nan
    elif kind == "categorical":
        X[:, 1] = np.clip(np.round(X[:, 1] * 2) + 4, 0, 8)
        X[:, 3] = rng.integers(0, 40, size=n)
        n_categories[[1, 3]] = 9, 40
        X[rng.random(X.shape) < 0.03] = np.nan
    elif kind == "float32":
        X = X.astype(np.float32)
    elif kind == "hard":  # neighbouring doubles, huge and tiny numbers, heavy tails
        X[:, 0] = 1 + np.round(X[:, 0] * 200) * 2**-52
        X[:, 1] = X[:, 1] * 1e300
        X[:, 2] = np.round(X[:, 2] * 100) * 5e-324
        X[:, 3] = np.sinh(X[:, 3] * 30)
    weights = rng.gamma(2.0, size=n) if weighted else None
    order = "F" if seed % 2 else "C"
    return Problem.of(np.array(X, order=order), y, k, n_categories, weights)
