"""The numbers of the report, against scikit-learn's and against counting."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    confusion_matrix,
    log_loss,
    roc_auc_score,
)

from rarewood import presets
from rarewood.evaluate import compare
from rarewood.report import render, summarize
from support.reported import NASTY, binary, nasty, wine

PAGE = Path(__file__).parents[2] / "docs" / "report.md"
SCORED = ["tree", "forest", "logistic", "svm"]


def truth(case, name):
    """Labels (rare or not) and scores of the rare class, out of fold."""
    found = case.results.predictions(case.results.datasets[0], name)
    return found.y == found.pos_index, found.scores[:, found.pos_index]


@pytest.mark.parametrize("case", [binary, nasty, wine])
def test_a_summary_is_json_and_survives_it(case):
    summary = case().summary
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_the_same_input_gives_the_same_summary():
    case = binary()
    again = summarize(case.results, case.X, case.y, models=case.models)
    assert again == case.summary


@pytest.mark.parametrize("name", SCORED)
def test_counts_at_every_kept_threshold_are_those_of_scikit_learn(name):
    is_rare, score = truth(binary(), name)
    curve = binary().model(name)["curve"]
    for threshold, tp, fp in zip(curve["threshold"], curve["tp"], curve["fp"], strict=True):
        expected = confusion_matrix(is_rare, score >= threshold, labels=[False, True])
        assert (fp, tp) == tuple(expected[:, 1])
    assert len(curve["threshold"]) <= 801
    assert curve["n_points"] == len(np.unique(score)) + 1


@pytest.mark.parametrize("name", SCORED)
def test_areas_are_those_of_scikit_learn(name):
    is_rare, score = truth(binary(), name)
    model = binary().model(name)
    assert model["pooled_auc"] == pytest.approx(roc_auc_score(is_rare, score))
    assert model["pooled_average_precision"] == pytest.approx(
        average_precision_score(is_rare, score)
    )


def test_every_row_counts_once_for_each_repeat():
    model = binary().model("forest")
    n_rare = int((binary().y == "yes").sum())
    assert model["n_passes"] == 3
    assert (model["n_rows"], model["n_rare"]) == (3 * 600, 3 * n_rare)


def test_labels_are_those_of_scikit_learn():
    found = binary().results.predictions("small", "labels")
    expected = confusion_matrix(found.y == found.pos_index, found.predicted == found.pos_index)
    labels = binary().model("labels")["labels"]
    assert [[labels["tn"], labels["fp"]], [labels["fn"], labels["tp"]]] == expected.tolist()
    assert binary().model("labels")["curve"] is None
    assert binary().model("labels")["kind"] == "labels"


@pytest.mark.parametrize("name", ["tree", "forest", "logistic"])
def test_proper_scores_are_those_of_scikit_learn(name):
    is_rare, score = truth(binary(), name)
    calibration = binary().model(name)["calibration"]
    share = np.full_like(score, is_rare.mean())
    assert calibration["brier"] == pytest.approx(brier_score_loss(is_rare, score))
    assert calibration["log_loss"] == pytest.approx(log_loss(is_rare, score))
    assert calibration["brier_of_base_rate"] == pytest.approx(brier_score_loss(is_rare, share))
    assert calibration["log_loss_of_base_rate"] == pytest.approx(log_loss(is_rare, share))


@pytest.mark.parametrize("name", ["tree", "forest", "logistic"])
@pytest.mark.parametrize("kind", ["bins", "rare_bins"])
def test_bins_part_the_rows_between_different_scores(name, kind):
    is_rare, score = truth(binary(), name)
    bins = binary().model(name)["calibration"][kind]
    assert 1 <= len(bins) <= 10
    assert all(a["to"] < b["from"] for a, b in pairwise(bins))
    for one in bins:
        inside = (score >= one["from"]) & (score <= one["to"])
        assert one["n"] * 3 == pytest.approx(inside.sum())
        assert one["n_rare"] * 3 == pytest.approx(is_rare[inside].sum())
        assert one["predicted"] == pytest.approx(score[inside].mean())
        assert one["observed"] == pytest.approx(is_rare[inside].mean())
        assert one["low"] - 1e-12 <= one["observed"] <= one["high"] + 1e-12
    assert sum(one["n"] for one in bins) == pytest.approx(600)


def test_bins_of_different_scores_have_equally_many_rows():
    bins = binary().model("logistic")["calibration"]["bins"]
    assert [one["n"] for one in bins] == pytest.approx([60] * 10, abs=0.4)


def test_a_score_that_is_no_probability_is_not_calibrated():
    svm = binary().model("svm")
    assert svm["kind"] == "score"
    assert svm["calibration"] is None
    assert svm["span"][0] < 0 < svm["span"][1]
    assert svm["reachability"]["default"] == 0


@pytest.mark.parametrize("name", SCORED)
def test_reachability_is_what_counting_finds(name):
    is_rare, score = truth(binary(), name)
    rare, reach = score[is_rare], binary().model(name)["reachability"]
    assert reach["at_default"]["recall"] == pytest.approx((rare >= reach["default"]).mean())
    for level in reach["levels"]:
        able = [t for t in np.unique(score) if (rare >= t).mean() >= level["recall"] - 1e-12]
        assert level["threshold"] == max(able)
    low, high = binary().model(name)["span"]
    most = max(((rare >= t) & (rare <= t + (high - low) / 10)).mean() for t in rare)
    steep = reach["steepest"]
    assert steep["fraction"] == pytest.approx(most)
    assert steep["fraction"] == pytest.approx(
        ((rare >= steep["from"]) & (rare <= steep["to"])).mean()
    )


@pytest.mark.parametrize("name", SCORED)
def test_the_best_f_is_the_best_of_all_thresholds(name):
    is_rare, score = truth(binary(), name)
    best = binary().model(name)["reachability"]["best_f"]

    def f(threshold):
        alerted = score >= threshold
        return 2 * (alerted & is_rare).sum() / (alerted.sum() + is_rare.sum())

    assert best["f"] == pytest.approx(max(f(t) for t in np.unique(score)))
    assert best["f"] == pytest.approx(f(best["threshold"]))
    assert best["threshold"] in binary().model(name)["curve"]["threshold"]
    assert binary().model(name)["best_f"]["threshold"] == best["threshold"]


@pytest.mark.parametrize("name", SCORED)
def test_histograms_hold_every_row_of_their_class(name):
    is_rare, score = truth(binary(), name)
    shown = binary().model(name)["distribution"]
    assert [one["label"] for one in shown["classes"]] == ["yes", "no"]
    for one, mine in zip(shown["classes"], [is_rare, ~is_rare], strict=True):
        expected = np.histogram(score[mine], shown["edges"])[0] / mine.sum()
        np.testing.assert_allclose(one["fractions"], expected)
        assert sum(one["fractions"]) == pytest.approx(1)


def test_with_three_classes_the_rare_one_stands_against_the_rest():
    case = wine()
    assert case.summary["data"]["pos_label"] == "2"
    is_rare, score = truth(case, "forest")
    assert is_rare.sum() == 2 * 48
    assert case.model("forest")["pooled_auc"] == pytest.approx(roc_auc_score(is_rare, score))
    assert len(case.model("forest")["distribution"]["classes"]) == 3


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not beside the tests")
def test_every_key_of_the_summary_is_documented():
    text, summary = PAGE.read_text(encoding="utf-8"), binary().summary
    parts = {
        "": [name for name in summary if name != "chosen"],
        "data.columns": summary["data"]["columns"][0],
        "ranking.metrics": summary["ranking"]["metrics"][0],
        "models": binary().model("forest"),
        "explanations": summary["explanations"][0],
    }
    for part, keys in parts.items():
        head = f"| key of `{part}` |" if part else "| key | content |"
        table = text[text.index(head) :].split("\n\n")[0]
        assert [key for key in keys if f"`{key}`" not in table] == [], part


def test_failures_are_listed_once_and_left_out_of_the_models():
    failures = binary().summary["failures"]
    assert [(one["model"], one["n"], one["n_folds"]) for one in failures] == [("broken", 6, 6)]
    assert failures[0]["error"] == f"ValueError: cannot fit {NASTY}"
    assert "broken" not in [model["name"] for model in binary().summary["models"]]
    assert binary().summary["ranking"]["models"][-1] == "broken"


def test_an_unfinished_comparison_is_reported_as_far_as_it_is():
    case = binary()
    kept = [c for c in case.results.cells if c.model != "forest" or (c.repeat, c.fold) < (2, 0)]
    partial = summarize(replace(case.results, cells=kept), case.X, case.y, models=case.models)
    ranking = partial["ranking"]
    place = ranking["models"].index("forest")
    assert [one["values"][place]["n"] for one in ranking["metrics"]] == [4] * 10
    forest = next(model for model in partial["models"] if model["name"] == "forest")
    assert (forest["n_rows"], forest["n_passes"]) == (1200, 2)
    page = render(partial)
    assert "<b>forest</b> has scores for only 4 of 6 folds" in page


def test_settings_for_reproducibility():
    settings = nasty().summary["settings"]
    assert settings["protocol"] == {"n_splits": 2, "n_repeats": 1, "seed": 0}
    assert {"rarewood", "numpy", "sklearn", "python"} <= set(settings["versions"])
    assert settings["given"]["command"] == NASTY
    about = nasty().results.cells[0].about
    assert settings["fingerprint"] == about["data"]
    assert set(settings["parameters"]) == set(nasty().models)


def test_another_table_is_refused():
    case = binary()
    other = case.X.copy()
    other.iloc[0, 0] += 1
    with pytest.raises(ValueError, match="differ from the data that the models were compared on"):
        summarize(case.results, other, case.y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pos_label": "no"}, "results are for the class 'yes', but pos_label is 'no'"),
        ({"chosen": "nobody"}, "got 'nobody'"),
        ({"chosen": "broken"}, "failed on every fold"),
        ({"metric": "beauty"}, "got 'beauty'"),
        ({"dataset": "other"}, "dataset must be one of small"),
    ],
)
def test_wrong_requests_say_what_is_there(options, message):
    case = binary()
    with pytest.raises(ValueError, match=message):
        summarize(case.results, case.X, case.y, **options)


def test_results_without_predictions_say_what_to_do():
    case = binary()
    results = compare({"tree": presets.hddt()}, {"small": (case.X, case.y)}, store=None)
    with pytest.raises(ValueError, match="keep_predictions=True"):
        summarize(results, case.X, case.y)


def test_the_page_opens_with_the_best_model_that_has_scores_or_the_chosen_one():
    case = binary()
    order = case.summary["ranking"]["models"]
    assert case.summary["chosen"] == next(name for name in order if name in SCORED)
    again = summarize(case.results, case.X, case.y, chosen="logistic", pos_label="yes")
    assert again["chosen"] == "logistic"
