"""Settings of the growth of trees, as plain data that can be sent to a worker."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from rarewood import _core
from rarewood.criteria import CriterionLike, resolve


@dataclass(frozen=True, eq=False)
class Growth:
    """Trees to grow.

    ``options``, ``pruning`` and ``sampling`` are the arguments of ``_core.GrowOptions``,
    ``_core.Pruning`` and ``_core.RowSampling``; none without pruning, and for trees on all rows.
    """

    criteria: list[CriterionLike]  # of each tree
    options: dict[str, Any]
    pruning: dict[str, Any] = field(default_factory=dict)
    sampling: dict[str, Any] = field(default_factory=dict)
    first_tree: int = 0  # its number in the forest
    balance_weights: bool = False  # the same total weight of all classes in the rows of each tree
    max_bins: int | None = None  # None for the exact search

    def __len__(self) -> int:
        return len(self.criteria)

    def part(self, begin: int, end: int) -> Growth:
        """Return some of the trees."""
        first_tree = self.first_tree + begin
        return replace(self, criteria=self.criteria[begin:end], first_tree=first_tree)

    def core_arguments(self) -> dict[str, Any]:
        """Return the arguments of the functions of the core that grow trees."""
        is_one = all(criterion == self.criteria[0] for criterion in self.criteria)
        criteria = self.criteria[:1] if is_one else self.criteria
        return {
            "criteria": [resolve(criterion) for criterion in criteria],
            "options": _core.GrowOptions(**self.options),
            "sampling": _core.RowSampling(**self.sampling),
            "n_trees": len(self),
            "first_tree": self.first_tree,
            "balance_weights": self.balance_weights,
            "pruning": _core.Pruning(**self.pruning),
        }
