"""Contributions of features in words."""

from __future__ import annotations

from typing import Any

_TOTALS = {"probability": "score", "log odds": "log odds", "score": "score"}


def reason_text(column: str, value: Any, change: float, unit: str = "probability") -> str:
    """Return a contribution as a sentence, such as "amount = 812 raises the score by 0.21".

    ``unit`` is that of the contribution: "probability", "log odds" or "score".
    """
    verb = "raises" if change > 0 else "lowers"
    return f"{column} {value_text(value)} {verb} the {_TOTALS[unit]} by {_size(abs(change))}"


def value_text(value: Any) -> str:
    """Return what a column is, such as "= 812"."""
    if value is None:
        return "is missing and"
    if isinstance(value, float):
        return f"= {value:.6g}"
    return f"= {value}"


def _size(change: float) -> str:
    """Return a positive number with two digits."""
    if change >= 10:
        return f"{change:,.0f}"
    if change >= 1:
        return f"{change:.1f}"
    return f"{change:.2g}"  # without an exponent from 0.0001 on
