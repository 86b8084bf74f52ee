"""Random numbers of a case: quick, and the same for the same seed on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class Draw(Random):
    """A source of random choices, made from a text."""

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def pick(self, values: Sequence[T]) -> T:
        return values[int(self.random() * len(values))]

    def integer(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + int(self.random() * (high - low + 1))

    def small(self, low: int, high: int) -> int:
        """A number from low to high, more often a low one."""
        return low + int(self.random() ** 2 * (high - low + 1))

    def many(self, values: Sequence[T], n: int) -> list[T]:
        return [self.pick(values) for _ in range(n)]

    def some(self, options: dict[str, Any], probability: float) -> dict[str, Any]:
        """Each option with a probability; a value is drawn by calling it with this source."""
        return {name: draw(self) for name, draw in options.items() if self.random() < probability}
