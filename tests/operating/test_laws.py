"""Operating curves and rules against a loop over all thresholds."""

from __future__ import annotations

import json
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chisquare

from oracle import operating as naive
from rarewood.operating import (
    AlertBudget,
    BestF,
    Costs,
    LowestCost,
    PrecisionFloor,
    RecallFloor,
    choose_threshold,
    correct_prior,
    operating_curve,
)
from rarewood.operating._resamples import draw_resamples
from support.draw import examples

POOLS = [
    [0.0, 0.5, 1.0],
    [0.1 * i for i in range(11)],
    [-3.5, -0.0, 0.0, 2.0],
    [0.5, math.nextafter(0.5, 1), math.nextafter(0.5, 0)],
    [7.0],  # constant scores
    [-1e300, 1e-300, 1e300],
]


@st.composite
def scored_rows(draw, most=14):
    n = draw(st.integers(2, most))
    pool = draw(st.sampled_from(POOLS))
    scores = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    is_rare = [False] * n
    if draw(st.booleans()):
        is_rare[draw(st.integers(0, n - 1))] = True  # one rare row
    else:
        is_rare = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    assume(any(is_rare) and not all(is_rare))
    return is_rare, scores


def chosen(is_rare, scores, rule, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # nothing is alerted
        return choose_threshold(is_rare, scores, rule, pos_label=True, n_bootstrap=0, **options)


@given(scored_rows(), st.floats(-4, 4))
def test_curve_counts_what_a_loop_counts(rows, anywhere):
    is_rare, scores = rows
    curve = operating_curve(is_rare, scores, pos_label=True)
    assert curve.threshold.tolist() == naive.thresholds(scores)
    for place, threshold in enumerate(curve.threshold.tolist()):
        expected = naive.count(is_rare, scores, threshold)
        point = curve.take(place)
        assert (point.tp, point.fp, point.fn, point.tn) == expected
        assert curve.f(2)[place] == pytest.approx(float(naive.f_measure(expected, Fraction(2))))
    at = curve.at(anywhere)
    assert (at.tp, at.fp, at.fn, at.tn) == naive.count(is_rare, scores, anywhere)


@given(scored_rows(), st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(1, 3)]))
def test_best_f(rows, beta):
    expected = naive.best(*rows, lambda counts: naive.f_measure(counts, beta))
    assert chosen(*rows, BestF(float(beta))).threshold == expected


cost = st.integers(-20, 200).map(lambda tenths: Fraction(tenths, 10))


@given(scored_rows(), cost, cost, cost, cost)
def test_lowest_cost(rows, fp, fn, tp, tn):
    assume(fn > tp and fp > tn)
    expected = naive.best(*rows, lambda counts: -naive.cost(counts, fp, fn, tp, tn))
    rule = LowestCost(float(fp), float(fn), float(tp), float(tn))
    assert chosen(*rows, rule).threshold == expected


@given(scored_rows(), st.integers(1, 100), st.sampled_from([None, 100]))
def test_alert_budget(rows, amount, per):
    n = len(rows[1])
    allowed = Fraction(amount) if per is None else Fraction(amount, per) * n
    assert chosen(*rows, AlertBudget(amount, per)).threshold == naive.alert_budget(*rows, allowed)
    if per == 100:  # a share is a share, however it is written
        assert chosen(*rows, AlertBudget(amount / 100, per=1)).threshold == naive.alert_budget(
            *rows, allowed
        )


@given(scored_rows(), st.integers(1, 100))
def test_floors(rows, per_cent):
    floor = Fraction(per_cent, 100)
    expected = naive.recall_floor(*rows, floor)
    assert chosen(*rows, RecallFloor(per_cent / 100)).threshold == expected
    expected = naive.precision_floor(*rows, floor)
    found = chosen(*rows, PrecisionFloor(per_cent / 100), unreachable="closest")
    assert found.reached == (expected is not None)
    if expected is not None:
        assert found.threshold == expected
    else:
        tried = [naive.count(*rows, t) for t in naive.thresholds(rows[1])[1:]]
        most = max(tp / (tp + fp) for tp, fp, _, _ in tried)
        assert found.precision.observed == float(most)
        with pytest.raises(ValueError, match="the highest precision is"):
            chosen(*rows, PrecisionFloor(per_cent / 100))


RULES = [BestF(), LowestCost(1, 7), AlertBudget(20, per=100), RecallFloor(0.7), PrecisionFloor(0.4)]


@given(scored_rows(), st.data())
def test_weights_count_as_repeated_rows(rows, data):
    is_rare, scores = np.array(rows[0]), np.array(rows[1])
    drawn = st.lists(st.integers(0, 3), min_size=len(scores), max_size=len(scores))
    weights = np.array(data.draw(drawn))
    assume(weights[is_rare].any() and weights[~is_rare].any())
    one = operating_curve(is_rare, scores, pos_label=True, sample_weight=weights)
    many = operating_curve(np.repeat(is_rare, weights), np.repeat(scores, weights), pos_label=True)
    for name in ("threshold", "tp", "fp", "fn", "tn"):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))
    for rule in RULES:
        assert int(rule.choose(one)) == int(rule.choose(many))


