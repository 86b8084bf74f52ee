"""What can be wrong with a table that a person points at, said in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["TableError", "count", "did_you_mean", "nearest", "short_list"]


class TableError(ValueError):
    """A table cannot be used as it is; the message says why and what to do, in one line."""


def nearest(name: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Return the known names that are most like a name, whatever their case."""
    names = list(dict.fromkeys(known))
    lower: dict[str, list[str]] = {}
    for one in names:
        lower.setdefault(one.lower(), []).append(one)
    found = difflib.get_close_matches(name.lower(), lower, n=n, cutoff=0.55)
    return [one for match in found for one in lower[match]][:n]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint to put behind a message, empty if nothing is near."""
    near = nearest(name, known)
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


def short_list(names: Iterable[object], most: int = 12) -> str:
    """Return names in one line, the first ones if there are many."""
    texts = [str(name) for name in names]
    more = f", ... ({len(texts) - most:,} more)" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def count(n: int, what: str) -> str:
    """Return a number of things in words: "1 row", "2,000 rows"."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"
