"""Choosing a threshold, and saying how sure it is and what it will achieve."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np

from rarewood._validation import seed_from
from rarewood.operating._achieved import measure_achieved, measures
from rarewood.operating._confusion import Costs
from rarewood.operating._curve import OperatingCurve, operating_curve
from rarewood.operating._point import OperatingPoint
from rarewood.operating._resamples import Resamples, draw_resamples
from rarewood.operating._rules import BestF, GivenThreshold, LowestCost
from rarewood.operating._wording import as_rule

__all__ = ["choose_on_curve", "choose_threshold"]


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
    """Choose a threshold by a rule, with intervals of it and of what it will achieve.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels of any type. With more than two classes, the rare one is taken against the rest.
    scores : array-like of shape (n_rows,) or (n_rows, n_classes)
        Scores by models that have not seen the rows, as for :func:`operating_curve`.
    by : str, float or rule, default="f"
        How to choose: :class:`BestF`, :class:`LowestCost`, :class:`AlertBudget`,
        :class:`RecallFloor` or :class:`PrecisionFloor`, or a text such as "f2", "recall>=0.9",
        "alerts<=20/1000" or "cost:fp=1,fn=20"; see :func:`as_rule`. Each says what it does with
        ties. A number is the threshold itself: 0.5 says what one half achieves.
    pos_label : label, default=None
        The rare class; by default the one with the fewest rows, and the last in order of those.
    sample_weight : array-like of shape (n_rows,), default=None
        How many rows each row counts for. In resamples a row is one observation whatever it
        weighs: as many are drawn as Kish's effective sizes of the two sides say.
    costs : Costs, default=None
        Report the cost of 1,000 rows, also where the rule is not about costs.
    unreachable : {"raise", "closest"}, default="raise"
        What to do where no threshold is as precise as asked for: an error that says what is
        reachable, or the most precise threshold, with ``reached`` False. Other rules can always be
        satisfied.
    n_bootstrap : int, default=1000
        Number of resamples; 0 for none, and no intervals.
    confidence : float, default=0.95
        Of the intervals.
    stratify : bool, default=False
        Keep the number of rare rows fixed in resamples. By default it varies as it does in random
        samples: precision and alerts depend on how frequent the rare class is, and that is known
        from these rows only. Set it where the frequency is known or was fixed by design.
    random_state : int, RandomState instance or None, default=None
        Seed of the resamples.

    Returns
    -------
    point : OperatingPoint
        The threshold and its measures.

    Notes
    -----
    The threshold was chosen because it does well on these rows, so what is observed on them is too
    good. In every resample of the rows a threshold is chosen anew. How it does on all rows, less
    how it did in its resample, is how new rows should differ from these: the mean of these errors
    corrects the value, and their quantiles make the interval (on the arcsine scale for shares). An
    interval also contains Wilson's interval of the same counts, since a bootstrap sees no error
    where, say, every rare row is found. In simulations with 10, 20 and 90 rare rows
    (``benchmarks/threshold_intervals.py``), intervals of 95 per cent held the true long-run value
    in 94 to 99 per cent of the cases, for each rule and measure; plain percentiles of the resamples
    held the recall that a floor on recall leads to in 33 to 45.

    The intervals are about new rows from where these came from and about the model that scored
    them. They know nothing of drift, nor that a model which is fitted again on all rows may score
    a little differently from those of the folds.

    A resample is drawn as counts of rows between the few thresholds that can be chosen, so the time
    depends on the number of rare rows rather than of all.

    Examples
    --------
    >>> import numpy as np
    >>> from rarewood.operating import choose_threshold
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(5000) < 0.02
    >>> scores = rng.normal(size=5000) + 2 * y
    >>> print(choose_threshold(y, scores, by="recall>=0.8", random_state=0))
    alert True from 1.20777 on  [0.905, 1.518]: recall of at least 0.8
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
    """Choose a point of a curve that is there already.

    Parameters
    ----------
    curve : OperatingCurve
        What :func:`operating_curve` returned.
    by, costs, unreachable, n_bootstrap, confidence, stratify, random_state
        As for :func:`choose_threshold`.
    n_left_out : int, default=0
        Rows without a score, to be told with the result.

    Returns
    -------
    point : OperatingPoint
        The threshold and its measures.

    Examples
    --------
    >>> from rarewood.operating import choose_on_curve, operating_curve
    >>> curve = operating_curve([0, 0, 1, 0, 1, 0], [0.1, 0.2, 0.3, 0.3, 0.9, 0.0])
    >>> [choose_on_curve(curve, by, n_bootstrap=0).threshold for by in ("f", "alerts<=1")]
    [0.3, 0.9]
    """
    rule = as_rule(by)
    _check_options(unreachable, n_bootstrap, confidence)
    place = int(rule.choose(curve))
    counts = curve.take(place)
    reached = bool(rule.reached(counts))
    if not reached and unreachable == "raise":
        raise ValueError(
            f"No threshold has a {rule}: {rule.best_reachable(curve)}. Ask for less, or set "
            "unreachable='closest' to take that one."
        )
    if place == 0:
        warnings.warn(
            f"Nothing is alerted: the threshold for {rule} lies above every score.", stacklevel=3
        )
    given = rule.threshold if isinstance(rule, GivenThreshold) else None
    drawn: Resamples | None = None
    low = high = reached_share = float("nan")
    if n_bootstrap:
        seed = seed_from(random_state)
        drawn = draw_resamples(curve, rule, place, int(n_bootstrap), bool(stratify), seed)
        ends = [(1 - confidence) / 2, (1 + confidence) / 2]
        # An end is a threshold that was chosen, not a number between two of them.
        found = np.quantile(curve.threshold[drawn.places], ends, method="inverted_cdf")
        low, high = (float(end) for end in found)
        if given is not None:
            low = high = given
        reached_share = float(drawn.reached.mean())
    beta = rule.beta if isinstance(rule, BestF) else 1.0
    if costs is None and isinstance(rule, LowestCost):
        costs = rule.costs
    n_positive, n_negative = curve.n_positive, curve.n_rows - curve.n_positive
    n_drawn = (curve.n_effective[0] / n_positive, curve.n_effective[1] / n_negative)
    achieved = {
        measure.name: measure_achieved(
            # With fixed sizes only the recall is a simple share.
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
        reached_share=reached_share,
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
