"""Thresholds that decide nothing: nearly every sample raises an alert, or none does."""

from __future__ import annotations

from rarewood.operating._confusion import Confusion

_NEARLY_ALL, _NEARLY_NONE = 0.9, 0.01  # of the samples; of the positives


def alert_warning(counts: Confusion) -> str | None:
    """Return a sentence if a threshold alerts nearly everyone or no one, else None."""
    alerts, recall = counts.alerts_per_1000 / 1000, counts.recall
    if alerts == 0:
        return "This threshold alerts no one: no row has a score this high."
    if recall < _NEARLY_NONE:  # NaN if the labels are unknown
        return f"This threshold alerts nearly no one: it finds {recall:.2%} of the rare rows."
    if alerts >= _NEARLY_ALL:
        all_or = "everyone" if alerts == 1 else f"nearly everyone: {alerts:.1%} of the rows"
        return f"This threshold alerts {all_or}."
    return None
