"""Isometrics of many criteria under several skews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood import criteria as known
from rarewood.criteria import Alpha, Criterion, CriterionLike
from rarewood.export._palette import BLUE, GREEN, INK, VERMILION
from rarewood.plot._axes import pyplot
from rarewood.plot._roc import RocValues, criterion_label, roc_values, skew_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PANEL = 1.55  # inches
_LEVELS = np.linspace(0.0, 1.0, 9) ** 2  # most gains grow quadratically from the diagonal
_HEADINGS = {
    "values": ("same values", GREEN),
    "order": ("same order", BLUE),
    "neither": ("depends on skew", VERMILION),
}


def skew_gallery(
    criteria: Sequence[CriterionLike] | None = None,
    skews: Sequence[Sequence[float]] = ((1, 1), (1, 10), (1, 100)),
    *,
    resolution: int = 81,
    cmap: Any = "YlGnBu",
) -> NDArray[Any]:
    """Draw the isometrics of many criteria side by side, each under several skews.

    The figure shows which criteria depend on the class frequencies. Contour lines are drawn at
    fractions of the largest gain of a panel, so that they show the order in which splits are
    preferred; the number in the corner is the largest value. The heading of a criterion states
    whether its values, only the order of splits, or neither is the same in all panels.

    Parameters
    ----------
    criteria : sequence of str or Alpha, default=None
        Criteria to show; by default all criteria, and ``Alpha(1.5)``.
    skews : sequence of (float, float), default=((1, 1), (1, 10), (1, 100))
        Sizes of the positive and of the negative class.
    resolution : int, default=81
        Number of rates along each axis.
    cmap : str or Colormap, default="YlGnBu"
        Colormap of the values.

    Returns
    -------
    axes : ndarray of shape (n_criteria, n_skews)
        Axes of the panels; ``axes[0, 0].figure`` is the figure.

    See Also
    --------
    isometrics : A single panel.

    Examples
    --------
    >>> from rarewood import plot
    >>> axes = plot.skew_gallery(["hellinger", "dkm", "gini"])
    >>> [row[0].get_title(loc="left") for row in axes]
    ['hellinger: same values', 'dkm: same order', 'gini: depends on skew']
    """
    if isinstance(criteria, (str, Criterion)):
        criteria = [criteria]
    given = [*known.names(), Alpha(1.5)] if criteria is None else criteria
    chosen: list[CriterionLike] = [*given]
    if not chosen or not len(skews):
        raise ValueError("skew_gallery needs at least one criterion and one skew.")
    rows = [[roc_values(criterion, skew, resolution) for skew in skews] for criterion in chosen]
    axes, figure = _panels(len(chosen), len(skews))
    filled = None
    for criterion, row, panels in zip(chosen, rows, axes, strict=True):
        text, color = _HEADINGS[_invariance(row)]
        panels[0].set_title(
            f"{criterion_label(criterion)}: {text}", loc="left", color=color, fontsize=9
        )
        for roc, skew, ax in zip(row, skews, panels, strict=True):
            filled = _draw(ax, roc, skew_label(skew), cmap)
    figure.supxlabel("false positive rate, from 0 to 1", fontsize=10)
    figure.supylabel("true positive rate, from 0 to 1", fontsize=10)
    figure.suptitle("Isometrics of the criteria as the positive class becomes rare", fontsize=12)
    label = "fraction of the largest gain"
    figure.colorbar(
        filled, ax=axes.ravel().tolist(), label=label, shrink=0.5, aspect=40, format="%.2f"
    )
    return axes


def _invariance(row: list[RocValues]) -> str:
    """Return what is the same in all panels of a criterion."""
    first = row[0]
    if all(np.allclose(first.values, other.values, rtol=1e-9, atol=1e-12) for other in row):
        return "values"
    is_same = (np.allclose(first.relative, other.relative, atol=1e-9) for other in row)
    return "order" if all(is_same) else "neither"


def _panels(n_criteria: int, n_skews: int) -> tuple[NDArray[Any], Any]:
    """Create the axes: one row of panels per criterion, in two blocks if there are many."""
    n_blocks = 2 if n_criteria > 6 else 1
    n_lines = -(-n_criteria // n_blocks)
    widths = ([1.0] * n_skews + [0.12]) * n_blocks
    size = (_PANEL * sum(widths) + 1.6, (_PANEL + 0.28) * n_lines + 0.9)
    figure = pyplot().figure(figsize=size, layout="constrained")
    grid = figure.add_gridspec(n_lines, len(widths), width_ratios=widths)
    axes = np.empty((n_criteria, n_skews), dtype=object)
    for place in range(n_criteria):
        block, line = divmod(place, n_lines)
        for column in range(n_skews):
            axes[place, column] = figure.add_subplot(grid[line, block * (n_skews + 1) + column])
    return axes, figure


def _draw(ax: Axes, roc: RocValues, skew: str, cmap: Any) -> Any:
    fractions = np.clip(roc.relative, 0.0, 1.0)
    colors = pyplot().get_cmap(cmap)(np.linspace(0.0, 1.0, len(_LEVELS) - 1))
    filled = ax.contourf(roc.rates, roc.rates, fractions, levels=_LEVELS, colors=colors)
    ax.contour(roc.rates, roc.rates, fractions, levels=_LEVELS[1:-1], colors=INK, linewidths=0.4)
    ax.plot([0, 1], [0, 1], color=INK, linestyle="--", linewidth=0.7)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=[], yticks=[])
    highest = "infinite" if roc.has_infinite else f"max {roc.top:.2g}"
    for x, y, side, text in [(0.03, 0.97, "left", skew), (0.97, 0.03, "right", highest)]:
        ax.text(
            x, y, text, ha=side, va="top" if side == "left" else "bottom", fontsize=7.5,
            bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        )  # fmt: skip
    return filled
