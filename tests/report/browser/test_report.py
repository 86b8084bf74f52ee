"""The report in a real browser: it shows what Python computes, wherever the slider is."""

from __future__ import annotations

import numpy as np
import pytest

from rarewood.operating import (
    AlertBudget,
    BestF,
    Costs,
    LowestCost,
    RecallFloor,
    operating_curve,
)
from rarewood.operating._extremes import alert_warning
from rarewood.operating._point import measures
from support.report_pages import costly
from support.reported import NASTY, binary

SCORED = ["tree", "forest", "logistic", "svm"]


def test_it_opens_with_the_verdict_at_the_threshold_of_the_goal(visit, pages):
    seen = visit(pages["goal"])
    verdict, model = costly()["verdict"], costly()["models"][0]
    assert seen.text("#verdict") == verdict["sentence"]
    assert "Only a test." in seen.text(".verdict")
    assert seen.value("#threshold") == model["goal"]["threshold"]
    assert seen.text("#model option:checked") == verdict["label"] == f"the {model['name']} (test)"
    assert "lowest cost (fp 2, fn 30)" in seen.text("#message")
    values = [seen.page.input_value(f"#cost-{name}") for name in ("fp", "fn", "tp")]
    assert values == ["2", "30", "0"]
    rows = seen.page.locator("#goals tbody tr").all_inner_texts()
    names = [one["label"] for one in costly()["models"] if one["goal"]]
    names += [one["name"] for one in costly()["goal"]["baselines"]]
    assert [row.split("\t")[0] for row in rows] == names


@pytest.mark.parametrize("name", ["forest", "svm"])
def test_the_intervals_at_any_threshold_are_those_of_python(visit, pages, name):
    seen = visit(pages["goal"])
    seen.choose(f"the {name} (test)")
    curve, costs = curve_of(name), Costs(fp=2, fn=30)
    positive = curve.n_positive / 3  # each row once, although three repeats tested it
    negative = (curve.n_samples - curve.n_positive) / 3
    per_weight = positive / curve.n_positive, negative / (3 * negative)
    shown = {"recall": "recall", "precision": "precision", "alerts_per_1000": "alerts",
             "cost_per_1000": "cost"}  # fmt: skip
    for place in (0, 5, 60, 200):
        seen.move(place)
        counts = curve.at(seen.value("#threshold"))
        for measure in measures(1.0, costs, per_weight):
            if measure.name == "f" or np.isnan(measure.value(counts)):
                continue
            interval = seen.page.locator(f"#{shown[measure.name]}-interval")
            ends = [float(interval.get_attribute(f"data-{end}")) for end in ("low", "high")]
            assert ends == pytest.approx(measure.floor(counts, 0.95), abs=1e-9), measure.name
        assert seen.text("#extreme") == (alert_warning(counts) or "")


def curve_of(name, case=binary):
    """The whole curve of a model, from its out-of-fold predictions."""
    found = case().results.predictions(case().results.datasets[0], name)
    positive = found.pos_index
    return operating_curve(found.y == positive, found.scores[:, positive], pos_label=True)


def shown_counts(visit):
    return [visit.value(f"#{name}") for name in ("tp", "fp", "fn", "tn")]


def expected_counts(counts, n_repeats=3):
    return [getattr(counts, name) / n_repeats for name in ("tp", "fp", "fn", "tn")]


def percent(text):
    return float(text.removesuffix("%")) / 100


def number(text):
    return float(text.replace(",", ""))


def kept_of(name, case=binary):
    """The points of the curve that the page has, and whether these are all."""
    curve, kept = curve_of(name, case), case().model(name)["curve"]["threshold"]
    places = np.searchsorted(-curve.threshold, -np.array(kept))
    assert curve.threshold[places].tolist() == kept
    return curve.take(places), curve.threshold[places], len(kept) == len(curve)


@pytest.mark.parametrize("name", SCORED)
def test_the_slider_shows_the_counts_that_python_computes(visit, pages, name):
    seen = visit(pages["binary"])
    seen.choose(name)
    curve, n = curve_of(name), len(binary().model(name)["curve"]["threshold"])
    for place in np.linspace(0, n - 1, 9).astype(int).tolist():
        seen.move(place)
        threshold = seen.value("#threshold")
        counts = curve.at(threshold)
        assert shown_counts(seen) == pytest.approx(expected_counts(counts))
        assert percent(seen.text("#recall")) == pytest.approx(counts.recall, abs=6e-4)
        if counts.alerts:
            assert percent(seen.text("#precision")) == pytest.approx(counts.precision, abs=6e-4)
        else:
            assert seen.text("#precision") == "–"
        assert float(seen.text("#f")) == pytest.approx(counts.f(), abs=6e-4)
        assert number(seen.text("#alerts")) == pytest.approx(counts.alerts_per_1000, abs=0.06)


