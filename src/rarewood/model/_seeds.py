"""Seed that grows a tree of a forest on its own."""

from __future__ import annotations

_MASK = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15
_SALT = 0x6A09E667F3BCC909
_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def tree_seed(seed: int, tree: int) -> int:
    """Return the seed of a single tree with the random numbers of a tree of a forest.

    ``root_key`` in ``core/base/rng.hpp`` derives the key of the root from the seed of the forest
    and the number of the tree by invertible steps; a single tree has the number 0.
    """
    return _unmix((_mix(seed ^ _SALT) + _STEP * tree) & _MASK) ^ _SALT


def _mix(x: int) -> int:
    x ^= x >> 30
    x = x * _FACTORS[0] & _MASK
    x ^= x >> 27
    x = x * _FACTORS[1] & _MASK
    return x ^ x >> 31


def _unmix(x: int) -> int:
    x = _unshift(x, 31)
    x = _unshift(x * pow(_FACTORS[1], -1, 2**64) & _MASK, 27)
    return _unshift(x * pow(_FACTORS[0], -1, 2**64) & _MASK, 30)


def _unshift(y: int, shift: int) -> int:
    """Return the x of which y is ``x ^ x >> shift``."""
    x = y
    for _ in range(64 // shift):
        x = y ^ x >> shift
    return x