@given(scored_rows())
def test_what_is_chosen_does_not_depend_on_the_scale_of_scores(rows):
    is_rare, scores = rows
    ranks = np.unique(scores, return_inverse=True)[1]
    for rule in RULES:
        before = chosen(is_rare, scores, rule, unreachable="closest").counts
        after = chosen(is_rare, np.exp(ranks), rule, unreachable="closest").counts
        assert vars(before) == vars(after)


@given(scored_rows(60), st.integers(8, 20), cost, cost)
def test_thinning_keeps_points_and_the_best_of_them(rows, n_points, fp, fn):
    assume(fp > 0 and fn > 0)
    curve = operating_curve(*rows, pos_label=True)
    places = curve.thin(n_points)
    assert len(places) <= n_points
    assert (np.diff(places) > 0).all()
    assert {0, len(curve) - 1} <= set(places.tolist())
    for beta in (0.5, 1, 2):
        assert int(BestF(beta).choose(curve)) in places
    cheapest = curve.cost(Costs(float(fp), float(fn)))
    assert cheapest[curve.hull()].min() == pytest.approx(cheapest.min())
    written = curve.to_dict(n_points)
    assert json.loads(json.dumps(written, allow_nan=False)) == written
    assert written["threshold"] == curve.threshold[places].tolist()
    for threshold, tp, fp_count in zip(
        written["threshold"], written["tp"], written["fp"], strict=True
    ):
        assert (tp, fp_count) == naive.count(*rows, threshold)[:2]


TINY = [
    ([True, False, True, False], [0.9, 0.7, 0.4, 0.2]),
    ([True, False, False, True, False], [0.8, 0.8, 0.5, 0.3, 0.3]),
    ([False, True, False, False, False], [0.9, 0.6, 0.6, 0.5, 0.1]),
]


@pytest.mark.parametrize("rows", TINY)
@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("by_rows", [False, True])
@pytest.mark.parametrize(
    ("rule", "choose"),
    [
        (BestF(), lambda r, s: naive.best(r, s, lambda c: naive.f_measure(c, Fraction(1)))),
        (RecallFloor(0.6), lambda r, s: naive.recall_floor(r, s, Fraction(6, 10))),
        (AlertBudget(2), lambda r, s: naive.alert_budget(r, s, Fraction(2))),
    ],
)
def test_resamples_are_distributed_as_drawn_rows(
    rows, stratify, by_rows, rule, choose, monkeypatch
):
    """All resamples are listed; whole counts are drawn, or rows, and neither can be told apart."""
    monkeypatch.setattr("rarewood.operating._resamples._FEW", 100 if by_rows else 0)
    expected = naive.chosen_in_resamples(*rows, choose, stratify)
    curve = operating_curve(*rows, pos_label=True)
    n = 20_000
    drawn = draw_resamples(curve, rule, int(rule.choose(curve)), n, stratify, seed=0)
    thresholds = np.where(drawn.places == 0, math.inf, curve.threshold[drawn.places])
    values, times = np.unique(thresholds, return_counts=True)
    assert set(values.tolist()) <= set(expected)
    seen = dict(zip(values.tolist(), times.tolist(), strict=True))
    if len(expected) > 1:
        keys = sorted(expected)
        observed = [seen.get(key, 0) for key in keys]
        assert chisquare(observed, [n * float(expected[key]) for key in keys]).pvalue > 1e-4
    assert (drawn.inside.n_samples == len(rows[1])).all()
    outside = curve.take(drawn.places)
    assert (drawn.outside.tp == outside.tp).all()
    if stratify:
        assert (drawn.inside.n_positive == sum(rows[0])).all()


# --------------------------------------------------------------------------- priors

shares = st.integers(2, 4).flatmap(
    lambda k: st.tuples(*[st.lists(st.integers(1, 50), min_size=k, max_size=k)] * 3)
)


@examples(60)
@given(shares)
def test_prior_correction_is_bayes_rule(drawn):
    proba, trained, true = ([Fraction(v, sum(values)) for v in values] for values in drawn)
    floats = [[float(v) for v in values] for values in (proba, trained, true)]
    found = correct_prior([floats[0]], trained_prior=floats[1], true_prior=floats[2])
    expected = naive.correct_prior(proba, trained, true)
    np.testing.assert_allclose(found[0], [float(v) for v in expected], rtol=1e-12)
    back = correct_prior(found, trained_prior=floats[2], true_prior=floats[1])
    np.testing.assert_allclose(back[0], floats[0], rtol=1e-12)
    same = correct_prior([floats[0]], trained_prior=floats[1], true_prior=floats[1])
    np.testing.assert_allclose(same[0], floats[0], rtol=1e-12)


@examples(60)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=20),
    st.floats(0.001, 0.999),
    st.floats(0.001, 0.999),
)
def test_prior_correction_keeps_the_order(values, trained, true):
    values = np.sort(values)
    found = correct_prior(values, trained_prior=trained, true_prior=true)
    assert (np.diff(found) >= -1e-15).all()
    assert ((found >= 0) & (found <= 1)).all()
    both = correct_prior(
        np.column_stack((1 - values, values)),
        trained_prior=[1 - trained, trained],
        true_prior=[1 - true, true],
    )
    np.testing.assert_allclose(both[:, 1], found, rtol=1e-9, atol=1e-15)
