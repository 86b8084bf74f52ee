"""Surfaces of a criterion over ROC space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.criteria import CriterionLike
from rarewood.plot._axes import axes_or_new, needs_3d
from rarewood.plot._roc import criterion_label, roc_values, skew_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["value_surface"]


def value_surface(
    criterion: CriterionLike,
    skew: Sequence[float] = (1, 1),
    *,
    limits: tuple[float, float] | None = None,
    resolution: int = 51,
    cmap: Any = "YlGnBu",
    colorbar: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the value of a criterion as a surface over the rates of the two classes.

    Parameters
    ----------
    criterion, skew, resolution, cmap, colorbar
        See :func:`isometrics`.
    limits : (float, float), default=None
        Limits of the value axis and of the colours, for comparable panels. By default those of the
        surface.
    ax : three-dimensional matplotlib axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib axes
        The axes.

    Notes
    -----
    Liu et al. show the entropy after the split, which is the entropy of the node minus the value
    drawn here. Infinite values are drawn as the largest finite one.

    References
    ----------
    .. [1] D. A. Cieslak and N. V. Chawla, "Learning decision trees for unbalanced data", ECML PKDD
           2008, figure 5.
    .. [2] W. Liu, S. Chawla, D. A. Cieslak and N. V. Chawla, "A robust decision tree algorithm for
           imbalanced data sets", SDM 2010, figure 4.

    Examples
    --------
    >>> from rarewood import plot
    >>> ax = plot.value_surface("dkm", skew=(1, 100), limits=(0, 1))
    >>> ax.get_title()
    'dkm, classes 1:100'
    """
    needs_3d(ax)
    roc = roc_values(criterion, skew, resolution)
    axes: Any = axes_or_new(ax, (6.0, 4.8), subplot_kw={"projection": "3d"})
    low, high = (float(roc.finite.min()), roc.top) if limits is None else limits
    tpr, fpr = np.meshgrid(roc.rates, roc.rates, indexing="ij")
    surface = axes.plot_trisurf(
        fpr.ravel(), tpr.ravel(), roc.finite.ravel(), triangles=_triangles(resolution), cmap=cmap,
        vmin=low, vmax=high, linewidth=0.1, edgecolor="0.5", antialiased=True,
    )  # fmt: skip
    axes.view_init(elev=28, azim=-60)
    axes.set(
        xlim=(0, 1),
        ylim=(0, 1),
        zlim=(low, high),
        xlabel="false positive rate",
        ylabel="true positive rate",
        title=f"{criterion_label(criterion)}, classes {skew_label(skew)}",
    )
    if colorbar:
        axes.figure.colorbar(
            surface, ax=axes, label=f"value of {criterion_label(criterion)}", shrink=0.7, pad=0.1
        )
    drawn: Axes = axes
    return drawn


def _triangles(resolution: int) -> NDArray[np.intp]:
    """Return two triangles for each cell, with edges along the diagonal, where the minimum lies."""
    corner = np.arange((resolution - 1) * resolution).reshape(resolution - 1, resolution)[:, :-1]
    right, above, across = corner + 1, corner + resolution, corner + resolution + 1
    halves = [np.stack([corner, right, across], -1), np.stack([corner, across, above], -1)]
    return np.concatenate(halves).reshape(-1, 3)
