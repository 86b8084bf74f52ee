"""What the page opens with: the cost, and the recall at the capacity of the reader.

Without a goal both are assumed, and the page says so; the reader can change them there.
"""

from __future__ import annotations

from typing import Any

from rarewood.operating import AlertBudget, LowestCost
from rarewood.operating._goals import Goal

_PER = 1000
_ALERTS_PER_RARE = 2.0  # of an assumed capacity


def opening_goals(goal: Goal | None, rare_fraction: float) -> dict[str, Goal]:
    """Return the costs and the capacity: those of the goal, else assumed ones.

    The assumed cost of a false negative is as many false positives as there are other rows for each
    rare row; the assumed capacity is twice the number of rare rows.
    """
    ratio = (1 - rare_fraction) / rare_fraction if rare_fraction else 10.0
    costs = LowestCost(fp=1.0, fn=float(max(round(ratio), 2)))
    alerts = min(max(round(_ALERTS_PER_RARE * _PER * rare_fraction), 1), _PER)
    capacity = AlertBudget(float(alerts), per=float(_PER))
    return {
        "costs": goal if isinstance(goal, LowestCost) else costs,
        "capacity": goal if isinstance(goal, AlertBudget) else capacity,
    }


def describe_opening(goals: dict[str, Goal], goal: Goal | None) -> dict[str, Any]:
    """Return the costs and the capacity as plain data; "is_given" if they are those of the goal."""
    costs, capacity = goals["costs"], goals["capacity"]
    assert isinstance(costs, LowestCost)
    assert isinstance(capacity, AlertBudget)
    return {
        "costs": {"fp": costs.fp, "fn": costs.fn, "tp": costs.tp, "is_given": costs is goal},
        "capacity": {
            "max_alerts": capacity.max_alerts,
            "per": capacity.per,
            "is_given": capacity is goal,
        },
    }
