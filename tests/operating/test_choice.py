"""Choosing a threshold: rules and their texts, intervals, and whether these hold."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from scipy.stats import norm

from rarewood.operating import (
    AlertBudget,
    BestF,
    Confusion,
    Costs,
    LowestCost,
    PrecisionFloor,
    RecallFloor,
    choose_threshold,
    operating_curve,
)
from rarewood.operating._choice import choose_on_curve
from rarewood.operating._resamples import draw_resamples
from rarewood.operating._rule_text import as_rule
from rarewood.operating._rules import GivenThreshold

RNG = np.random.default_rng(3)
Y = RNG.random(4000) < 0.03
SCORES = RNG.normal(size=4000) + 2 * Y


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("f", BestF()),
        ("F1", BestF(1)),
        ("f0.5", BestF(0.5)),
        ("recall >= 0.9", RecallFloor(0.9)),
        ("recall>=90%", RecallFloor(0.9)),
        ("precision>=.5", PrecisionFloor(0.5)),
        ("alerts<=50", AlertBudget(50)),
        ("alerts <= 20 / 1000", AlertBudget(20, per=1000)),
        ("alerts<=2%", AlertBudget(2, per=100)),
        ("cost: fp=1, fn=20", LowestCost(1, 20)),
        ("cost:fn=20,fp=1.5,tp=-3", LowestCost(1.5, 20, -3)),
        (0.5, GivenThreshold(0.5)),
        (np.float32(0.5), GivenThreshold(0.5)),
        (RecallFloor(0.5), RecallFloor(0.5)),
    ],
)
def test_texts_mean_rules(text, rule):
    assert as_rule(text) == rule
    assert pickle.loads(pickle.dumps(as_rule(text))) == rule


@pytest.mark.parametrize("text", ["", "g", "recall<=0.9", "recall>=1.5", "alerts<=0", "f0",
                                  "cost:fp=1", "cost:fp=1,fn=2,fp=3", "cost:fp=1,fn=0.5x",
                                  "alerts<=2000/1000", "precision>=0", float("nan")])  # fmt: skip
def test_texts_that_mean_nothing(text):
    with pytest.raises(ValueError):
        as_rule(text)
    with pytest.raises(TypeError, match="A rule must be text"):
        as_rule(None)


def test_measures_of_the_chosen_point():
    point = choose_threshold(Y, SCORES, "recall>=0.8", costs=Costs(1, 30), random_state=0)
    alerted = point.threshold <= SCORES
    assert point.recall.observed == pytest.approx(alerted[Y].mean())
    assert point.recall.observed >= 0.8
    assert point.precision.observed == pytest.approx(Y[alerted].mean())
    assert point.alerts_per_1000.observed == pytest.approx(1000 * alerted.mean())
    cost = (alerted & ~Y).sum() + 30 * (~alerted & Y).sum()
    assert point.cost_per_1000.observed == pytest.approx(1000 * cost / 4000)
    assert point.reached
    assert point.interval[0] <= point.threshold <= point.interval[1]
    for name in ("recall", "precision", "f", "alerts_per_1000", "cost_per_1000"):
        found = getattr(point, name)
        assert found.interval[0] < found.expected < found.interval[1]
    written = point.to_dict()
    assert json.loads(json.dumps(written, allow_nan=False)) == written
    assert "recall of at least 0.8" in str(point)


def test_the_same_seed_gives_the_same_intervals():
    first, again, other = (choose_threshold(Y, SCORES, "f2", random_state=s) for s in (1, 1, 2))
    assert first.to_dict() == again.to_dict()
    assert first.to_dict() != other.to_dict()
    assert first.threshold == other.threshold


def test_without_resamples_nothing_is_claimed():
    point = choose_threshold(Y, SCORES, n_bootstrap=0)
    assert np.isnan(point.interval).all()
    assert np.isnan(point.recall.expected)
    assert json.dumps(point.to_dict(), allow_nan=False)
    assert "observed" in str(point)


def test_what_is_maximised_is_expected_to_be_lower_on_new_rows():
    point = choose_threshold(Y, SCORES, "f", random_state=0)
    assert point.f.expected < point.f.observed
    narrow = choose_threshold(Y, SCORES, "f", confidence=0.5, random_state=0)
    assert point.f.interval[0] < narrow.f.interval[0] < narrow.f.interval[1] < point.f.interval[1]


def test_a_given_threshold_has_no_optimism():
    point = choose_threshold(Y, SCORES, 1.5, random_state=0, n_bootstrap=4000)
    assert point.threshold == 1.5 == point.interval[0] == point.interval[1]
    assert point.counts.alerts == (SCORES >= 1.5).sum()
    assert point.recall.expected == pytest.approx(point.recall.observed, abs=0.005)


def test_a_precision_out_of_reach():
    y, scores = [0, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    with pytest.raises(ValueError, match=r"precision is 0\.333.*threshold 0\.4.*recall of 1"):
        choose_threshold(y, scores, "precision>=0.9")
    point = choose_threshold(y, scores, "precision>=0.9", unreachable="closest", random_state=0)
    assert not point.reached
    assert point.reached_fraction < 1
    assert point.threshold == 0.4  # as precise as 0.7, and finds more
    assert "NOT reached" in str(point)


def test_a_budget_too_small_for_tied_scores():
    with pytest.warns(UserWarning, match="No sample raises an alert"):
        point = choose_threshold([1, 0, 0, 0], [0.5] * 4, "alerts<=3", random_state=0)
    assert point.counts.alerts == 0
    assert np.isnan(point.precision.observed)
    assert json.dumps(point.to_dict(), allow_nan=False)


def test_one_rare_row_is_not_certainty():
    point = choose_threshold([0] * 99 + [1], np.arange(100), "f", random_state=0)
    assert point.recall.observed == 1
    assert point.recall.interval[0] < 0.3


def test_intervals_do_not_depend_on_the_scale_of_weights():
    weights = np.where(Y, 1.0, 10.0)
    one = choose_threshold(Y, SCORES, "f", sample_weight=weights, random_state=0)
    other = choose_threshold(Y, SCORES, "f", sample_weight=weights / 1024, random_state=0)
    assert one.threshold == other.threshold
    assert one.precision.interval == pytest.approx(other.precision.interval)
    assert one.precision.observed < choose_threshold(Y, SCORES, one.threshold).precision.observed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unreachable": "x"}, "'raise' or 'closest'"),
        ({"n_bootstrap": -1}, "0 or more"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"by": "best"}, "Unknown rule 'best'"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        choose_threshold(Y, SCORES, **options)


@pytest.mark.parametrize("rule", [BestF(), RecallFloor(0.9), AlertBudget(30, per=1000),
                                  PrecisionFloor(0.5), LowestCost(1, 15)], ids=str)  # fmt: skip
@pytest.mark.parametrize(("n", "share"), [(500, 0.04), (3000, 0.03)])
def test_intervals_hold_the_long_run_value(rule, n, share):
    """Normal scores, so the true value at any threshold is known. 95 per cent are promised."""
    rng = np.random.default_rng(0)
    costs = Costs(1, 15)
    held, naive = {}, []
    for trial in range(100):
        y = rng.random(n) < share
        scores = rng.normal(size=n) + 2 * y
        curve = operating_curve(y, scores, pos_label=True)
        point = choose_on_curve(
            curve, rule, costs=costs, unreachable="closest", n_bootstrap=200,
            random_state=trial,
        )  # fmt: skip
        recall, alarms = norm.sf(point.threshold - 2), norm.sf(point.threshold)
        truth = Confusion(share * recall, (1 - share) * alarms, share * (1 - recall),
                          (1 - share) * (1 - alarms))  # fmt: skip
        true_values = {
            "recall": truth.recall, "precision": truth.precision, "f": truth.f(),
            "alerts_per_1000": truth.alerts_per_1000, "cost_per_1000": truth.cost_per_1000(costs),
        }  # fmt: skip
        drawn = draw_resamples(
            curve, rule, int(rule.choose(curve)), n_resamples=200, stratify=False, seed=trial
        )
        low, high = np.quantile(drawn.inside.recall, [0.025, 0.975])
        naive.append(low <= truth.recall <= high)
        for name, value in true_values.items():
            low, high = getattr(point, name).interval
            held.setdefault(name, []).append(low <= value <= high)
    # Three standard deviations of 100 trials below 95 per cent are 88 per cent.
    assert {name: np.mean(found) for name, found in held.items() if np.mean(found) < 0.88} == {}
    # Percentiles of what resamples see miss what a floor on recall leads to more often than not.
    if rule == RecallFloor(0.9):
        assert np.mean(naive) < 0.6
