"""What is shown of each compared model: its curve, and what can be read from its scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rarewood.operating import OperatingCurve, operating_curve
from rarewood.operating._choice import choose_on_curve
from rarewood.report._calibration import calibration
from rarewood.report._distribution import distribution
from rarewood.report._plain import plain
from rarewood.report._pooled import Pooled
from rarewood.report._reachability import reachability

__all__ = ["describe_model"]

_N_BOOTSTRAP = 500


def describe_model(
    name: str, pooled: Pooled, classes: list[str], rare: int, n_rows: int, n_points: int
) -> dict[str, Any]:
    """Return the out-of-fold numbers of one model.

    Parameters
    ----------
    name : str
        The model.
    pooled : Pooled
        Its predictions.
    classes : list of str
        Names of the classes.
    rare : int
        Number of the rare one.
    n_rows : int
        Rows of the table.
    n_points : int
        About how many points of the curve are kept: at most twice as many.

    Returns
    -------
    model : dict
        JSON-safe. Counts are pooled over the repeats; divided by "n_passes" they are means for one
        pass over the data.
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
    }
    if pooled.score is None or not 0 < pooled.n_rare < len(pooled):
        return about
    curve = operating_curve(pooled.is_rare, pooled.score, pos_label=True)
    span = _span(pooled)
    usual = 0.5 if pooled.is_probability else 0.0
    described: dict[str, Any] = plain(
        {
            **about,
            "kind": "probability" if pooled.is_probability else "score",
            "span": span,
            "curve": _kept(curve, usual, n_points),
            "best_f": _best_f(curve, n_passes),
            "reach": reachability(pooled, curve, span, usual),
            "calibration": calibration(pooled, n_passes),
            "distribution": distribution(pooled, classes, rare, span),
            "pooled_auc": _auc(curve),
            "pooled_average_precision": _average_precision(curve),
        }
    )
    return described


def _best_f(curve: OperatingCurve, n_passes: float) -> dict[str, Any]:
    """Return the threshold of the best F-measure, with bootstrap intervals.

    A row that is there once for every repeat is one observation, not several. A run that was
    stopped early may have tested only some rows: those are as many observations as they are.
    """
    n_times = max(1.0, n_passes)
    once = (curve.n_effective[0] / n_times, curve.n_effective[1] / n_times)
    found = choose_on_curve(
        replace(curve, n_effective=once), "f", n_bootstrap=_N_BOOTSTRAP, random_state=0
    ).to_dict()
    named = ("threshold", "interval", "f", "recall", "precision", "alerts_per_1000", "confidence")
    return {name: found[name] for name in named}


def _span(pooled: Pooled) -> tuple[float, float]:
    """Range of the scores; of probabilities always from 0 to 1."""
    assert pooled.score is not None
    if pooled.is_probability:
        return 0.0, 1.0
    low, high = float(pooled.score.min()), float(pooled.score.max())
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _kept(curve: OperatingCurve, usual: float, n_points: int) -> dict[str, Any]:
    """Return a thinned curve with exact counts at each kept threshold, falling.

    Where a rare row is gained lies whatever is best by F-measure or cost, or reaches a recall: if
    these points are few enough all are kept, and the page finds what the whole curve has.
    """
    places = np.union1d(curve.thin(n_points), [curve.place(usual)])
    corners = curve.corners()
    if len(corners) <= n_points:
        places = np.union1d(places, corners)
    return {
        "threshold": curve.threshold[places].tolist(),
        "tp": curve.tp[places].tolist(),
        "fp": curve.fp[places].tolist(),
        "n_points": len(curve),
    }


def _auc(curve: OperatingCurve) -> float:
    return float(np.trapezoid(curve.recall, curve.false_positive_rate))


def _average_precision(curve: OperatingCurve) -> float:
    precision = np.nan_to_num(curve.precision)
    return float(np.sum(np.diff(curve.recall, prepend=0.0) * precision))
