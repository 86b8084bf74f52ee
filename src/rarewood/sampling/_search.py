"""Search for the best levels of sampling, axis by axis: undersampling, then SMOTE.

All searches are one loop, which differs in its patience: how many levels in a row may fail before
the loop leaves an axis. A search of the registry is a name, a sentence and a patience.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import inf, isnan
from typing import NamedTuple

from rarewood.sampling._levels import Levels


class SearchKind(NamedTuple):
    """An entry of the registry; the patience None is the parameter ``lookahead``."""

    description: str
    patience: float | None

    def patience_with(self, lookahead: int) -> float:
        """Return how many levels in a row may fail before the search leaves an axis."""
        return float(lookahead) if self.patience is None else self.patience


SEARCHES = {
    "greedy": SearchKind("stops at the first level that fails", 0),
    "lookahead": SearchKind("stops when the next `lookahead` levels fail as well", None),
    "best_per_axis": SearchKind("tries all levels and takes the best", inf),
}


def search_levels(
    score: Callable[[Levels], float],
    undersample: Sequence[float],
    smote: Sequence[float],
    patience: float,
) -> tuple[Levels, float]:
    """Return the best levels of those tried, and their score.

    A level of undersampling fails if the score is below the best so far, a level of SMOTE unless
    it is above: of equal scores, less data wins. ``score`` is called once for each pair of levels.
    """
    best = Levels(), score(Levels())
    if isnan(best[1]):
        raise ValueError(
            "The score without sampling is NaN. Use another scoring, or folds in which it is "
            "defined."
        )
    axis = [Levels(level, 0.0) for level in undersample]
    best = _best_of_axis(score, axis, best, operator.ge, patience)
    axis = [Levels(best[0].undersample, level) for level in smote]
    return _best_of_axis(score, axis, best, operator.gt, patience)


def _best_of_axis(
    score: Callable[[Levels], float],
    axis: list[Levels],
    best: tuple[Levels, float],
    is_success: Callable[[float, float], bool],
    patience: float,
) -> tuple[Levels, float]:
    n_failed = 0  # in a row
    for levels in axis:
        found = score(levels)
        if is_success(found, best[1]):
            best, n_failed = (levels, found), 0
        else:  # NaN, too
            n_failed += 1
        if n_failed > patience:
            break
    return best
