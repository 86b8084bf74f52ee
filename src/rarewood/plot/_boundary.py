"""The probability of a class over two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._palette import INK, VERMILION
from rarewood.plot._axes import axes_or_new, plain
from rarewood.plot._plane import Plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["decision_boundary"]

_MOST_POINTS = 2000  # of the class, and of the others


def decision_boundary(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    features: Sequence[int | str] = (0, 1),
    pos_label: Any = None,
    grid_resolution: int = 200,
    cmap: Any = "Blues",
    ax: Axes | None = None,
) -> Axes:
    """Draw the predictions of a model over two features.

    Colours show the probability of a class, and a line encloses the region where it is predicted.
    Categorical features have a band for each category, in which points are jittered.

    Parameters
    ----------
    model : RareTreeClassifier or RareForestClassifier
        A fitted estimator.
    X : array-like or DataFrame of shape (n_samples, n_features)
        Samples with the features of the training data, drawn as points: at most 2,000 of the class
        and 2,000 of the others.
    y : array-like of shape (n_samples,), default=None
        Labels. By default no points are drawn.
    features : pair of int or str, default=(0, 1)
        Features of the horizontal and the vertical axis. All others are fixed at their median in X,
        or at their most frequent category.
    pos_label : label, default=None
        The class to show; by default the rarest in training.
    grid_resolution : int, default=200
        Number of grid points along each axis.
    cmap : str or Colormap, default="Blues"
        Colormap of the probability.
    ax : matplotlib axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib axes
        The axes.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import RareForestClassifier, plot
    >>> X, y = make_classification(
    ...     300, n_features=2, n_redundant=0, n_clusters_per_class=1, weights=[0.9], random_state=0
    ... )
    >>> forest = RareForestClassifier(10, random_state=0).fit(X, y)
    >>> ax = plot.decision_boundary(forest, X, y)
    >>> ax.get_xlabel()
    'feature_0'
    """
    plane = Plane.of(model, X, features, grid_resolution)
    number = plane.class_number(pos_label)
    name = plane.class_names[number]
    is_of_class = None if y is None else plane.is_class(y, number)
    ax = axes_or_new(ax, (6.0, 4.8))
    proba = plane.probabilities()
    shown = proba[:, :, number]
    mesh = ax.pcolormesh(*plane.edges, shown, cmap=cmap, vmin=0.0, vmax=max(shown.max(), 1e-12))
    lead = shown - np.delete(proba, number, axis=2).max(axis=2)
    if min(lead.shape) > 1 and lead.min() < 0 < lead.max():
        ax.contour(*plane.places, lead, levels=[0.0], colors=INK, linewidths=1.2)
        ax.plot([], [], color=INK, linewidth=1.2, label=f"border of {plain(name)}")
    if is_of_class is not None:
        _points(ax, plane, ~is_of_class, "other", marker="o", s=9, c="white", edgecolors="0.35")
        _points(ax, plane, is_of_class, name, marker="D", s=20, c=VERMILION, edgecolors="white")
    if ax.get_legend_handles_labels()[0]:
        below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12), "ncols": 3}
        ax.legend(**below, fontsize=8, frameon=False)  # outside the axes
    plane.label(ax)
    ax.set_title(f"Probability of class {plain(name)}{plane.held()}")
    ax.figure.colorbar(mesh, ax=ax, label=f"probability of class {plain(name)}")
    return ax


def _points(ax: Axes, plane: Plane, rows: NDArray[np.bool_], name: str, **style: Any) -> None:
    """Scatter some samples, at most 2,000 at regular intervals."""
    x, y = plane.points(rows)
    step = -(-len(x) // _MOST_POINTS) or 1
    ax.scatter(x[::step], y[::step], linewidths=0.5, label=plain(name), **style)
