"""Scores of a model: histograms in each class, and calibration."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.operating._point import wilson
from rarewood.report._pooled import Pooled

Floats = NDArray[np.float64]
_N_BINS = 10
_N_BARS, _MOST_CLASSES = 40, 6


def calibration(pooled: Pooled, n_passes: float, n_bins: int = _N_BINS) -> dict[str, Any] | None:
    """Return reliability curves and proper scores; None for scores that are not probabilities.

    "bins" have equal numbers of rows, "rare_bins" of rare rows; rows with equal probabilities share
    a bin. Intervals count each row once, not ``n_passes`` times. Brier score and log loss are of
    the rare class, beside those of a constant prediction of the base rate.
    """
    if pooled.score is None or not pooled.is_probability or not len(pooled):
        return None
    score, is_rare = pooled.score, pooled.is_rare.astype(np.float64)
    base_rate = float(is_rare.mean())
    rare = score[pooled.is_rare]
    return {
        "n_bins": n_bins,
        "bins": _bins(score, is_rare, _cuts(score, n_bins), n_passes),
        "rare_bins": _bins(score, is_rare, _cuts(rare, n_bins), n_passes) if len(rare) else [],
        "mean_probability": float(score.mean()),
        "base_rate": base_rate,
        "brier": _brier(score, is_rare),
        "brier_of_base_rate": _brier(np.full_like(score, base_rate), is_rare),
        "log_loss": _log_loss(score, is_rare),
        "log_loss_of_base_rate": _log_loss(np.full_like(score, base_rate), is_rare),
    }


def _cuts(values: Floats, n_bins: int) -> Floats:
    """Return the lower edges of bins with equal numbers of values; the first is -inf."""
    # Integer positions: quantiles would be off by a row where 0.1 k n is rounded.
    places = np.arange(1, n_bins) * len(values) // n_bins
    cuts = np.unique(np.sort(values)[places])
    return np.concatenate([[-np.inf], cuts[cuts > values.min()]])


def _bins(score: Floats, is_rare: Floats, cuts: Floats, n_passes: float) -> list[dict[str, Any]]:
    place = np.searchsorted(cuts, score, side="right") - 1
    n = np.bincount(place, minlength=len(cuts))
    sums = np.bincount(place, weights=score, minlength=len(cuts))
    hits = np.bincount(place, weights=is_rare, minlength=len(cuts))
    lows = np.full(len(cuts), np.inf)
    highs = np.full(len(cuts), -np.inf)
    np.minimum.at(lows, place, score)
    np.maximum.at(highs, place, score)
    bins = []
    for i in np.flatnonzero(n).tolist():
        low, high = wilson(hits[i] / n[i], n[i] / n_passes, 0.95)
        bins.append(
            {
                "n": n[i] / n_passes,
                "n_rare": float(hits[i]) / n_passes,
                "from": float(lows[i]),
                "to": float(highs[i]),
                "predicted": float(sums[i] / n[i]),
                "observed": float(hits[i] / n[i]),
                "low": low,
                "high": high,
            }
        )
    return bins


def _brier(score: Floats, is_rare: Floats) -> float:
    return float(np.square(score - is_rare).mean())


def _log_loss(score: Floats, is_rare: Floats) -> float:
    tiny = np.finfo(np.float64).eps
    clipped = np.clip(score, tiny, 1 - tiny)
    return float(-np.where(is_rare > 0, np.log(clipped), np.log1p(-clipped)).mean())


def distribution(
    pooled: Pooled, names: list[str], rare: int, span: tuple[float, float]
) -> dict[str, Any] | None:
    """Return the "edges" of the bins, and for each class the fraction of its rows in each bin.

    ``rare`` is the number of the rare class and ``span`` the range of the scores. With more than
    six classes, the smaller ones are merged.
    """
    if pooled.score is None or not len(pooled):
        return None
    edges = np.linspace(*span, _N_BARS + 1)
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
