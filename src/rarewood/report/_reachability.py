"""Threshold reachability: recall at each threshold, and where it decreases most."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.operating import BestF, OperatingCurve, RecallFloor
from rarewood.report._pooled import Pooled

_LEVELS = (0.95, 0.9, 0.8, 0.5, 0.25, 0.1)


def reachability(
    pooled: Pooled, curve: OperatingCurve, span: tuple[float, float], default: float
) -> dict[str, Any]:
    """Return recall at selected thresholds, with sentences about it.

    "at_default" (0.5 for probabilities, 0 for other scores) and "best_f" are points of the curve;
    "levels" are the highest thresholds with several recalls; "steepest" is the tenth of the range
    of the scores, ``span``, with most rare rows.
    """
    assert pooled.score is not None
    rare = np.sort(pooled.score[pooled.is_rare])
    best = int(BestF().choose(curve))
    found = {
        "default": default,
        "at_default": _point(curve, curve.place(default), default),
        "best_f": _point(curve, best, float(curve.threshold[best])),
        "levels": [_level(curve, level) for level in _LEVELS],
        "steepest": _steepest(rare, span),
        "highest_rare": float(rare[-1]),
    }
    return {**found, "sentences": _sentences(found)}


def _point(curve: OperatingCurve, place: int, threshold: float) -> dict[str, Any]:
    """Return the scores at a threshold."""
    counts = curve.take(place)
    return {
        "threshold": threshold,
        "recall": counts.recall,
        "precision": None if counts.alerts == 0 else counts.precision,
        "f": counts.f(),
        "alerts_per_1000": counts.alerts_per_1000,
    }


def _level(curve: OperatingCurve, recall: float) -> dict[str, Any]:
    """Return the highest threshold with at least some recall."""
    place = int(RecallFloor(recall).choose(curve))
    return {**_point(curve, place, float(curve.threshold[place])), "recall": recall}


def _steepest(rare: NDArray[np.float64], span: tuple[float, float]) -> dict[str, float]:
    """Return the interval of a tenth of the range that contains most rare rows."""
    width = (span[1] - span[0]) / 10
    inside = np.searchsorted(rare, rare + width, side="right") - np.arange(len(rare))
    start = int(inside.argmax())
    last = start + int(inside[start]) - 1
    return {
        "from": float(rare[start]),
        "to": float(rare[last]),
        "fraction": float(inside[start] / len(rare)),
    }


def _sentences(found: dict[str, Any]) -> list[str]:
    default, best, steep = found["at_default"], found["best_f"], found["steepest"]
    only = "only " if 0 < default["recall"] < 0.7 * best["recall"] else ""
    texts = [
        f"At the default threshold {found['default']:g}, recall is {only}"
        f"{_percent(default['recall'])}. The best F-measure ({best['f']:.2f}) is at "
        f"{best['threshold']:.3g}, where recall is {_percent(best['recall'])}."
    ]
    fraction, low, high = _percent(steep["fraction"]), steep["from"], steep["to"]
    if low == high:
        texts.append(
            f"Recall decreases in a step: {fraction} of the rare rows have the same score, "
            f"{low:.3g}, so a threshold includes all or none of them."
        )
    else:
        texts.append(
            f"Recall decreases most between {low:.3g} and {high:.3g}, which contains {fraction} of "
            "the rare rows: small changes of the threshold in this interval change recall a lot."
        )
    if found["highest_rare"] < found["default"]:
        texts.append(
            f"No rare row has a score above {found['highest_rare']:.3g}, so recall is 0 at a "
            f"threshold of {found['default']:g}."
        )
    return texts


def _percent(value: float) -> str:
    """Return a percentage that does not round a few rows to 0% or 100%."""
    return f"{value:.0%}" if value in (0, 1) or 0.01 <= value <= 0.99 else f"{value:.2%}"
