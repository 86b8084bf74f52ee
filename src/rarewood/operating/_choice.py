"""Choice of a threshold, with intervals of it and of its performance."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np

from rarewood._docstrings import documented
from rarewood._validation import seed_from
from rarewood.operating._confusion import Costs
from rarewood.operating._curve import OperatingCurve, operating_curve
from rarewood.operating._point import OperatingPoint, measure_achieved, measures
from rarewood.operating._resamples import Resamples, draw_resamples
from rarewood.operating._rule_text import as_rule
from rarewood.operating._rules import BestF, GivenThreshold, LowestCost


@documented
def choose_threshold(
    y: Any,
    scores: Any,
    by: Any = "f",
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    costs: Costs | None = None,
    unreachable: str = "raise",
    n_bootstrap: int = 1000,
    confidence: float = 0.95,
    stratify: bool = False,
    random_state: Any = None,
) -> OperatingPoint:
    """Choose a threshold by a rule, with intervals of the threshold and of its performance.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of any type. Classes other than ``pos_label`` are the negatives.
    scores : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores by models that were not trained on the samples, as for :func:`operating_curve`.
    by : str, float or rule, default="f"
        How to choose. A rule object or its text: "f", "f2" or "f0.5" (:class:`BestF`),
        "recall>=0.9" (:class:`RecallFloor`), "precision>=0.5" (:class:`PrecisionFloor`),
        "alerts<=50", "alerts<=20/1000" or "alerts<=2%" (:class:`AlertBudget`: in these samples, in
        1,000 samples, a fraction), "cost:fp=1,fn=20" (:class:`LowestCost`). A number is the
        threshold itself.
    {pos_label}
    sample_weight : array-like of shape (n_samples,), default=None
        Sample weights. In resamples a sample is one observation regardless of its weight: resamples
        have Kish's effective size of the positives and of the negatives.
    costs : Costs, default=None
        Report the cost per 1,000 samples for these costs, for any rule.
    unreachable : {"raise", "closest"}, default="raise"
        What to do if no threshold satisfies a floor of precision: raise an error that states what
        is reachable, or choose the most precise threshold and set ``reached`` to False. All other
        rules can be satisfied.
    n_bootstrap : int, default=1000
        Number of resamples; 0 for no intervals.
    {confidence}
    stratify : bool, default=False
        Keep the number of positives fixed in resamples. By default it varies as in a random sample:
        precision and alerts depend on the frequency of the positive class, which is estimated from
        these samples. Set it if that frequency is known or fixed by design.
    random_state : int, RandomState instance or None, default=None
        Seed of the resamples.

    Returns
    -------
    point : OperatingPoint
        The threshold and its measures.

    Notes
    -----
    Measures on the samples that a threshold was chosen on are optimistic. A threshold is therefore
    chosen again in every resample; the differences between its performance on all samples and in
    its resample correct the value and form the interval, which also contains the Wilson interval of
    the same counts. :doc:`/operating` describes the method, its coverage in simulations, and its
    limits: the intervals cover neither drift nor the effect of refitting on all samples.

    A resample is drawn as counts of samples between the few thresholds that can be chosen, so the
    time depends on the number of positives rather than of all samples.

    Examples
    --------
    >>> import numpy as np
    >>> from rarewood.operating import choose_threshold
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(5000) < 0.02
    >>> scores = rng.normal(size=5000) + 2 * y
    >>> print(choose_threshold(y, scores, by="recall>=0.8", random_state=0))
    alert True if score >= 1.20777 [0.905, 1.518]: recall of at least 0.8
      recall           0.7965 [0.716, 0.8666], observed 0.8019
      precision        0.1299 [0.09972, 0.1598], observed 0.1316
      F1               0.2233 [0.1778, 0.2682], observed 0.2261
      alerts per 1000  129.1 [120, 138.8], observed 129.2
    """
    curve = operating_curve(y, scores, pos_label=pos_label, sample_weight=sample_weight)
    return choose_on_curve(
        curve,
        by,
        costs=costs,
        unreachable=unreachable,
        n_bootstrap=n_bootstrap,
        confidence=confidence,
        stratify=stratify,
        random_state=random_state,
    )


def choose_on_curve(
    curve: OperatingCurve,
    by: Any = "f",
    *,
    costs: Costs | None = None,
    unreachable: str = "raise",
    n_bootstrap: int = 1000,
    confidence: float = 0.95,
    stratify: bool = False,
    random_state: Any = None,
    n_left_out: int = 0,
) -> OperatingPoint:
    """Choose a point of a curve by a rule, as :func:`choose_threshold` does.

    ``n_left_out`` is the number of samples without a score, which the result reports.
    """
    rule = as_rule(by)
    _check_options(unreachable, n_bootstrap, confidence)
    place = int(rule.choose(curve))
    counts = curve.take(place)
    reached = bool(rule.reached(counts))
    if not reached and unreachable == "raise":  # only a floor of precision can be too high
        raise ValueError(
            f"No threshold has a {rule}: the highest precision is {counts.precision:.3g}, at the "
            f"threshold {curve.threshold[place]:.6g}, with a recall of {counts.recall:.3g}. Lower "
            "the limit, or set unreachable='closest' to choose that threshold."
        )
    if place == 0:
        warnings.warn(
            f"No sample raises an alert: the threshold for {rule} is above every score.",
            stacklevel=3,
        )
    given = rule.threshold if isinstance(rule, GivenThreshold) else None
    drawn: Resamples | None = None
    low = high = reached_fraction = float("nan")
    if n_bootstrap:
        seed = seed_from(random_state)
        drawn = draw_resamples(curve, rule, place, int(n_bootstrap), bool(stratify), seed)
        ends = [(1 - confidence) / 2, (1 + confidence) / 2]
        # The ends are thresholds that were chosen, not interpolated.
        found = np.quantile(curve.threshold[drawn.places], ends, method="inverted_cdf")
        low, high = (float(end) for end in found)
        if given is not None:
            low = high = given
        reached_fraction = float(drawn.reached.mean())
    beta = rule.beta if isinstance(rule, BestF) else 1.0
    if costs is None and isinstance(rule, LowestCost):
        costs = rule.costs
    n_positive, n_negative = curve.n_positive, curve.n_samples - curve.n_positive
    n_drawn = (curve.n_effective[0] / n_positive, curve.n_effective[1] / n_negative)
    achieved = {
        measure.name: measure_achieved(
            # With fixed class sizes only the recall is a binomial fraction.
            measure,
            counts,
            drawn,
            confidence,
            not stratify or measure.name == "recall",
        )
        for measure in measures(beta, costs, n_drawn)
    }
    return OperatingPoint(
        threshold=float(given if given is not None else curve.threshold[place]),
        interval=(low, high),
        rule=rule,
        reached=reached,
        reached_fraction=reached_fraction,
        counts=counts,
        **{"cost_per_1000": None, **achieved},  # type: ignore[arg-type]
        pos_label=curve.pos_label,
        beta=float(beta),
        n_bootstrap=int(n_bootstrap),
        confidence=float(confidence),
        n_left_out=n_left_out,
    )


def _check_options(unreachable: Any, n_bootstrap: Any, confidence: Any) -> None:
    if unreachable not in ("raise", "closest"):
        raise ValueError(f"unreachable={unreachable!r} must be 'raise' or 'closest'.")
    if not isinstance(n_bootstrap, Integral) or isinstance(n_bootstrap, bool) or n_bootstrap < 0:
        raise ValueError(f"n_bootstrap={n_bootstrap!r} must be a whole number, 0 or more.")
    if not isinstance(confidence, float) or not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence!r} must be a number between 0 and 1.")
