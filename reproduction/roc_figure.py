"""Figure 2 (c) and (d) of BEAT: mean ROC curves on glass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduction.experiments.beat import ROC_MODELS, SOURCES, models
from reproduction.models import label

__all__ = ["draw_roc"]


def draw_roc(path: Path, folder: Any) -> str:
    """Draw the curves into a file, and return its Markdown."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    from rarewood import plot
    from rarewood.evaluate import five_by_two

    record = SOURCES["glass"].load(folder)
    made = {label(name): models()[name]().set_params(random_state=0) for name in ROC_MODELS}
    folds = [(split.train, split.test) for split in five_by_two().splits(record.y)]
    options = {"cv": folds, "pos_label": record.pos_label, "band": False}
    figure, axes = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
    for ax in axes:
        plot.roc(made, record.X, record.y, ax=ax, **options)
    axes[0].set_title("Headlamps in glass, mean of 10 test sets")
    axes[1].set(xlim=(0, 0.2), ylim=(0.8, 1.002), aspect="auto", title="Upper left corner")
    axes[1].get_legend().remove()
    with mpl.rc_context({"svg.hashsalt": "rarewood"}):  # the same file for the same curves
        figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return f"![Mean ROC curves of bagged C4.5 and three BEAT forests on glass]({path.name})"
