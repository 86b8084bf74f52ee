"""Picture of quality against cost, with the models that no other one beats in both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

MANY_ROWS = 30_000  # CPU times of smaller tables are mostly overhead of threads
BLUE, GREY, ORANGE = "#0072b2", "#8a8a8a", "#d55e00"
# Places of labels that would cover others: points to the right and above, negative to the left.
PLACES = {
    "small": {
        "CatBoost": (8, -3), "YdfObliqueForest": (7, 0), "LogisticRegression": (0, -15),
        "XGBoost": (2, 8), "HistGradientBoosting": (7, -3),
    },
    "large": {
        "CatBoost": (8, -3), "YdfObliqueForest": (-7, -3), "XGBoost": (0, 9),
        "HistGradientBoosting": (-3, -15), "RandomForest": (7, -6), "ExtraTrees": (7, -6),
    },
}  # fmt: skip


def draw(small: Any, large: Any, names: dict[str, str], ours: str, path: Path) -> None:
    """Draw both panels from the pages of the benchmarks."""
    # The same file for the same data, and text that the browser sets.
    mpl.rcParams |= {"svg.hashsalt": "rarewood", "svg.fonttype": "none"}
    figure, axes = plt.subplots(1, 2, figsize=(10.5, 4.6), layout="constrained")
    heading, table = small.starting("All tables:")
    table = table.set_index("model").loc[list(names)].astype(float)
    _panel(axes[0], table["average precision"], table["fit, s"], None, ours, PLACES["small"])
    axes[0].set_title(f"{heading.split(': ')[1].split()[0]} small tables", loc="left")
    axes[0].set_xlabel("seconds to fit a table, one thread (mean)")

    sizes = large.tables["Rows"].iloc[0].str.replace(",", "").astype(int)
    chosen = [table for table, size in sizes.items() if size > MANY_ROWS]
    times = large.tables["CPU seconds of `fit`"].set_index("model").loc[list(names), chosen]
    seconds = times.apply(lambda column: column.str.rstrip("*").astype(float))
    is_rough = times.apply(lambda column: column.str.endswith("*")).any(axis=1)
    quality = large.tables["Average precision"].set_index("model").loc[list(names), chosen]
    means = quality.astype(float).mean(axis=1)
    _panel(axes[1], means, np.exp(np.log(seconds).mean(axis=1)), is_rough, ours, PLACES["large"])
    low, high = sizes[chosen].min(), sizes[chosen].max()
    axes[1].set_title(f"{len(chosen)} tables of {low:,} to {high:,} rows", loc="left")
    axes[1].set_xlabel("CPU seconds to fit a table (geometric mean)")
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)


def _panel(
    ax: Any,
    quality: pd.Series,
    seconds: pd.Series,
    is_rough: pd.Series | None,
    ours: str,
    places: dict[str, tuple[int, int]],
) -> None:
    """Draw the points of the models, their names, and the frontier."""
    order = seconds.sort_values().index
    best = quality[order].cummax()
    frontier = [model for model in order if quality[model] == best[model]]
    ax.step(seconds[frontier], quality[frontier], where="post", color=BLUE, alpha=0.35, zorder=1)
    for model in order:
        colour = ORANGE if model == ours else BLUE if model in frontier else GREY
        fill = "white" if is_rough is not None and is_rough[model] else colour
        ax.scatter(seconds[model], quality[model], s=42, color=fill, edgecolor=colour, zorder=3)
        place = places.get(model, (7, 3))
        ax.annotate(
            "RareForestClassifier" if model == ours else model,
            (seconds[model], quality[model]),
            xytext=place,
            textcoords="offset points",
            ha="right" if place[0] < 0 else "center" if place[0] == 0 else "left",
            color=colour,
            fontsize=9,
            fontweight="bold" if model == ours else "normal",
        )
    ax.set(xscale="log", ylabel="average precision (mean)")
    note = "line: no other model is better and faster"
    if is_rough is not None:
        note = "hollow: time measured once, on a busy machine"
    ax.text(0.98, 0.03, note, transform=ax.transAxes, ha="right", color=GREY, fontsize=8)
    ax.margins(x=0.25, y=0.1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.xaxis.set_major_formatter(mpl.ticker.FormatStrFormatter("%g"))