def test_moving_right_means_fewer_alerts_and_keys_move_it(visit, pages):
    seen = visit(pages["binary"])
    seen.move(10)
    before = seen.value("#tp") + seen.value("#fp")
    seen.page.focus("#slider")
    seen.page.keyboard.press("ArrowRight")
    assert seen.value("#tp") + seen.value("#fp") < before
    seen.page.keyboard.press("End")
    assert shown_counts(seen)[:2] == [0, 0]
    seen.page.keyboard.press("Home")
    assert shown_counts(seen)[2:] == [0, 0]
    assert "recall 100.0%" in seen.page.get_attribute("#slider", "aria-valuetext")


@pytest.mark.parametrize("name", SCORED)
def test_best_f_is_the_one_of_python(visit, pages, name):
    seen, curve = visit(pages["binary"]), curve_of(name)
    seen.choose(name)
    for beta in (1.0, 2.0, 0.5):
        seen.page.fill("#beta", str(beta))
        seen.move(0)
        seen.page.click("[data-rule=best-f]")
        place = int(BestF(beta).choose(curve))
        assert seen.value("#threshold") == curve.threshold[place]
        assert shown_counts(seen) == pytest.approx(expected_counts(curve.take(place)))
        assert "Best F-measure" in seen.text("#message")


def test_one_curve_is_whole_and_another_one_thinned():
    assert kept_of("tree")[2]  # so that both kinds are among the following tests
    assert not kept_of("logistic")[2]


@pytest.mark.parametrize("name", ["tree", "logistic"])
def test_recall_at_least_is_the_one_of_python(visit, pages, name):
    seen, (counts, threshold, _) = visit(pages["binary"]), kept_of(name)
    seen.choose(name)
    for recall in (50, 75, 90, 100):
        seen.page.fill("#goal-recall", str(recall))
        seen.page.click("[data-rule=recall-at-least]")
        place = int(RecallFloor(recall / 100).choose(counts))
        assert seen.value("#threshold") == threshold[place]
        # Though one curve is thinned: every point that gains a rare row is there.
        whole = curve_of(name)
        assert threshold[place] == whole.threshold[int(RecallFloor(recall / 100).choose(whole))]
        assert percent(seen.text("#recall")) >= recall / 100 - 6e-4


@pytest.mark.parametrize("name", ["tree", "logistic"])
def test_alerts_at_most_is_the_one_of_python(visit, pages, name):
    seen, (counts, threshold, _) = visit(pages["binary"]), kept_of(name)
    seen.choose(name)
    for most in (1, 20, 100, 333.5):
        seen.page.fill("#goal-alerts", str(most))
        seen.page.click("[data-rule=alerts-at-most]")
        place = int(AlertBudget(most, per=1000).choose(counts))
        assert seen.value("#threshold") == threshold[place]
        assert number(seen.text("#alerts")) <= most


@pytest.mark.parametrize("name", SCORED)
def test_typed_costs_change_the_cost_and_lowest_cost_is_the_one_of_python(visit, pages, name):
    seen, curve = visit(pages["binary"]), curve_of(name)
    seen.choose(name)
    for fn, fp, tp in ((5, 1, 0), (100, 2, 1), (1, 1, 0.5)):
        for field, value in (("fn", fn), ("fp", fp), ("tp", tp)):
            seen.page.fill(f"#cost-{field}", str(value))
        costs = Costs(fp=fp, fn=fn, tp=tp)
        here = curve.at(seen.value("#threshold"))
        assert seen.value("#cost") == pytest.approx(here.cost_per_1000(costs), rel=1e-9)
        seen.page.click("#lowest-cost")
        place = int(LowestCost(fp=fp, fn=fn, tp=tp).choose(curve))
        expected = curve.take(place).cost_per_1000(costs)
        assert seen.value("#cost") == pytest.approx(expected, rel=1e-9)
        assert seen.value("#threshold") == curve.threshold[place]


def test_invalid_costs_are_reported(visit, pages):
    seen = visit(pages["binary"])
    seen.page.fill("#cost-fn", "abc")
    assert seen.page.is_disabled("#lowest-cost")
    assert seen.text("#cost") == "–"
    assert "must cost more" in seen.text("#cost-error")
    seen.page.fill("#cost-fn", "7")
    assert not seen.page.is_disabled("#lowest-cost")
    assert seen.page.is_hidden("#cost-error")


def test_a_typed_threshold_moves_to_the_next_kept_one_and_says_so(visit, pages):
    seen, curve = visit(pages["binary"]), curve_of("tree")
    seen.choose("tree")
    seen.type("#threshold", "0.3337")
    kept = curve.threshold[curve.place(0.3337)]
    assert seen.value("#threshold") == kept > 0.3337
    assert shown_counts(seen) == pytest.approx(expected_counts(curve.at(0.3337)))
    assert "which alerts the same rows" in seen.text("#message")
    assert "0.3337 was set to" in seen.text("#message")
    seen.type("#threshold", "2")
    assert "No row is alerted" in seen.text("#message")
    seen.type("#threshold", "many")
    assert "Enter a number" in seen.text("#message")


