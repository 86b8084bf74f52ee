"""Intervals, ranks and groups of models in the report."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rarewood.report._ranking import cliques, interval, rank_models
from support.reported import binary, nasty, wine


def metric(case, name):
    return next(m for m in case.summary["ranking"]["metrics"] if m["name"] == name)


def folds(case, model, name):
    """Scores of a model, fold by fold."""
    return np.array([c.scores[name] for c in case.results.cells if c.model == model])


def test_models_are_in_the_order_of_their_means():
    ranking = binary().summary["ranking"]
    means = [value["mean"] for value in metric(binary(), "average_precision")["values"]]
    known = [mean for mean in means if mean is not None]
    assert known == sorted(known, reverse=True)
    assert means[-1] is None  # the one that failed, and the one without scores, are last
    for name, mean in zip(ranking["models"], means, strict=True):
        if mean is not None:
            assert mean == pytest.approx(folds(binary(), name, "average_precision").mean())


def test_intervals_are_nadeau_and_bengio_s():
    values = folds(binary(), "forest", "auc")
    place = binary().summary["ranking"]["models"].index("forest")
    found = metric(binary(), "auc")["values"][place]
    error = np.sqrt((1 / 6 + 1) * values.var(ddof=1))  # six folds, as many test as training rows
    low, high = stats.t.interval(0.95, 5, values.mean(), error)
    assert found["half"] == pytest.approx((high - low) / 2)
    assert (found["low"], found["high"]) == pytest.approx((low, min(high, 1.0)))
    assert found["n"] == 6


def test_an_interval_needs_two_folds_and_ends_where_the_metric_does():
    nothing = interval(np.array([]), 1.0, (0.0, 1.0))
    assert (nothing["mean"], nothing["low"], nothing["n"]) == (None, None, 0)
    one = interval(np.array([0.7]), 1.0, (0.0, 1.0))
    assert (one["mean"], one["low"], one["n"]) == (0.7, None, 1)
    two = interval(np.array([0.8, 1.0]), 1.0, (0.0, 1.0))
    assert (two["low"], two["high"]) == (0.0, 1.0)
    assert two["half"] == pytest.approx(stats.t.ppf(0.975, 1) * np.sqrt(1.5 * 0.02))


def test_p_values_are_adjusted_for_all_pairs():
    models = binary().summary["ranking"]["models"]
    known = [name for name in models if name in ("tree", "forest", "logistic", "svm")]
    raw = {}
    for a, b in combinations(known, 2):
        diffs = folds(binary(), a, "auc") - folds(binary(), b, "auc")
        t = diffs.mean() / np.sqrt((1 / 6 + 1) * diffs.var(ddof=1))
        raw[a, b] = 2 * stats.t.sf(abs(t), 5)
    highest, n = 0.0, len(raw)
    for k, pair in enumerate(sorted(raw, key=raw.get)):
        highest = max(highest, min((n - k) * raw[pair], 1.0))
        i, j = (models.index(name) for name in pair)
        assert metric(binary(), "auc")["p_holm"][i][j] == pytest.approx(highest)
        assert metric(binary(), "auc")["p_holm"][j][i] == pytest.approx(highest)


def test_the_best_is_compared_with_the_others_alone_too():
    models = binary().summary["ranking"]["models"]
    auc = metric(binary(), "auc")
    best = max(range(4), key=lambda k: auc["values"][k]["mean"])
    others = [models[k] for k in range(4) if k != best]
    raw = {}
    for name in others:
        diffs = folds(binary(), models[best], "auc") - folds(binary(), name, "auc")
        t = diffs.mean() / np.sqrt((1 / 6 + 1) * diffs.var(ddof=1))
        raw[name] = 2 * stats.t.sf(abs(t), 5)
    highest = 0.0
    assert auc["best"] == best
    for k, name in enumerate(sorted(raw, key=raw.get)):
        highest = max(highest, min((3 - k) * raw[name], 1.0))
        assert auc["p_best"][models.index(name)] == pytest.approx(highest)
    assert auc["p_best"][best] is None


def test_ranks_are_means_over_the_folds():
    models = binary().summary["ranking"]["models"]
    known = [name for name in models if name in ("tree", "forest", "logistic", "svm")]
    scores = np.array([folds(binary(), name, "auc") for name in known])
    expected = stats.rankdata(-scores, axis=0).mean(axis=1)
    ranks = [metric(binary(), "auc")["ranks"][models.index(name)] for name in known]
    np.testing.assert_allclose(ranks, expected)


def test_groups_hold_the_pairs_that_are_not_told_apart():
    for one in binary().summary["ranking"]["metrics"]:
        together = {frozenset(p) for group in one["groups"] for p in combinations(group, 2)}
        has_score = [i for i, value in enumerate(one["values"]) if value["mean"] is not None]
        for i, j in combinations(has_score, 2):
            assert (one["p_holm"][i][j] >= 0.05) == (frozenset({i, j}) in together)


def test_small_is_good_for_losses():
    models = binary().summary["ranking"]["models"]
    brier = metric(binary(), "brier")
    assert not brier["higher_is_better"]
    has_brier = [k for k, value in enumerate(brier["values"]) if value["mean"] is not None]
    assert {models[k] for k in has_brier} == {"tree", "forest", "logistic"}
    best = min(has_brier, key=lambda k: brier["values"][k]["mean"])
    assert brier["ranks"][best] == min(rank for rank in brier["ranks"] if rank is not None)


def test_with_several_classes_the_auc_is_said_to_be_hand_s_and_till_s():
    assert "pairs of classes" in metric(wine(), "auc")["about"]
    assert "rare row" in metric(binary(), "auc")["about"]


def test_a_single_model_has_no_groups():
    ranking = nasty().summary["ranking"]
    assert len(ranking["models"]) == 2  # one of them failed
    assert all(one["groups"] == [] for one in ranking["metrics"])
    assert all(one["ranks"] == [1.0, None] for one in ranking["metrics"])


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(
    st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))))))  # fmt: skip
def test_cliques_are_the_largest_groups_of_pairwise_equals(drawn):
    n, pairs = drawn
    same = [[i == j or (i, j) in pairs or (j, i) in pairs for j in range(n)] for i in range(n)]

    def fits(group):
        return all(same[i][j] for i, j in combinations(group, 2))

    groups = [set(g) for k in range(1, n + 1) for g in combinations(range(n), k) if fits(g)]
    largest = [g for g in groups if not any(g < other for other in groups)]
    assert cliques(same) == sorted(sorted(group) for group in largest)


def test_any_metric_of_the_results_ranks_the_models():
    case = binary()
    ranking = rank_models(case.results, case.results.datasets[0], "accuracy")
    main = next(m for m in ranking["metrics"] if m["name"] == "accuracy")
    means = [value["mean"] for value in main["values"] if value["mean"] is not None]
    assert means == sorted(means, reverse=True)
    assert (main["label"], main["about"]) == ("Accuracy", "higher is better")
    with pytest.raises(ValueError, match=r"metric must be one of auc, .*; got 'nothing'"):
        rank_models(case.results, case.results.datasets[0], "nothing")
