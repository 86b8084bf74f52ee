"""Goals of a decision: a lowest cost, a capacity for alerts, or a recall.

A goal is a rule that chooses a threshold, and also what models are ranked by.
"""

from __future__ import annotations

from typing import Any

from rarewood.operating._limits import AlertBudget, RecallFloor
from rarewood.operating._rule_text import as_rule
from rarewood.operating._rules import LowestCost

Goal = LowestCost | AlertBudget | RecallFloor


def as_goal(goal: Any) -> Goal | None:
    """Return the rule of a goal: "cost:fp=10,fn=500", "alerts<=50/2000" or "recall>=0.9"."""
    if goal is None:
        return None
    rule = as_rule(goal)
    is_whole = isinstance(rule, AlertBudget) and rule.per is None
    has_tn = isinstance(rule, LowestCost) and rule.tn != 0
    if not isinstance(rule, LowestCost | AlertBudget | RecallFloor) or is_whole or has_tn:
        raise ValueError(
            f"Invalid `goal` {goal!r}; expected costs such as 'cost:fp=10,fn=500,tp=10' "
            "(relative to a true negative), a capacity such as 'alerts<=50/2000' (50 alerts for "
            "2,000 rows a day) or 'alerts<=2%', or a recall such as 'recall>=0.9'."
        )
    return rule


def rule_in_rows(rule: Any) -> str:
    """Return a rule in words, for rows of a table."""
    return str(rule).replace(" samples", " rows")


def kind_of(goal: Goal) -> str:
    """Return "cost", "alerts" or "recall"."""
    if isinstance(goal, LowestCost):
        return "cost"
    return "alerts" if isinstance(goal, AlertBudget) else "recall"
