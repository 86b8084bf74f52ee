"""The probability of a class over two features: a grid of predictions, and its drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._palette import INK, VERMILION
from rarewood.plot._axes import axes_or_new, plain, shortened
from rarewood.table._labels import class_number
from rarewood.table._schema import Categories, Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
_MARGIN = 0.05  # of the range of a feature, on either side
_MOST_POINTS = 2000  # of the class, and of the others


@dataclass(frozen=True)
class Plane:
    """Two features of encoded samples, and a grid of predictions over them.

    ``edges`` and ``places`` are the borders and the centres of the cells along both axes.
    """

    model: Any
    view: Any
    matrix: Floats
    features: tuple[int, int]
    edges: tuple[Floats, Floats]
    places: tuple[Floats, Floats]

    @classmethod
    def of(cls, model: Any, X: Any, features: Sequence[int | str], resolution: int) -> Plane:
        """Encode samples and create a grid over two features."""
        view: Any = getattr(model, "tree_", getattr(model, "forest_", None))
        if not hasattr(view, "schema"):
            raise TypeError(
                "decision_boundary needs a fitted RareTreeClassifier or RareForestClassifier, got "
                f"{model!r}. For other models use sklearn.inspection.DecisionBoundaryDisplay."
            )
        if resolution < 2:
            raise ValueError(f"grid_resolution must be at least 2, got {resolution}.")
        matrix = np.array(model._encode(X), dtype=np.float64)
        first, second = chosen = _positions(features, view.schema)
        edges = tuple(
            _edges(matrix[:, j], view.schema.categories.get(j), resolution) for j in chosen
        )
        places = tuple((edge[1:] + edge[:-1]) / 2 for edge in edges)
        return cls(
            model, view, matrix, (first, second), (edges[0], edges[1]), (places[0], places[1])
        )

    @property
    def class_names(self) -> list[str]:
        """Names of the classes."""
        return [str(label) for label in self.model.classes_]

    def class_number(self, label: Any) -> int:
        """Return the index of a class; by default of the rarest in training."""
        if label is not None:
            return class_number(self.model.classes_, label)
        trees = getattr(self.view, "trees", [self.view])
        counts = np.sum([tree.counts[0] for tree in trees], axis=0)
        return len(counts) - 1 - int(counts[::-1].argmin())

    def is_class(self, y: Any, number: int) -> NDArray[np.bool_]:
        """Return which samples are of a class."""
        labels = np.asarray(y)
        if labels.shape != (len(self.matrix),):
            raise ValueError(
                f"y must have one label for each of {len(self.matrix)} samples, got an array of "
                f"shape {labels.shape}."
            )
        return np.asarray(labels == self.model.classes_[number], dtype=bool)

    def probabilities(self) -> Floats:
        """Return the class probabilities in all cells (vertical x horizontal x classes)."""
        x, y = np.meshgrid(*self.places)
        rows = np.tile(self._typical_row(), (x.size, 1))
        rows[:, self.features[0]], rows[:, self.features[1]] = x.ravel(), y.ravel()
        proba: Floats = self.view.predict_proba(rows)
        return proba.reshape(*x.shape, -1)

    def _typical_row(self) -> Floats:
        """Return the median or the most frequent category of each feature; NaN without values."""
        row = np.full(self.matrix.shape[1], np.nan)
        for j, values in enumerate(self.matrix.T):
            present = values[~np.isnan(values)]
            if j in self.view.schema.categories and present.size:
                row[j] = np.bincount(present.astype(int)).argmax()
            elif present.size:
                row[j] = np.median(present)
        return row

    def points(self, rows: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the coordinates of some samples, without those with missing values."""
        columns = [self.matrix[:, j] for j in self.features]
        present = rows & ~np.isnan(columns[0]) & ~np.isnan(columns[1])
        spread = np.random.default_rng(0)  # reproducible
        for axis, j in enumerate(self.features):
            if j in self.view.schema.categories:
                columns[axis] = columns[axis] + spread.uniform(-0.35, 0.35, len(self.matrix))
        return columns[0][present], columns[1][present]

    def label(self, ax: Axes) -> None:
        """Label the axes and their categories."""
        names = self.view.schema.names
        for axis, j in zip((ax.xaxis, ax.yaxis), self.features, strict=True):
            name = f"feature_{j}" if names is None else names[j]
            axis.set_label_text(plain(shortened(name, 60)))
            if j in self.view.schema.categories:
                values = self.view.schema.categories[j].values
                axis.set_ticks(range(len(values)), [plain(shortened(str(v), 14)) for v in values])
                if axis is ax.xaxis and sum(min(len(str(v)), 14) for v in values) > 40:
                    ax.tick_params(axis="x", rotation=90)  # horizontal labels would overlap
        ax.set(xlim=self.edges[0][[0, -1]], ylim=self.edges[1][[0, -1]])

    def held(self) -> str:
        """Return a line about the features that are held fixed."""
        n_held = self.matrix.shape[1] - 2
        text = "\n1 other feature at its" if n_held == 1 else f"\n{n_held} other features at their"
        return f"{text} median or most frequent value" if n_held else ""


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
