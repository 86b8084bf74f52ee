"""Shapley values of any model, estimated from permutations of the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_MOST_ROWS, _MOST_VALUES = 1 << 17, 1 << 24  # predicted at once


def permuted_values(
    proba: Callable[[Floats], Floats], reference: Floats, matrix: NDArray[Any]
) -> tuple[Floats, float, str]:
    """Return Shapley values of a probability relative to reference rows, base value and method.

    Each reference row takes part with one random order of the columns and with its reverse. Columns
    of the row to explain replace those of the reference row one after the other, and the changes of
    the probability are the contributions, so that they add up exactly. Columns in which both rows
    agree contribute nothing.
    """
    n_features = matrix.shape[1]
    random = np.random.default_rng(0)
    orders = [random.permutation(n_features) for _ in reference]
    ranks = np.array([np.argsort(o) for order in orders for o in (order, order[::-1])])
    backgrounds = np.repeat(reference, 2, axis=0)
    values = np.zeros((len(matrix), n_features))
    for row, own in zip(values, np.asarray(matrix, dtype=np.float64), strict=True):
        along = _along(proba, own, backgrounds, ranks)
        row[:] = np.take_along_axis(np.diff(along, axis=1), ranks, axis=1).mean(axis=0)
    base = float(proba(reference).mean())
    return values, base, f"Shapley values, estimated from {len(ranks)} orders of the columns"


def _along(
    proba: Callable[[Floats], Floats], own: Floats, backgrounds: Floats, ranks: NDArray[np.intp]
) -> Floats:
    """Return probabilities while the columns of a row replace those of each background row."""
    n_orders, n_features = ranks.shape
    n_all = n_orders * (n_features + 1)
    size = max(1, min(_MOST_ROWS, _MOST_VALUES // max(n_features, 1)))
    found = np.empty(n_all)
    for start in range(0, n_all, size):
        orders, steps = np.divmod(np.arange(start, min(start + size, n_all)), n_features + 1)
        is_own = ranks[orders] < steps[:, np.newaxis]
        found[start : start + size] = proba(np.where(is_own, own, backgrounds[orders]))
    return found.reshape(n_orders, n_features + 1)
