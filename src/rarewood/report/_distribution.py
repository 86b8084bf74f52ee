"""How the scores of the rare class lie in each class."""

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
    """Return histograms of the scores, one for each class.

    Parameters
    ----------
    pooled : Pooled
        Predictions of one model.
    names : list of str
        Names of the classes.
    rare : int
        Number of the rare one.
    span : (float, float)
        Range of the scores.

    Returns
    -------
    distribution : dict or None
        "edges" of the bins, and for each class the share of its rows in every bin. Beyond six
        classes the smaller ones are counted together.
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
                "shares": _shares(pooled.score[np.isin(pooled.y, group)], edges),
            }
            for group in groups
        ],
    }


def _shares(score: NDArray[np.float64], edges: NDArray[np.float64]) -> list[float]:
    counts = np.histogram(score, edges)[0]
    return [float(share) for share in counts / max(len(score), 1)]
