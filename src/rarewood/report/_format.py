"""Number formats of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["FILTERS"]

_NONE = "–"


def count(value: float | None) -> str:
    """Return a count with thousands separators."""
    return _NONE if value is None else f"{value:,.0f}"


def number(value: float | None) -> str:
    """Return a number with at most four significant digits."""
    if value is None:
        return _NONE
    is_plain = value == 0 or 1e-4 <= abs(value) < 1e6
    return f"{value:.4g}" if is_plain else f"{value:.3g}"


def percent(value: float | None) -> str:
    """Return a percentage; small ones with more digits."""
    if value is None:
        return _NONE
    digits = 2 if 0 < abs(value) < 0.01 else 1
    return f"{value:.{digits}%}"


def ratio(value: float | None) -> str:
    """Return a ratio to 1."""
    if value is None:
        return _NONE
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def score(value: float | None) -> str:
    """Return a metric with three digits."""
    if value is None:
        return _NONE
    return f"{value:.3f}" if abs(value) < 100 else f"{value:.4g}"


def p_value(value: float | None) -> str:
    """Return a p-value."""
    if value is None:
        return _NONE
    if value < 0.0001:
        return "< 0.0001" if value < 1e-300 else f"{value:.1e}"
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}"


FILTERS: dict[str, Callable[[Any], str]] = {
    form.__name__: form for form in (count, number, percent, ratio, score, p_value)
}
