"""The rows of a classification problem, and the limits a tree must respect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext

import numpy as np

from oracle.criteria import CONTEXT, ZERO, exact


@dataclass(frozen=True)
class Problem:
    """X holds numbers, category numbers where n_categories > 0, and NaN for missing."""

    X: np.ndarray
    y: np.ndarray
    n_classes: int
    n_categories: np.ndarray
    weights: np.ndarray | None = None

    @classmethod
    def of(cls, X, y, n_classes=None, n_categories=None, weights=None) -> Problem:
        X = np.asarray(X)
        y = np.asarray(y, dtype=np.int32)
        if n_classes is None:
            n_classes = int(y.max()) + 1
        if n_categories is None:
            n_categories = np.zeros(X.shape[1])
        if weights is not None:
            weights = np.asarray(weights, dtype=np.float64)
        return cls(X, y, n_classes, np.asarray(n_categories, dtype=np.int64), weights)

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def n_features(self) -> int:
        return self.X.shape[1]

    def counts(self, rows: Sequence[int]) -> list[int]:
        """Rows of each class."""
        return np.bincount(self.y[list(rows)], minlength=self.n_classes).tolist()

    def weighted_counts(self, rows: Sequence[int]) -> list[Decimal]:
        """Weight of each class, summed exactly."""
        if self.weights is None:
            return [exact(n) for n in self.counts(rows)]
        sums = [ZERO] * self.n_classes
        with localcontext(CONTEXT):
            for i in rows:
                sums[self.y[i]] += exact(self.weights[i])
        return sums

    def weight(self, rows: Sequence[int]) -> float:
        return float(sum(self.weighted_counts(rows), ZERO))


@dataclass(frozen=True)
class Limits:
    """When to stop; the defaults grow the tree fully."""

    max_depth: int = 0
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_gain: float = 0.0
    categorical_split: str = field(default="subset")
