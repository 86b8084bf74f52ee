"""RareTreeClassifier: a decision tree for rare classes, with scikit-learn's interface."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from rarewood import _core
from rarewood._validation import check_parameters, number_of_threads, seed_from
from rarewood.criteria import Criterion, resolve
from rarewood.model._base import RareClassifier
from rarewood.model._fitted_tree import FittedTree
from rarewood.model._growth import Growth
from rarewood.model._parameters import (
    CONSTRAINTS,
    grow_options,
    impurity,
    leaf_strength,
    pruning,
    pruning_options,
)
from rarewood.model._training_data import TrainingData
from rarewood.table._dask_collections import also_lazily
from rarewood.table._encode import Matrix
from rarewood.table._schema import Schema

__all__ = ["RareTreeClassifier"]


class RareTreeClassifier(RareClassifier):
    """A decision tree for rare classes.

    The tree is grown with a criterion made for skewed classes, by default the Hellinger distance,
    which does not change when one class is made rarer. Columns may be numeric or nominal, and
    values may be missing. The search for the best split is exact.

    Parameters
    ----------
    criterion : str or criterion object, default="hellinger"
        What a split must maximise: a name of :func:`rarewood.criteria.names`, such as
        "hellinger", "ccp_entropy" or "gini", or an object where the criterion has parameters,
        such as ``criteria.Alpha(0.7)``.
    max_depth : int, default=None
        Largest distance of a leaf from the root. By default the tree is grown until every leaf is
        pure or too small to split.
    min_samples_split : int or float, default=2
        Rows that a node needs to be split; a float is a share of the training rows.
    min_samples_leaf : int or float, default=1
        Rows that every child needs; a float is a share of the training rows.
    min_weight_fraction_leaf : float, default=0.0
        Share of the total weight that every child needs.
    max_features : int, float, "sqrt", "round_sqrt" or "log2", default=None
        Columns to look at in each node, drawn at random: a number, a share of the columns, the
        square root of their number, cut off ("sqrt") or rounded ("round_sqrt"), or the binary
        logarithm. By default all.
    max_leaf_nodes : int, default=None
        Grow a tree with at most this many leaves, always splitting the leaf with the largest gain
        times its share of the rows. By default there is no limit.
    min_gain : float, default=0.0
        A node is split if the criterion gains at least this much over not splitting. Unlike
        scikit-learn's ``min_impurity_decrease`` it is not weighted by the size of the node.
    pruning : {"fisher", "error", "cost_complexity"}, default=None
        How the tree is made smaller after growing: which branches become leaves. "fisher": those
        without a significant rule (CCPDT); "error": those that are not expected to make fewer
        errors than a leaf (C4.5); "cost_complexity": those that lower the impurity too little for
        each leaf they have (CART). By default none. See :mod:`rarewood.pruning`.
    pruning_threshold : float, default=None
        "fisher": the p-value below which a rule is significant, by default 0.01. "error": the
        confidence factor, above 0 and at most 0.5, by default 0.25; smaller ones prune more.
        "cost_complexity": what a leaf must lower the impurity by, scikit-learn's ``ccp_alpha``, by
        default 0.0.
    n_cuts : int, default=None
        Number of cuts to draw at random for each numeric column, between the lowest and the
        highest value in the node. By default every cut is considered.
    hyperplane_dim : int, default=1
        Numeric columns that a split combines. With 2 or more, splits are drawn as hyperplanes over
        that many columns, ``n_cuts`` for each column looked at and random partners, so ``n_cuts``
        must be set. Nominal columns split as ever.
    hyperplane : {"points", "direction"}, default="points"
        How they are drawn in the box that the rows of the node fill: through ``hyperplane_dim``
        points drawn evenly in it, or across a direction drawn evenly, at a place drawn evenly
        between the first and the last row along it.
    max_bins : int, default=None
        Consider cuts only at the edges of at most this many bins (2 to 255) of each column, which
        is faster on large tables. By default the search is exact.
    leaf : {"laplace", "raw", "m_estimate", "shrunk"}, default="laplace"
        How the counts of a leaf become probabilities. "raw": the shares of the classes;
        "laplace": ``leaf_strength`` rows of every class are added; "m_estimate":
        ``leaf_strength`` rows are added, divided as the classes are in all training rows;
        "shrunk": hierarchical shrinkage, which moves every node towards its parent, the more so
        the fewer rows the parent has.
    leaf_strength : float, default=None
        Strength of the smoothing. By default 1 for "laplace"; the number of classes for
        "m_estimate", which then adds as many rows as "laplace"; and 5 for "shrunk".
    categorical_features : "from_dtype", array-like of str, int or bool, or None, \
