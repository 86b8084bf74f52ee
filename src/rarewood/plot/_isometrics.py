"""Isometrics and surfaces of a criterion over ROC space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.criteria import CriterionLike
from rarewood.export._palette import INK
from rarewood.plot._axes import axes_or_new
from rarewood.plot._roc import RocValues, criterion_label, roc_values, skew_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def isometrics(
    criterion: CriterionLike,
    skew: Sequence[float] = (1, 1),
    *,
    levels: int | Sequence[float] = 10,
    resolution: int = 201,
    cmap: Any = "YlGnBu",
    colorbar: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the contour lines of a criterion in ROC space.

    A split of a node with two classes sends a fraction of each to its first child: the true and the
    false positive rate. All splits on one line have the same value, and those on the
    diagonal carry no information about the class. If the lines do not depend on ``skew``, the
    criterion does not depend on the class frequencies.

    Parameters
    ----------
    criterion : str or Alpha
        See :func:`rarewood.criteria.names`.
    skew : (float, float), default=(1, 1)
        Sizes of the positive and of the negative class; only their ratio matters.
    levels : int or sequence of float, default=10
        Approximate number of lines, or their values. Pass values to compare panels.
    resolution : int, default=201
        Number of rates along each axis.
    cmap : str or Colormap, default="YlGnBu"
        Colormap of the values.
    colorbar : bool, default=True
        Whether to draw a colour bar.
    ax : matplotlib axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib axes
        The axes.

    Notes
    -----
    With two classes the values are symmetric: exchanging the children rotates the square by 180
    degrees. Infinite values (``Alpha(0)`` with a pure child, on the borders) are drawn as the
    largest finite value, and the colour bar ends in an arrow.

    References
    ----------
    .. [1] D. A. Cieslak and N. V. Chawla, "Learning decision trees for unbalanced data", ECML PKDD
           2008, figures 1 to 4.
    .. [2] W. Liu, S. Chawla, D. A. Cieslak and N. V. Chawla, "A robust decision tree algorithm for
           imbalanced data sets", SDM 2010, figures 2 and 3.
    .. [3] P. A. Flach, "The geometry of ROC space: understanding machine learning metrics through
           ROC isometrics", ICML 2003.

    Examples
    --------
    >>> from rarewood import plot
    >>> ax = plot.isometrics("entropy", skew=(1, 10))
    >>> ax.get_title()
    'entropy, classes 1:10'
    """
    roc = roc_values(criterion, skew, resolution)
    ax = axes_or_new(ax, (5.2, 4.4))
    extend = "max" if roc.has_infinite else "neither"
    values = roc.finite
    if np.ndim(levels):
        levels = sorted(np.asarray(levels, dtype=float).tolist())
        extend = "both"
    filled = ax.contourf(roc.rates, roc.rates, values, levels=levels, cmap=cmap, extend=extend)
    above = [level for level in filled.levels if abs(level - roc.at_rest) > 1e-9]  # up to rounding
    lines = ax.contour(
        roc.rates, roc.rates, values, levels=above, colors=INK, linewidths=0.6,
        linestyles="solid",
    )  # fmt: skip
    ax.clabel(lines, fontsize=7, manual=_label_places(roc, lines.levels))
    lines.set_gid("isometrics")
    ax.plot([0, 1], [0, 1], color=INK, linestyle="--", linewidth=1.0)
    ax.text(
        0.5, 0.5, "no information", rotation=45, rotation_mode="anchor", color=INK, fontsize=8,
        transform_rotates_text=True, ha="center", va="bottom",
    )  # fmt: skip
    ax.set_aspect("equal")
    return _labelled(ax, criterion, skew, filled if colorbar else None)


def _labelled(ax: Axes, criterion: CriterionLike, skew: Any, colors: Any, **place: Any) -> Axes:
    """Add limits, labels, the title and, unless ``colors`` is None, a colour bar."""
    name = criterion_label(criterion)
    ax.set(xlim=(0, 1), xlabel="false positive rate", ylim=(0, 1), ylabel="true positive rate")
    ax.set_title(f"{name}, classes {skew_label(skew)}")
    if colors is not None:
        ax.figure.colorbar(colors, ax=ax, label=f"value of {name}", **place)
    return ax


def _label_places(roc: RocValues, levels: Any) -> list[tuple[float, float]]:
    """Return where lines cross the antidiagonal, except close to each other."""
    half = len(roc.rates) // 2
    fpr = roc.rates[::-1][half:]
    along = np.fliplr(roc.finite).diagonal()[half:]
    along = np.maximum.accumulate(along)  # dcsm can fall at first
    places: list[tuple[float, float]] = []
    last = 0.5
    for level in levels:
        if not along[0] < level < along[-1]:
            continue
        x = float(np.interp(level, along, fpr))
        if last - x > 0.055 and x > 0.03:
            places += [(x, 1 - x), (1 - x, x)]
            last = x
    return places


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
    if ax is not None and not hasattr(ax, "plot_surface"):
        raise TypeError(
            "A surface needs three-dimensional axes. Create them with "
            'plt.subplots(subplot_kw={"projection": "3d"}), or omit ax.'
        )
    roc = roc_values(criterion, skew, resolution)
    axes: Any = axes_or_new(ax, (6.0, 4.8), subplot_kw={"projection": "3d"})
    low, high = (float(roc.finite.min()), roc.top) if limits is None else limits
    tpr, fpr = np.meshgrid(roc.rates, roc.rates, indexing="ij")
    surface = axes.plot_trisurf(
        fpr.ravel(), tpr.ravel(), roc.finite.ravel(), triangles=_triangles(resolution), cmap=cmap,
        vmin=low, vmax=high, linewidth=0.1, edgecolor="0.5", antialiased=True,
    )  # fmt: skip
    axes.view_init(elev=28, azim=-60)
    axes.set_zlim(low, high)
    colors = surface if colorbar else None
    return _labelled(axes, criterion, skew, colors, shrink=0.7, pad=0.1)


def _triangles(resolution: int) -> NDArray[np.intp]:
    """Return two triangles for each cell, with edges along the diagonal, where the minimum lies."""
    corner = np.arange((resolution - 1) * resolution).reshape(resolution - 1, resolution)[:, :-1]
    right, above, across = corner + 1, corner + resolution, corner + resolution + 1
    halves = [np.stack([corner, right, across], -1), np.stack([corner, across, above], -1)]
    return np.concatenate(halves).reshape(-1, 3)
