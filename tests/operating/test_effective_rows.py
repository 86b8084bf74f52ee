"""Rows that are there several times are drawn from all of them, but count once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rarewood.operating import operating_curve
from rarewood.operating._resamples import _Side, draw_resamples
from rarewood.operating._rules import BestF

REPEATS = 5


@pytest.mark.parametrize("few", [True, False])
def test_draws_are_right_in_the_mean(few):
    steps = np.array([1, 2, 3, 4, 5] * 4 if few else [400, 100, 500])
    running = np.cumsum(steps)
    side = _Side(running, running[-1] / REPEATS)
    assert (side.gaps is not None) == few
    drawn = side.draw(np.full(4000, side.n), np.random.default_rng(0))
    np.testing.assert_allclose(drawn[:, -1], running[-1])
    error = running[-1] / np.sqrt(side.n) / np.sqrt(4000)
    np.testing.assert_allclose(drawn.mean(axis=0), running, atol=5 * error)


def test_repeated_rows_give_the_intervals_of_the_rows_themselves():
    draw = np.random.RandomState(0)
    is_rare = np.arange(200) % 10 == 0
    score = np.round(draw.rand(200) * 0.6 + 0.3 * is_rare, 2)
    once = operating_curve(is_rare, score, pos_label=True)
    often = operating_curve(np.tile(is_rare, REPEATS), np.tile(score, REPEATS), pos_label=True)
    often = replace(often, n_effective=once.n_effective)
    rule = BestF()
    widths = []
    for curve in (once, often):
        chosen = int(np.argmax(2 * curve.tp / (curve.tp + curve.fp + curve.n_positive)))
        found = draw_resamples(curve, rule, chosen, 2000, False, 0)
        recall = found.fixed.tp / (found.fixed.tp + found.fixed.fn)
        widths.append((recall.mean(), recall.std()))
    np.testing.assert_allclose(*widths, rtol=0.1)
