"""RareForestClassifier: many trees for rare classes, with scikit-learn's interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from rarewood._validation import check_parameters
from rarewood.criteria import Criterion, Recipe
from rarewood.model._fitted_forest import FittedForest
from rarewood.model._forest_methods import ForestMethods
from rarewood.model._grow_forest import grow_forest, score_out_of_bag
from rarewood.model._parameters import FOREST_CONSTRAINTS
from rarewood.model._training_data import TrainingData

__all__ = ["RareForestClassifier"]


class RareForestClassifier(ForestMethods):
    """A forest of decision trees for rare classes.

    The trees differ by what is drawn at random for each: rows, columns, cuts, hyperplanes, or the
    criterion itself. Their smoothed probabilities are averaged. The table is encoded once for all
    trees, and the forest does not depend on ``n_jobs``.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : str, criterion object or recipe, default="hellinger"
        What a split must maximise, as in :class:`RareTreeClassifier`; or a recipe that draws a
        criterion for every tree, such as ``criteria.BetaAlpha(1, 3)``.
    max_depth : int, default=None
        Largest distance of a leaf from the root. By default trees are grown until every leaf is
        pure or too small to split.
    min_samples_split : int or float, default=2
        Rows that a node needs to be split; a float is a share of the rows drawn for the tree. A
        row that was drawn twice counts twice, here and in ``min_samples_leaf``.
    min_samples_leaf : int or float, default=1
        Rows that every child needs; a float is a share of the rows drawn for the tree.
    min_weight_fraction_leaf : float, default=0.0
        Share of the weight drawn for a tree, on average, that every child needs.
    max_features : int, float, "sqrt", "round_sqrt", "log2" or None, default="sqrt"
        Columns to look at in each node, drawn at random: a number, a share of the columns, the
        square root of their number, cut off ("sqrt") or rounded ("round_sqrt"), the binary
        logarithm, or all (None).
    max_leaf_nodes : int, default=None
        Grow trees with at most this many leaves, best splits first. By default there is no limit.
    min_gain : float, default=0.0
        A node is split if the criterion gains at least this much over not splitting.
    pruning : {"fisher", "error", "cost_complexity"}, default=None
        How every tree is made smaller after growing: which branches become leaves. "fisher": those
        without a significant rule (CCPDT); "error": those that are not expected to make fewer
        errors than a leaf (C4.5); "cost_complexity": those that lower the impurity too little for
        each leaf they have (CART). By default none. See :mod:`rarewood.pruning`.
    pruning_threshold : float, default=None
        "fisher": the p-value below which a rule is significant, by default 0.01. "error": the
        confidence factor, above 0 and at most 0.5, by default 0.25; smaller ones prune more.
        "cost_complexity": what a leaf must lower the impurity by, scikit-learn's ``ccp_alpha``, by
        default 0.0.
    n_cuts : int or None, default=10
        Number of cuts, or hyperplanes, to draw at random for each column looked at. None: every
        cut is considered.
    hyperplane_dim : int or "auto", default="auto"
        Numeric columns that a split combines; with 1 splits look at a single column. "auto": 2, or
        1 if ``n_cuts`` is None, since hyperplanes are always drawn at random.
    hyperplane : {"points", "direction"}, default="direction"
        How hyperplanes are drawn; see :class:`RareTreeClassifier`.
    bootstrap : bool, default=False
        Draw the rows of each tree with replacement, as many as there are or as ``max_samples``
        says. Otherwise each tree takes all rows, or draws without replacement if ``balance``.
    balance : bool, default=False
        Draw the same number of rows from every class for each tree, as many as the smallest class
        has or as ``max_samples`` says; with replacement if ``bootstrap``, else without.
    max_samples : int or float, default=None
        How many rows to draw for each tree: a number or a share of all rows. With ``balance``, a
        number is divided over the classes, and a share is one of the smallest class; without
        replacement the smallest class is the limit. An error if neither ``bootstrap`` nor
        ``balance``.
    max_bins : int, default=None
        Consider cuts only at the edges of at most this many bins (2 to 255) of each column. By
        default cuts are exact. Hyperplanes are drawn over the values themselves all the same.
    leaf : {"laplace", "raw", "m_estimate", "shrunk"}, default="shrunk"
        How the counts of a leaf become probabilities; see :class:`RareTreeClassifier`.
    leaf_strength : float, default=None
        Strength of the smoothing. By default 1 for "laplace", the number of classes for
        "m_estimate", and 5 for "shrunk".
    categorical_features : "from_dtype", array-like of str, int or bool, or None, \
