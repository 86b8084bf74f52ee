"""How much memory a table will need, and how much there is: asked before it is read."""

from __future__ import annotations

import re

from rarewood.intake._errors import TableError
from rarewood.table._memory import available_memory, spell_bytes

__all__ = ["available_memory", "check_memory", "parse_size", "spell_bytes"]

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_size(text: str) -> int:
    """Return a size such as "500MB" or "4G" in bytes.

    Parameters
    ----------
    text : str
        A number with a unit: B, K, M, G or T, each of 1024 of the one before.

    Returns
    -------
    n_bytes : int
        The size.

    Examples
    --------
    >>> from rarewood.intake import parse_size
    >>> parse_size("1.5 GB")
    1610612736
    """
    match = re.fullmatch(r"\s*([\d.]+)\s*([kmgt]?)i?b?\s*", text, re.IGNORECASE)
    try:
        if match is None:
            raise ValueError
        return int(float(match[1]) * _UNITS[match[2].lower()])
    except ValueError:
        raise TableError(f"{text!r} is no size: write it as 500MB or 4GB.") from None


def check_memory(name: str, needed: int, available: int | None = None) -> None:
    """Raise where a table would not fit, rather than be killed by the system while reading it.

    Parameters
    ----------
    name : str
        Name of the table.
    needed : int
        Bytes that it is estimated to need.
    available : int, default=None
        Bytes that may be used; by default what the system says.
    """
    most = available_memory() if available is None else available
    if most is not None and needed > most:
        raise TableError(
            f"{name} needs about {spell_bytes(needed)} of memory, and {spell_bytes(most)} are "
            "free: read fewer columns with --columns, or a part of the rows with --sample, or "
            "convert it to Parquet with only the columns that matter."
        )
