"""RareForestClassifier: a forest for rare classes with the scikit-learn interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from rarewood import _core
from rarewood._callbacks import CallbackSupport, call_back
from rarewood._docstrings import documented
from rarewood._validation import check_parameters, number_of_threads
from rarewood.criteria import CriterionLike, Recipe
from rarewood.model._base import RareClassifier
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._grow_forest import grow_forest
from rarewood.model._out_of_bag import check_oob_score, score_out_of_bag
from rarewood.model._parameters import FOREST_CONSTRAINTS
from rarewood.model._pilot import Pilot
from rarewood.model._pruning import core_pruning
from rarewood.model._sampling_schemes import SamplingScheme, as_scheme
from rarewood.model._seeds import tree_seed
from rarewood.model._training_data import TrainingData
from rarewood.model._types import (
    CategoricalSplit,
    Leaf,
    MaxFeatures,
    ObliqueDraw,
    Pruning,
    Splitter,
)
from rarewood.tree import RareTreeClassifier

__all__ = ["RareForestClassifier"]


@documented
class RareForestClassifier(CallbackSupport, RareClassifier):
    """Forest of decision trees for rare classes.

    Trees are randomized by drawing samples, features, cuts, hyperplanes or the criterion. Their
    smoothed probabilities are averaged. The table is encoded once for
    all trees.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {classes_, n_classes_, n_features_in_, feature_names_in_, n_outputs_}
    forest_ : rarewood.model.FittedForest
        Fitted trees and the settings they were grown with.
    n_estimators_ : int
        Number of trees, which ``n_estimators="auto"`` chooses.
    {leaf_strength_, collapse_, pilot_}
    estimators_ : list of RareTreeClassifier
        Trees as fitted estimators; see below.
    estimators_samples_ : list of ndarray
        Indices of the samples drawn for each tree.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the importances of the trees.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Probabilities of each sample by the trees that did not draw it; NaN where every tree did.
        Only with ``oob_score``.
    oob_score_ : float
        Score of those probabilities, over the samples of nonzero weight that have them. Only with
        ``oob_score``.

    See Also
    --------
    RareTreeClassifier : A single tree.
    rarewood.presets : Published forests, such as HeDEx, BEAT and balanced random forests.

    Notes
    -----
    Some defaults differ from those of :class:`RareTreeClassifier`: ``splitter="oblique"``,
    ``max_features="sqrt"``, ``leaf="shrunk"``, and ``leaf_strength="auto"`` with
    ``collapse="auto"``. For interpretability, the defaults of a single tree are exact cuts of all
    features and Laplace leaves.

    Parameters that do not apply to the selected options are ignored, as for a single tree.

    The random numbers of a tree follow from the seed and the number of the tree, so the trees of a
    small forest are the first trees of a larger one.

    Sample weights do not change which samples are drawn: a sample counts with its weight each
    time it is drawn. Samples with zero weight are removed first.

    The parameters of ``estimators_`` are those of the forest, with the criterion and the seed of
    the tree, and the fitted leaf strength and collapse: a clone that is fitted on the samples of
    the tree grows the same tree, unless ``max_bins`` applies, since bins are chosen from the
    samples of a fit, or ``split_samples``, or ``min_weight_fraction_leaf``, which is a fraction of
    the weight that a tree is expected to draw.

    References
    ----------
    .. [1] S. Kang and K. Ramamohanarao, "A robust classifier for imbalanced datasets", PAKDD 2014.
    .. [2] C. Chen, A. Liaw and L. Breiman, "Using random forest to learn imbalanced data",
           University of California, Berkeley, 2004.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.metrics import roc_auc_score
    >>> from sklearn.model_selection import train_test_split
    >>> from rarewood import RareForestClassifier
    >>> X, y = make_classification(2000, weights=[0.97], class_sep=2.0, random_state=2)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
    >>> model = RareForestClassifier(random_state=0).fit(X_train, y_train)
    >>> bool(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = FOREST_CONSTRAINTS

    def __init__(
        self,
        n_estimators: int | Literal["auto"] = 100,
        *,
        criterion: CriterionLike | Recipe = "hellinger",
        splitter: Splitter = "oblique",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | MaxFeatures | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_gain: float = 0.0,
        pruning: Pruning | None = None,
        n_cuts: int = 10,
        oblique_dim: int = 2,
        oblique_draw: ObliqueDraw = "between",
        split_samples: int | Literal["auto"] | None = "auto",
        bootstrap: bool = False,
        balance: bool | float | str | SamplingScheme = False,
        max_samples: float | None = None,
        max_bins: int | Literal["auto"] | None = "auto",
        leaf: Leaf = "shrunk",
        leaf_strength: float | Literal["auto"] | None = "auto",
        collapse: float | Literal["auto"] = "auto",
        categorical_features: Any = "from_dtype",
        categorical_split: CategoricalSplit = "subset",
        monotonic_cst: Any = None,
        class_weight: Mapping[Any, float] | Literal["balanced", "balanced_subsample"] | None = None,
        oob_score: bool | str | Callable[..., float] = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
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
        self.bootstrap = bootstrap
        self.balance = balance
        self.max_samples = max_samples
        self.max_bins = max_bins
        self.leaf = leaf
        self.leaf_strength = leaf_strength
        self.collapse = collapse
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees.

        If the data or a parameter is not valid, or the fit is interrupted, the estimator is left
        unchanged.

        {X_fit, y_fit, sample_weight_fit, groups -> self}
        """
        check_parameters(self)
        as_scheme(self.balance)
        if self.oob_score and not (self.bootstrap or self.balance or self.max_samples is not None):
            raise ValueError(
                "Out of bag estimation only available if bootstrap=True, or with balance or "
                "max_samples: otherwise every tree is grown on all samples. Set one of them, or "
                "oob_score=False."
            )
        check_oob_score(self.oob_score)
        before = self.forest_ if self.warm_start and hasattr(self, "forest_") else None
        schema = None if before is None else before.schema
        class_weight = None if self.class_weight == "balanced_subsample" else self.class_weight
        X, groups = self._take_groups(X, groups)
        n_trees = None if self.n_estimators == "auto" else self.n_estimators
        if n_trees is not None and before is not None:
            n_trees = max(n_trees - len(before), 0)

        def fit() -> None:
            with self._prepare(X, y, sample_weight, class_weight, schema) as data:
                self._fit(data, before, self._check_groups(groups, data))

        call_back(self, n_trees, fit, X, y)
        return self

    def _fit(
        self, data: TrainingData, before: FittedForest | None, groups: NDArray[Any] | None
    ) -> None:
        """Grow the trees from checked and encoded training data, and score them out of bag."""
        forest, pilot = grow_forest(self, data, before, groups)
        scored = None
        if self.oob_score and (forest is not before or not hasattr(self, "oob_score_")):
            scored = score_out_of_bag(self, forest, data)
        self._keep(forest, pilot if before is None else self.pilot_)
        if scored is not None:
            self.oob_decision_function_, self.oob_score_ = scored
        elif not self.oob_score and hasattr(self, "oob_score_"):
            del self.oob_decision_function_, self.oob_score_

    def _keep(self, forest: FittedForest, pilot: Pilot | None) -> None:
        """Set the attributes of a fit that has succeeded."""
        self.forest_ = forest
        self._keep_leaves(forest.leaf_strength, forest.collapse, pilot)
        self._estimators: list[RareTreeClassifier] | None = None  # made at the first access
        self._keep_table(forest.schema, forest.classes)

    def _prune(self, method: Pruning) -> Self:
        """Return a copy with pruned trees, without out-of-bag scores: they need the samples."""
        other: Self = copy(self).set_params(pruning=method)
        other._forget_out_of_bag()
        pruning = _core.Pruning(**core_pruning(method, self.criterion))
        forest = self.forest_
        trees = [_core.prune(tree, pruning) for tree in forest.compiled_trees]
        parameters = [{**given, "pruning": method} for given in forest.parameters]
        other._keep(replace(forest, compiled_trees=trees, parameters=parameters), self.pilot_)
        return other

    def _forget_out_of_bag(self) -> None:
        """Remove the out-of-bag scores of other trees or leaves: new ones need the samples."""
        for name in ("oob_score_", "oob_decision_function_"):
            self.__dict__.pop(name, None)

    def _set_leaves(self, leaf: str, strength: float) -> None:
        self._forget_out_of_bag()
        self._keep(self.forest_.with_leaves(leaf, strength), self.pilot_)

    @property
    def n_estimators_(self) -> int:
        """Number of trees."""
        check_is_fitted(self)
        return len(self.forest_)

    def truncate(self, n_estimators: int) -> Self:
        """Return a copy with the first trees, which is the forest of a smaller fit.

        Its trees are shared with this forest. It has no out-of-bag scores, since they need the
        samples. ``leaf_strength_`` and ``collapse_`` do not depend on the number of trees.

        Parameters
        ----------
        n_estimators : int
            Number of trees to keep, at least 1.

        Returns
        -------
        forest : RareForestClassifier
            Forest of the first ``n_estimators`` trees.
        """
        check_is_fitted(self)
        n_trees = len(self.forest_)
        if not isinstance(n_estimators, Integral) or not 1 <= n_estimators <= n_trees:
            raise ValueError(
                f"n_estimators must be an int from 1 to {n_trees}, the number of trees, got "
                f"{n_estimators!r}. Set warm_start=True and fit again to add trees."
            )
        other: Self = copy(self).set_params(n_estimators=int(n_estimators))
        other._forget_out_of_bag()
        other._keep(self.forest_.first(int(n_estimators)), self.pilot_)
        return other

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Predict the class probabilities of the first tree, of the first two trees, and so on.

        Parameters
        ----------
        {X}

        Yields
        ------
        proba : ndarray of shape (n_samples, n_classes)
            Mean probabilities of the first 1, 2, ... trees; the last are those of
            ``predict_proba``.
        """
        n_threads = number_of_threads(self.n_jobs)
        stages = [self.forest_.staged_predict_proba(part, n_threads) for part in self._parts(X)]
        return stages[0] if len(stages) == 1 else map(np.concatenate, zip(*stages, strict=True))

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_estimators": None} if "_estimators" in state else state

    @property
    def _fitted(self) -> FittedForest:
        return self.forest_

    def _predict_class_numbers(self, X: Any) -> NDArray[np.intp]:
        numbers: NDArray[np.intp] = self.predict_proba(X).argmax(axis=1)
        return numbers

    def decision_path(self, X: Any) -> tuple[scipy.sparse.csr_matrix, NDArray[np.int64]]:
        """Return the nodes on the path of each sample in each tree.

        Parameters
        ----------
        {X}

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where the sample passes the node; tree after tree.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            The columns of tree ``i`` are ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1] - 1``.
        """
        paths = [self.forest_.decision_path(matrix) for matrix in self._parts(X)]
        indicator = scipy.sparse.vstack([path for path, _ in paths], format="csr")
        return scipy.sparse.csr_matrix(indicator), paths[0][1]

    @property
    def estimators_(self) -> list[RareTreeClassifier]:
        """Trees as fitted estimators, which share their nodes with the forest."""
        check_is_fitted(self)
        if self._estimators is None:
            self._estimators = [self._make_tree(number) for number in range(len(self.forest_))]
        return self._estimators

    def _make_tree(self, number: int) -> RareTreeClassifier:
        forest = self.forest_
        tree = RareTreeClassifier(
            **forest.parameters[number],
            criterion=forest.criteria[number],
            random_state=tree_seed(forest.seed, number),
        )
        tree._keep(forest.trees[number], forest.max_features[number], forest.collapse, None)
        return tree

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: Any) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Iterator[RareTreeClassifier]:
        return iter(self.estimators_)

    @property
    def estimators_samples_(self) -> list[NDArray[np.int32]]:
        """Indices of the samples drawn for each tree, repeated as often as they were drawn.

        They are drawn again at each access. A tree on all samples has each of them once.
        """
        check_is_fitted(self)
        forest = self.forest_
        return [forest.row_sampling.indices(forest.seed, number) for number in range(len(forest))]
