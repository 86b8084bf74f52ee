"""Goals: models ranked by cost, by recall at a capacity, or by alerts for a recall."""

from __future__ import annotations

from html import unescape

import numpy as np
import pytest

from rarewood.operating import Costs, LowestCost, operating_curve
from rarewood.operating._extremes import alert_warning
from rarewood.operating._goals import as_goal
from rarewood.operating._rule_text import as_rule, rule_text
from rarewood.report import render, summarize
from rarewood.report._goal import goal_scores
from support.reported import binary

COST = "cost:fp=1,fn=15"


@pytest.fixture(scope="module")
def costly():
    case = binary()
    return summarize(case.results, case.X, case.y, models=case.models, goal=COST)


def naive(goal, found, repeat, fold):
    """The metric of a goal on a fold, by trying every score as the threshold."""
    is_rare, score = found.y == found.pos_index, found.scores[:, found.pos_index]
    here = (found.repeat == repeat) & (found.fold == fold)
    there = (found.repeat == repeat) & (found.fold != fold)

    def counts(rows, t):
        alert = score[rows] >= t
        rare = is_rare[rows]
        return (alert & rare).sum(), (alert & ~rare).sum(), (~alert & rare).sum()

    def thresholds(rows):
        return [np.inf, *sorted(set(score[rows].tolist()), reverse=True)]

    if goal.startswith("cost"):

        def cost(rows, t):
            _, fp, fn = counts(rows, t)
            return 1000 * (fp * 1 + fn * 15) / rows.sum()

        best = min(thresholds(there), key=lambda t: round(cost(there, t), 9))
        return cost(here, best)
    if goal.startswith("alerts"):
        most = 0.1 * here.sum() + 1e-9
        able = [t for t in thresholds(here) if sum(counts(here, t)[:2]) <= most]
        return counts(here, able[-1])[0] / is_rare[here].sum()
    for t in thresholds(here):
        tp, fp, _ = counts(here, t)
        if tp >= 0.8 * is_rare[here].sum() - 1e-9:
            return 1000 * (tp + fp) / here.sum()
    raise AssertionError


@pytest.mark.parametrize("goal", [COST, "alerts<=10%", "recall>=0.8"])
def test_the_metric_of_each_fold_is_that_of_a_naive_computation(goal):
    results = binary().results
    values = goal_scores(results, "small", as_goal(goal))
    splits = sorted({(cell.repeat, cell.fold) for cell in results.cells})
    for model in ("tree", "forest", "logistic"):
        found = results.predictions("small", model)
        row = values[results.models.index(model)]
        assert row.tolist() == pytest.approx([naive(goal, found, *split) for split in splits])
    assert np.isnan(values[results.models.index("labels")]).all()


def test_the_ranking_and_the_verdict_are_by_the_goal(costly):
    ranking = costly["ranking"]
    assert ranking["metric"] == "expected_cost"
    means = [one["mean"] for one in ranking["metrics"][0]["values"] if one["mean"] is not None]
    assert means == sorted(means)
    assert costly["verdict"]["metric"] == "expected_cost"
    assert "Its expected cost per 1,000 rows is" in costly["verdict"]["sentence"]


def test_baselines_need_no_model(costly):
    base = {one["name"]: one for one in costly["goal"]["baselines"]}
    rare = 1000 * costly["data"]["rare_fraction"]
    assert base["alert everyone"]["cost_per_1000"] == pytest.approx(1000 - rare)
    assert base["alert no one"]["cost_per_1000"] == pytest.approx(15 * rare)
    chance = base["random, as many alerts"]
    assert chance["recall"] == pytest.approx(chance["alerts_per_1000"] / 1000)


