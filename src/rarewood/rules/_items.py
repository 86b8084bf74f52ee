"""Items of rules: a feature with one of its categories, or in one of its bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.discretize import MDLDiscretizer
from rarewood.rules._conditions import Condition, Interval, Subset

Items = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class ItemMap:
    """Numbers of the items of a discretised table: those of a feature follow each other."""

    discretizer: MDLDiscretizer

    @property
    def feature_of_item(self) -> Items:
        """Feature of each item."""
        n_bins = self.discretizer.n_bins_
        return np.repeat(np.arange(len(n_bins), dtype=np.int32), n_bins)

    @property
    def _first(self) -> NDArray[np.int64]:
        """First item of each feature."""
        n_bins = self.discretizer.n_bins_
        return np.cumsum(n_bins) - n_bins

    def items(self, X: Any, owner: Any) -> Items:
        """Return the item of each sample and feature; -1 where a value is missing.

        ``owner`` is the estimator that messages name.
        """
        codes = self.discretizer._codes(X, owner)
        items = np.where(np.isnan(codes), -1, np.nan_to_num(codes) + self._first)
        return np.ascontiguousarray(items, dtype=np.int32)

    def condition(self, item: int) -> Condition:
        """Return the condition that a sample has an item; missing values do not satisfy it."""
        feature = int(self.feature_of_item[item])
        code = item - int(self._first[feature])
        if feature in self.discretizer._schema.categories:
            return Subset(feature, frozenset([code]), missing=False)
        ends = np.concatenate([[-np.inf], self.discretizer.cuts_[feature], [np.inf]])
        return Interval(feature, float(ends[code]), float(ends[code + 1]), missing=False)
