"""What is to be grown, and what came of it: the same wherever the rows are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rarewood import _core

__all__ = ["Grown", "Growth"]


@dataclass(frozen=True, eq=False)
class Growth:
    """Trees to be grown.

    Parameters
    ----------
    criteria : list of _core.Criterion
        One for all trees, or one for each.
    options : _core.GrowOptions
        How nodes are split.
    pruning : _core.Pruning
        How trees are pruned.
    draw : _core.RowDraw
        Which rows each tree is grown on; by default all.
    n_trees, first_tree : int
        How many trees, and the number of the first of them.
    balance_weights : bool
        Whether the classes are to weigh the same in every tree.
    max_bins : int or None
        Most bins of a column; None for the exact search.
    n_threads : int
        Threads to use.
    progress : callable or None
        Called with the number of finished trees.
    """

    criteria: Sequence[_core.Criterion]
    options: _core.GrowOptions
    pruning: _core.Pruning
    draw: _core.RowDraw = field(default_factory=_core.RowDraw)
    n_trees: int = 1
    first_tree: int = 0
    balance_weights: bool = False
    max_bins: int | None = None
    n_threads: int = 1
    progress: Callable[[int], object] | None = None


class Grown(NamedTuple):
    """Trees, and whether there were missing values in the rows they were grown on."""

    trees: list[_core.Tree]
    has_missing: bool