def test_the_threshold_of_a_model_and_its_cost_curve(costly):
    for model in costly["models"]:
        if not model["curve"]:
            assert model["goal"] is None
            continue
        found = binary().results.predictions("small", model["name"])
        curve = operating_curve(
            found.y == found.pos_index, found.scores[:, found.pos_index], pos_label=True
        )
        place = int(LowestCost(1, 15).choose(curve))
        assert model["goal"]["threshold"] == curve.threshold[place]
        assert model["goal"]["threshold"] in model["curve"]["threshold"]  # the page has it
        reached = model["goal"]["cost_per_1000"]
        assert reached["interval"][0] <= reached["expected"] <= reached["interval"][1]
        points = model["goal"]["cost_curve"]
        for k, threshold in enumerate(points["threshold"]):
            cost = curve.at(threshold).cost_per_1000(Costs(1, 15))
            assert points["cost"][k] == pytest.approx(cost)
            assert points["low"][k] <= cost + 1e-9
            assert points["high"][k] >= cost - 1e-9


def test_without_a_goal_there_is_none():
    assert binary().summary["goal"] is None
    assert all(model["goal"] is None for model in binary().summary["models"])


@pytest.mark.parametrize("goal", ["alerts<=10%", "recall>=0.8"])
def test_the_page_of_every_goal(goal):
    case = binary()
    page = render(summarize(case.results, case.X, case.y, models=case.models, goal=goal))
    assert "What each model reaches" in page


@pytest.mark.parametrize("goal", ["f", 0.3, "alerts<=50", "cost:fp=1,fn=2,tn=0.5"])
def test_what_is_no_goal_is_refused(goal):
    with pytest.raises(ValueError, match="Invalid `goal`"):
        as_goal(goal)


@pytest.mark.parametrize(
    "text",
    ["f", "f2", "recall>=0.9", "precision>=0.5", "alerts<=50", "alerts<=20/1000", "cost:fp=1,fn=20",
     "cost:fp=0.1,fn=20000000,tp=-3", "0.25"],
)  # fmt: skip
def test_the_text_of_a_rule_is_read_as_the_same_rule(text):
    rule = as_rule(float(text)) if text[0].isdigit() else as_rule(text)
    again = rule_text(rule)
    assert (as_rule(float(again)) if again[0].isdigit() else as_rule(again)) == rule


def test_thresholds_that_decide_nothing():
    curve = operating_curve([1] * 50 + [0] * 950, np.arange(1000)[::-1] / 1000)
    assert "alerts no one" in alert_warning(curve.at(2.0))
    assert alert_warning(curve.at(0.96)) is None
    assert alert_warning(curve.at(0.05)) == (
        "This threshold alerts nearly everyone: 95.0% of the rows."
    )
    assert alert_warning(curve.at(0.0)) == "This threshold alerts everyone."
    many = operating_curve([1] * 500 + [0] * 500, np.arange(1000)[::-1] / 1000)
    assert "nearly no one: it finds 0.40%" in alert_warning(many.at(0.9975))


def test_a_model_that_is_no_better_than_a_baseline_is_said():
    case = binary()
    cheap = summarize(case.results, case.X, case.y, goal="cost:fp=1,fn=5000")
    (caveat,) = cheap["verdict"]["caveats"]
    rare = cheap["data"]["rare_fraction"]
    everyone = f"{1000 * (1 - rare):,.0f}"
    assert f"expected cost per 1,000 rows is {everyone} for alert everyone, and" in caveat
    assert caveat in unescape(render(cheap))
    assert summarize(case.results, case.X, case.y, goal="alerts<=10%")["verdict"]["caveats"] == []


def test_intervals_of_a_cost_stay_between_the_prices():
    case = binary()
    goal = "cost:fp=10,fn=100,tp=-50"
    summary = summarize(case.results, case.X, case.y, goal=goal)
    values = summary["ranking"]["metrics"][0]["values"]
    low = [one["low"] for one in values if one["low"] is not None]
    assert min(low) >= -50_000
    free = summarize(case.results, case.X, case.y, goal=COST)["ranking"]["metrics"][0]["values"]
    assert all(one["low"] >= 0 for one in free if one["low"] is not None)
