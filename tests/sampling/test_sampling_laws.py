"""Laws of over-sampling by patterns, on any table."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewood import RareForestClassifier, presets
from rarewood.rules._conditions import Interval, leaf_paths
from rarewood.sampling import PatternOverSampler
from rarewood.sampling._generator import leaf_boxes
from support.draw import examples
from support.frames import frames

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

params = st.fixed_dictionaries(
    {
        "n_estimators": st.just(4),
        "unconstrained": st.sampled_from(["all", "class"]),
        "validate": st.booleans(),
        "strict": st.booleans(),
        "max_rounds": st.integers(0, 2),
        "random_state": st.integers(0, 9),
    }
)


@given(frames(), params)
def test_rows_stay_and_new_ones_are_valid(table, given_params):
    X, y = table
    X = X.reset_index(drop=True)
    sampler = PatternOverSampler(**given_params)
    more, labels = sampler.fit_resample(X, y)
    n = len(X)
    pd.testing.assert_frame_equal(more[:n], X)
    assert labels[:n].tolist() == y.tolist()
    new = more[n:]
    for name in X:
        values = new[name]
        if name in ("job", "flag"):
            assert set(values.dropna()) <= set(X[name].dropna())
        else:
            assert values.dropna().between(X[name].min(), X[name].max()).all()
        if name == "whole":
            assert (values.dropna() % 1 == 0).all()
        if not X[name].isna().any():
            assert not values.isna().any()
    # Every new row lies inside a pattern of its class.
    for label, rules in sampler.patterns_.items():
        rows = new[labels[n:] == label]
        if len(rows):
            assert (rules.apply(rows).sum(axis=1) > 0).all()


@given(frames(), params)
def test_the_numbers_come_out_as_asked(table, given_params):
    X, y = table
    sampler = PatternOverSampler(**given_params)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _, labels = sampler.fit_resample(X, y)
    n_before, n_after = pd.Series(y).value_counts(), pd.Series(labels).value_counts()
    for label, asked in sampler.sampling_strategy_.items():
        if asked == 0:
            assert label not in sampler.n_generated_
            continue
        got = n_after[label] - n_before[label]
        is_told = any(f"Class {label}" in str(warning.message) for warning in caught)
        assert got == asked or is_told
        assert sampler.n_generated_[label] - sampler.n_rejected_[label] <= asked
        if len(sampler.patterns_[label]) and not (given_params["strict"]):
            assert got == asked


@examples(25)
@given(frames(), st.integers(0, 9))
def test_any_number_of_threads_and_any_library(table, seed):
    X, y = table
    tables = {}
    for n_jobs in (1, 2):
        sampler = PatternOverSampler(n_estimators=4, random_state=seed, n_jobs=n_jobs)
        tables[n_jobs], labels = sampler.fit_resample(X, y)
    pd.testing.assert_frame_equal(tables[1], tables[2])
    other = pl.from_pandas(X)
    sampler = PatternOverSampler(n_estimators=4, random_state=seed)
    more, their_labels = sampler.fit_resample(other, pl.Series("y", y))
    assert isinstance(more, pl.DataFrame)
    assert more.schema == other.schema
    assert their_labels.to_list() == labels.tolist()
    assert more[: len(X)].equals(other)
    for name in X:
        mine, theirs = tables[1][name].to_numpy(), more[name].to_numpy()
        is_missing = pd.isna(mine)
        np.testing.assert_array_equal(pd.isna(theirs), is_missing)
        if name not in ("job", "flag"):
            np.testing.assert_array_equal(theirs[~is_missing], mine[~is_missing])


@given(frames(), st.integers(0, 5))
def test_boxes_are_the_paths(table, seed):
    X, y = table
    forest = presets.hedex(n_estimators=2, random_state=seed).fit(X, y == "yes")
    _check_boxes(forest)
    exact = RareForestClassifier(
        1, splitter="best", categorical_split="multiway", random_state=seed
    )
    _check_boxes(exact.fit(X, y == "yes"))


def _check_boxes(forest):
    for tree in forest:
        view = tree.tree_
        leaves = np.flatnonzero(view.n_children == 0)
        boxes = leaf_boxes(view, leaves)
        paths = dict(leaf_paths(view))
        for place, leaf in enumerate(leaves):
            path = paths[leaf]
            assert set(np.flatnonzero(boxes.constrained[place])) == set(path)
            for feature, condition in path.items():
                if isinstance(condition, Interval):
                    ends = boxes.low[place, feature], boxes.high[place, feature]
                    assert ends == (condition.low, condition.high)
                else:
                    allowed = np.flatnonzero(boxes.allowed[feature][place])
                    assert set(allowed) == condition.numbers
