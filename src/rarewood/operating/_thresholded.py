"""A classifier with a chosen threshold."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from rarewood._delegation import DelegatingClassifier
from rarewood._docstrings import documented
from rarewood._routing import FitParameters
from rarewood._validation import Interval, StrOptions, check_parameters, seed_from
from rarewood.operating._choice import choose_on_curve
from rarewood.operating._curve import OperatingCurve, operating_curve
from rarewood.operating._point import OperatingPoint
from rarewood.operating._rule_text import as_rule
from rarewood.operating._rules import Rule
from rarewood.operating._scores import (
    ScoredSamples,
    class_scores,
    last_step,
    out_of_bag_scores,
    scores_of_folds,
)


@documented
class ThresholdedClassifier(DelegatingClassifier):
    """Two-class classifier with a chosen threshold.

    ``predict`` returns the positive class if its score is at least ``threshold_``, which is chosen
    by a rule from scores of samples that the scoring model has not seen. The probabilities are
    those of the estimator, so they need not agree with ``predict``.

    Parameters
    ----------
    estimator : classifier
        Classifier with ``predict_proba`` or ``decision_function``, such as a pipeline.
    by : str, float or rule, default="f"
        How to choose: "f", "recall>=0.9", "precision>=0.5", "alerts<=20/1000", "cost:fp=1,fn=20" or
        a rule such as ``LowestCost(fp=1, fn=20)``; see :func:`choose_threshold`. A number is the
        threshold itself.
    cv : int, cross-validation generator, iterable, "oob" or "prefit", default=5
        Source of the scores. Folds: out-of-fold scores; the estimator is then fitted on all
        samples. Samples in no test fold are left out of the choice. ``groups`` of ``fit`` are kept
        together: a number means stratified folds of groups. "oob": the out-of-bag scores of a
        forest, which is fitted once, with ``oob_score`` enabled. "prefit": the estimator is already
        fitted, and ``fit`` receives samples that it has not seen.
    {pos_label}
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        Method that returns the scores; "auto" uses the first that is available. Ignored with "oob".
    unreachable : {"raise", "closest"}, default="raise"
        What to do if no threshold satisfies a floor of precision; see :func:`choose_threshold`.
    n_bootstrap : int, default=1000
        Number of resamples for the intervals of ``operating_point_``; 0 for none.
    {confidence}
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the resamples; not passed to the estimator.
    n_jobs : int, default=None
        Number of folds fitted in parallel.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    threshold_ : float
        Lowest score that is predicted as the positive class.
    operating_point_ : OperatingPoint
        The threshold with its interval and its performance.
    curve_ : OperatingCurve
        Counts at all thresholds, of the samples that it was chosen on.
    pos_label_ : label
        The positive class.
    {estimator_attributes}

    See Also
    --------
    choose_threshold : Chooses a threshold for scores of any origin.
    sklearn.model_selection.TunedThresholdClassifierCV : Maximises the mean of a metric over folds.

    Notes
    -----
    scikit-learn computes the metric in each fold on a grid of thresholds and maximises the
    interpolated mean. Here the scores of all folds are pooled and every distinct score is a
    candidate: a fold with five positives is too small to estimate a recall of 0.9.
    In return, the scores of all folds must be on one scale, as probabilities are.

    ``sample_weight`` of ``fit`` also applies to the choice of the threshold.

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
    0.07
    >>> model = ThresholdedClassifier(forest, by="recall>=0.7", random_state=0)
    >>> predicted = model.fit(X[:2000], y[:2000]).predict(X[2000:])
    >>> print(f"{recall_score(y[2000:], predicted):.2f}")
    0.55
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
        pos_label: Any = None,
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
        self.pos_label = pos_label
        self.response_method = response_method
        self.unreachable = unreachable
        self.n_bootstrap = n_bootstrap
        self.confidence = confidence
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(
        self, X: Any, classes: NDArray[Any], codes: NDArray[np.int32], given: FitParameters
    ) -> None:
        rule = as_rule(self.by)
        if len(classes) != 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target has "
                f"{len(classes)} class(es). Merge all classes but the positive one."
            )
        if given.groups is not None and isinstance(self.cv, str) and self.cv == "oob":
            raise ValueError(
                "fit received groups, which out-of-bag samples do not keep together: the threshold "
                "would be chosen on samples of groups that the trees were grown on. Set cv=5."
            )
        seed = seed_from(self.random_state)
        estimator, scored = self._scored(X, classes[codes], given, seed)
        self._scored_samples = scored  # for surrogates; not part of a model file
        weights = given.estimator.get("sample_weight")
        curve = operating_curve(
            scored.y,
            scored.scores,
            pos_label=self.pos_label,
            sample_weight=None if weights is None else np.asarray(weights)[scored.indices],
        )
        self._choose(estimator, curve, rule, seed, scored.n_left_out)

    def fit_on_scores(self, y: Any, scores: Any) -> Self:
        """Choose the threshold from given scores, without fitting the estimator.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Labels of samples that the scoring model had not seen.
        scores : array-like of shape (n_samples,) or (n_samples, 2)
            Scores of the positive class, or of both classes in the order of ``classes_``.

        Returns
        -------
        self : ThresholdedClassifier
            The estimator, with the fitted ``estimator`` as ``estimator_``.

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
        0.29
        """
        check_parameters(self)
        check_is_fitted(self.estimator)
        curve = operating_curve(y, scores, pos_label=self.pos_label)
        return self._choose(self.estimator, curve, self.by, self.random_state, 0)

    def _scored(
        self, X: Any, y: NDArray[Any], given: FitParameters, seed: int
    ) -> tuple[Any, ScoredSamples]:
        """Return the fitted estimator, and scores by models not trained on the samples."""
        if isinstance(self.cv, str) and self.cv == "oob":
            estimator = clone(self.estimator)
            forest = last_step(estimator)
            if getattr(forest, "oob_score", None) is False:
                forest.set_params(oob_score=True)
            estimator.fit(X, y, **given.estimator)
            return estimator, out_of_bag_scores(estimator, y)
        if isinstance(self.cv, str) and self.cv == "prefit":
            check_is_fitted(self.estimator)
            estimator = self.estimator
            unknown = set(y.tolist()) - set(estimator.classes_.tolist())
            if unknown or len(estimator.classes_) != 2:
                raise ValueError(
                    f"The estimator was fitted with the classes {estimator.classes_.tolist()}, but "
                    f"y has {np.unique(y).tolist()}. Both must have the same two."
                )
            scores = class_scores(estimator, X, self.response_method)
        else:
            scores = scores_of_folds(
                self.estimator,
                X,
                y,
                given,
                cv=self.cv,
                response_method=self.response_method,
                random_state=seed,
                n_jobs=self.n_jobs,
            )
            estimator = clone(self.estimator).fit(X, y, **given.estimator)
        indices = np.flatnonzero(~np.isnan(scores[:, 0]))
        n_left_out = len(y) - len(indices)
        return estimator, ScoredSamples(indices, y[indices], scores[indices], n_left_out)

    def _choose(
        self, estimator: Any, curve: OperatingCurve, by: Any, random_state: Any, n_left_out: int
    ) -> Self:
        point = choose_on_curve(
            curve,
            by,
            unreachable=self.unreachable,
            n_bootstrap=self.n_bootstrap,
            confidence=float(self.confidence),
            random_state=random_state,
            n_left_out=n_left_out,
        )
        self._keep(estimator, curve, point)
        return self

    def _keep(self, estimator: Any, curve: OperatingCurve, point: OperatingPoint) -> None:
        """Set the fitted attributes."""
        self._keep_estimator(estimator)
        self.curve_, self.operating_point_ = curve, point
        self.threshold_, self.pos_label_ = point.threshold, point.pos_label

    def set_threshold(self, by: Any) -> Self:
        """Choose another threshold, without refitting.

        Parameters
        ----------
        by : float, str or rule
            The threshold itself, or how to choose it from ``curve_``.

        Returns
        -------
        self : ThresholdedClassifier
            The estimator, with another ``threshold_`` and ``operating_point_``. The parameter
            ``by``, which the next ``fit`` uses, does not change.
        """
        check_is_fitted(self)
        n_left_out = self.operating_point_.n_left_out
        return self._choose(self.estimator_, self.curve_, by, self.random_state, n_left_out)

    def _predict(self, X: Any) -> NDArray[Any]:
        # Out-of-bag scores are probabilities, whatever the response method.
        is_oob = isinstance(self.cv, str) and self.cv == "oob"
        scores = class_scores(self.estimator_, X, "auto" if is_oob else self.response_method)
        number = self.classes_.tolist().index(self.pos_label_)
        is_alert = scores[:, number] >= self.threshold_
        labels: NDArray[Any] = self.classes_[np.where(is_alert, number, 1 - number)]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
