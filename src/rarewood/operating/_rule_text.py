"""Rules given as text, and rules as scorers of scikit-learn."""

from __future__ import annotations

import re
from numbers import Real
from typing import Any

import numpy as np

from rarewood.operating._confusion import Confusion
from rarewood.operating._limits import AlertBudget, PrecisionFloor, RecallFloor
from rarewood.operating._rules import BestF, GivenThreshold, LowestCost, Rule

_NUMBER = r"([0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)"
_HELP = (
    "Rules are 'f', 'f2', 'f0.5', 'recall>=0.9', 'precision>=0.5', 'alerts<=50', "
    "'alerts<=20/1000', 'alerts<=2%' and 'cost:fp=1,fn=20'; a number is a threshold."
)


def as_rule(by: Any) -> Rule:
    """Return a rule given as text, number or rule; see :func:`choose_threshold`."""
    if isinstance(by, Rule):
        return by
    if isinstance(by, Real) and not isinstance(by, bool | np.bool_):
        return GivenThreshold(float(by))
    if not isinstance(by, str):
        raise TypeError(
            f"A rule must be text, a number or a rule object, got {type(by).__name__}. {_HELP}"
        )
    text = re.sub(r"\s", "", by.lower())
    if found := re.fullmatch(rf"f(?:{_NUMBER})?", text):
        return BestF(float(found[1] or 1))
    if found := re.fullmatch(rf"(recall|precision)>=?{_NUMBER}(%?)", text):
        value = float(found[2]) / (100 if found[3] else 1)
        return RecallFloor(value) if found[1] == "recall" else PrecisionFloor(value)
    if found := re.fullmatch(rf"alerts<=?{_NUMBER}(?:(%)|/{_NUMBER})?", text):
        per = 100 if found[2] else float(found[3]) if found[3] else None
        return AlertBudget(float(found[1]), per)
    if found := re.fullmatch(r"cost:(.*)", text):
        return LowestCost(**_costs(found[1], by))
    raise ValueError(f"Unknown rule {by!r}. {_HELP}")


def rule_text(rule: Rule) -> str:
    """Return the text that :func:`as_rule` reads as this rule."""
    if isinstance(rule, LowestCost):
        costs = {name: getattr(rule, name) for name in ("fp", "fn", "tp", "tn")}
        kept = [f"{n}={value:.15g}" for n, value in costs.items() if value or n in ("fp", "fn")]
        return f"cost:{','.join(kept)}"
    if isinstance(rule, AlertBudget):
        per = "" if rule.per is None else f"/{rule.per:.15g}"
        return f"alerts<={rule.max_alerts:.15g}{per}"
    if isinstance(rule, RecallFloor):
        return f"recall>={rule.recall:.15g}"
    if isinstance(rule, PrecisionFloor):
        return f"precision>={rule.precision:.15g}"
    if isinstance(rule, GivenThreshold):
        return repr(rule.threshold)
    return f"f{rule.beta:.15g}" if isinstance(rule, BestF) else str(rule)


def _costs(text: str, by: str) -> dict[str, float]:
    costs: dict[str, float] = {}
    for part in text.split(","):
        found = re.fullmatch(rf"(fp|fn|tp|tn)=(-?){_NUMBER}", part)
        if not found or found[1] in costs:
            raise ValueError(f"{by!r}: {part!r} is not a cost such as fp=1. {_HELP}")
        costs[found[1]] = float(found[2] + found[3])
    if not {"fp", "fn"} <= costs.keys():
        raise ValueError(f"{by!r} must contain the costs fp and fn. {_HELP}")
    return costs


def rule_scorer(by: Any, *, pos_label: Any = 1) -> Any:
    """Make a scorer from a rule.

    Parameters
    ----------
    by : str or rule
        A rule, as for :func:`choose_threshold`. The score is the F-measure, or minus the cost per
        1,000 samples. For rules with a limit it is the recall (alert budget, precision floor) or
        the fraction of samples without an alert (recall floor); where the limit is violated, a
        negative number that measures by how much.
    pos_label : label, default=1
        The positive class.

    Returns
    -------
    scorer : callable
        ``scorer(estimator, X, y)``; higher is better.

    Notes
    -----
    :class:`sklearn.model_selection.TunedThresholdClassifierCV` averages the scores of folds,
    including the negative scores of folds that violate a limit, so the limit holds on average and
    not in each fold. :class:`ThresholdedClassifier` applies it to all samples together.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import TunedThresholdClassifierCV
    >>> from rarewood.operating import rule_scorer
    >>> X, y = make_classification(1000, weights=[0.95], random_state=0)
    >>> cheap = TunedThresholdClassifierCV(
    ...     LogisticRegression(), scoring=rule_scorer("cost:fp=1,fn=10")
    ... )
    >>> bool(cheap.fit(X, y).best_threshold_ < 0.5)
    True
    """
    from sklearn.metrics import make_scorer

    return make_scorer(_score, rule=as_rule(by), pos_label=pos_label)


def _score(
    y_true: Any, y_pred: Any, *, rule: Any, pos_label: Any = 1, sample_weight: Any = None
) -> float:
    from sklearn.metrics import confusion_matrix

    is_positive, is_alert = np.asarray(y_true) == pos_label, np.asarray(y_pred) == pos_label
    tn, fp, fn, tp = confusion_matrix(
        is_positive, is_alert, labels=[False, True], sample_weight=sample_weight
    ).ravel()
    return float(rule.score(Confusion(tp, fp, fn, tn)))
