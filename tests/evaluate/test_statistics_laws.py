"""The statistics of comparisons equal their slow twins, and obey their laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from oracle import statistics as slow
from rarewood import evaluate


@st.composite
def tables(draw):
    n, k = draw(st.integers(2, 12)), draw(st.integers(2, 7))
    values = st.integers(0, draw(st.sampled_from([1, 3, 1000])))  # few values make many ties
    row = st.lists(values, min_size=k, max_size=k)
    return np.array(draw(st.lists(row, min_size=n, max_size=n))) / 1000


@given(tables(), st.booleans())
def test_friedman_equals_its_twin(table, higher):
    found = evaluate.friedman(table, higher_is_better=higher)
    plain, corrected, f = slow.friedman(table.tolist(), higher)
    assert found.chi2 == pytest.approx(plain, abs=1e-9)
    assert found.chi2_tie_corrected == pytest.approx(corrected, abs=1e-8)
    assert found.f == pytest.approx(f, rel=1e-6)
    assert found.average_ranks.sum() == pytest.approx(sum(range(1, table.shape[1] + 1)))


@given(tables())
def test_friedman_corrected_equals_scipy(table):
    assume(table.shape[1] > 2)
    found = evaluate.friedman(table)
    assume(found.chi2_tie_corrected > 0)
    chi2, p = stats.friedmanchisquare(*table.T)
    assert found.chi2_tie_corrected == pytest.approx(chi2)
    assert found.pvalue_tie_corrected == pytest.approx(p)


@given(tables(), st.integers(0, 10**6))
def test_friedman_does_not_depend_on_order_or_scale(table, seed):
    rng = np.random.default_rng(seed)
    columns = rng.permutation(table.shape[1])
    one = evaluate.friedman(table)
    other = evaluate.friedman(3 * rng.permutation(table)[:, columns] - 2)
    assert other.chi2 == pytest.approx(one.chi2, abs=1e-9)
    np.testing.assert_allclose(other.average_ranks, one.average_ranks[columns])
    worse = evaluate.friedman(-table, higher_is_better=False)
    np.testing.assert_array_equal(worse.average_ranks, one.average_ranks)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_equals_its_twin(p):
    found = evaluate.holm(p)
    np.testing.assert_allclose(found, slow.holm(p))
    assert (found >= p).all()


@given(tables())
def test_nemenyi_is_symmetric_and_agrees_with_the_critical_difference(table):
    n, k = table.shape
    p = evaluate.nemenyi(table)
    np.testing.assert_array_equal(p, p.T)
    ranks = evaluate.friedman(table).average_ranks
    gaps = np.abs(ranks[:, None] - ranks)
    critical = evaluate.nemenyi_critical_difference(k, n, 0.05)
    clear = np.abs(gaps - critical) > 1e-6
    np.testing.assert_array_equal((p < 0.05)[clear], (gaps > critical)[clear])


@st.composite
def predictions(draw):
    n, k = draw(st.integers(2, 25)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    y = rng.integers(0, k, n)
    P = rng.integers(0, draw(st.sampled_from([2, 5, 1000])), (n, k)) / 10
    assume(len(set(y.tolist())) == k)
    return y, P


@given(predictions())
def test_hand_till_equals_its_twin(drawn):
    y, P = drawn
    assert evaluate.hand_till_auc(y, P) == pytest.approx(slow.hand_till(y.tolist(), P.tolist()))


@given(predictions())
def test_hand_till_equals_scikit_learn(drawn):
    from sklearn.metrics import roc_auc_score

    y, P = drawn
    P = (P + 0.1) / (P + 0.1).sum(axis=1, keepdims=True)
    labels = np.array(["b", "a", "d", "c"])[y]
    order = np.argsort(["b", "a", "d", "c"][: P.shape[1]])
    if P.shape[1] == 2:
        theirs = roc_auc_score(labels == "b", P[:, 0])
    else:
        theirs = roc_auc_score(labels, P[:, order], multi_class="ovo", labels=sorted(set(labels)))
    assert evaluate.hand_till_auc(labels, P[:, order]) == pytest.approx(theirs)


@given(
    st.lists(st.floats(-1, 1).map(lambda v: round(v, 3)), min_size=2, max_size=12),
    st.integers(1, 1000),
    st.integers(1, 1000),
)
def test_corrected_t_equals_its_twin(diffs, n_train, n_test):
    assume(np.ptp(diffs) > 1e-3)
    found = evaluate.corrected_resampled_ttest(diffs, n_train, n_test)
    t, p = slow.corrected_t(diffs, n_train, n_test)
    assert found.statistic == pytest.approx(t, abs=1e-9)
    assert found.pvalue == pytest.approx(p, abs=1e-7)
    # Without test rows to correct for, it is the ordinary paired test.
    ordinary = stats.ttest_1samp(diffs, 0)
    plain = evaluate.corrected_resampled_ttest(diffs, 1, 1e-15)
    assert plain.statistic == pytest.approx(ordinary.statistic, abs=1e-6)


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 4))
def test_splits_are_stratified_partitions(seed, n_splits, n_classes):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, rng.integers(n_splits, 60))
    protocol = evaluate.Protocol(n_splits, 2, seed)
    for repeat in range(2):
        folds = [protocol.split(y, repeat, fold) for fold in range(n_splits)]
        tested = np.concatenate([split.test for split in folds])
        np.testing.assert_array_equal(np.sort(tested), np.arange(len(y)))
        for split in folds:
            np.testing.assert_array_equal(
                np.sort(np.concatenate([split.train, split.test])), np.arange(len(y))
            )
        for rows in ([len(s.test) for s in folds], *_class_counts(y, folds)):
            assert max(rows) - min(rows) <= 1


def _class_counts(y, folds):
    return [[(y[split.test] == c).sum() for split in folds] for c in np.unique(y)]
