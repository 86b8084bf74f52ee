"""Which rows a tree of a forest is grown on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracle.random import Random, child_key, combine_key, draw_key

BLOCK = 65_536  # members that are drawn together


@dataclass(frozen=True)
class RowSampling:
    """Numbers of rows to draw, in total or from each class; without them every row once."""

    with_replacement: bool = False
    total: int = 0
    per_class: tuple[int, ...] = ()


@dataclass(frozen=True)
class Draw:
    """A row sampling of any table.

    ``n_drawn`` rows are drawn from all rows or, if ``balance``, from each class; 0 means as many as
    the table or its smallest class has. ``step`` makes the amounts unequal: class c gets
    ``c * step`` more rows.
    """

    replace: bool = False
    balance: bool = False
    n_drawn: int = 0
    step: int = 0

    @property
    def is_random(self) -> bool:
        return self.replace or self.balance or self.n_drawn > 0

    def of(self, class_totals: Sequence[int]) -> RowSampling:
        if not self.is_random:
            return RowSampling()
        if not self.balance:
            return RowSampling(self.replace, total=self.n_drawn or sum(class_totals))
        n = self.n_drawn or min(n for n in class_totals if n)
        amounts = tuple(n + c * self.step for c in range(len(class_totals)))
        return RowSampling(self.replace, per_class=amounts)


def drawn_rows(draw: Draw, y: Sequence[int], seed: int, tree: int) -> list[int]:
    """The rows of a tree in ascending order, each as often as it was drawn."""
    y = [int(c) for c in y]
    everyone = list(range(len(y)))
    sampling = draw.of([y.count(c) for c in range(max(y) + 1)])
    key = draw_key(seed, tree)
    if sampling.total:
        return sorted(_draw(everyone, sampling.total, sampling.with_replacement, key))
    if not sampling.per_class:
        return everyone
    found: list[int] = []
    for c, n in enumerate(sampling.per_class):
        rows = [i for i in everyone if y[i] == c]
        if rows:
            found += _draw(rows, n, sampling.with_replacement, combine_key(key, c))
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
