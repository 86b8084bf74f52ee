"""The probability of a class over two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._palette import INK, VERMILION
from rarewood.export._wording import Wording
from rarewood.plot._axes import axes_or_new, plain, shortened
from rarewood.table._labels import class_number
from rarewood.table._schema import Categories, Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
_MARGIN = 0.05  # of the range of a feature, on either side
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
    view: Any = getattr(model, "tree_", getattr(model, "forest_", None))
    if not hasattr(view, "schema"):
        raise TypeError(
            "decision_boundary needs a fitted RareTreeClassifier or RareForestClassifier, got "
            f"{model!r}. For other models use sklearn.inspection.DecisionBoundaryDisplay."
        )
    if grid_resolution < 2:
        raise ValueError(f"grid_resolution must be at least 2, got {grid_resolution}.")
    matrix = np.array(model._encode(X), dtype=np.float64)
    chosen, categories = _positions(features, view.schema), view.schema.categories
    edges = [_edges(matrix[:, j], categories.get(j), grid_resolution) for j in chosen]
    middles = [(edge[1:] + edge[:-1]) / 2 for edge in edges]
    number = _rarest(view) if pos_label is None else class_number(model.classes_, pos_label)
    name = plain(str(model.classes_[number]))
    labels = None if y is None else np.asarray(y)
    if labels is not None and labels.shape != (len(matrix),):
        raise ValueError(
            f"y must have one label for each of {len(matrix)} samples, got an array of shape "
            f"{labels.shape}."
        )
    ax = axes_or_new(ax, (6.0, 4.8))
    proba = _probabilities(view, matrix, chosen, middles)
    shown = proba[:, :, number]
    mesh = ax.pcolormesh(*edges, shown, cmap=cmap, vmin=0.0, vmax=max(shown.max(), 1e-12))
    lead = shown - np.delete(proba, number, axis=2).max(axis=2)
    if min(lead.shape) > 1 and lead.min() < 0 < lead.max():
        ax.contour(*middles, lead, levels=[0.0], colors=INK, linewidths=1.2)
        ax.plot([], [], color=INK, linewidth=1.2, label=f"border of {name}")
    if labels is not None:
        points, is_class = _points(matrix, chosen, categories), labels == model.classes_[number]
        _scatter(ax, points[:, ~is_class], label="other", marker="o", s=9, c="white", ec="0.35")
        _scatter(ax, points[:, is_class], label=name, marker="D", s=20, c=VERMILION, ec="white")
    if ax.get_legend_handles_labels()[0]:
        below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12), "ncols": 3}
        ax.legend(**below, fontsize=8, frameon=False)  # outside the axes
    _label(ax, view, chosen)
    ax.set(xlim=edges[0][[0, -1]], ylim=edges[1][[0, -1]])
    n_held = matrix.shape[1] - 2
    held = "\n1 other feature at its" if n_held == 1 else f"\n{n_held} other features at their"
    held = f"{held} median or most frequent value" if n_held else ""
    ax.set_title(f"Probability of class {name}{held}")
    ax.figure.colorbar(mesh, ax=ax, label=f"probability of class {name}")
    return ax


def _positions(features: Sequence[int | str], schema: Schema) -> tuple[int, int]:
    """Return the indices of the two features."""
    if isinstance(features, str) or len(features) != 2 or features[0] == features[1]:
        raise ValueError(f"features must be two different features, got {features!r}.")
    names = [] if schema.names is None else schema.names.tolist()
    places = []
    for feature in features:
        if isinstance(feature, str):
            if feature not in names:
                known = names or f"indices from 0 to {schema.n_features - 1}"
                raise ValueError(f"There is no feature {feature!r}. The features are: {known}.")
            places.append(names.index(feature))
        elif not 0 <= feature < schema.n_features:
            raise ValueError(
                f"features must lie between 0 and {schema.n_features - 1}, got {features!r}."
            )
        else:
            places.append(int(feature))
    return places[0], places[1]


def _edges(values: Floats, categories: Categories | None, resolution: int) -> Floats:
    """Return the borders of the cells along a feature."""
    present = values[~np.isnan(values)]
    if not present.size:
        raise ValueError("A feature to draw has no values in X. Choose other features.")
    if categories is not None:
        return np.arange(-0.5, len(categories))
    low, high = float(present.min()), float(present.max())
    margin = _MARGIN * (high - low) or 0.5
    return np.linspace(low - margin, high + margin, resolution + 1)


def _rarest(view: Any) -> int:
    """Return the number of the rarest class in training, the last of equally rare ones."""
    counts = np.sum([tree.counts[0] for tree in getattr(view, "trees", [view])], axis=0)
    return len(counts) - 1 - int(counts[::-1].argmin())


def _probabilities(
    view: Any, matrix: Floats, chosen: Sequence[int], middles: list[Floats]
) -> Floats:
    """Return the class probabilities in all cells (vertical x horizontal x classes).

    Other features have their median or most frequent category, NaN without values.
    """
    row = np.full(matrix.shape[1], np.nan)
    for j, values in enumerate(matrix.T):
        present = values[~np.isnan(values)]
        if j in view.schema.categories and present.size:
            row[j] = np.bincount(present.astype(int)).argmax()
        elif present.size:
            row[j] = np.median(present)
    x, y = np.meshgrid(*middles)
    rows = np.tile(row, (x.size, 1))
    rows[:, chosen[0]], rows[:, chosen[1]] = x.ravel(), y.ravel()
    proba: Floats = view.predict_proba(view.schema.snapped(rows))
    return proba.reshape(*x.shape, -1)


def _points(matrix: Floats, chosen: Sequence[int], categories: dict[int, Categories]) -> Floats:
    """Return the coordinates of the samples, jittered within a category."""
    jitter = np.random.default_rng(0)  # reproducible
    points = matrix[:, chosen].T
    for axis, j in enumerate(chosen):
        if j in categories:
            points[axis] += jitter.uniform(-0.35, 0.35, len(matrix))
    return points


def _scatter(ax: Axes, points: Floats, **style: Any) -> None:
    """Draw points without missing values, at most 2,000 at regular intervals."""
    x, y = points[:, ~np.isnan(points).any(axis=0)]
    step = -(-len(x) // _MOST_POINTS) or 1
    ax.scatter(x[::step], y[::step], linewidths=0.5, **style)


def _label(ax: Axes, view: Any, chosen: Sequence[int]) -> None:
    """Label the axes and their categories."""
    names = Wording.of(view).feature_names
    for axis, j in zip((ax.xaxis, ax.yaxis), chosen, strict=True):
        axis.set_label_text(plain(shortened(names[j], 60)))
        if j in view.schema.categories:
            values = view.schema.categories[j].values
            axis.set_ticks(range(len(values)), [plain(shortened(str(v), 14)) for v in values])
            if axis is ax.xaxis and sum(min(len(str(v)), 14) for v in values) > 40:
                ax.tick_params(axis="x", rotation=90)  # horizontal labels would overlap
