"""Resamples of labelled scores, drawn as counts between candidate thresholds.

A rule can only choose among few thresholds (:meth:`Rule.candidates`), and only the numbers of
samples drawn between them matter. These have a multinomial distribution, so a resample of a million
samples with a hundred positives takes about two hundred random numbers, with exactly the
distribution of drawing single samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.operating._confusion import COUNTS, Confusion
from rarewood.operating._curve import OperatingCurve
from rarewood.operating._rules import GivenThreshold, Rule

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
_BLOCK = 2**18  # counts held at once
_FEW = 8


class Resamples(NamedTuple):
    """Choices and counts of each resample.

    ``places`` are the points chosen in the resamples, as indices of the curve of all samples.
    ``inside`` counts the samples of a resample at its own threshold, ``outside`` all samples at
    that threshold, and ``fixed`` the samples of a resample at the threshold chosen from all.
    """

    places: Places
    inside: Confusion
    outside: Confusion
    fixed: Confusion
    reached: NDArray[np.bool_]


def draw_resamples(
    curve: OperatingCurve, rule: Rule, chosen: int, n_resamples: int, stratify: bool, seed: int
) -> Resamples:
    """Draw resamples, and choose a threshold in each; ``chosen`` is the point of all samples.

    With ``stratify`` each class keeps its size. Otherwise the sizes vary as in a random sample, but
    no class is absent.
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
        parts.append((picks, inside, counts.take((slice(None), place))))
    all_picks, all_inside, all_fixed = zip(*parts, strict=True)
    places, inside = candidates[np.concatenate(all_picks)], _joined(all_inside)
    return Resamples(places, inside, curve.take(places), _joined(all_fixed), rule.reached(inside))


class _Side:
    """Numbers of positives, or of negatives, between the candidate thresholds."""

    def __init__(self, running: NDArray[Any], effective: float) -> None:
        self.n = max(1, round(effective))
        total = float(running[-1])
        self.weight = total / self.n  # of a drawn sample; 1 without weights
        steps = np.diff(running, prepend=0)
        self.fractions = steps / total
        self.gaps: Places | None = None
        if steps.dtype.kind == "i" and self.n < _FEW * len(steps):
            # With few samples between candidates it is faster to draw single samples.
            self.gaps = np.repeat(np.arange(len(steps)), steps)

    def draw(self, sizes: NDArray[np.int64], rng: np.random.Generator) -> Floats:
        """Return the counts above each candidate, in resamples of given sizes."""
        if self.gaps is None:
            drawn = rng.multinomial(sizes, self.fractions)
        else:
            drawn = np.empty((len(sizes), len(self.fractions)), dtype=np.int64)
            for number, size in enumerate(sizes):
                samples = rng.integers(len(self.gaps), size=size, dtype=np.int64)
                drawn[number] = np.bincount(self.gaps[samples], minlength=drawn.shape[1])
        running = np.cumsum(drawn, axis=1, dtype=np.float64)
        running *= self.weight
        return running


def _sizes(
    n_positive: int, n_negative: int, n_resamples: int, stratify: bool, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the number of positives in each resample."""
    n = n_positive + n_negative
    if stratify:
        return np.full(n_resamples, n_positive)
    sizes = rng.binomial(n, n_positive / n, n_resamples)
    while (bad := (sizes == 0) | (sizes == n)).any():
        sizes[bad] = rng.binomial(n, n_positive / n, int(bad.sum()))
    return sizes


def _joined(parts: Sequence[Confusion]) -> Confusion:
    return Confusion(*(np.concatenate([getattr(part, name) for part in parts]) for name in COUNTS))
