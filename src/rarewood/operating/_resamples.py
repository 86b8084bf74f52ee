"""Resamples of labelled scores, drawn as counts between candidate thresholds.

A resample is not drawn row by row. What a rule can choose in a resample is among few thresholds
(:meth:`Rule.candidates`), and all that matters of the rows between two of them is how many were
drawn. These numbers have a multinomial distribution, so a resample of a million rows with a hundred
rare ones costs some two hundred random numbers, and is exactly what drawing rows would give.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.operating._confusion import Confusion
from rarewood.operating._curve import OperatingCurve
from rarewood.operating._rules import GivenThreshold, Rule

__all__ = ["Resamples", "draw_resamples"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
_BLOCK = 2**18  # counts held at once
_FEW = 8


class Resamples(NamedTuple):
    """What happened in each resample.

    ``places`` are those of the chosen thresholds on the curve of all rows; ``inside`` counts the
    rows of the resample at the threshold that was chosen in it, ``outside`` all rows at that
    threshold, and ``fixed`` the rows of the resample at the threshold chosen from all rows.
    """

    places: Places
    inside: Confusion
    outside: Confusion
    fixed: Confusion
    reached: NDArray[np.bool_]


def draw_resamples(
    curve: OperatingCurve,
    rule: Rule,
    chosen: int,
    n_resamples: int,
    stratify: bool,
    seed: int,
) -> Resamples:
    """Draw rows anew many times, and choose a threshold each time.

    Parameters
    ----------
    curve : OperatingCurve
        Of all rows.
    rule : Rule
        How the threshold is chosen.
    chosen : int
        Place of the threshold chosen from all rows.
    n_resamples : int
        How often.
    stratify : bool
        Whether each class keeps its size. Otherwise the sizes vary as those of a random sample do,
        but no class is absent.
    seed : int
        Of the random numbers.

    Returns
    -------
    resamples : Resamples
        Counts, one for each resample.
    """
    candidates = np.union1d(rule.candidates(curve), chosen)
    positive = _Side(curve.tp[candidates], curve.n_effective[0])
    negative = _Side(curve.fp[candidates], curve.n_effective[1])
    place = int(np.searchsorted(candidates, chosen))
    sizes_rng, positive_rng, negative_rng = np.random.default_rng(seed).spawn(3)
    sizes = _sizes(positive.n, negative.n, n_resamples, stratify, sizes_rng)
    block = max(1, _BLOCK // len(candidates))
    parts = []
    for start in range(0, n_resamples, block):
        n_positive = sizes[start : start + block]
        n_negative = positive.n + negative.n - n_positive
        tp = positive.draw(n_positive, positive_rng)
        fp = negative.draw(n_negative, negative_rng)
        counts = Confusion(tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
        is_given = isinstance(rule, GivenThreshold)
        picks = np.full(len(tp), place) if is_given else rule.choose(counts)
        inside = counts.take((np.arange(len(picks)), picks))
        parts.append((picks, inside, counts.take((slice(None), place)), rule.reached(inside)))
    places = candidates[np.concatenate([part[0] for part in parts])]
    return Resamples(
        places,
        _joined([part[1] for part in parts]),
        curve.take(places),
        _joined([part[2] for part in parts]),
        np.concatenate([part[3] for part in parts]),
    )


class _Side:
    """The rows of one side, rare or not: how many there are between candidate thresholds."""

    def __init__(self, running: NDArray[Any], effective: float) -> None:
        self.n = max(1, round(effective))
        total = float(running[-1])
        self.weight = total / self.n  # of a row that is drawn; 1 without weights
        steps = np.diff(running, prepend=0)
        self.shares = steps / total
        self.gaps: Places | None = None
        if steps.dtype.kind == "i" and self.n < _FEW * len(steps):
            # So few rows lie between candidates that it is quicker to draw the rows themselves.
            self.gaps = np.repeat(np.arange(len(steps)), steps)

    def draw(self, sizes: NDArray[np.int64], rng: np.random.Generator) -> Floats:
        """Return how many rows lie above each candidate, for resamples of some sizes."""
        drawn = rng.multinomial(sizes, self.shares) if self.gaps is None else self._rows(sizes, rng)
        running = np.cumsum(drawn, axis=1, dtype=np.float64)
        running *= self.weight
        return running

    def _rows(self, sizes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        assert self.gaps is not None
        drawn = np.empty((len(sizes), len(self.shares)), dtype=np.int64)
        for number, size in enumerate(sizes):
            rows = rng.integers(len(self.gaps), size=size, dtype=np.int64)
            drawn[number] = np.bincount(self.gaps[rows], minlength=drawn.shape[1])
        return drawn


def _sizes(
    n_positive: int, n_negative: int, n_resamples: int, stratify: bool, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the number of rare rows of each resample."""
    n = n_positive + n_negative
    if stratify:
        return np.full(n_resamples, n_positive)
    sizes = rng.binomial(n, n_positive / n, n_resamples)
    while (bad := (sizes == 0) | (sizes == n)).any():
        sizes[bad] = rng.binomial(n, n_positive / n, int(bad.sum()))
    return sizes


def _joined(parts: list[Confusion]) -> Confusion:
    names = ("tp", "fp", "fn", "tn")
    return Confusion(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
