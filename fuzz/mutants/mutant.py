"""A mutant."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A text that occurs once in a file, what replaces it, and the first tests to try."""

    file: str
    old: str
    new: str
    tests: str = ""
