"""Operating curves: hand-made counts, what they accept, and what they refuse."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rarewood.operating import Confusion, Costs, operating_curve

Y = ["no", "no", "yes", "no", "yes", "no"]
SCORES = [0.1, 0.2, 0.3, 0.3, 0.9, 0.0]


def test_counts_by_hand():
    curve = operating_curve(Y, SCORES)
    assert curve.pos_label == "yes"
    assert (curve.n_samples, curve.n_positive, len(curve)) == (6, 2, 6)
    assert curve.threshold[0] > 0.9
    assert curve.threshold[1:].tolist() == [0.9, 0.3, 0.2, 0.1, 0.0]
    assert curve.tp.tolist() == [0, 1, 2, 2, 2, 2]
    assert curve.fp.tolist() == [0, 0, 1, 2, 3, 4]
    assert curve.fn.tolist() == [2, 1, 0, 0, 0, 0]
    assert curve.tn.tolist() == [4, 4, 3, 2, 1, 0]
    assert curve.alerts.tolist() == [0, 1, 3, 4, 5, 6]
    assert np.isnan(curve.precision[0])
    np.testing.assert_allclose(curve.precision[1:], [1, 2 / 3, 1 / 2, 2 / 5, 1 / 3])
    np.testing.assert_allclose(curve.recall, [0, 0.5, 1, 1, 1, 1])
    np.testing.assert_allclose(curve.f(), [0, 2 / 3, 4 / 5, 4 / 6, 4 / 7, 1 / 2])
    np.testing.assert_allclose(curve.cost(Costs(fp=1, fn=5)), [10, 5, 1, 2, 3, 4])
    np.testing.assert_allclose(curve.alerts_per_1000, np.array([0, 1, 3, 4, 5, 6]) / 0.006)


def test_measures_of_four_counts_by_hand():
    counts = Confusion(tp=30, fp=20, fn=10, tn=940)
    assert counts.recall == 0.75
    assert counts.precision == 0.6
    assert counts.f() == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert counts.f(2) == pytest.approx(5 * 0.6 * 0.75 / (4 * 0.6 + 0.75))
    assert counts.f(0.5) == pytest.approx(1.25 * 0.6 * 0.75 / (0.25 * 0.6 + 0.75))
    assert counts.alerts_per_1000 == 50
    assert counts.false_positive_rate == 20 / 960
    costs = Costs(fp=2, fn=100, tp=-10, tn=0.5)
    assert counts.cost(costs) == 40 + 1000 - 300 + 470
    assert counts.cost_per_1000(costs) == pytest.approx(1210)


def test_any_threshold_alerts_what_is_at_least_that_high():
    curve = operating_curve(Y, SCORES)
    for threshold, alerts in [(5, 0), (0.9, 1), (0.5, 1), (0.3, 3), (np.nextafter(0.3, 1), 1),
                              (-1, 6), (np.inf, 0), (-np.inf, 6)]:  # fmt: skip
        assert curve.at(threshold).alerts == alerts
    with pytest.raises(ValueError, match="NaN"):
        curve.at(np.nan)


@pytest.mark.parametrize(
    "labels",
    [
        [False, False, True, False, True, False],
        [0, 0, 1, 0, 1, 0],
        [2.0, 2.0, -1.0, 2.0, -1.0, 2.0],
        np.array(Y, dtype=object),
        pd.Series(Y),
        pd.Series(Y, dtype="category"),
        pl.Series(Y),
    ],
)
def test_labels_of_any_type(labels):
    curve = operating_curve(labels, SCORES)
    assert curve.tp.tolist() == [0, 1, 2, 2, 2, 2]
    json.dumps(curve.to_dict(), allow_nan=False)


def test_the_column_of_the_rare_class_is_taken():
    matrix = np.column_stack((SCORES, 1 - np.array(SCORES)))  # the rare class sorts first
    labels = ["a" if y == "yes" else "b" for y in Y]
    assert operating_curve(labels, matrix).tp.tolist() == [0, 1, 2, 2, 2, 2]
    assert operating_curve(labels, pd.DataFrame(matrix)).tp.tolist() == [0, 1, 2, 2, 2, 2]
    other = operating_curve(labels, matrix, pos_label="b")
    assert (other.pos_label, other.n_positive) == ("b", 4)
    assert other.threshold[1] == 1.0


def test_the_rare_class_against_the_rest():
    labels = ["x", "y", "rare", "x", "rare", "y", "y", "x"]
    matrix = np.random.default_rng(0).dirichlet([1, 1, 1], 8)
    curve = operating_curve(labels, matrix)
    assert (curve.pos_label, curve.n_positive, curve.n_samples) == ("rare", 2, 8)
    assert sorted(curve.threshold[1:]) == sorted(matrix[:, 0])


def test_of_equally_rare_classes_the_last_as_scikit_learn_has_it():
    assert operating_curve([0, 1], [0.2, 0.7]).pos_label == 1


def test_one_rare_row_and_constant_scores():
    curve = operating_curve([0, 0, 0, 1], [0.5] * 4)
    assert curve.tp.tolist() == [0, 1]
    assert curve.fp.tolist() == [0, 3]
    assert curve.corners().tolist() == [0, 1]
    assert curve.thin(8).tolist() == [0, 1]


def test_weights_of_any_size_add_up():
    rng = np.random.default_rng(0)
    y, weights = rng.random(500) < 0.1, rng.random(500)
    curve = operating_curve(y, rng.random(500), sample_weight=weights)
    assert curve.fn[-1] == 0 == curve.tn[-1]
    assert (np.diff(curve.tp) >= 0).all()
    assert curve.n_samples == pytest.approx(weights.sum())
    mine = weights[y]
    assert curve.n_effective[0] == pytest.approx(mine.sum() ** 2 / (mine**2).sum())


@pytest.mark.parametrize(
    ("y", "scores", "options", "message"),
    [
        (Y, [*SCORES[:5], np.nan], {}, "1 of the scores are NaN or infinite, first nan in row 5"),
        (Y, [-np.inf, *SCORES[1:]], {}, "first -inf in row 0"),
        (Y, SCORES[:5], {}, "differ in length: 5 and 6"),
        (["no"] * 6, SCORES, {}, "1 class"),
        (Y, SCORES, {"pos_label": "maybe"}, "got .maybe."),
        (Y, np.zeros((6, 3)), {}, "one column for each of the 2 classes"),
        (Y, ["high"] * 6, {}, "scores must be numbers"),
        (Y, SCORES, {"sample_weight": [1, 1, 0, 1, 0, 1], "pos_label": "yes"}, "have weight zero"),
        (Y, SCORES, {"sample_weight": [1, 1, -1, 1, 0, 1]}, "Negative"),
        ([None, *Y[1:]], SCORES, {}, "missing"),
        (Y, [*SCORES[:5], np.finfo(float).max], {}, "scale the scores"),
    ],
)
def test_what_is_refused(y, scores, options, message):
    with pytest.raises(ValueError, match=message):
        operating_curve(y, scores, **options)


@pytest.mark.parametrize("bad", [{"fp": 0, "fn": 1}, {"fp": 1, "fn": 2, "tp": 2},
                                 {"fp": float("nan"), "fn": 1}, {"fp": "1", "fn": 2}])  # fmt: skip
def test_costs_must_make_sense(bad):
    with pytest.raises(ValueError, match="cost"):
        Costs(**bad)


def test_the_threshold_of_costs_is_the_cheapest_for_calibrated_probabilities():
    rng = np.random.default_rng(0)
    proba = rng.beta(1, 9, 200_000)
    curve = operating_curve(rng.random(200_000) < proba, proba)
    costs = Costs(fp=1, fn=9, tp=0.5)
    cheapest = curve.cost_per_1000(costs).min()
    assert curve.at(costs.threshold).cost_per_1000(costs) == pytest.approx(cheapest, rel=5e-3)
    assert curve.at(0.5).cost_per_1000(costs) > 1.2 * cheapest


def test_a_long_curve_is_thinned():
    rng = np.random.default_rng(1)
    y = rng.random(50_000) < 0.01
    curve = operating_curve(y, rng.normal(size=50_000) + 2 * y)
    written = curve.to_dict(256)
    assert 200 < len(written["threshold"]) <= 256
    assert written["n_points"] == len(curve) > 49_000
    # No gap of recall, nor of alerts on a logarithmic scale, is large.
    assert np.diff(written["recall"]).max() < 0.03
    assert np.diff(np.log1p(written["alerts"])).max() < 0.8
    assert max(written["f1"]) == curve.f().max()
    with pytest.raises(ValueError, match="at least 8"):
        curve.thin(3)
