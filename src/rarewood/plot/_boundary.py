"""The probability of the rare class over two columns."""

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

_MOST_POINTS = 2000  # of each kind


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
    """Draw what a model predicts over two columns.

    Colours show the probability of a class, and a line encloses where it is predicted. Nominal
    columns have a band for each category, in which the points are spread out.

    Parameters
    ----------
    model : RareTreeClassifier or RareForestClassifier
        A fitted estimator.
    X : array-like or DataFrame of shape (n_samples, n_features)
        A table with the columns of the training table; its rows are drawn as points, at most 2,000
        of the class and 2,000 of others.
    y : array-like of shape (n_samples,), default=None
        Labels of the rows. By default no points are drawn.
    features : pair of int or str, default=(0, 1)
        Columns of the horizontal and of the vertical axis. All other columns are held at their
        median in X, nominal ones at their most frequent category.
    pos_label : label, default=None
        The class to show; by default the one that was rarest in training.
    grid_resolution : int, default=200
        Number of places along each axis at which the model predicts.
    cmap : str or Colormap, default="Blues"
        Colours of the probability.
    ax : matplotlib axes, default=None
        Where to draw; by default in a new figure.

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
        ax.legend(**below, fontsize=8, frameon=False)  # where it hides no point
    plane.label(ax)
    ax.set_title(f"Probability of class {plain(name)}{plane.held()}")
    ax.figure.colorbar(mesh, ax=ax, label=f"probability of class {plain(name)}")
    return ax


def _points(ax: Axes, plane: Plane, rows: NDArray[np.bool_], name: str, **style: Any) -> None:
    """Scatter some rows, evenly thinned where they are too many."""
    x, y = plane.points(rows)
    step = -(-len(x) // _MOST_POINTS) or 1
    ax.scatter(x[::step], y[::step], linewidths=0.5, label=plain(name), **style)
