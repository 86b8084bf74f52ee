"""Memory limits: parsed from text, and checked before a table is read."""

from __future__ import annotations

import re

from rarewood.intake._errors import TableError
from rarewood.table._memory import available_memory, spell_bytes

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_size(text: str | int | None) -> int | None:
    """Return a size such as "500MB" or "4G" in bytes; the units are powers of 1024."""
    if not isinstance(text, str):
        return text
    match = re.fullmatch(r"\s*([\d.]+)\s*([kmgt]?)i?b?\s*", text, re.IGNORECASE)
    try:
        if match is None:
            raise ValueError
        return int(float(match[1]) * _UNITS[match[2].lower()])
    except ValueError:
        raise TableError(f"{text!r} is not a size. Expected a size such as 500MB or 4GB.") from None


def check_memory(name: str, needed: int, available: int | None = None) -> None:
    """Raise a TableError if a table needs more bytes than are available, by default free memory."""
    most = available_memory() if available is None else available
    if most is not None and needed > most:
        raise TableError(
            f"{name} needs about {spell_bytes(needed)} of memory, but only {spell_bytes(most)} are "
            "available. Read fewer columns with --columns or fewer rows with --sample, or convert "
            "the table to Parquet with only the columns needed."
        )
