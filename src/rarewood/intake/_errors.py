"""The error of unusable tables, and helpers for messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class TableError(ValueError):
    """A table cannot be used as it is.

    The message is one line: what is wrong, and how to correct it.
    """


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three known names that are most similar to a name, ignoring case."""
    lower: dict[str, list[str]] = {}
    for one in dict.fromkeys(known):
        lower.setdefault(one.lower(), []).append(one)
    found = difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.55)
    return [one for match in found for one in lower[match]][:3]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint to append to a message; empty if no known name is similar."""
    near = nearest(name, known)
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


def check_choice(word: str, known: Iterable[str], what: str) -> str:
    """Return a word that is known; raise with the nearest ones otherwise."""
    names = list(known)
    if word not in names:
        hint = did_you_mean(word, names)
        raise ValueError(f"Unknown {what} {word!r}.{hint} Known values: {', '.join(names)}.")
    return word


def short_list(names: Iterable[object], most: int = 12) -> str:
    """Return names in one line, only the first ones if there are many."""
    texts = [str(name) for name in names]
    more = f", ... ({len(texts) - most:,} more)" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def both_ends(names: Sequence[object], most: int = 12) -> str:
    """Return names in one line, the first and the last ones: the target is often the last."""
    if len(names) <= most:
        return short_list(names, most)
    first, last = names[: most - 3], names[-3:]
    left_out = f"... ({len(names) - most:,} more), ..."
    return ", ".join([*map(str, first), left_out, *map(str, last)])


def count(n: int, what: str) -> str:
    """Return a number with its noun: "1 row", "2,000 rows"."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"
