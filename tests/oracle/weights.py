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


def unit(weights: Sequence[float], draw: Draw, class_totals: Sequence[int]) -> Fraction:
    """The power of two that all weights are rounded to multiples of."""
    sizes = [exponent(Fraction(w)) for w in weights]
    groups = [n for n in class_totals if n] if draw.balance else [sum(class_totals)]
    n_drawn = draw.n_drawn or min(groups)
    most = sum(Fraction(2) ** (e + 1) for e in sizes)
    if draw.replace:
        copies = 4 * -(-n_drawn // min(groups)) + 128
        n_groups = len(class_totals) if draw.balance else 1
        most = min(most * copies, n_drawn * n_groups * Fraction(2) ** (max(sizes) + 1))
    power = exponent(most * SPARE) + 1 - 53
    if min(sizes) + 1 < power:
        power += 1
    return Fraction(2) ** max(power, -1074)


def rounded(weights: Sequence[float], draw: Draw, class_totals: Sequence[int]) -> list[Fraction]:
    """Each weight at its nearest multiple of the unit, but for zero; halves go to even ones."""
    step = unit(weights, draw, class_totals)
    return [max(round(Fraction(w) / step), 1) * step for w in weights]
