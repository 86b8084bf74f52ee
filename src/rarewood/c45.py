"""C45Classifier: the decision tree of Quinlan's C4.5, by the rules of Weka's J48."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, NoReturn, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from rarewood import _core
from rarewood._docstrings import documented
from rarewood._validation import Interval, StrOptions, check_parameters
from rarewood.model._base import RareClassifier
from rarewood.model._fractional_tree import FractionalTree
from rarewood.model._parameters import CONSTRAINTS, leaf_strength
from rarewood.model._training_data import InMemoryData
from rarewood.model._types import Leaf
from rarewood.table._checks import check_finite
from rarewood.table._stream import Stream, as_input

__all__ = ["C45Classifier"]


@documented
class C45Classifier(RareClassifier):
    """C4.5 (release 8) by the rules of Weka's J48: growth, pruning and missing values.

    A tree on a growth path of its own, for tables in memory and for comparison with publications:
    :class:`RareTreeClassifier` with ``criterion="gain_ratio"`` is faster, and has all other
    options. The rules are described under :doc:`/c45`.

    Parameters
    ----------
    min_samples_leaf : int, default=2
        Minimum weight of at least two children of a split; numeric cuts need a tenth of the weight
        per class on both sides, at least this and at most 25.
    confidence : float or None, default=0.25
        Confidence factor of the error-based pruning, above 0 and at most 0.5. Smaller values prune
        more. None: no pruning.
    raising : bool, default=True
        Whether pruning may replace a subtree by its largest branch, not only by a leaf.
    collapse_subtrees : bool, default=True
        Whether subtrees that make no fewer errors on the training samples than a leaf become one,
        before pruning.
    penalty : bool, default=True
        Whether the gain of a numeric cut is reduced by log2(number of cuts) / weight of the node.
    cut : {"value", "midpoint"}, default="value"
        Threshold of a cut: the largest training value that is not above the midpoint of two
        neighbouring values in the node, or the midpoint.
    leaf : {"raw", "laplace", "m_estimate", "shrunk"}, default="raw"
        Leaf estimator, as in :class:`RareTreeClassifier`.
    leaf_strength : float or None, default=None
        Strength of the smoothing; None: that of the leaf estimator.
    {categorical_features, class_weight}

    Attributes
    ----------
    {classes_, n_classes_, n_features_in_, feature_names_in_, n_outputs_}
    leaf_strength_ : float
        Leaf strength of the model.
    feature_importances_ : ndarray of shape (n_features,)
        Importance of each feature: its fraction of the total information gain of the splits.
    tree_ : rarewood.model.FractionalTree
        The tree as read-only arrays; ``print(model.tree_)`` shows it as text.

    See Also
    --------
    rarewood.presets.j48 : The same estimator, under the name of Weka.
    rarewood.presets.c45 : C4.5 as in the papers on rare classes: information gain, no pruning.

    Notes
    -----
    Not supported: tables that are read in batches, Dask clusters, and use in a forest. Pruning is
    a part of ``fit``, since it divides the training samples again; :func:`rarewood.pruning.prune`
    raises an error. Rules do not cover samples with a missing value in one of their features.

    A category that was not in the training table counts as missing. A sample with a category that
    a node has not seen in training has the probabilities of that node.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    .. [2] J. R. Quinlan, "Improved use of continuous attributes in C4.5", Journal of Artificial
           Intelligence Research 4, 1996.
    .. [3] I. H. Witten, E. Frank and M. A. Hall, "Data Mining: Practical Machine Learning Tools and
           Techniques", Morgan Kaufmann, 2011.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from rarewood import C45Classifier
    >>> data = load_iris(as_frame=True)
    >>> model = C45Classifier().fit(data.data, data.target_names[data.target])
    >>> print(model.tree_.export_text(decimals=1, show_counts=False, show_probabilities=False))
    |--- petal width (cm) <= 0.6
    |   |--- class: setosa
    |--- petal width (cm) > 0.6
    |   |--- petal width (cm) <= 1.7
    |   |   |--- petal length (cm) <= 4.9
    |   |   |   |--- class: versicolor
    |   |   |--- petal length (cm) > 4.9
    |   |   |   |--- petal width (cm) <= 1.5
    |   |   |   |   |--- class: virginica
    |   |   |   |--- petal width (cm) > 1.5
    |   |   |   |   |--- class: versicolor
    |   |--- petal width (cm) > 1.7
    |   |   |--- class: virginica
    <BLANKLINE>
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "confidence": [Interval(Real, 0.0, 0.5, closed="right"), None],
        "raising": ["boolean"],
        "collapse_subtrees": ["boolean"],
        "penalty": ["boolean"],
        "cut": [StrOptions({"value", "midpoint"})],
        "leaf": CONSTRAINTS["leaf"],
        "leaf_strength": [Interval(Real, 0.0, None, closed="left"), None],
        "categorical_features": CONSTRAINTS["categorical_features"],
        "class_weight": CONSTRAINTS["class_weight"],
    }
    # What the base class reads of other estimators: every value is a cut, and there is one thread.
    splitter: ClassVar[str] = "best"
    n_jobs: ClassVar[None] = None

    def __init__(
        self,
        *,
        min_samples_leaf: int = 2,
        confidence: float | None = 0.25,
        raising: bool = True,
        collapse_subtrees: bool = True,
        penalty: bool = True,
        cut: Literal["value", "midpoint"] = "value",
        leaf: Leaf = "raw",
        leaf_strength: float | None = None,
        categorical_features: Any = "from_dtype",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
    ) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.confidence = confidence
        self.raising = raising
        self.collapse_subtrees = collapse_subtrees
        self.penalty = penalty
        self.cut = cut
        self.leaf = leaf
        self.leaf_strength = leaf_strength
        self.categorical_features = categorical_features
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow and prune the tree.

        If the data or a parameter is not valid, the estimator is left unchanged.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Training table. NaN, None and null are missing values.
        {y_fit, sample_weight_fit}

        Returns
        -------
        {self}
        """
        check_parameters(self)
        if isinstance(as_input(X), Stream):
            raise TypeError(
                "C45Classifier needs all values in memory and does not read tables in batches, but "
                f"X is of type {type(X).__name__}. Read the table into memory, or use "
                "RareTreeClassifier(criterion='gain_ratio', max_bins=255)."
            )
        with self._prepare(X, y, sample_weight, self.class_weight) as data:
            assert isinstance(data, InMemoryData)
            self._keep(self._grow(data))
        return self

    def _grow(self, data: InMemoryData) -> FractionalTree:
        check_finite(data.matrix, data.schema.names)
        compiled = _core.grow_c45(
            data.matrix,
            data.schema.n_categories,
            data.y,
            len(data.classes),
            data.weights,
            min_weight=float(self.min_samples_leaf),
            penalty=self.penalty,
            at_midpoint=self.cut == "midpoint",
            collapse=self.collapse_subtrees,
            confidence=None if self.confidence is None else float(self.confidence),
            raising=self.raising,
        )
        schema = replace(data.schema, has_missing=bool(np.isnan(data.matrix).any()))
        strength = leaf_strength(self, len(data.classes))
        return FractionalTree(compiled, schema, data.classes, self.leaf, strength)

    def _keep(self, tree: FractionalTree) -> None:
        """Set the attributes of a fit that has succeeded."""
        self.tree_ = tree
        self.leaf_strength_ = tree.leaf_strength
        self._keep_table(tree.schema, tree.classes)

    def _set_leaves(self, leaf: str, strength: float) -> None:
        self._keep(replace(self.tree_, leaf=leaf, leaf_strength=strength))

    def _prune(self, method: Any) -> NoReturn:
        raise TypeError(
            "A C45Classifier is pruned by fit, which divides the training samples again. Set "
            "confidence and raising, or grow a RareTreeClassifier."
        )

    @property
    def _fitted(self) -> FractionalTree:
        return self.tree_

    def _predict_class_numbers(self, X: Any) -> NDArray[np.intp]:
        numbers: NDArray[np.intp] = self.predict_proba(X).argmax(axis=1)
        return numbers

    def decision_path(self, X: Any) -> scipy.sparse.csr_matrix:
        """Return the part of each sample that passes each node.

        Parameters
        ----------
        {X}

        Returns
        -------
        parts : csr_matrix of shape (n_samples, n_nodes)
            1 where the whole sample passes the node; less below a missing value.
        """
        matrix = self._encode(X)
        return self.tree_.decision_path(matrix)

    def get_depth(self) -> int:
        """Return the largest distance of a leaf from the root.

        Returns
        -------
        depth : int
            0 for a tree that is a single leaf.
        """
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves with training samples.

        Returns
        -------
        n_leaves : int
            At least 1. Weka also counts the leaves of categories without training samples.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves
