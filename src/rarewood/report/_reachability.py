"""Threshold reachability: which thresholds rare rows reach, and how steeply recall falls."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.operating import BestF, OperatingCurve, RecallFloor
from rarewood.report._pooled import Pooled

__all__ = ["reachability"]

_LEVELS = (0.95, 0.9, 0.8, 0.5, 0.25, 0.1)


def reachability(
    pooled: Pooled, curve: OperatingCurve, span: tuple[float, float], usual: float
) -> dict[str, Any]:
    """Return how many rare rows reach which threshold.

    Parameters
    ----------
    pooled : Pooled
        Predictions of one model, with scores.
    curve : OperatingCurve
        Their curve.
    span : (float, float)
        Range of the scores.
    usual : float
        The threshold that one would take without thinking: 0.5 of a probability, 0 of another
        score.

    Returns
    -------
    reach : dict
        "at_usual" and "best_f", points of the curve; "levels", the highest threshold that still
        finds a share of the rare rows; "steepest", the tenth of the range with most rare rows in
        it; and "words".
    """
    assert pooled.score is not None
    rare = np.sort(pooled.score[pooled.is_rare])
    best = int(BestF().choose(curve))
    reach = {
        "usual": usual,
        "at_usual": point(curve, curve.place(usual), usual),
        "best_f": point(curve, best, float(curve.threshold[best])),
        "levels": [_level(curve, level) for level in _LEVELS],
        "steepest": _steepest(rare, span),
        "highest_rare": float(rare[-1]),
    }
    return {**reach, "words": _words(reach)}


def point(curve: OperatingCurve, place: int, threshold: float) -> dict[str, Any]:
    """Return what a threshold achieves."""
    counts = curve.take(place)
    return {
        "threshold": threshold,
        "recall": counts.recall,
        "precision": None if counts.alerts == 0 else counts.precision,
        "f": counts.f(),
        "alerts_per_1000": counts.alerts_per_1000,
    }


def _level(curve: OperatingCurve, recall: float) -> dict[str, Any]:
    """Return the highest threshold that at least a share of the rare rows reach."""
    place = int(RecallFloor(recall).choose(curve))
    return {**point(curve, place, float(curve.threshold[place])), "recall": recall}


def _steepest(rare: NDArray[np.float64], span: tuple[float, float]) -> dict[str, float]:
    """Return the stretch of a tenth of the range that holds most rare rows."""
    width = (span[1] - span[0]) / 10
    inside = np.searchsorted(rare, rare + width, side="right") - np.arange(len(rare))
    start = int(inside.argmax())
    last = start + int(inside[start]) - 1
    return {
        "from": float(rare[start]),
        "to": float(rare[last]),
        "share": float(inside[start] / len(rare)),
    }


def _words(reach: dict[str, Any]) -> list[str]:
    usual, best, steep = reach["at_usual"], reach["best_f"], reach["steepest"]
    only = "only " if 0 < usual["recall"] < 0.7 * best["recall"] else ""
    words = [
        f"At {reach['usual']:g}, the usual threshold, {only}{_share(usual['recall'])} of the rare "
        f"rows are found; the best F-measure ({best['f']:.2f}) is at {best['threshold']:.3g}, "
        f"where {_share(best['recall'])} are found.",
        _steepness(steep),
    ]
    if reach["highest_rare"] < reach["usual"]:
        words.append(
            f"No rare row has a score above {reach['highest_rare']:.3g}: a threshold of "
            f"{reach['usual']:g} finds none of them."
        )
    return words


def _steepness(steep: dict[str, float]) -> str:
    share = _share(steep["share"])
    if steep["from"] == steep["to"]:
        return (
            f"The fall is a step: {share} of the rare rows have the very same score, "
            f"{steep['from']:.3g}, so a threshold finds or loses them together."
        )
    return (
        f"The fall is steepest between {steep['from']:.3g} and {steep['to']:.3g}: {share} of the "
        "rare rows have a score in that stretch, so small changes of the threshold there find or "
        "lose many of them."
    )


def _share(value: float) -> str:
    """Return a share in words that do not round a few rows away."""
    if value in (0, 1):
        return "none" if value == 0 else "all"
    return f"{value:.0%}" if 0.01 <= value <= 0.99 else f"{value:.2%}"
