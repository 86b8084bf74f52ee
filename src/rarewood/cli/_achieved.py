"""What a threshold will achieve on new rows, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rarewood.operating import OperatingPoint

_WORDS = {
    "recall": "recall",
    "precision": "precision",
    "f": "F{beta:g}",
    "alerts_per_1000": "alerts per 1,000 rows",
    "cost_per_1000": "cost per 1,000 rows",
}


def achieved(point: OperatingPoint) -> str:
    """Return the measures that a threshold is expected to have on new rows, with intervals."""
    parts = []
    for name, words in _WORDS.items():
        one = getattr(point, name)
        if one is None or one.expected != one.expected:
            continue
        low, high = one.interval
        text = words.format(beta=point.beta)
        parts.append(f"{text} {shown(one.expected)} ({shown(low)}-{shown(high)})")
    return ", ".join(parts)


def shown(value: float | None) -> str:
    """Return a number with few digits: three decimals, or none for large ones."""
    if value is None or value != value:
        return ""
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.0f}"
