"""ThresholdedClassifier: a classifier that alerts from a chosen threshold on."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from rarewood._validation import (
    Interval,
    StrOptions,
    check_parameters,
    number_of_rows,
    routed_parameters,
    seed_from,
)
from rarewood.operating._choice import choose_on_curve
from rarewood.operating._curve import OperatingCurve, operating_curve
from rarewood.operating._point import OperatingPoint
from rarewood.operating._rules import Rule
from rarewood.operating._scores import (
    ScoredRows,
    class_scores,
    last_step,
    out_of_bag_scores,
    out_of_fold_scores,
)
from rarewood.operating._wording import as_rule
from rarewood.operating._wrapping import WrappingClassifier
from rarewood.table._checks import check_lengths
from rarewood.table._labels import encode_labels

__all__ = ["ThresholdedClassifier"]


class ThresholdedClassifier(WrappingClassifier):
    """A two-class classifier that alerts from a chosen threshold on.

    ``predict`` returns the rare class where its score is at least ``threshold_``, which is chosen
    by a rule from scores of rows that the scoring model has not seen. Probabilities stay those of
    the estimator, so they do not say what ``predict`` says.

    Parameters
    ----------
    estimator : classifier
        Any classifier with ``predict_proba`` or ``decision_function``, a pipeline for example.
    by : str, float or rule, default="f"
        How to choose: "f", "recall>=0.9", "precision>=0.5", "alerts<=20/1000", "cost:fp=1,fn=20" or
        a rule such as ``LowestCost(fp=1, fn=20)``; see :func:`choose_threshold`. A number is the
        threshold itself.
    cv : int, cross-validation generator, iterable, "oob" or "prefit", default=5
        Where the scores come from. Folds: models that have not seen the fold; the estimator is
        fitted on all rows then. Rows in no test fold are left out of the choice. For groups, give
        ``list(GroupKFold(5).split(X, y, groups))``. "oob": the out-of-bag scores of
        a forest, fitted once, with ``oob_score`` switched on. "prefit": the estimator is fitted
        already, and ``fit`` gets rows that it has not seen.
    rare : label, default=None
        The rare class; by default the one with the fewest rows, and the last in order of those.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        What to take as scores; "auto" takes the first that there is. Not used with "oob".
    unreachable : {"raise", "closest"}, default="raise"
        What to do where no threshold is as precise as asked for; see :func:`choose_threshold`.
    n_bootstrap : int, default=1000
        Resamples for the intervals of ``operating_point_``; 0 for none.
    confidence : float, default=0.95
        Of the intervals.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the resamples. The estimator has its own.
    n_jobs : int, default=None
        Folds to be fitted at once.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    threshold_ : float
        Rows with at least this score are alerted.
    operating_point_ : OperatingPoint
        How sure the threshold is, and what it will achieve.
    curve_ : OperatingCurve
        All thresholds on the rows it was chosen from.
    rare_ : label
        The rare class.
    classes_ : ndarray of shape (2,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns, if the estimator knows it.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if the estimator knows them.

    See Also
    --------
    choose_threshold : The choice, for scores from anywhere.
    sklearn.model_selection.TunedThresholdClassifierCV : Maximises the mean of a metric over folds.

    Notes
    -----
    scikit-learn's class computes the metric in each fold on a grid of thresholds and maximises the
    interpolated mean. Here the scores of all folds are put together and every distinct score is a
    threshold: a fold with five rare rows says little about a recall of 0.9, all folds say more. In
    return the scores of the folds' models must be on one scale, as probabilities are.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.metrics import recall_score
    >>> from rarewood import RareForestClassifier
    >>> from rarewood.operating import ThresholdedClassifier
    >>> X, y = make_classification(4000, weights=[0.97], random_state=0)
    >>> forest = RareForestClassifier(50, random_state=0)
    >>> forest.fit(X[:2000], y[:2000])
    RareForestClassifier(n_estimators=50, random_state=0)
    >>> print(f"{recall_score(y[2000:], forest.predict(X[2000:])):.2f}")
    0.12
    >>> model = ThresholdedClassifier(forest, by="recall>=0.7", random_state=0)
    >>> predicted = model.fit(X[:2000], y[:2000]).predict(X[2000:])
    >>> print(f"{recall_score(y[2000:], predicted):.2f}")
    0.62
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "by": [str, Rule, Real],
        "cv": ["cv_object", StrOptions({"oob", "prefit"})],
        "response_method": [StrOptions({"auto", "predict_proba", "decision_function"})],
        "unreachable": [StrOptions({"raise", "closest"})],
        "n_bootstrap": [Interval(Integral, 0, None, closed="left")],
        "confidence": [Interval(Real, 0.0, 1.0, closed="neither")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        by: Any = "f",
        cv: Any = 5,
        rare: Any = None,
        response_method: str = "auto",
        unreachable: str = "raise",
        n_bootstrap: int = 1000,
        confidence: float = 0.95,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.by = by
        self.cv = cv
        self.rare = rare
        self.response_method = response_method
        self.unreachable = unreachable
        self.n_bootstrap = n_bootstrap
        self.confidence = confidence
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Fit the classifier and choose the threshold.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            The training table; with ``cv="prefit"``, rows that the estimator has not seen.
        y : array-like of shape (n_rows,)
            Labels of two classes.
        **params : dict
            What ``fit`` of the estimator takes besides. ``sample_weight`` also weighs the rows when
            the threshold is chosen. With scikit-learn's metadata routing enabled, what the
            estimator has requested.

        Returns
        -------
        self : ThresholdedClassifier
            The fitted estimator.
        """
        check_parameters(self)
        rule = as_rule(self.by)
        classes, codes = encode_labels(y)
        labels = classes[codes]
        if len(classes) != 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target has "
                f"{len(classes)} class(es); make one class the rare one and join the others."
            )
        check_lengths(number_of_rows(X), len(labels))
        params = routed_parameters(self, params)
        seed = seed_from(self.random_state)
        estimator, scored = self._scored(X, labels, params, seed)
        weights = params.get("sample_weight")
        curve = operating_curve(
            scored.y,
            scored.scores,
            rare=self.rare,
            sample_weight=None if weights is None else np.asarray(weights)[scored.rows],
        )
        point = self._choose(curve, rule, seed, scored.n_left_out)
        self._keep(estimator, curve, point)
        return self

    def fit_on_scores(self, y: Any, scores: Any) -> Self:
        """Choose the threshold from scores that are there already; nothing is fitted.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Labels of rows that whoever scored them had not seen.
        scores : array-like of shape (n_rows,) or (n_rows, 2)
            Scores of the rare class, or of both in the order of ``classes_``.

        Returns
        -------
        self : ThresholdedClassifier
            With ``estimator``, which must be fitted, as ``estimator_``.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> from rarewood import RareForestClassifier
        >>> from rarewood.operating import ThresholdedClassifier
        >>> X, y = make_classification(2000, weights=[0.95], random_state=0)
        >>> judge = RareForestClassifier(50, random_state=0).fit(X[:1500], y[:1500])
        >>> scores = judge.predict_proba(X[1500:])
        >>> final = RareForestClassifier(50, random_state=0).fit(X, y)
        >>> model = ThresholdedClassifier(final, cv="prefit", random_state=0)
        >>> print(f"{model.fit_on_scores(y[1500:], scores).threshold_:.2f}")
        0.36
        """
        check_parameters(self)
        check_is_fitted(self.estimator)
        curve = operating_curve(y, scores, rare=self.rare)
        point = self._choose(curve, as_rule(self.by), seed_from(self.random_state), 0)
        self._keep(self.estimator, curve, point)
        return self

    def _scored(
        self, X: Any, y: NDArray[Any], params: dict[str, Any], seed: int
    ) -> tuple[Any, ScoredRows]:
        """Return the fitted estimator, and rows with scores of models that have not seen them."""
        if isinstance(self.cv, str) and self.cv == "oob":
            estimator = _with_out_of_bag(clone(self.estimator)).fit(X, y, **params)
            return estimator, out_of_bag_scores(estimator, y)
        if isinstance(self.cv, str) and self.cv == "prefit":
            check_is_fitted(self.estimator)
            estimator = self.estimator
            unknown = set(y.tolist()) - set(estimator.classes_.tolist())
            if unknown or len(estimator.classes_) != 2:
                raise ValueError(
                    f"The estimator was fitted with the classes {estimator.classes_.tolist()}, but "
                    f"y has {np.unique(y).tolist()}. Fit it with the same two."
                )
            scores = class_scores(estimator, X, self.response_method)
        else:
            scores = out_of_fold_scores(
                self.estimator,
                X,
                y,
                cv=self.cv,
                response_method=self.response_method,
                params=params,
                random_state=seed,
                n_jobs=self.n_jobs,
            )
            estimator = clone(self.estimator).fit(X, y, **params)
        rows = np.flatnonzero(~np.isnan(scores[:, 0]))
        return estimator, ScoredRows(rows, y[rows], scores[rows], len(y) - len(rows))

    def _choose(
        self, curve: OperatingCurve, rule: Rule, seed: int, n_left_out: int
    ) -> OperatingPoint:
        return choose_on_curve(
            curve,
            rule,
            unreachable=self.unreachable,
            n_bootstrap=self.n_bootstrap,
            confidence=float(self.confidence),
            random_state=seed,
            n_left_out=n_left_out,
        )

    def _keep(self, estimator: Any, curve: OperatingCurve, point: OperatingPoint) -> None:
        """Set the attributes of a fit that has succeeded."""
        self._keep_estimator(estimator)
        self.curve_, self.operating_point_ = curve, point
        self.threshold_, self.rare_ = point.threshold, point.rare

    def set_threshold(self, by: Any) -> Self:
        """Choose another threshold, without fitting anything.

        Parameters
        ----------
        by : float, str or rule
            The threshold itself, or how to choose it from ``curve_``.

        Returns
        -------
        self : ThresholdedClassifier
            With another ``threshold_`` and ``operating_point_``. The parameter ``by`` stays what it
            was, and is used by the next ``fit``.
        """
        check_is_fitted(self)
        seed = seed_from(self.random_state)
        n_left_out = self.operating_point_.n_left_out
        self.operating_point_ = self._choose(self.curve_, as_rule(by), seed, n_left_out)
        self.threshold_ = self.operating_point_.threshold
        return self

    def _rare_scores(self, X: Any) -> NDArray[np.float64]:
        # Out-of-bag scores are probabilities, so those are what the threshold is for.
        is_oob = isinstance(self.cv, str) and self.cv == "oob"
        scores = class_scores(self.estimator_, X, "auto" if is_oob else self.response_method)
        column: NDArray[np.float64] = scores[:, self.classes_.tolist().index(self.rare_)]
        return column

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the rare class where its score is at least ``threshold_``.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            A table with the columns of the training table.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            The labels.
        """
        check_is_fitted(self)
        number = self.classes_.tolist().index(self.rare_)
        is_alert = self._rare_scores(X) >= self.threshold_
        labels: NDArray[Any] = self.classes_[np.where(is_alert, number, 1 - number)]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _with_out_of_bag(estimator: Any) -> Any:
    """Switch the out-of-bag scores of a forest on, if they are off."""
    forest = last_step(estimator)
    if getattr(forest, "oob_score", None) is False:
        forest.set_params(oob_score=True)
    return estimator
