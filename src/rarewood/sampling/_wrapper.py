"""SamplingWrapperClassifier: undersampling and SMOTE at levels chosen by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from imblearn.utils import check_target_type
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.metrics import check_scoring
from sklearn.utils import get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from rarewood._validation import (
    Interval,
    StrOptions,
    check_feature_names,
    check_parameters,
    number_of_rows,
    routed_parameters,
    seed_from,
)
from rarewood.evaluate._folds import make_folds
from rarewood.sampling._resample import Levels, check_levels
from rarewood.sampling._search import Sampler, Search, fit_sampled
from rarewood.table._checks import check_lengths
from rarewood.table._encode import encode
from rarewood.table._labels import encode_labels

__all__ = ["SamplingWrapperClassifier"]


def _estimator_has(name: str) -> Any:
    """Whether the fitted estimator, or the one to be fitted, has a method."""

    def has(self: SamplingWrapperClassifier) -> bool:
        return hasattr(getattr(self, "estimator_", self.estimator), name)

    return has


class SamplingWrapperClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Fit a classifier on sampled rows, as much sampled as cross-validation says.

    First rows of the largest class are removed at random, in steps, while the score does not fall;
    then SMOTE adds rows to the smallest class, in steps, while the score rises. Every level is
    scored by stratified cross-validation in which only the training folds are sampled. At last the
    classifier is fitted on all rows, sampled at the levels that were found.

    Parameters
    ----------
    estimator : classifier
        Any classifier with ``predict_proba``.
    undersample_steps : sequence of float, default=(10, 20, ..., 90)
        Levels of undersampling to try, ascending: per cent of the largest class that is removed.
        Empty for none.
    smote_steps : sequence of float, default=(100, 200, 300, 400, 500)
        Levels of SMOTE to try, ascending: per cent of the smallest class that is added. Empty for
        none.
    scoring : str or callable, default="roc_auc"
        What to maximise, as in scikit-learn. With more than two classes, "roc_auc" means
        "roc_auc_ovr".
    cv : int, cross-validation generator or iterable, default=5
        Folds. A number means that many shuffled stratified ones.
    k_neighbors : int, default=5
        Neighbours that SMOTE draws from. Where the class has fewer rows, there are fewer, and a
        warning says so.
    categorical_features : "from_dtype", array-like of str, int or bool, or None, \
default="from_dtype"
        Which columns are nominal, as in :class:`rarewood.RareTreeClassifier`: for them SMOTENC is
        used, or SMOTEN if all are.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the sampling. At one seed every classifier sees the same rows at
        the same level. The estimator has its own.
    n_jobs : int, default=None
        Folds to be scored at once.

    Attributes
    ----------
    estimator_ : classifier
        The classifier, fitted on all rows sampled at the levels found.
    undersample_level_ : float
        Per cent of the largest class that was removed.
    smote_level_ : float
        Per cent of the smallest class that was added.
    baseline_score_ : float
        Score without sampling.
    best_score_ : float
        Score at the levels found. It is the best of several, so it is a little too good: to know
        how well the wrapper does, cross-validate the wrapper.
    helped_ : bool
        Whether that is above the score without sampling.
    search_table_ : dict of str to list
        Every level tried, in order: "undersample_level", "smote_level", "mean_score", "std_score"
        and "scores" of the folds. A DataFrame can be made of it.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if X had names that are all strings.

    See Also
    --------
    PatternOverSampler : Another way to make rows.
    rarewood.plot.sampling_search : Draws the search.

    Notes
    -----
    SMOTE needs complete rows. Where values are missing its stage is left out, with a warning:
    impute before the wrapper to have it.

    References
    ----------
    .. [1] N. V. Chawla, D. A. Cieslak, L. O. Hall and A. Joshi, "Automatically countering
           imbalance and its empirical relationship to cost", Data Mining and Knowledge Discovery
           17, 2008.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import presets
    >>> from rarewood.sampling import SamplingWrapperClassifier
    >>> X, y = make_classification(1000, weights=[0.95], flip_y=0.05, random_state=0)
    >>> wrapper = SamplingWrapperClassifier(presets.c45(), random_state=0).fit(X, y)
    >>> wrapper.undersample_level_, wrapper.smote_level_
    (0.0, 100.0)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "scoring": [str, callable],
        "cv": ["cv_object"],
        "k_neighbors": [Interval(Integral, 1, None, closed="left")],
        "undersample_steps": ["array-like"],
        "smote_steps": ["array-like"],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        undersample_steps: Sequence[float] = (10, 20, 30, 40, 50, 60, 70, 80, 90),
        smote_steps: Sequence[float] = (100, 200, 300, 400, 500),
        scoring: Any = "roc_auc",
        cv: Any = 5,
        k_neighbors: int = 5,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.undersample_steps = undersample_steps
        self.smote_steps = smote_steps
        self.scoring = scoring
        self.cv = cv
        self.k_neighbors = k_neighbors
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Search the levels and fit the classifier.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The training table.
        y : array-like of shape (n_samples,)
            The labels.
        **params : dict
            What ``fit`` of the estimator takes besides, with one value for every row, such as
            ``sample_weight``. It goes with the rows; since rows that SMOTE makes have none,
            ``smote_steps`` must be empty then. With scikit-learn's metadata routing enabled, what
            the estimator has requested.

        Returns
        -------
        self : SamplingWrapperClassifier
            The fitted estimator.
        """
        check_parameters(self)
        check_target_type(y)
        check_classification_targets(y)
        params = routed_parameters(self, params)
        steps = check_levels("undersample_steps", self.undersample_steps, 100)
        more = check_levels("smote_steps", self.smote_steps, np.inf)
        if params and more:
            raise ValueError(
                f"fit got {', '.join(sorted(params))}, one value for every row, but rows made by "
                "SMOTE have none. Set smote_steps=() to search undersampling alone."
            )
        check_feature_names(self, X, reset=True)
        (X,) = indexable(X)
        classes, codes = encode_labels(y)
        labels = classes[codes]
        check_lengths(number_of_rows(X), len(labels))
        for name, values in params.items():
            if np.ndim(values) == 0 or number_of_rows(values) != len(labels):
                raise ValueError(f"{name} must have one value for each of the {len(labels)} rows.")
        if len(classes) < 2:
            raise ValueError(f"y has {len(classes)} class(es); at least two are needed.")
        seed = seed_from(self.random_state)
        sizes = np.bincount(codes)
        sampler = Sampler(
            seed=seed,
            largest=classes[sizes.argmax()],
            smallest=classes[
                len(sizes) - 1 - sizes[::-1].argmin()
            ],  # another one, if all are equal
            k_neighbors=self.k_neighbors,
            categorical_features=self.categorical_features,
        )
        search = Search(
            estimator=self.estimator,
            X=X,
            y=labels,
            folds=make_folds(self.cv, X, labels, seed),
            sampler=sampler,
            scorer=self._scorer(len(classes)),
            params=params,
            n_jobs=self.n_jobs,
        )
        levels, best = (
            search.climb(steps, self._possible(search, more))
            if search.folds
            else (Levels(), np.nan)
        )
        last = len(search.folds)  # the number of the training set that is all rows
        model = fit_sampled(self.estimator, X, labels, params, sampler, last, levels)
        self._keep(model, search, levels, best)
        return self

    def _keep(self, model: Any, search: Search, levels: Levels, best: float) -> None:
        """Set the attributes of a fit that has succeeded."""
        self.estimator_ = model
        self.classes_: NDArray[Any] = model.classes_
        if hasattr(model, "n_features_in_"):
            self.n_features_in_ = model.n_features_in_
        self.undersample_level_, self.smote_level_ = levels.undersample, levels.smote
        self.search_table_ = search.table
        self.best_score_ = best
        self.baseline_score_: float = search.table["mean_score"][0] if search.table else np.nan
        self.helped_ = bool(best > self.baseline_score_)

    def _possible(self, search: Search, steps: list[float]) -> list[float]:
        """Return the levels of SMOTE, or none where it cannot be used."""
        if not steps:
            return steps
        label = search.sampler.smallest
        matrix, _ = encode(search.X, self.categorical_features)
        n_fewest = min(np.count_nonzero(search.y[train] == label) for train, _ in search.folds)
        if np.isnan(matrix).any():
            reason = "X has missing values. Impute them before the wrapper"
        elif n_fewest < 2:
            reason = (
                f"class {label} has too few rows: some fold trains on one of them only. Get more"
            )
        else:
            if n_fewest <= self.k_neighbors:
                warnings.warn(
                    f"Some fold trains on {n_fewest} rows of class {label}, too few for "
                    f"k_neighbors={self.k_neighbors}: SMOTE uses {n_fewest - 1} neighbours there. "
                    "Set k_neighbors to a smaller number to be rid of this message.",
                    stacklevel=3,
                )
            return steps
        warnings.warn(f"SMOTE is left out: {reason}, or set smote_steps=().", stacklevel=3)
        return []

    def _scorer(self, n_classes: int) -> Any:
        is_multi_class = n_classes > 2 and self.scoring == "roc_auc"
        return check_scoring(
            self.estimator, scoring="roc_auc_ovr" if is_multi_class else self.scoring
        )

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        check_feature_names(self, X, reset=False)
        return X

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the labels of rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The labels.
        """
        X = self._checked(X)
        labels: NDArray[Any] = self.estimator_.predict(X)
        return labels

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict class probabilities, in the shares of the sampled rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            The classes are in the order of ``classes_``.
        """
        X = self._checked(X)
        proba: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return proba

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the decision values of rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        values : ndarray
            As the estimator returns them.
        """
        X = self._checked(X)
        values: NDArray[np.float64] = self.estimator_.decision_function(X)
        return values

    def get_metadata_routing(self) -> MetadataRouter:
        """Say which metadata go to the estimator.

        Returns
        -------
        routing : MetadataRouter
            For scikit-learn.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=type(self).__name__).add(
            estimator=self.estimator, method_mapping=mapping
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.sparse = False
        return tags
