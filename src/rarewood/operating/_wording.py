"""Rules written as short texts, for command lines and parameters."""

from __future__ import annotations

import re
from numbers import Real
from typing import Any

import numpy as np

from rarewood.operating._limits import AlertBudget, PrecisionFloor, RecallFloor
from rarewood.operating._rules import BestF, GivenThreshold, LowestCost, Rule

__all__ = ["as_rule"]

_NUMBER = r"([0-9]*\.?[0-9]+(?:e-?[0-9]+)?)"
_HELP = (
    "Rules are 'f', 'f2', 'f0.5', 'recall>=0.9', 'precision>=0.5', 'alerts<=50', "
    "'alerts<=20/1000', 'alerts<=2%' and 'cost:fp=1,fn=20'; a number is a threshold."
)


def as_rule(by: Any) -> Rule:
    """Return the rule that is meant by a text.

    Parameters
    ----------
    by : str, number or rule
        A number is the threshold itself (:class:`GivenThreshold`). Texts are "f", "f2" or "f0.5"
        (:class:`BestF`), "recall>=0.9" (:class:`RecallFloor`),
        "precision>=0.5" (:class:`PrecisionFloor`), "alerts<=50", "alerts<=20/1000" or "alerts<=2%"
        (:class:`AlertBudget`: in the rows given, in 1,000 rows, a share), "cost:fp=1,fn=20"
        (:class:`LowestCost`). A rule stays what it is.

    Returns
    -------
    rule : rule
        One of the classes named above.

    Examples
    --------
    >>> from rarewood.operating import as_rule
    >>> as_rule("recall>=0.9")
    RecallFloor(recall=0.9)
    >>> as_rule("alerts<=2%")
    AlertBudget(max_alerts=2.0, per=100)
    >>> as_rule("cost:fp=1,fn=20")
    LowestCost(fp=1.0, fn=20.0, tp=0.0, tn=0.0)
    """
    if isinstance(by, Rule):
        return by
    if isinstance(by, Real) and not isinstance(by, bool | np.bool_):
        return GivenThreshold(float(by))
    if not isinstance(by, str):
        raise TypeError(f"A rule is a text or an object, not {type(by).__name__}. {_HELP}")
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
    raise ValueError(f"{by!r} is no rule. {_HELP}")


def _costs(text: str, by: str) -> dict[str, float]:
    costs: dict[str, float] = {}
    for part in text.split(","):
        found = re.fullmatch(rf"(fp|fn|tp|tn)=(-?){_NUMBER}", part)
        if not found or found[1] in costs:
            raise ValueError(f"{by!r}: {part!r} is no cost, such as fp=1. {_HELP}")
        costs[found[1]] = float(found[2] + found[3])
    if not {"fp", "fn"} <= costs.keys():
        raise ValueError(f"{by!r} must give the costs fp and fn. {_HELP}")
    return costs
