"""Figure of the quality of methods for rare classes against the time of a fit."""

from __future__ import annotations

import numpy as np
import pandas as pd

from common import DOCS
from imbalance_models import BASE, OURS

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8a8a8a"


def draw(quality: pd.Series, seconds: pd.Series) -> None:
    """Draw mean average precision against CPU time, with the frontier."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.rcParams |= {"svg.hashsalt": "rarewood", "svg.fonttype": "none"}
    figure, axes = plt.subplots(figsize=(8, 5.2))
    frontier, best = [], -np.inf
    for name in seconds.sort_values().index:
        if quality[name] > best:
            frontier.append(name)
            best = quality[name]
    axes.plot(seconds[frontier], quality[frontier], color=ORANGE, lw=1.2, drawstyle="steps-post")
    others = [name for name in quality.index if name not in (OURS, BASE)]
    axes.scatter(seconds[others], quality[others], s=22, color=GREY, zorder=3)
    axes.scatter(seconds[BASE], quality[BASE], s=45, color=ORANGE, marker="s", zorder=3)
    axes.scatter(seconds[OURS], quality[OURS], s=60, color=BLUE, zorder=3)
    axes.set(xscale="log")
    order = [OURS, BASE, *frontier, quality[others].idxmax(), seconds.idxmax(), *others]
    for name in apart(order, np.log(seconds), quality, 2 + len(frontier)):
        axes.annotate(
            name,
            (seconds[name], quality[name]),
            xytext=(7, 2),
            textcoords="offset points",
            fontsize=8,
            weight="bold" if name in (OURS, BASE) else "normal",
            zorder=2,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        )
    axes.set(
        xlabel="CPU seconds of a fit, median over tables",
        ylabel="mean average precision, one vote per source",
        title="Methods for rare classes at their defaults; the line is the frontier",
    )
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(DOCS / "imbalance_methods.svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)


def apart(order: list[str], x: pd.Series, y: pd.Series, n_always: int) -> list[str]:
    """Return the names whose labels, to the right of their points, hide nothing.

    The first few are always shown, unless they hide each other.
    """
    letter, height = 0.012 * (x.max() - x.min()), 0.03 * (y.max() - y.min())
    end = x + letter * x.index.str.len()
    shown: list[str] = []
    for place, name in enumerate(dict.fromkeys(order)):
        line = [other for other in x.index if other != name and abs(y[other] - y[name]) < height]
        labels = [o for o in line if o in shown and x[o] < end[name] and end[o] > x[name]]
        points = [o for o in line if x[name] <= x[o] < end[name]]
        if not labels and (place < n_always or not points):
            shown.append(name)
    return shown
