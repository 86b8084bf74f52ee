"""Keyed random numbers, in Python's unbounded integers cut to 64 bits.

Every number is a function of a key and a position, and every key of the seed, the tree and the
path from its root.
"""

from __future__ import annotations

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15  # of SplitMix64, as are the two factors below
DRAW, UNIFORM = 0x64726177, 0x756E69  # "draw" and "uni": streams of a tree beside its root's


def mix64(x: int) -> int:
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def combine_key(key: int, part: int) -> int:
    return mix64((key + STEP * (part + 1)) & MASK)


def root_key(seed: int, tree: int) -> int:
    return combine_key(mix64(seed ^ 0x6A09E667F3BCC909), tree)


def child_key(key: int, child: int) -> int:
    return combine_key(key, 0x6368696C64 + child)


class Random:
    """The numbers of one key, one after the other."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.n_drawn = 0

    def bits(self) -> int:
        self.n_drawn += 1
        return combine_key(self.key, self.n_drawn - 1)

    def uniform(self) -> float:
        """In [0, 1), with 53 bits."""
        return (self.bits() >> 11) / 2**53

    def below(self, n: int) -> int:
        """One of 0 ... n - 1."""
        return self.bits() * n >> 64


def of_node(key: int) -> Random:
    """What a node samples its features with."""
    return Random(key)


def of_feature(key: int, feature: int) -> Random:
    """What a node draws the cuts of a feature with."""
    return Random(combine_key(key, feature + 1))


def draw_key(seed: int, tree: int) -> int:
    """The key of the rows that a tree draws."""
    return combine_key(root_key(seed, tree), DRAW)


def uniform(seed: int, tree: int) -> float:
    """A number that belongs to a tree."""
    return Random(combine_key(root_key(seed, tree), UNIFORM)).uniform()
