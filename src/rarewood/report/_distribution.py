"""Histograms of the scores in each class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.report._pooled import Pooled

__all__ = ["distribution"]

_N_BINS, _MOST_CLASSES = 40, 6


def distribution(
    pooled: Pooled, names: list[str], rare: int, span: tuple[float, float]
) -> dict[str, Any] | None:
    """Return the "edges" of the bins, and for each class the fraction of its rows in each bin.

    ``rare`` is the number of the rare class and ``span`` the range of the scores. With more than
    six classes, the smaller ones are merged.
    """
    if pooled.score is None or not len(pooled):
        return None
    edges = np.linspace(*span, _N_BINS + 1)
    counts = np.bincount(pooled.y, minlength=len(names))
    others = [i for i in np.argsort(-counts, kind="stable").tolist() if i != rare and counts[i]]
    groups = [[rare], *([i] for i in others)]
    if len(groups) > _MOST_CLASSES:
        groups = [*groups[: _MOST_CLASSES - 1], others[_MOST_CLASSES - 2 :]]
    return {
        "edges": edges.tolist(),
        "classes": [
            {
                "label": names[group[0]] if len(group) == 1 else f"{len(group)} other classes",
                "is_rare": group == [rare],
                "fractions": _fractions(pooled.score[np.isin(pooled.y, group)], edges),
            }
            for group in groups
        ],
    }


def _fractions(score: NDArray[np.float64], edges: NDArray[np.float64]) -> list[float]:
    counts = np.histogram(score, edges)[0]
    return [float(n) for n in counts / max(len(score), 1)]
