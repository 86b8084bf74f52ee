"""Rules on items, found by testing every set of items against the definition."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

Row = Sequence[int]  # the item of each feature, or -1
ItemSet = frozenset[int]


@cache
def p_value(a: int, b: int, c: int, d: int) -> Fraction:
    """Fisher's exact test, one-sided: tables at least as extreme, counted."""
    ways = sum(comb(a + b, x) * comb(c + d, a + c - x) for x in range(a, min(a + b, a + c) + 1))
    return Fraction(ways, comb(a + b + c + d, a + c))


class Twin:
    """Every rule for one class, by definition."""

    def __init__(self, rows: Sequence[Row], is_class: Sequence[bool], redundant: bool = False):
        self.sets = [frozenset(item for item in row if item >= 0) for row in rows]
        self.is_class = list(is_class)
        self.redundant = redundant
        self.items = sorted(frozenset().union(*self.sets))
        self._improves: dict[ItemSet, bool] = {}

    def table(self, rule: ItemSet) -> tuple[int, int, int, int]:
        pairs = [(rule <= own, label) for own, label in zip(self.sets, self.is_class, strict=True)]
        return tuple(pairs.count(kind) for kind in
                     ((True, True), (False, True), (True, False), (False, False)))  # fmt: skip

    def p(self, rule: ItemSet) -> Fraction:
        return p_value(*self.table(rule))

    def improves(self, rule: ItemSet) -> bool:
        """Whether p-values fall along every way from the empty rule to this one."""
        if not rule:
            return True
        if rule not in self._improves:
            noise = 1 - Fraction(1, 10**9)
            fewer = [rule - {item} for item in rule]
            self._improves[rule] = self.is_tested(rule) and all(
                self.p(rule) < self.p(one) * noise for one in fewer
            )
        return self._improves[rule]

    def is_tested(self, rule: ItemSet) -> bool:
        return all(self.improves(rule - {item}) for item in rule)

    def is_kept(self, rule: ItemSet, alpha: float) -> bool:
        a, b, c, d = self.table(rule)
        return (
            self.is_tested(rule)
            and (self.redundant or self.improves(rule))
            and self.p(rule) < Fraction(alpha)
            and a * (c + d) > c * (a + b)
        )

    def rules(self, alpha: float, max_length: int) -> dict[ItemSet, tuple[int, int]]:
        """The rules that are kept, with the rows of the class and others that they cover."""
        found = {}
        for length in range(1, max_length + 1):
            for chosen in combinations(self.items, length):
                rule = frozenset(chosen)
                if self.is_kept(rule, alpha):
                    a, _, c, _ = self.table(rule)
                    found[rule] = (a, c)
        return found
