"""Figure of the quality of methods for rare classes against the time of a fit."""

from __future__ import annotations

import numpy as np
import pandas as pd

from common import DOCS
from imbalance_models import BASE, OURS

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8a8a8a"


def draw(quality: pd.Series, seconds: pd.Series) -> None:
    """Draw mean average precision against CPU time, with the frontier."""
    import matplotlib.pyplot as plt
    from matplotlib.patheffects import withStroke

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
    for name in apart(order, np.log(seconds), quality):
        axes.annotate(
            name,
            (seconds[name], quality[name]),
            xytext=(7, 2),
            textcoords="offset points",
            fontsize=8,
            weight="bold" if name in (OURS, BASE) else "normal",
            zorder=2,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )
    axes.set(
        xlabel="CPU seconds of a fit, median over tables",
        ylabel="mean average precision, one vote per source",
        title="Methods for rare classes at their defaults; the line is the frontier",
    )
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(DOCS / "imbalance_methods.svg", metadata={"Date": None})
    plt.close(figure)


def apart(order: list[str], x: pd.Series, y: pd.Series) -> list[str]:
    """Return the names whose labels, to the right of their points, do not hide each other."""
    width, height = 0.25 * (x.max() - x.min()), 0.028 * (y.max() - y.min())
    shown: list[str] = []
    for name in order:
        near = [o for o in shown if abs(x[name] - x[o]) < width and abs(y[name] - y[o]) < height]
        if not near:
            shown.append(name)
    return shown