default="from_dtype"
        Which columns are nominal; see :class:`RareTreeClassifier`.
    categorical_split : {"subset", "multiway", "onehot"}, default="subset"
        How a nominal column splits a node: into two sets of categories, into one child for each
        category, or one category against the rest. With ``n_cuts``, into random sets.
    class_weight : dict, "balanced" or "balanced_subsample", default=None
        Weights of the classes, multiplied with ``sample_weight``. "balanced" makes all classes
        weigh the same in the table, "balanced_subsample" in what each tree has drawn.
    oob_score : bool or callable, default=False
        Predict each row by the trees that did not draw it, and score that: with the accuracy, or
        with ``oob_score(y_true, y_pred)``. Needs ``bootstrap`` or ``balance``.
    warm_start : bool, default=False
        Keep the trees of the last fit and add to them up to ``n_estimators``. On the same table
        the result is that of a fit from the start.
    n_jobs : int, default=None
        Threads. None means 1 unless in a joblib backend, -1 all cores. A joblib worker takes its
        share of the cores only.
    random_state : int, RandomState instance or None, default=None
        Seed of all that is drawn.
    verbose : int, default=0
        With 1 or more, tell on the standard error stream how many trees are grown.

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
    n_outputs_ : int
        Always 1: targets with several columns are not supported.
    estimators_ : list of RareTreeClassifier
        The trees, fitted; see below.
    estimators_samples_ : list of ndarray
        The rows that each tree has drawn.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the importances of the trees.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Probabilities of each row by the trees that did not draw it; NaN where all did. Only with
        ``oob_score``.
    oob_score_ : float
        Score of those probabilities, over the rows that have them and weigh anything. Only with
        ``oob_score``.

    See Also
    --------
    RareTreeClassifier : One such tree.
    rarewood.presets : Forests as published, such as HeDEx, BEAT and balanced random forests.

    Notes
    -----
    The random numbers of a tree follow from the seed and the number of the tree, so the trees of a
    small forest are the first ones of a larger forest.

    Sample weights do not change which rows are drawn: a drawn row counts with its weight, as often
    as it was drawn. Rows of zero weight are left out before anything else.

    The parameters of ``estimators_`` are those of the forest, with the criterion and the seed of
    the tree: a clone that is fitted on the rows of the tree grows the same tree.

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
        n_estimators: int = 100,
        *,
        criterion: Criterion | Recipe = "hellinger",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_gain: float = 0.0,
        pruning: str | None = None,
        pruning_threshold: float | None = None,
        n_cuts: int | None = 10,
        hyperplane_dim: int | str = "auto",
        hyperplane: str = "direction",
        bootstrap: bool = False,
        balance: bool = False,
        max_samples: float | None = None,
        max_bins: int | None = None,
        leaf: str = "shrunk",
        leaf_strength: float | None = None,
        categorical_features: Any = "from_dtype",
        categorical_split: str = "subset",
        class_weight: dict[Any, float] | str | None = None,
        oob_score: bool | Callable[[Any, Any], float] = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
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
        self.bootstrap = bootstrap
        self.balance = balance
        self.max_samples = max_samples
        self.max_bins = max_bins
        self.leaf = leaf
        self.leaf_strength = leaf_strength
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.class_weight = class_weight
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        If the data or a parameter is not valid, or if it is interrupted, the estimator stays as
        it was.

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
        self : RareForestClassifier
            The fitted estimator.
        """
        check_parameters(self)
        if self.oob_score and not (self.bootstrap or self.balance):
            raise ValueError(
                "Out of bag estimation only available if bootstrap=True or balance=True: otherwise "
                "every tree is grown on all rows. Set one of them, or oob_score=False."
            )
        before = self.forest_ if self.warm_start and hasattr(self, "forest_") else None
        schema = None if before is None else before.schema
        class_weight = None if self.class_weight == "balanced_subsample" else self.class_weight
        with self._prepare(X, y, sample_weight, class_weight, schema) as data:
            self._fit(data, before)
        return self

    def _fit(self, data: TrainingData, before: FittedForest | None) -> None:
        """Grow the trees from a table that was checked, and keep them."""
        view = grow_forest(self, data, before)
        scored = None
        if self.oob_score and (view is not before or not hasattr(self, "oob_score_")):
            scored = score_out_of_bag(self, view, data)
        self._keep(view)
        if scored is not None:
            self.oob_decision_function_, self.oob_score_ = scored
        elif not self.oob_score and hasattr(self, "oob_score_"):
            del self.oob_decision_function_, self.oob_score_
