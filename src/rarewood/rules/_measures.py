"""What is counted and computed for rules: from class counts to lift, strength and p-values."""

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
    """Compute the measures of rules.

    Parameters
    ----------
    counts : ndarray of shape (n_rules, n_classes)
        Rows of every class that each rule covers.
    totals : ndarray of shape (n_rules, n_classes)
        Rows of every class that there are.
    about : ndarray of shape (n_rules,)
        Number of the class that each rule is for.

    Returns
    -------
    measures : dict of str to ndarray
        See :class:`rarewood.rules.RuleSet`. NaN where nothing is covered.
    """
    places = np.arange(len(counts)), about
    a, of_class = counts[places], totals[places]
    covered, n_rows = counts.sum(axis=1), totals.sum(axis=1)
    c, b = covered - a, of_class - a
    d = n_rows - of_class - c
    with np.errstate(divide="ignore", invalid="ignore"):
        confidence, class_confidence = a / covered, a / of_class
        rate_of_others = c / (c + d)
        p_value = np.asarray(fisher_p_value(a, b, c, d), dtype=np.float64)
        return {
            "confidence": confidence,
            "class_confidence": class_confidence,
            "ccp": class_confidence / (class_confidence + np.nan_to_num(rate_of_others)),
            "lift": confidence / (of_class / n_rows),
            "growth_rate": a / c,
            "strength": a * confidence,
            "p_value": p_value,
            "p_holm": holm(p_value),
            "p_bh": benjamini_hochberg(p_value),
        }
