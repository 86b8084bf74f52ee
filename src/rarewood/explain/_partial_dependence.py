"""Mean probability as a function of one or two features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood._imports import require
from rarewood._validation import number_of_threads
from rarewood.explain._recursion import dependence_of_tree
from rarewood.export._wording import Wording
from rarewood.model._base import check_fitted_model
from rarewood.rules._extraction import fitted_trees
from rarewood.table._labels import class_number
from rarewood.table._schema import Schema
from rarewood.table._values import Matrix

Floats = NDArray[np.float64]
Feature = int | str
Grid = tuple[NDArray[Any], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class PartialDependence:
    """Mean probabilities on a grid of values of features.

    Attributes
    ----------
    average : ndarray of shape (n_classes, n_values of the first feature, ...)
        Mean probability of each class.
    grid_values : list of ndarray
        Values of each feature.
    features : list of int
        Indices of the features.
    feature_names : list of str
        Names of all features of the model.
    classes : ndarray of shape (n_classes,)
        Labels of the classes.
    is_categorical : list of bool
        Whether each of the features is categorical.
    """

    average: Floats
    grid_values: list[NDArray[Any]]
    features: list[int]
    feature_names: list[str]
    classes: NDArray[Any]
    is_categorical: list[bool]
    _deciles: dict[int, Floats] = field(repr=False)

    def of_class(self, pos_label: Any) -> Floats:
        """Return the mean probability of a class."""
        found: Floats = self.average[class_number(self.classes, pos_label)]
        return found

    def to_display(self, pos_label: Any) -> Any:
        """Return a display of scikit-learn, whose ``plot`` draws the probability of a class.

        Parameters
        ----------
        pos_label : label
            The class whose probability is drawn.

        Returns
        -------
        display : sklearn.inspection.PartialDependenceDisplay
            Display of one or two features; ``plot`` needs the extra ``plot``.
        """
        from sklearn.inspection import PartialDependenceDisplay
        from sklearn.utils import Bunch

        if len(self.features) > 2:
            raise ValueError(
                f"A display has one or two features, not {len(self.features)}. Draw a slice of "
                "average."
            )
        require("matplotlib", "PartialDependence.to_display", "rarewood[plot]")
        return PartialDependenceDisplay(
            [Bunch(average=self.average, grid_values=self.grid_values)],
            features=[tuple(self.features)],
            feature_names=self.feature_names,
            target_idx=class_number(self.classes, pos_label),
            deciles=self._deciles,
            is_categorical=[tuple(self.is_categorical)],
        )


def partial_dependence(
    model: Any,
    X: Any,
    features: Feature | Sequence[Feature],
    *,
    method: Literal["auto", "recursion", "brute"] = "auto",
    percentiles: tuple[float, float] = (0.05, 0.95),
    grid_resolution: int = 100,
    custom_values: Mapping[Feature, ArrayLike] | None = None,
) -> PartialDependence:
    """Compute the mean probability as a function of one or more features.

    Parameters
    ----------
    model : RareTreeClassifier, RareForestClassifier or C45Classifier
        A fitted estimator.
    X : array-like or DataFrame of shape (n_samples, n_features)
        Samples with the features of the training data, in memory: the grid is made of their values,
        and "brute" takes the mean over them.
    features : int, str or sequence of them
        Index or name of a feature, numeric or categorical, or several for their joint dependence.
    method : {"auto", "recursion", "brute"}, default="auto"
        "recursion": at a node of another feature, a sample goes to all children in proportion to
        their training weights. It takes one walk over the trees, and no hyperplanes. "brute": the
        features of all samples of ``X`` are set to the values, and their predictions are averaged.
        "auto": "recursion" unless the model has hyperplanes.
    percentiles : tuple of float, default=(0.05, 0.95)
        Lowest and highest value of the grid of a numeric feature, as percentiles of ``X``.
    grid_resolution : int, default=100
        Number of values of a numeric feature; all values, if it has no more than that. A
        categorical feature has all its categories.
    custom_values : dict, default=None
        Values for the grid by feature, instead. A missing value (NaN, None) is a value, too.

    Returns
    -------
    found : PartialDependence
        Mean probability of each class on the grid.

    See Also
    --------
    shap_values : The effect of features on single samples.

    Notes
    -----
    "recursion" is what scikit-learn computes under this name. Its own
    ``sklearn.inspection.partial_dependence`` offers it for a fixed list of its classes, all of them
    regressors or boosting, so that ours have ``method="brute"`` there. The two methods differ where
    features depend on each other: the weights of children are those of the training samples in the
    node.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets
    >>> from rarewood.explain import partial_dependence
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> forest = presets.hedex(random_state=0).fit(X, y)
    >>> found = partial_dependence(forest, X, "worst area", grid_resolution=5)
    >>> found.of_class(0).shape
    (5,)
    >>> bool(found.of_class(0)[-1] > found.of_class(0)[0] + 0.1)
    True
    """
    check_fitted_model(model)
    schema = model._schema
    chosen = [_index(one, schema) for one in _listed(features)]
    has_planes = any(tree.plane_offset.size for tree in fitted_trees(model))
    if method == "auto":
        method = "brute" if has_planes else "recursion"
    _check(chosen, method, has_planes)
    matrix = model._encode(X)
    custom = {_index(one, schema): values for one, values in (custom_values or {}).items()}
    grids = [
        _given(custom[j], schema, j)
        if j in custom
        else _grid(matrix[:, j], schema, j, percentiles, grid_resolution)
        for j in chosen
    ]
    snapped = {
        j: _snapped(numbers, schema, j) for j, (_, numbers) in zip(chosen, grids, strict=True)
    }
    if method == "recursion":
        average = np.zeros((*map(len, snapped.values()), len(model.classes_)))
        trees = fitted_trees(model)
        for tree in trees:
            average += dependence_of_tree(tree, snapped) / len(trees)
    else:
        average = _brute(model, matrix, snapped)
    return PartialDependence(
        np.moveaxis(average, -1, 0),
        [values for values, _ in grids],
        chosen,
        Wording.of_table(schema).feature_names,
        model.classes_,
        [j in schema.categories for j in chosen],
        {j: _quantiles(matrix[:, j], np.arange(0.1, 1.0, 0.1)) for j in chosen},
    )


def _listed(features: Feature | Sequence[Feature]) -> Sequence[Feature]:
    is_one = isinstance(features, str | Integral)
    return [features] if is_one else list(features)  # type: ignore[list-item, arg-type]


def _index(feature: Feature, schema: Schema) -> int:
    if isinstance(feature, str):
        names = [] if schema.names is None else schema.names.tolist()
        if feature in names:
            return int(names.index(feature))
        known = f"Its features are {names}." if names else "Its features have no names."
        raise ValueError(f"The model has no feature {feature!r}. {known}")
    if isinstance(feature, bool) or not isinstance(feature, Integral):
        raise TypeError(f"A feature is an index or a name, got {feature!r}.")
    if not 0 <= feature < schema.n_features:
        raise ValueError(f"The model has the features 0 to {schema.n_features - 1}, got {feature}.")
    return int(feature)


def _check(chosen: list[int], method: str, has_planes: bool) -> None:
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError("features must name one or more features, each of them once.")
    if method not in ("recursion", "brute"):
        raise ValueError(f"method must be 'auto', 'recursion' or 'brute', got {method!r}.")
    if method == "recursion" and has_planes:
        raise ValueError(
            "Hyperplanes cannot be followed with a part of their features. Use method='brute', or "
            'fit with splitter="best" or "random".'
        )


def _grid(
    values: NDArray[Any], schema: Schema, j: int, percentiles: tuple[float, float], resolution: int
) -> Grid:
    """Return the values of a feature, and as the numbers of the encoded matrix."""
    found = np.unique(values[~np.isnan(values)])
    if j in schema.categories:
        return schema.categories[j].values[found.astype(np.intp)], found
    low, high = percentiles
    if not 0 <= low < high <= 1 or resolution < 2:
        raise ValueError(
            "percentiles must be two fractions in ascending order, and grid_resolution at least 2; "
            f"got {percentiles} and {resolution}."
        )
    if len(found) > resolution:
        low, high = _quantiles(values, percentiles)
        if low == high:
            raise ValueError(
                f"Both percentiles of feature {j} are {low:g}. Use others, or custom_values."
            )
        found = np.linspace(low, high, resolution)
    return found, found


def _given(values: ArrayLike, schema: Schema, j: int) -> Grid:
    """Return values as given, and as the numbers of the encoded matrix."""
    if j not in schema.categories:
        numbers = np.asarray(values, dtype=np.float64).ravel()
        return numbers, numbers
    shown = np.asarray(values, dtype=object).ravel()
    of_value = schema.categories[j].numbers
    return shown, np.array([of_value.get(value, np.nan) for value in shown.tolist()])


def _quantiles(values: NDArray[Any], probabilities: Sequence[float] | Floats) -> Floats:
    from scipy.stats.mstats import mquantiles  # as scikit-learn

    present = values[~np.isnan(values)].astype(np.float64)
    return np.asarray(mquantiles(present, probabilities) if len(present) else [])


def _snapped(numbers: NDArray[Any], schema: Schema, j: int) -> Floats:
    """Return values of a feature as trees compare them: coordinates, with bins."""
    matrix = np.zeros((len(numbers), schema.n_features))
    matrix[:, j] = numbers
    return schema.snapped(matrix)[:, j].astype(np.float64)


def _brute(model: Any, matrix: Matrix, grid: dict[int, Floats]) -> Floats:
    """Return the mean prediction of all rows with each combination of values of the grid."""
    changed = np.array(matrix, dtype=np.float64, order="F")
    n_threads = number_of_threads(model.n_jobs)
    means = []
    for point in product(*grid.values()):
        changed[:, list(grid)] = point
        means.append(model._fitted.predict_proba(changed, n_threads).mean(axis=0))
    return np.reshape(means, (*map(len, grid.values()), -1))
