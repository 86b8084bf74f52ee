"""Laws of what the report reads from scores, for any scores and however many ties."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewood.operating import operating_curve
from rarewood.report._model import describe_model
from rarewood.report._pooled import Pooled
from rarewood.report._reachability import reachability
from rarewood.report._scores import calibration, distribution


@st.composite
def pooled_scores(draw):
    """Labels and probabilities with both classes, few different values or many."""
    n = draw(st.integers(2, 60))
    n_values = draw(st.sampled_from([1, 2, 5, 1000]))
    numbers = draw(st.lists(st.integers(0, n_values), min_size=n, max_size=n))
    is_rare = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    is_rare[0], is_rare[1] = True, False
    return Pooled(
        y=is_rare.astype(np.int64),
        is_rare=is_rare,
        predicted_rare=np.array(numbers) * 2 >= n_values,
        score=np.array(numbers) / n_values,
        is_probability=True,
    )


@given(pooled_scores(), st.integers(1, 12))
def test_bins_hold_every_row_once_and_never_divide_equal_scores(pooled, n_bins):
    found = calibration(pooled, 1.0, n_bins)
    for kind in ("bins", "rare_bins"):
        bins = found[kind]
        assert len(bins) <= n_bins
        assert sum(one["n"] for one in bins) == pytest.approx(len(pooled))
        assert sum(one["n_rare"] for one in bins) == pytest.approx(pooled.n_rare)
        assert all(a["to"] < b["from"] for a, b in pairwise(bins))
        for one in bins:
            assert one["from"] - 1e-12 <= one["predicted"] <= one["to"] + 1e-12


@given(st.integers(1, 12), st.integers(1, 10))
def test_bins_of_distinct_scores_are_equally_large(n_bins, times):
    n = n_bins * times + 1
    is_rare = np.arange(n) % 2 == 0
    pooled = Pooled(is_rare.astype(np.int64), is_rare, is_rare, np.arange(n) / n, True)
    sizes = [one["n"] for one in calibration(pooled, 1.0, n_bins)["bins"]]
    assert len(sizes) == n_bins
    assert max(sizes) - min(sizes) <= 1


@given(pooled_scores())
def test_the_steepest_stretch_is_found_by_trying_all(pooled):
    curve = operating_curve(pooled.is_rare, pooled.score, pos_label=True)
    reach = reachability(pooled, curve, (0.0, 1.0), 0.5)
    rare = pooled.score[pooled.is_rare]
    shares = [((rare >= low) & (rare <= low + 0.1)).mean() for low in rare]
    assert reach["steepest"]["fraction"] == pytest.approx(max(shares))
    assert reach["at_default"]["recall"] == pytest.approx((rare >= 0.5).mean())
    assert len(reach["sentences"]) >= 2


@given(pooled_scores())
def test_histograms_add_up(pooled):
    found = distribution(pooled, ["common", "rare"], 1, (0.0, 1.0))
    for one in found["classes"]:
        assert sum(one["fractions"]) == pytest.approx(1)


@given(pooled_scores(), st.sampled_from([8, 20, 400]))
def test_every_kept_point_is_a_point_of_the_curve(pooled, n_points):
    kept = describe_model("m", pooled, ["common", "rare"], 1, len(pooled), n_points)["curve"]
    for threshold, tp, fp in zip(kept["threshold"], kept["tp"], kept["fp"], strict=True):
        alerted = pooled.score >= threshold
        assert (tp, fp) == ((alerted & pooled.is_rare).sum(), (alerted & ~pooled.is_rare).sum())
    assert all(a > b for a, b in pairwise(kept["threshold"]))
    assert (kept["tp"][-1], kept["fp"][-1]) == (pooled.n_rare, len(pooled) - pooled.n_rare)
    assert len(kept["threshold"]) <= 2 * n_points + 1