default="from_dtype"
        Which columns are nominal. "from_dtype": the columns of a DataFrame with text, booleans or
        a categorical type, and none of an array. Or a list of names, of indices, or a mask. None:
        no column, so that text is an error.
    categorical_split : {"subset", "multiway", "onehot"}, default="subset"
        How a nominal column splits a node: into two sets of categories, into one child for each
        category, or one category against the rest.
    class_weight : dict or "balanced", default=None
        Weights of the classes, multiplied with ``sample_weight``. "balanced" makes all classes
        weigh the same.
    random_state : int, RandomState instance or None, default=None
        Seed of ``max_features`` and ``n_cuts``; without them growing is not random. Up to 64 bits.
    n_jobs : int, default=None
        Threads for encoding and predicting. None means 1 unless in a joblib backend, -1 all cores.
        The model does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_classes_ : int
        Number of classes.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if X had names that are all strings.
    max_features_ : int
        Number of columns looked at in each node.
    n_outputs_ : int
        Always 1: targets with several columns are not supported.
    feature_importances_ : ndarray of shape (n_features,)
        Importance of each column; see below.
    tree_ : FittedTree
        The tree as read-only arrays; ``print(model.tree_)`` shows it as text.

    See Also
    --------
    RareForestClassifier : Many such trees, which predict together.
    rarewood.presets : Trees as published, such as HDDT, CCPDT and C4.5.
    sklearn.tree.DecisionTreeClassifier : Trees for balanced classes.

    Notes
    -----
    Rows of zero weight are left out before anything else, so ``min_samples_*`` do not count them;
    their labels still count as classes.

    A missing value (NaN, None or null) takes part in the search: it is tried on both sides of each
    cut. Where a node saw none in training they follow the larger child, and so do categories that
    the node did not see.

    A class without training rows in a leaf still gets a probability above zero unless ``leaf`` is
    "raw". With several classes of equal probability, ``predict`` takes the first.

    References
    ----------
    .. [1] D. A. Cieslak, T. R. Hoens, N. V. Chawla and W. P. Kegelmeyer, "Hellinger distance
           decision trees are robust and skew-insensitive", Data Mining and Knowledge Discovery 24,
           2012.
    .. [2] A. Agarwal, Y. S. Tan, O. Ronen, C. Singh and B. Yu, "Hierarchical shrinkage: improving
           the accuracy and interpretability of tree-based methods", ICML 2022.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.metrics import roc_auc_score
    >>> from sklearn.model_selection import train_test_split
    >>> from rarewood import RareTreeClassifier
    >>> X, y = make_classification(2000, weights=[0.97], class_sep=2.0, random_state=0)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
    >>> model = RareTreeClassifier(min_samples_leaf=5).fit(X_train, y_train)
    >>> bool(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]) > 0.8)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = CONSTRAINTS

    def __init__(
        self,
        criterion: Criterion = "hellinger",
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = None,
        max_leaf_nodes: int | None = None,
        min_gain: float = 0.0,
        pruning: str | None = None,
        pruning_threshold: float | None = None,
        n_cuts: int | None = None,
        hyperplane_dim: int = 1,
        hyperplane: str = "points",
        max_bins: int | None = None,
        leaf: str = "laplace",
        leaf_strength: float | None = None,
        categorical_features: Any = "from_dtype",
        categorical_split: str = "subset",
        class_weight: dict[Any, float] | str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_gain = min_gain
        self.pruning = pruning
        self.pruning_threshold = pruning_threshold
        self.n_cuts = n_cuts
        self.hyperplane_dim = hyperplane_dim
        self.hyperplane = hyperplane
        self.max_bins = max_bins
        self.leaf = leaf
        self.leaf_strength = leaf_strength
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        If the data or a parameter is not valid, the estimator stays as it was.

        Parameters
        ----------
        X : array-like, DataFrame, or a table to be read in batches
            The training table, of shape (n_samples, n_features). NaN, None and null are missing
            values. With ``max_bins`` it may be larger than memory: the path of a Parquet file or of
            a folder of them, a ``pyarrow.dataset``, an iterator of record batches or tables, or a
            :class:`rarewood.stream.Stream`. See :doc:`/streaming`.
        y : array-like of shape (n_samples,), or str
            The labels: text, booleans or whole numbers. The name of a column if the table is read
            in batches; all columns but this one and that of the weights are features.
        sample_weight : array-like of shape (n_samples,), or str, default=None
            Weights of the rows, not negative; the name of a column if the table is read in batches.
            By default all weigh 1.

        Returns
        -------
        self : RareTreeClassifier
            The fitted estimator.
        """
        check_parameters(self)
        resolve(self.criterion)  # raises before anything is read
        pruning_options(self)
        with self._prepare(X, y, sample_weight, self.class_weight) as data:
            self._fit(data)
        return self

    def _fit(self, data: TrainingData) -> None:
        """Grow the tree from a table that was checked, and keep it."""
        seed = seed_from(self.random_state)
        options = grow_options(self, data.shape, data.class_totals().total, seed)
        growth = Growth([self.criterion], options, pruning_options(self), max_bins=self.max_bins)
        (compiled,), has_missing = data.grow(growth, number_of_threads(self.n_jobs))
        strength = leaf_strength(self, len(data.classes))
        schema = replace(data.schema, has_missing=has_missing)
        view = FittedTree(compiled, schema, data.classes, self.leaf, strength)
        self._keep(view, options["max_features"])

    def _keep(self, tree: FittedTree, max_features: int) -> None:
        """Set the attributes of a fit that has succeeded."""
        self.tree_ = tree
        self.max_features_ = max_features
        self._keep_table(tree.schema, tree.classes)

    def _prune(self, kind: str, threshold: float | None, tests_leaves: bool) -> Self:
        """Return a pruned copy."""
        other: Self = copy(self).set_params(pruning=kind, pruning_threshold=threshold)
        check_parameters(other)
        compiled = _core.prune(self.tree_.compiled, pruning(other, tests_leaves=tests_leaves))
        other._keep(replace(self.tree_, compiled=compiled), self.max_features_)
        return other

    @property
    def _schema(self) -> Schema:
        return self.tree_.schema

    def _predict_class_numbers(self, X: Any) -> NDArray[np.intp]:
        leaves = self.apply(X)
        return self.tree_.prediction.take(leaves)

    @also_lazily
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict class probabilities.

        Parameters
        ----------
        X : array-like, DataFrame, or a table to be read in batches
            A table with the columns of the training table; or a path, a data set or an iterator, as
            for ``fit``, in which columns that the model does not know are ignored.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            Smoothed as ``leaf`` says, with the classes in the order of ``classes_``.
        """
        return self._on_matrix(X, self._proba)

    def _proba(self, matrix: Matrix) -> NDArray[np.float64]:
        return self.tree_.predict_proba(matrix, number_of_threads(self.n_jobs))

    @also_lazily
    def apply(self, X: Any) -> NDArray[np.int64]:
        """Find the leaf of each row.

        Parameters
        ----------
        X : array-like, DataFrame, or a table to be read in batches
            A table with the columns of the training table; or a path, a data set or an iterator, as
            for ``fit``, in which columns that the model does not know are ignored.

        Returns
        -------
        leaves : ndarray of shape (n_samples,)
            Node numbers, for the arrays of ``tree_``.
        """
        n_threads = number_of_threads(self.n_jobs)
        return self._on_matrix(X, lambda matrix: self.tree_.apply(matrix, n_threads))

    def decision_path(self, X: Any) -> scipy.sparse.csr_matrix:
        """Find the nodes that each row passes, from the root to its leaf.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where the row passes the node.
        """
        matrix = self._encode(X)
        return self.tree_.decision_path(matrix)

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Find the thresholds at which cost-complexity pruning makes the tree smaller.

        A tree is grown with the parameters of this one, but is not kept.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The training table.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        path : Bunch
            ``ccp_alphas``, the thresholds in ascending order, from 0 for the whole tree, and
            ``impurities``, the sum of the impurities of the leaves that are left at each. The
            impurity of a leaf is weighted by its share of the rows; it is the entropy (in nats)
            where the criterion is "entropy" or "gain_ratio", and Gini's otherwise.

        See Also
        --------
        rarewood.pruning.fisher_pruning_path : The same for Fisher's test, of a fitted tree.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from rarewood import presets
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> path = presets.cart(max_depth=2).cost_complexity_pruning_path(X, y)
        >>> [round(float(alpha), 3) for alpha in path.ccp_alphas]
        [0.0, 0.015, 0.05, 0.325]
        """
        grown = clone(self)
        grown.pruning = None
        grown.fit(X, y, sample_weight)
        alphas, impurities = _core.cost_complexity_path(
            grown.tree_.compiled, impurity=impurity(self.criterion)
        )
        return Bunch(ccp_alphas=alphas, impurities=impurities)

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
        """Return the number of leaves.

        Returns
        -------
        n_leaves : int
            At least 1.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Importance of each column: its share in what the splits gained.

        A split counts with its gain, the value of the criterion minus that of not splitting, times
        the share of the (weighted) training rows that reach it. The sums for the columns are
        divided by their total, so they add up to 1; without any split all are 0. Gains are those of
        the criterion that grew the tree, so importances of different criteria are not on one scale
        before this division. A hyperplane divides its gain equally over its columns. A criterion
        whose value can fall (dcsm) counts as 0 where it does; where one is infinite (alpha), only
        infinite gains count, each as one.
        """
        check_is_fitted(self)
        return self.tree_.compute_feature_importances()
