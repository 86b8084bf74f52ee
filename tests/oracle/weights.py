"""Weights on a grid where all sums are exact, in whole numbers and fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oracle.row_sampling import Draw

SPARE = Fraction(2**40 + 1, 2**40)  # for the rounding of the core's own estimate


def exponent(weight: Fraction) -> int:
    """The e with 2^e <= weight < 2^(e+1)."""
    e = weight.numerator.bit_length() - weight.denominator.bit_length()
    return e if weight >= Fraction(2) ** e else e - 1


def most_weight(weights: Sequence[float], draw: Draw, class_totals: Sequence[int]) -> Fraction:
    """Upper bound of the total weight of a tree."""
    sizes = [exponent(Fraction(w)) for w in weights]
    most = sum(Fraction(2) ** (e + 1) for e in sizes)
    if draw.replace:
        sampling = draw.of(class_totals)
        amounts = sampling.per_class or (sampling.total,)
        groups = class_totals if sampling.per_class else [sum(class_totals)]
        copies = max(4 * -(-a // n) + 128 for a, n in zip(amounts, groups, strict=True) if n)
        n_drawn = max(amounts) * len(amounts)
        most = min(most * copies, n_drawn * Fraction(2) ** (max(sizes) + 1))
    return most * SPARE


def may_be_infinite(weights: Sequence[float], draw: Draw, class_totals: Sequence[int]) -> bool:
    """Whether the weights are refused, because the total of a draw could exceed all doubles."""
    return draw.replace and exponent(most_weight(weights, draw, class_totals)) + 1 > 1024


def unit(weights: Sequence[float], draw: Draw, class_totals: Sequence[int]) -> Fraction:
    """The power of two that all weights are rounded to multiples of."""
    sizes = [exponent(Fraction(w)) for w in weights]
    power = exponent(most_weight(weights, draw, class_totals)) + 1 - 53
    if min(sizes) + 1 < power:
        power += 1
    return Fraction(2) ** max(power, -1074)


def rounded(weights: Sequence[float], draw: Draw, class_totals: Sequence[int]) -> list[Fraction]:
    """Each weight at its nearest multiple of the unit, but for zero; halves go to even ones."""
    step = unit(weights, draw, class_totals)
    return [max(round(Fraction(w) / step), 1) * step for w in weights]