def test_selecting_a_model_updates_the_page(visit, pages):
    seen = visit(pages["binary"])
    words = {}
    for name in SCORED:
        seen.choose(name)
        words[name] = seen.text("#reach-words")
        assert words[name].split("\n")[0] == binary().model(name)["reachability"]["sentences"][0]
        assert set(seen.page.locator(".model-name").all_inner_texts()) == {name}
        has_probabilities = name != "svm"
        assert seen.page.is_visible("#calibration") == has_probabilities
    assert len(set(words.values())) == 4
    seen.page.click("#legend button:has-text('forest')")
    assert seen.page.input_value("#model") == str(
        [m["name"] for m in binary().summary["models"]].index("forest")
    )


@pytest.mark.parametrize("name", [*SCORED, "labels"])
def test_rules_tree_and_importances_follow_the_model(visit, pages, name):
    seen = visit(pages["binary"])
    seen.choose(name)
    for panel in ("rules", "importance", "tree"):
        parts = seen.page.locator(f"#{panel} [data-explained]:visible")
        assert parts.count() == 1
        assert name in parts.inner_text()
        is_surrogate = panel != "importance" and name != "tree"
        assert ("A surrogate of" in parts.inner_text()) == is_surrogate
    assert seen.page.locator(".importances:visible svg").count() == (name != "labels")


def test_the_page_opens_with_cost_and_recall_and_answers_other_ones(visit, pages):
    seen = visit(pages["goal"])
    model = costly()["models"][0]
    expected = model["opening"]["capacity"]["recall"]["expected"]
    assert percent(seen.text("#opening-recall")) == pytest.approx(expected, abs=6e-4)
    assert number(seen.text("#opening-cost")) == pytest.approx(
        model["opening"]["costs"]["cost_per_1000"]["expected"], abs=0.6
    )
    assert "on new rows" in seen.text("#opening-cost-about")
    curve = curve_of(model["name"])
    seen.page.fill("#your-fn", "100")
    costs = LowestCost(fp=2, fn=100)
    best = curve.take(int(costs.choose(curve))).cost_per_1000(costs.costs)
    assert number(seen.text("#opening-cost")) == pytest.approx(best, abs=0.6)
    assert seen.page.input_value("#cost-fn") == "100"
    seen.page.fill("#your-rows", "500")
    seen.page.fill("#your-alerts", "10")
    counts = curve.take(int(AlertBudget(10, per=500).choose(curve)))
    assert percent(seen.text("#opening-recall")) == pytest.approx(counts.recall, abs=6e-4)
    assert seen.page.input_value("#goal-alerts") == "20"
    seen.page.fill("#your-alerts", "700")
    assert seen.text("#opening-recall") == "–"
    assert seen.page.get_attribute("#your-alerts", "aria-invalid") == "true"


def test_a_model_with_labels_only_shows_its_confusion_matrix(visit, pages):
    seen = visit(pages["binary"])
    seen.choose("labels")
    labels = binary().model("labels")["labels"]
    assert shown_counts(seen) == pytest.approx([labels[k] / 3 for k in ("tp", "fp", "fn", "tn")])
    assert seen.page.is_hidden("#slider")
    assert "only labels" in seen.text("#message")
    seen.choose("forest")
    assert seen.page.is_visible("#slider")


def test_another_metric_redraws_the_ranking(visit, pages):
    seen = visit(pages["binary"])
    before = seen.page.inner_html("#intervals")
    seen.page.select_option("#metric", "brier")
    assert "left is better" in seen.text("#intervals")
    assert seen.page.inner_html("#intervals") != before
    assert seen.page.locator("#diagram .elbow").count() == 3  # models with probabilities
    seen.page.set_viewport_size({"width": 390, "height": 800})
    seen.page.wait_for_selector("#diagram circle.elbow")  # the upright one of phones
    assert seen.page.locator("#diagram .elbow").count() == 3


def test_names_that_look_like_markup_are_shown_as_text(visit, pages):
    seen = visit(pages["nasty"])
    assert seen.text("h1") == NASTY
    assert seen.page.locator("[onmouseover]").count() == 0
    assert seen.page.title() == f"{NASTY}: rarewood report"
    assert f"tree {NASTY}" in seen.page.locator("#model option").all_inner_texts()
    names = seen.page.locator("#importances-0 text").evaluate_all(
        "texts => texts.map(text => text.querySelector('title')?.textContent)"
    )
    assert NASTY in names


def test_the_page_may_not_load_or_send_anything(visit, pages):
    seen = visit(pages["binary"])
    blocked = seen.page.evaluate(
        """async () => {
          const tries = [() => fetch('data:text/plain,x'), () => new Promise((resolve, reject) => {
            const image = new Image();
            image.onload = resolve; image.onerror = reject;
            image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
          })];
          const results = await Promise.allSettled(tries.map(one => one()));
          return results.map(result => result.status);
        }"""
    )
    assert blocked == ["rejected", "rejected"]
    # Chromium tells of both in the console, which is what this test wanted.
    assert all("Content Security Policy" in problem for problem in seen.problems)
    seen.problems.clear()
    seen.requests[:] = [uri for uri in seen.requests if not uri.startswith("data:")]
