"""Which rows a tree of a forest is grown on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracle.random import Random, child_key, combine_key, draw_key

BLOCK = 65_536  # members that are drawn together


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
        return sorted(_draw(everyone, n, draw.replace, key))
    members = {c: [i for i in everyone if y[i] == c] for c in sorted(set(y))}
    n = draw.n_drawn or min(len(rows) for rows in members.values())
    found: list[int] = []
    for c, rows in members.items():
        found += _draw(rows, n, draw.replace, combine_key(key, c))
    return sorted(found)


def _draw(members: list[int], n: int, replace: bool, key: int) -> list[int]:
    if replace:
        return _draw_repeated(members, n, key)
    random, found = Random(key), set[int]()
    for last in range(len(members) - min(n, len(members)), len(members)):
        one = members[random.below(last + 1)]
        found.add(members[last] if one in found else one)
    return list(found)


def _draw_repeated(members: list[int], n: int, key: int) -> list[int]:
    """Many members are halved, at a whole number of blocks, and so are the draws."""
    if len(members) <= BLOCK:
        random = Random(key)
        return [members[random.below(len(members))] for _ in range(n)]
    half = -(-len(members) // BLOCK) // 2 * BLOCK
    n_lower = binomial(n, Fraction(half, len(members)), Random(key))
    lower = _draw_repeated(members[:half], n_lower, child_key(key, 0))
    return lower + _draw_repeated(members[half:], n - n_lower, child_key(key, 1))


def binomial(n: int, bound: Fraction, random: Random) -> int:
    """How many of n numbers lie below a bound, when all toss their next digit at the same time."""
    undecided, n_below = n, 0
    while undecided and bound:
        digits = _toss(undecided, random)
        bound *= 2
        if bound >= 1:
            bound -= 1
            n_below += digits.count(0)
            undecided = digits.count(1)
        else:
            undecided = digits.count(0)
    return n_below


def _toss(n: int, random: Random) -> list[int]:
    """The digits of n numbers: the last word gives its highest ones."""
    digits: list[int] = []
    while len(digits) < n:
        word = random.bits()
        digits += [word >> (63 - i) & 1 for i in range(64)]
    return digits[:n]
