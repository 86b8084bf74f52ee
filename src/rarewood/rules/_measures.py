"""Measures of rules: confidence, lift, strength and p-values from class counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._adjust import benjamini_hochberg, holm
from rarewood.pruning import fisher_p_value

__all__ = ["measure"]


def measure(
    counts: NDArray[np.int64], totals: NDArray[np.int64], about: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """Return the measures of rules, as documented in :class:`RuleSet`; NaN without support.

    ``counts`` are the samples of each class that a rule covers, ``totals`` all samples of each
    class (both n_rules x n_classes), and ``about`` the index of the class each rule is for.
    """
    places = np.arange(len(counts)), about
    a, of_class = counts[places], totals[places]
    covered, n_samples = counts.sum(axis=1), totals.sum(axis=1)
    c, b = covered - a, of_class - a
    d = n_samples - of_class - c
    with np.errstate(divide="ignore", invalid="ignore"):
        confidence, class_confidence = a / covered, a / of_class
        rate_of_others = c / (c + d)
        p_value = np.asarray(fisher_p_value(a, b, c, d), dtype=np.float64)
        return {
            "confidence": confidence,
            "class_confidence": class_confidence,
            "ccp": class_confidence / (class_confidence + np.nan_to_num(rate_of_others)),
            "lift": confidence / (of_class / n_samples),
            "growth_rate": a / c,
            "strength": a * confidence,
            "p_value": p_value,
            "p_holm": holm(p_value),
            "p_bh": benjamini_hochberg(p_value),
        }
