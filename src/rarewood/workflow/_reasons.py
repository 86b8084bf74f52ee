"""The strongest contributions to a prediction, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rarewood.report._reasons import reason_text

if TYPE_CHECKING:
    from rarewood.workflow._contributions import RowContributions

N_REASONS = 3


def reasons_of(parts: RowContributions, features: Any, row: int) -> list[str]:
    """Return the three largest contributions to a row, in words."""
    return [
        reason_text(
            parts.columns[k], plain_value(features, row, k), float(parts.values[row, k]), parts.unit
        )
        for k in parts.strongest(row, N_REASONS)
    ]


def plain_value(features: Any, row: int, k: int) -> Any:
    """Return a value of the features as a number, text or boolean, None if it is missing."""
    value = features.iloc[row, k] if hasattr(features, "iloc") else features[row, k]
    value = value.item() if hasattr(value, "item") else value
    return None if value is None or value != value else value
