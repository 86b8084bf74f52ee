"""Which rows a tree of a forest is grown on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracle.random import Random, combine_key, draw_key


@dataclass(frozen=True)
class Draw:
    """How rows are drawn; by default they are not: every row is taken once."""

    replace: bool = False
    balance: bool = False
    n_drawn: int = 0

    @property
    def is_random(self) -> bool:
        return self.replace or self.balance or self.n_drawn > 0


def drawn_rows(draw: Draw, y: Sequence[int], seed: int, tree: int) -> list[int]:
    """The rows of a tree in ascending order, each as often as it was drawn."""
    y = [int(c) for c in y]
    everyone = list(range(len(y)))
    if not draw.is_random:
        return everyone
    key = draw_key(seed, tree)
    if not draw.balance:
        n = draw.n_drawn or len(y)
        return sorted(_draw(everyone, n, draw.replace, Random(key)))
    members = {c: [i for i in everyone if y[i] == c] for c in sorted(set(y))}
    n = draw.n_drawn or min(len(rows) for rows in members.values())
    found: list[int] = []
    for c, rows in members.items():
        found += _draw(rows, n, draw.replace, Random(combine_key(key, c)))
    return sorted(found)


def _draw(members: list[int], n: int, replace: bool, random: Random) -> list[int]:
    if replace:
        return [members[random.below(len(members))] for _ in range(n)]
    found: set[int] = set()
    for last in range(len(members) - min(n, len(members)), len(members)):
        one = members[random.below(last + 1)]
        found.add(members[last] if one in found else one)
    return list(found)
