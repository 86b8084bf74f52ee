"""A classifier fitted on sampled data, at levels chosen by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import check_scoring
from sklearn.utils import indexable
from sklearn.utils.validation import check_memory

from rarewood._delegation import DelegatingClassifier
from rarewood._docstrings import documented
from rarewood._routing import FitParameters
from rarewood._validation import HasMethods, Interval, StrOptions, number_of_rows, seed_from
from rarewood.evaluate._folds import make_folds
from rarewood.sampling._level_scores import Folds, LevelScores
from rarewood.sampling._levels import Levels, Sampler, check_levels
from rarewood.sampling._search import SEARCHES, search_levels
from rarewood.table._encode import encode


@documented
class SamplingWrapperClassifier(DelegatingClassifier):
    """Classifier fitted on sampled data, at levels chosen by cross-validation.

    First samples of the largest class are removed at random, in steps, where that does not lower
    the score; then SMOTE adds samples to the smallest class, in steps, where that raises it. Every
    level is scored by stratified cross-validation in which only the training folds are sampled.
    Finally the classifier is fitted on all data, sampled at the levels found.

    Parameters
    ----------
    estimator : classifier
        Classifier with ``predict_proba``.
    undersample_steps : sequence of float, default=(10, 20, ..., 90)
        Levels of undersampling to try, ascending: per cent of the largest class to remove. Empty
        for none.
    smote_steps : sequence of float, default=(100, 200, 300, 400, 500)
        Levels of SMOTE to try, ascending: per cent of the smallest class to add. Empty for none.
    search : {"greedy", "lookahead", "best_per_axis"}, default="greedy"
        Levels that are tried. "greedy" leaves undersampling at the first level at which the score
        falls, and SMOTE at the first at which it does not rise. "lookahead" does so only if
        ``lookahead`` further levels fail as well. "best_per_axis" tries all levels of
        undersampling and takes the best, then all levels of SMOTE at that level.
    lookahead : int, default=2
        Number of levels to try after one that fails; used by ``search="lookahead"`` only.
    scoring : str or callable, default="roc_auc"
        Score to maximise, as in scikit-learn. With more than two classes, "roc_auc" is
        "roc_auc_ovr".
    cv : int, cross-validation generator or iterable, default=5
        Folds. An integer is the number of shuffled stratified folds. ``groups`` of ``fit`` are kept
        together.
    k_neighbors : int, default=5
        Number of neighbours for SMOTE; fewer, with a warning, if the class is too small.
    {categorical_features}
        SMOTENC is used with them, or SMOTEN if all features are categorical.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the sampling; not passed to the estimator. With the same seed every
        classifier gets the same samples at the same level.
    n_jobs : int, default=None
        Number of folds scored in parallel.
    memory : str or object with the interface of joblib.Memory, default=None
        Cache of the scores of levels, by default none. Fits to the same data with the same
        estimator and seed score no level again, for instance with another search.

    Attributes
    ----------
    estimator_ : classifier
        The classifier, fitted on all data sampled at the levels found.
    undersample_level_ : float
        Per cent of the largest class removed.
    smote_level_ : float
        Per cent of the smallest class added.
    baseline_score_ : float
        Score without sampling.
    best_score_ : float
        Score at the levels found. As the best of several it is slightly optimistic; cross-validate
        this classifier to estimate its performance.
    helped_ : bool
        Whether ``best_score_`` is above ``baseline_score_``.
    search_table_ : dict of str to list
        All levels tried, in order: "undersample_level", "smote_level", "mean_score", "std_score"
        and "scores" of the folds. It can be converted to a DataFrame.
    {estimator_attributes}

    See Also
    --------
    PatternOverSampler : Over-samples by patterns.
    rarewood.plot.sampling_search : Draws the search.

    Notes
    -----
    Probabilities refer to the class frequencies after sampling.

    Parameters of ``fit`` must have one value per sample, such as ``sample_weight``. Samples made by
    SMOTE have none, so ``smote_steps`` must be empty then. This includes ``groups`` if ``fit`` of
    the estimator takes them; otherwise they are for the folds only.

    SMOTE does not support missing values. If there are any it is omitted with a warning; impute
    them before this classifier.

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
    >>> wrapper.set_params(search="best_per_axis").fit(X, y).undersample_level_
    60.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "search": [StrOptions(set(SEARCHES))],
        "lookahead": [Interval(Integral, 1, None, closed="left")],
        "scoring": [str, callable],
        "cv": ["cv_object"],
        "k_neighbors": [Interval(Integral, 1, None, closed="left")],
        "undersample_steps": ["array-like"],
        "smote_steps": ["array-like"],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "memory": [str, HasMethods(["cache"]), None],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        undersample_steps: Sequence[float] = (10, 20, 30, 40, 50, 60, 70, 80, 90),
        smote_steps: Sequence[float] = (100, 200, 300, 400, 500),
        search: str = "greedy",
        lookahead: int = 2,
        scoring: Any = "roc_auc",
        cv: Any = 5,
        k_neighbors: int = 5,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
        memory: Any = None,
    ) -> None:
        self.estimator = estimator
        self.undersample_steps = undersample_steps
        self.smote_steps = smote_steps
        self.search = search
        self.lookahead = lookahead
        self.scoring = scoring
        self.cv = cv
        self.k_neighbors = k_neighbors
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory

    def _fit(
        self, X: Any, classes: NDArray[Any], codes: NDArray[np.int32], given: FitParameters
    ) -> None:
        params = given.estimator
        steps = check_levels("undersample_steps", self.undersample_steps, 100)
        more = check_levels("smote_steps", self.smote_steps, np.inf)
        if params and more:
            raise ValueError(
                f"fit received {', '.join(sorted(params))} with one value per sample, but samples "
                "made by SMOTE have none. Set smote_steps=() to use undersampling only."
            )
        (X,) = indexable(X)
        labels = classes[codes]
        for name, values in params.items():
            if np.ndim(values) == 0 or number_of_rows(values) != len(labels):
                raise ValueError(f"{name} must have one value for each of {len(labels)} samples.")
        if len(classes) < 2:
            raise ValueError(f"y has {len(classes)} class(es); at least two are needed.")
        seed = seed_from(self.random_state)
        sizes = np.bincount(codes)
        sampler = Sampler(
            seed=seed,
            largest=classes[sizes.argmax()],
            smallest=classes[len(sizes) - 1 - sizes[::-1].argmin()],  # another, if all are equal
            k_neighbors=self.k_neighbors,
            categorical_features=self.categorical_features,
        )
        is_multi_class = len(classes) > 2 and self.scoring == "roc_auc"
        folds = Folds(
            estimator=self.estimator,
            X=X,
            y=labels,
            places=make_folds(self.cv, X, labels, seed, given.groups),
            sampler=sampler,
            scorer=check_scoring(
                self.estimator, scoring="roc_auc_ovr" if is_multi_class else self.scoring
            ),
            params=params,
        )
        scores = LevelScores(folds, check_memory(self.memory), self.n_jobs)
        patience = SEARCHES[self.search].patience_with(self.lookahead)
        levels, best = (
            search_levels(scores.score, steps, self._possible(folds, more), patience)
            if folds.places
            else (Levels(), np.nan)
        )
        last = len(folds.places)  # the fold number of all data
        model = sampler.fit(self.estimator, X, labels, params, last, levels)
        self._keep_estimator(model)
        self.undersample_level_, self.smote_level_ = levels.undersample, levels.smote
        self.search_table_ = scores.table
        self.best_score_ = best
        self.baseline_score_: float = scores.table["mean_score"][0] if scores.table else np.nan
        self.helped_ = bool(best > self.baseline_score_)

    def _possible(self, folds: Folds, steps: list[float]) -> list[float]:
        """Return the levels of SMOTE, or none if it cannot be used."""
        if not steps:
            return steps
        label = folds.sampler.smallest
        matrix, _ = encode(folds.X, self.categorical_features)
        n_fewest = min(np.count_nonzero(folds.y[train] == label) for train, _ in folds.places)
        if np.isnan(matrix).any():
            reason = "X has missing values. Impute them first"
        elif n_fewest < 2:
            reason = f"class {label} has only one training sample in a fold. Add samples"
        else:
            if n_fewest <= self.k_neighbors:
                warnings.warn(
                    f"A fold has {n_fewest} training samples of class {label}, too few for "
                    f"k_neighbors={self.k_neighbors}: SMOTE uses {n_fewest - 1} neighbours there. "
                    "Reduce k_neighbors to avoid this warning.",
                    stacklevel=4,
                )
            return steps
        warnings.warn(f"SMOTE is omitted: {reason}, or set smote_steps=().", stacklevel=4)
        return []

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags
