"""Out-of-fold results of a compared model: its curve, and statistics of its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rarewood.operating import OperatingCurve, operating_curve
from rarewood.operating._choice import choose_on_curve
from rarewood.report._goal import reach_goal
from rarewood.report._plain import plain
from rarewood.report._pooled import Pooled
from rarewood.report._reachability import reachability
from rarewood.report._scores import calibration, distribution

_N_BOOTSTRAP = 500


def describe_model(
    name: str,
    pooled: Pooled,
    classes: list[str],
    rare: int,
    n_rows: int,
    n_points: int,
    goal: Any = None,
    opening: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the out-of-fold results of a model as JSON-safe data.

    ``rare`` is the number of the rare class, ``n_rows`` the number of rows of the table,
    ``n_points`` the approximate number of thresholds, ``goal`` the rule of a further threshold, and
    ``opening`` the rules of :func:`opening_goals`. Counts are pooled over "n_passes" repeats.
    """
    n_passes = len(pooled) / n_rows
    about: dict[str, Any] = {
        "name": name,
        "n_passes": n_passes,
        "n_rows": len(pooled),
        "n_rare": pooled.n_rare,
        "labels": pooled.labels(),
        "kind": "labels",
        "curve": None,
        "goal": None,
        "opening": None,
    }
    if pooled.score is None or not 0 < pooled.n_rare < len(pooled):
        return about
    curve = operating_curve(pooled.is_rare, pooled.score, pos_label=True)
    once = _counted_once(curve, n_passes)
    span = _span(pooled)
    default = 0.5 if pooled.is_probability else 0.0
    reached = None if goal is None else reach_goal(once, goal)
    first = {
        name: reached if rule is goal else reach_goal(once, rule)
        for name, rule in (opening or {}).items()
    }
    marks = [default, *(one["threshold"] for one in (reached, *first.values()) if one)]
    described: dict[str, Any] = plain(
        {
            **about,
            "kind": "probability" if pooled.is_probability else "score",
            "span": span,
            "curve": _kept(curve, marks, n_points),
            "best_f": _best_f(once),
            "goal": reached,
            "opening": first or None,
            "reachability": reachability(pooled, curve, span, default),
            "calibration": calibration(pooled, n_passes),
            "distribution": distribution(pooled, classes, rare, span),
            "pooled_auc": curve.auc,
            "pooled_average_precision": curve.average_precision,
        }
    )
    return described


def _counted_once(curve: OperatingCurve, n_passes: float) -> OperatingCurve:
    """Return the curve with the sample sizes of rows that are counted once.

    A row counts as one observation, however many repeats tested it. If a comparison was
    interrupted, ``n_passes`` may be below 1: then each tested row is an observation.
    """
    n_times = max(1.0, n_passes)
    sizes = (curve.n_effective[0] / n_times, curve.n_effective[1] / n_times)
    return replace(curve, n_effective=sizes)


def _best_f(curve: OperatingCurve) -> dict[str, Any]:
    """Return the threshold of the best F-measure, with bootstrap intervals."""
    point = choose_on_curve(curve, "f", n_bootstrap=_N_BOOTSTRAP, random_state=0)
    found = point.to_dict()
    named = ("threshold", "interval", "f", "recall", "precision", "alerts_per_1000", "confidence")
    return {name: found[name] for name in named}


def _span(pooled: Pooled) -> tuple[float, float]:
    """Return the range of the scores; 0 to 1 for probabilities."""
    assert pooled.score is not None
    if pooled.is_probability:
        return 0.0, 1.0
    low, high = float(pooled.score.min()), float(pooled.score.max())
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _kept(curve: OperatingCurve, marks: list[float], n_points: int) -> dict[str, Any]:
    """Return a thinned curve with exact counts, in the order of decreasing thresholds.

    The optimum of every F-measure, cost and recall is where recall increases. If there are few such
    points, all are kept, so that the page finds the optimum of the whole curve. ``marks`` are
    thresholds that are always kept.
    """
    places = np.union1d(curve.thin(n_points), [curve.place(mark) for mark in marks])
    corners = curve.corners()
    if len(corners) <= n_points:
        places = np.union1d(places, corners)
    kept = {name: getattr(curve, name)[places].tolist() for name in ("threshold", "tp", "fp")}
    return {**kept, "n_points": len(curve)}
