"""Scores by models that were not trained on the samples: out of fold, or out of bag."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import indexable

from rarewood._routing import FitParameters, with_groups
from rarewood._validation import number_of_rows, seed_from, take_rows
from rarewood.evaluate._folds import make_folds
from rarewood.table._checks import check_lengths
from rarewood.table._labels import encode_labels

Floats = NDArray[np.float64]


class ScoredSamples(NamedTuple):
    """The samples that have scores: indices, labels, a column of scores per class."""

    indices: NDArray[np.intp]
    y: NDArray[Any]
    scores: Floats
    n_left_out: int


def out_of_fold_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    response_method: str = "auto",
    params: dict[str, Any] | None = None,
    groups: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Floats:
    """Score each sample by a model fitted without its fold.

    Parameters
    ----------
    estimator : classifier
        Classifier with ``predict_proba`` or ``decision_function``. It is cloned.
    X : array-like or DataFrame of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Labels.
    cv : int, cross-validation generator or iterable, default=5
        Folds. An integer is the number of shuffled stratified folds; there are fewer,
        with a warning, if a class has fewer samples.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        Method that returns the scores; "auto" uses the first that is available.
    params : dict, default=None
        Parameters of ``fit`` of the estimator. Those with one value per sample, such as
        ``sample_weight``, are split like the samples.
    groups : array-like of shape (n_samples,), default=None
        Groups of samples that folds keep together; passed to ``fit`` too, if it takes them.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds, if ``cv`` is a number.
    n_jobs : int, default=None
        Number of folds fitted in parallel.

    Returns
    -------
    scores : ndarray of shape (n_samples, n_classes)
        One column for each class, in the order of the sorted labels. NaN for samples in no test
        fold; the mean for samples in several.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import RareForestClassifier
    >>> from rarewood.operating import choose_threshold, out_of_fold_scores
    >>> X, y = make_classification(1000, weights=[0.95], random_state=0)
    >>> forest = RareForestClassifier(20, random_state=0)
    >>> scores = out_of_fold_scores(forest, X, y, random_state=0)
    >>> choose_threshold(y, scores, by="recall>=0.8", random_state=0).recall.observed >= 0.8
    True
    """
    return scores_of_folds(
        estimator,
        X,
        y,
        FitParameters(with_groups(estimator, dict(params or {}), groups), groups),
        cv=cv,
        response_method=response_method,
        random_state=random_state,
        n_jobs=n_jobs,
    )


def scores_of_folds(
    estimator: Any,
    X: Any,
    y: Any,
    given: FitParameters,
    *,
    cv: Any,
    response_method: str,
    random_state: Any,
    n_jobs: int | None,
) -> Floats:
    """Score each sample by a model fitted without its fold; see :func:`out_of_fold_scores`."""
    (X,) = indexable(X)
    classes, codes = encode_labels(y)
    labels = classes[codes]
    check_lengths(number_of_rows(X), len(labels))
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class(es); at least two are needed.")
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise ValueError(
            f"Class {classes[counts.argmin()]} has only one sample, which cannot be used both for "
            "training and for scoring. Add samples of it, or use a fitted model with cv='prefit'."
        )
    seed = seed_from(random_state)
    folds = make_folds(cv, X, labels, seed, given.groups, scores_every_class=False)
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_fold)(clone(estimator), X, labels, train, test, given.estimator, response_method)
        for train, test in folds
    )
    sums, times = np.zeros((len(labels), len(classes))), np.zeros(len(labels))
    for (_, test), part in zip(folds, parts, strict=True):
        sums[test] += part
        times[test] += 1
    scores = np.full_like(sums, np.nan)
    np.divide(sums, times[:, None], out=scores, where=times[:, None] > 0)
    return scores


def _fold(
    estimator: Any,
    X: Any,
    y: NDArray[Any],
    train: Any,
    test: Any,
    params: dict[str, Any],
    response_method: str,
) -> Floats:
    """Fit on the training samples of a fold, and score the others."""
    own = dict(params)
    for name, value in params.items():
        is_scalar = isinstance(value, str | bytes | dict) or np.ndim(value) == 0
        if not is_scalar and number_of_rows(value) == len(y):
            own[name] = take_rows(value, train)
    estimator.fit(take_rows(X, train), y[train], **own)
    return class_scores(estimator, take_rows(X, test), response_method)


def class_scores(estimator: Any, X: Any, response_method: str = "auto") -> Floats:
    """Return one column of scores for each class of a fitted estimator.

    A two-class decision function scores the second class; the first gets its negative.
    """
    names = ("predict_proba", "decision_function")
    wanted = names if response_method == "auto" else (response_method,)
    for name in wanted:
        if hasattr(estimator, name):
            scores = np.asarray(getattr(estimator, name)(X), dtype=np.float64)
            return np.column_stack((-scores, scores)) if scores.ndim == 1 else scores
    raise TypeError(
        f"{type(estimator).__name__} has no {' and no '.join(wanted)}, but a threshold needs "
        "scores. Wrap it in scikit-learn's CalibratedClassifierCV, or use another classifier."
    )


def last_step(estimator: Any) -> Any:
    """Return the last step of a pipeline, or the classifier itself."""
    while hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1]
    return estimator


def out_of_bag_scores(forest: Any, y: Any) -> ScoredSamples:
    """Return the out-of-bag scores of a fitted forest.

    Each training sample was scored by the trees that have not drawn it, so nothing is refitted.

    Parameters
    ----------
    forest : classifier
        Fitted forest with ``oob_decision_function_``, of this package or of another, or a pipeline
        that ends in one. Forests of this package have it with ``oob_score=True`` and ``bootstrap``
        or ``balance``.
    y : array-like of shape (n_samples,)
        Labels that the forest was fitted with.

    Returns
    -------
    scored : named tuple
        ``indices``, ``y`` and ``scores`` (one column for each class) of the samples with scores,
        and the number ``n_left_out`` of samples drawn by every tree, which have none.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import RareForestClassifier
    >>> from rarewood.operating import choose_threshold, out_of_bag_scores
    >>> X, y = make_classification(1000, weights=[0.95], random_state=0)
    >>> forest = RareForestClassifier(balance=True, bootstrap=True, oob_score=True, random_state=0)
    >>> scored = out_of_bag_scores(forest.fit(X, y), y)
    >>> point = choose_threshold(scored.y, scored.scores, by="f", random_state=0)
    >>> point.threshold > 0.5
    True
    """
    classes, codes = encode_labels(y)
    inner = last_step(forest)
    scores = getattr(inner, "oob_decision_function_", None)
    if scores is None:
        name = type(inner).__name__
        if not hasattr(inner, "classes_"):
            raise NotFittedError(f"This {name} is not fitted. Call fit first.")
        raise ValueError(
            f"This {name} has no oob_decision_function_. Fit a forest with oob_score=True (and "
            "bootstrap=True, or balance=True in rarewood), or use out_of_fold_scores."
        )
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(codes), len(classes)):
        raise ValueError(
            f"The out-of-bag scores of the forest have the shape {scores.shape}, but y has "
            f"{len(codes)} samples and {len(classes)} classes. Pass the y that the forest was "
            "fitted with. A pipeline that resamples has no out-of-bag scores of y."
        )
    # Samples drawn by every tree have NaN here, and zeros in scikit-learn.
    is_scored = np.isfinite(scores).all(axis=1) & (scores.sum(axis=1) > 0)
    n_left_out = int(len(codes) - is_scored.sum())
    if n_left_out:
        warnings.warn(
            f"{n_left_out} of {len(codes)} samples have no out-of-bag score, since every tree has "
            "drawn them, and are left out. More trees leave out fewer.",
            stacklevel=2,
        )
    indices = np.flatnonzero(is_scored)
    return ScoredSamples(indices, classes[codes[indices]], scores[indices], n_left_out)
