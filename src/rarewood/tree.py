"""RareTreeClassifier: a decision tree for rare classes with the scikit-learn interface."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from rarewood import _core
from rarewood._docstrings import documented
from rarewood._validation import check_parameters, number_of_threads, seed_from
from rarewood.criteria import CriterionLike, resolve
from rarewood.export._sklearn import to_sklearn
from rarewood.model._base import RareClassifier
from rarewood.model._fitted_tree import FittedTree
from rarewood.model._make_growth import make_growth
from rarewood.model._parameters import CONSTRAINTS
from rarewood.model._pilot import Pilot, fit_leaves
from rarewood.model._pruning import core_pruning, impurity
from rarewood.model._training_data import TrainingData
from rarewood.model._types import (
    CategoricalSplit,
    Leaf,
    MaxFeatures,
    ObliqueDraw,
    Pruning,
    Splitter,
)

__all__ = ["RareTreeClassifier"]


@documented
class RareTreeClassifier(RareClassifier):
    """Decision tree for rare classes.

    The default criterion, the Hellinger distance, does not change when one class becomes rarer.
    Features may be numeric or categorical, and values may be missing. The search for the best
    split is exact unless ``max_bins`` is set.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {classes_, n_classes_, n_features_in_, feature_names_in_, n_outputs_}
    max_features_ : int
        Number of features considered in each node.
    {leaf_strength_, collapse_, pilot_}
    feature_importances_ : ndarray of shape (n_features,)
        Importance of each feature; see below.
    tree_ : rarewood.model.FittedTree
        The tree as read-only arrays; ``print(model.tree_)`` shows it as text.

    See Also
    --------
    RareForestClassifier : Ensemble of such trees.
    rarewood.presets : Published trees, such as HDDT, CCPDT and C4.5.
    sklearn.tree.DecisionTreeClassifier : Trees for balanced classes.

    Notes
    -----
    Parameters that do not apply to the selected options are ignored: ``n_cuts`` with
    ``splitter="best"``, ``oblique_dim``, ``oblique_draw`` and ``split_samples`` without
    ``splitter="oblique"``, ``leaf_strength`` with ``leaf="raw"``, ``categorical_split`` with random
    cuts.

    Samples with zero weight are removed first, so ``min_samples_*`` do not count them; their labels
    still count as classes.

    Missing values (NaN, None or null) are evaluated on both sides of each cut. In a node without
    missing values in training they follow the larger child, as do categories that were not present
    in the node.

    A class without training samples in a leaf has a probability above zero unless ``leaf`` is
    "raw". With several classes of equal probability, ``predict`` returns the first.

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
        criterion: CriterionLike = "hellinger",
        *,
        splitter: Splitter = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | MaxFeatures | None = None,
        max_leaf_nodes: int | None = None,
        min_gain: float = 0.0,
        pruning: Pruning | None = None,
        n_cuts: int = 10,
        oblique_dim: int = 2,
        oblique_draw: ObliqueDraw = "between",
        split_samples: int | Literal["auto"] | None = "auto",
        max_bins: int | Literal["auto"] | None = "auto",
        leaf: Leaf = "laplace",
        leaf_strength: float | Literal["auto"] | None = None,
        collapse: float | Literal["auto"] = 0.0,
        categorical_features: Any = "from_dtype",
        categorical_split: CategoricalSplit = "subset",
        monotonic_cst: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_gain = min_gain
        self.pruning = pruning
        self.n_cuts = n_cuts
        self.oblique_dim = oblique_dim
        self.oblique_draw = oblique_draw
        self.split_samples = split_samples
        self.max_bins = max_bins
        self.leaf = leaf
        self.leaf_strength = leaf_strength
        self.collapse = collapse
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the tree.

        If the data or a parameter is not valid, the estimator is left unchanged.

        {X_fit, y_fit, sample_weight_fit, groups -> self}
        """
        check_parameters(self)
        resolve(self.criterion)  # raises before anything is read
        X, groups = self._take_groups(X, groups)
        with self._prepare(X, y, sample_weight, self.class_weight) as data:
            self._fit(data, self._check_groups(groups, data))
        return self

    def _fit(self, data: TrainingData, groups: NDArray[Any] | None) -> None:
        """Grow the tree from checked and encoded training data."""
        seed = seed_from(self.random_state)
        leaves, pilot = fit_leaves(self, data, seed, groups)
        growth = make_growth(self, data, None, seed, range(1), leaves)
        (compiled,), has_missing = data.grow(growth, number_of_threads(self.n_jobs))
        schema = replace(data.schema, has_missing=has_missing)
        tree = FittedTree(compiled, schema, data.classes, leaves.leaf, leaves.strength)
        self._keep(tree, growth.options["max_features"], leaves.collapse, pilot)

    def _keep(
        self, tree: FittedTree, max_features: int, collapse: float, pilot: Pilot | None
    ) -> None:
        """Set the attributes of a fit that has succeeded."""
        self.tree_ = tree
        self.max_features_ = max_features
        self._keep_leaves(tree.leaf_strength, collapse, pilot)
        self._keep_table(tree.schema, tree.classes)

    def _set_leaves(self, leaf: str, strength: float) -> None:
        tree = replace(self.tree_, leaf=leaf, leaf_strength=strength)
        self._keep(tree, self.max_features_, self.collapse_, self.pilot_)

    def _prune(self, method: Pruning) -> Self:
        """Return a pruned copy."""
        other: Self = copy(self).set_params(pruning=method)
        pruning = _core.Pruning(**core_pruning(method, self.criterion))
        compiled = _core.prune(self.tree_.compiled, pruning)
        tree = replace(self.tree_, compiled=compiled)
        other._keep(tree, self.max_features_, self.collapse_, self.pilot_)
        return other

    @property
    def _fitted(self) -> FittedTree:
        return self.tree_

    def _predict_class_numbers(self, X: Any) -> NDArray[np.intp]:
        self._check_leaves()
        leaves = self.apply(X)
        return self.tree_.prediction.take(leaves)

    def decision_path(self, X: Any) -> scipy.sparse.csr_matrix:
        """Return the nodes on the path of each sample, from the root to its leaf.

        Parameters
        ----------
        {X}

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where the sample passes the node.
        """
        paths = [self.tree_.decision_path(matrix) for matrix in self._parts(X)]
        return scipy.sparse.csr_matrix(scipy.sparse.vstack(paths, format="csr"))

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Compute the strengths at which cost-complexity pruning changes the tree.

        A tree is grown with the parameters of this one; the estimator is left unchanged.

        Parameters
        ----------
        {X_training, y, sample_weight}

        Returns
        -------
        path : Bunch
            ``ccp_alphas``, values of ``alpha`` in ascending order, from 0 for the whole tree, and
            ``impurities``, the total impurity of the remaining leaves at each of them. The
            impurity of a leaf is weighted by its fraction of the samples; it is the entropy (in
            nats) if the criterion is "entropy" or "gain_ratio", and the Gini impurity otherwise.

        See Also
        --------
        rarewood.pruning.fisher_pruning_path : The same for Fisher's exact test.

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

    def to_sklearn(self, *, smoothed: bool = True) -> Any:
        """Return the tree as a ``DecisionTreeClassifier`` of scikit-learn.

        For tools that need one, such as ``sklearn.tree.export_text``, ``sklearn.tree.plot_tree``
        and dtreeviz. Hyperplanes, categorical features and bins are refused with the reason.

        Parameters
        ----------
        smoothed : bool, default=True
            Whether ``tree_.value`` has the probabilities of the leaf estimator, so that
            ``predict_proba`` agrees, or the fractions of the training weights, so that figures show
            counts of training samples.

        Returns
        -------
        model : sklearn.tree.DecisionTreeClassifier
            A fitted tree with the same nodes, in the same order. Impurities are entropies if the
            criterion is "entropy", "log_loss" or "gain_ratio", otherwise Gini impurities.

        Notes
        -----
        scikit-learn converts values to float32 before it compares them, so a value that float32
        cannot represent may take another branch if it is within a rounding error of a threshold.
        The other parameters of the result have their defaults: fitting it again grows a tree of
        scikit-learn.

        Examples
        --------
        >>> from sklearn.tree import export_text
        >>> from rarewood import RareTreeClassifier
        >>> X = [[20.0], [30.0], [40.0], [50.0]]
        >>> tree = RareTreeClassifier().fit(X, ["no", "no", "no", "yes"])
        >>> print(export_text(tree.to_sklearn(), feature_names=["age"]), end="")
        |--- age <= 45.00
        |   |--- class: no
        |--- age >  45.00
        |   |--- class: yes
        """
        check_is_fitted(self)
        is_entropy = self.criterion in ("entropy", "log_loss", "gain_ratio")
        criterion = "entropy" if is_entropy else "gini"
        return to_sklearn(self.tree_, criterion=criterion, smoothed=smoothed)
