"""Scores of rows by models that have not seen them: out of fold, or out of bag."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import indexable

from rarewood._validation import number_of_rows, seed_from, take_rows
from rarewood.evaluate._folds import make_folds
from rarewood.table._checks import check_lengths
from rarewood.table._labels import encode_labels

__all__ = [
    "ScoredRows",
    "class_scores",
    "last_step",
    "out_of_bag_scores",
    "out_of_fold_scores",
]

Floats = NDArray[np.float64]


class ScoredRows(NamedTuple):
    """The rows of a training table that have scores.

    Attributes
    ----------
    rows : ndarray of int
        Their numbers.
    y : ndarray
        Their labels.
    scores : ndarray of shape (n_rows, n_classes)
        A column for each class, in the order of the sorted labels.
    n_left_out : int
        Rows without scores.
    """

    rows: NDArray[np.intp]
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
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Floats:
    """Score each row by a model that was fitted without its fold.

    Parameters
    ----------
    estimator : classifier
        Any classifier with ``predict_proba`` or ``decision_function``. It is cloned.
    X : array-like or DataFrame of shape (n_rows, n_features)
        The table.
    y : array-like of shape (n_rows,)
        Labels.
    cv : int, cross-validation generator or iterable, default=5
        Folds. A number means that many shuffled stratified ones; fewer, with a warning, where a
        class has fewer rows.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        What to take as scores; "auto" takes the first that there is.
    params : dict, default=None
        What ``fit`` of the estimator takes besides. What has a value for every row, such as
        ``sample_weight``, goes with the rows.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds, where ``cv`` is a number.
    n_jobs : int, default=None
        Folds to be fitted at once.

    Returns
    -------
    scores : ndarray of shape (n_rows, n_classes)
        A column for each class, in the order of the sorted labels. NaN for rows that are in no
        test fold; the mean for rows that are in several.

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
    (X,) = indexable(X)
    classes, codes = encode_labels(y)
    labels = classes[codes]
    check_lengths(number_of_rows(X), len(labels))
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class(es); at least two are needed.")
    counts = np.bincount(codes)
    if counts.min() < 2:
        raise ValueError(
            f"Class {classes[counts.argmin()]} has one row only, so it cannot be both trained on "
            "and scored. Get more rows of it, or use a model fitted elsewhere with cv='prefit'."
        )
    folds = make_folds(cv, X, labels, seed_from(random_state), scores_every_class=False)
    given = dict(params or {})
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_fold)(clone(estimator), X, labels, train, test, given, response_method)
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
    """Fit on some rows, and score others."""
    mine = {
        name: take_rows(value, train) if _goes_with_rows(value, len(y)) else value
        for name, value in params.items()
    }
    estimator.fit(take_rows(X, train), y[train], **mine)
    return class_scores(estimator, take_rows(X, test), response_method)


def _goes_with_rows(value: Any, n_rows: int) -> bool:
    is_one = isinstance(value, str | bytes | dict) or np.ndim(value) == 0
    return not is_one and number_of_rows(value) == n_rows


def class_scores(estimator: Any, X: Any, response_method: str = "auto") -> Floats:
    """Return a column of scores for each class of a fitted estimator.

    The one score of a two-class decision function belongs to the second class; the first gets its
    opposite.
    """
    names = ("predict_proba", "decision_function")
    wanted = names if response_method == "auto" else (response_method,)
    for name in wanted:
        if hasattr(estimator, name):
            scores = np.asarray(getattr(estimator, name)(X), dtype=np.float64)
            return np.column_stack((-scores, scores)) if scores.ndim == 1 else scores
    raise TypeError(
        f"{type(estimator).__name__} has no {' and no '.join(wanted)}: a threshold needs scores. "
        "Wrap it in scikit-learn's CalibratedClassifierCV, or take another classifier."
    )


def last_step(estimator: Any) -> Any:
    """Return the classifier itself: the last step of pipelines."""
    while hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1]
    return estimator


def out_of_bag_scores(forest: Any, y: Any) -> ScoredRows:
    """Take the scores that a fitted forest has for its own training rows.

    Each row was scored by the trees that have not drawn it, so that nothing has to be fitted again.

    Parameters
    ----------
    forest : classifier
        A fitted forest with ``oob_decision_function_``, of this package or of another; or a
        pipeline that ends in one. Ours have it with ``oob_score=True`` and ``bootstrap`` or
        ``balance``.
    y : array-like of shape (n_rows,)
        The labels it was fitted with.

    Returns
    -------
    scored : ScoredRows
        The rows with scores, their labels and scores. Rows that every tree has drawn have none:
        they are left out, and a warning says how many.

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
            raise NotFittedError(f"This {name} is not fitted: call fit before taking its scores.")
        raise ValueError(
            f"This {name} has no oob_decision_function_. Fit a forest with oob_score=True (and "
            "bootstrap=True, or balance=True for ours), or use out_of_fold_scores."
        )
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(codes), len(classes)):
        raise ValueError(
            f"The forest has out-of-bag scores of the shape {scores.shape}, but y has {len(codes)} "
            f"rows and {len(classes)} classes. Give the y that the forest was fitted with; a "
            "pipeline that resamples rows has no out-of-bag scores of y."
        )
    # scikit-learn's forests give rows that every tree has drawn zeros; ours give them NaN.
    is_scored = np.isfinite(scores).all(axis=1) & (scores.sum(axis=1) > 0)
    n_left_out = int(len(codes) - is_scored.sum())
    if n_left_out:
        warnings.warn(
            f"{n_left_out} of {len(codes)} rows have no out-of-bag score, since every tree has "
            "drawn them, and are left out. Grow more trees to have all.",
            stacklevel=2,
        )
    rows = np.flatnonzero(is_scored)
    return ScoredRows(rows, classes[codes[rows]], scores[rows], n_left_out)
