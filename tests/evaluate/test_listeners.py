"""Comparisons that are watched, that are only looked at, and the best model against the others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier

from rarewood import RareTreeClassifier
from rarewood.evaluate import (
    Protocol,
    against_best,
    compare,
    corrected_resampled_ttest,
    holm,
)

X, Y = make_classification(80, weights=[0.8], random_state=0)
DATA = {"one": (X, Y), "two": (X[:60], Y[:60])}
MODELS = {"tree": RareTreeClassifier(), "same": RareTreeClassifier(), "prior": DummyClassifier()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_cell_is_told_once_under_its_names(tmp_path, n_jobs):
    told = []

    def listen(cell, n_done, n_all):
        told.append((cell.dataset, cell.model, cell.repeat, cell.fold, n_done, n_all))

    store = tmp_path / "s.sqlite"
    options = {"protocol": Protocol(2, 2), "store": store, "n_jobs": n_jobs, "on_cell": listen}
    results = compare(MODELS, DATA, **options)
    assert len(told) == len(results) == 24
    assert {t[:4] for t in told} == {(c.dataset, c.model, c.repeat, c.fold) for c in results.cells}
    assert [t[4:] for t in told] == [(k, 24) for k in range(1, 25)]
    told.clear()
    compare(MODELS, DATA, **options)  # what the store has is told, too
    assert len({t[:4] for t in told}) == 24


def test_listening_is_instead_of_a_line_of_progress(capsys):
    compare(MODELS, DATA, protocol=Protocol(2), store=None, on_cell=lambda *_: None)
    assert capsys.readouterr().err == ""


def test_a_listener_that_fails_loses_nothing(tmp_path):
    def stop(cell, n_done, n_all):
        if n_done == 5:
            raise KeyboardInterrupt

    store = tmp_path / "s.sqlite"
    with pytest.raises(KeyboardInterrupt):
        compare(MODELS, DATA, protocol=Protocol(2), store=store, on_cell=stop)
    results = compare(MODELS, DATA, protocol=Protocol(2), store=store, compute=False)
    assert 5 <= len(results) < 12


def test_only_what_the_store_has(tmp_path):
    store = tmp_path / "s.sqlite"
    with pytest.raises(ValueError, match="no finished cell of this comparison"):
        compare(MODELS, DATA, store=store, compute=False)
    few = {"tree": MODELS["tree"]}
    done = compare(few, DATA, protocol=Protocol(2), store=store)
    results = compare(MODELS, DATA, protocol=Protocol(2), store=store, compute=False)
    assert results.models == ["tree", "same"]  # the same model under two names
    found, expected = (r.matrix("auc").values[:, 0] for r in (results, done))
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="no finished cell"):
        compare(few, DATA, protocol=Protocol(2), store=store, compute=False, keep_predictions=True)


@given(arrays(float, (4, 6), elements=st.floats(0, 1, width=32)), st.booleans(), st.floats(0.1, 2))
def test_the_best_against_the_others_pair_by_pair(scores, is_higher, ratio):
    found = against_best(scores, 1.0, ratio, is_higher)
    means = scores.mean(axis=1) * (1 if is_higher else -1)
    assert means[found.best] == means.max()
    others = [k for k in range(4) if k != found.best]
    diffs = [scores[found.best] - scores[k] for k in others]
    tests = [corrected_resampled_ttest(d, 1.0, ratio).pvalue for d in diffs]
    np.testing.assert_array_equal(found.pvalue[others], tests)
    np.testing.assert_array_equal(found.holm[others], holm(tests))
    np.testing.assert_allclose(found.difference[others], [d.mean() for d in diffs])
    assert np.isnan(found.pvalue[found.best])


def test_the_best_against_models_with_missing_folds():
    nan = np.nan
    scores = [[0.9, 0.8, 0.9, 0.8], [0.5, nan, 0.4, 0.5], [0.5, nan, nan, nan], [nan] * 4]
    found = against_best(scores, 100, 100)
    assert found.best == 0
    expected = corrected_resampled_ttest([0.4, 0.5, 0.3], 100, 100).pvalue
    assert found.pvalue[1] == pytest.approx(expected)
    assert found.holm[1] == found.pvalue[1]  # the only one that could be tested
    assert found.difference[2] == pytest.approx(0.4)
    assert np.isnan(found.pvalue[2:]).all()
    with pytest.raises(ValueError, match="at least one score"):
        against_best([[nan, nan]], 1, 1)
