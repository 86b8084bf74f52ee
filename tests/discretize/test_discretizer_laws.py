"""The discretiser against its slow twin, and laws that hold for any table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle import discretize as oracle
from oracle.cases import DISTINCT, Case
from rarewood import RareTreeClassifier, criteria
from rarewood.discretize import MDLDiscretizer
from support.draw import examples


def named(case: Case):
    return case.name if case.alpha is None else criteria.Alpha(case.alpha, case.reference)


@st.composite
def features(draw, weighted: bool = False):
    """One feature whose classes change at some values, with noise: value, class and weight."""
    n, k = draw(st.integers(2, 60)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    x = rng.integers(0, draw(st.sampled_from([2, 8, 1000])), n) / draw(st.sampled_from([1, 7]))
    steps = np.sort(rng.choice(x, draw(st.integers(0, 3))))
    y = (np.searchsorted(steps, x) + draw(st.integers(0, k - 1))) % k
    is_noise = rng.random(n) < draw(st.sampled_from([0, 0.1, 0.5]))
    y[is_noise] = rng.integers(0, k, is_noise.sum())
    weights = rng.choice([0.25, 0.5, 1.0, 3.0, 20.0], n) if weighted else np.ones(n)
    return x.astype(float), y, weights


@pytest.mark.parametrize("case", DISTINCT, ids=str)
@given(features())
def test_the_cuts_of_the_twin(case, feature):
    x, y, _ = feature
    samples = list(zip(x.tolist(), y.tolist(), [1.0] * len(x), strict=True))
    found = MDLDiscretizer(named(case)).fit(x.reshape(-1, 1), y).cuts_[0]
    assert found.tolist() == oracle.cuts(samples, int(y.max()) + 1, case)


@given(features(weighted=True))
def test_the_cuts_of_the_twin_with_weights(feature):
    x, y, w = feature
    samples = list(zip(x.tolist(), y.tolist(), w.tolist(), strict=True))
    found = MDLDiscretizer().fit(x.reshape(-1, 1), y, sample_weight=w).cuts_[0]
    assert found.tolist() == oracle.cuts(samples, int(y.max()) + 1, Case("entropy"))


@given(features(), st.integers(1, 4))
def test_integer_weights_are_repeated_samples(feature, most):
    x, y, _ = feature
    times = np.random.default_rng(len(x)).integers(0, most + 1, len(x))
    times[0] = 1
    weighted = MDLDiscretizer().fit(x.reshape(-1, 1), y, sample_weight=times.astype(float))
    repeated = MDLDiscretizer().fit(np.repeat(x, times).reshape(-1, 1), np.repeat(y, times))
    assert weighted.cuts_[0].tolist() == repeated.cuts_[0].tolist()


@given(features())
def test_order_of_samples_and_missing_values_have_no_effect(feature):
    x, y, _ = feature
    cuts = MDLDiscretizer().fit(x.reshape(-1, 1), y).cuts_[0]
    order = np.random.default_rng(0).permutation(len(x) + 3)
    X, labels = np.append(x, [np.nan] * 3)[order], np.append(y, y[[0, 0, -1]])[order]
    other = MDLDiscretizer().fit(X.reshape(-1, 1), labels)
    assert other.cuts_[0].tolist() == cuts.tolist()
    assert (np.isnan(other.transform(X.reshape(-1, 1))) == np.isnan(X.reshape(-1, 1))).all()


@given(features())
def test_monotone_transforms_keep_the_bins(feature):
    x, y, _ = feature
    one, other = (
        MDLDiscretizer().fit(values.reshape(-1, 1), y).transform(values.reshape(-1, 1))
        for values in (x, np.exp(x / 100))
    )
    np.testing.assert_array_equal(one, other)


@examples(50)
@given(features())
def test_the_first_cut_is_that_of_a_tree(feature):
    x, y, _ = feature
    tree = RareTreeClassifier("entropy", max_depth=1).fit(x.reshape(-1, 1), y).tree_
    cuts = MDLDiscretizer().fit(x.reshape(-1, 1), y).cuts_[0]
    assert not len(cuts) or tree.threshold[0] in cuts


def test_many_classes_do_not_overflow():
    y = np.repeat(np.arange(1000), 40)
    found = MDLDiscretizer().fit(y.reshape(-1, 1).astype(float), y)
    assert np.isfinite(found.cuts_[0]).all()
    assert found.n_bins_[0] > 1
