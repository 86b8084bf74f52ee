"""Numbers as the page writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["FILTERS", "chance", "count", "number", "percent", "ratio", "score"]

_NONE = "–"


def count(value: float | None) -> str:
    """Return a number of rows, with commas."""
    return _NONE if value is None else f"{value:,.0f}"


def number(value: float | None) -> str:
    """Return a number with four significant digits at most."""
    if value is None:
        return _NONE
    is_plain = value == 0 or 1e-4 <= abs(value) < 1e6
    return f"{value:.4g}" if is_plain else f"{value:.3g}"


def percent(value: float | None) -> str:
    """Return a share; small ones with more digits."""
    if value is None:
        return _NONE
    digits = 2 if 0 < abs(value) < 0.01 else 1
    return f"{value:.{digits}%}"


def ratio(value: float | None) -> str:
    """Return how many there are for each one."""
    if value is None:
        return _NONE
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def score(value: float | None) -> str:
    """Return a metric with three digits."""
    if value is None:
        return _NONE
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.4g}"


def chance(value: float | None) -> str:
    """Return a p-value."""
    if value is None:
        return _NONE
    if value < 0.0001:
        return "< 0.0001" if value < 1e-300 else f"{value:.1e}"
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}"


FILTERS: dict[str, Callable[[Any], str]] = {
    "count": count,
    "number": number,
    "percent": percent,
    "ratio": ratio,
    "score": score,
    "chance": chance,
}
