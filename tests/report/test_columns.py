"""Columns by class: histograms, rates of the rare class, and association."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import chi2_contingency

from rarewood.report._columns import Bins, describe_columns, hellinger, read_columns
from support.reported import binary

RNG = np.random.default_rng(0)
IS_RARE = RNG.random(600) < 0.1


def mixed():
    numbers = RNG.normal(size=600) + 2 * IS_RARE
    numbers[:30] = np.nan
    return pd.DataFrame(
        {
            "x": numbers,
            "few": RNG.integers(0, 3, 600),
            "kind": np.where(IS_RARE & (RNG.random(600) < 0.7), "red", "blue").astype(object),
            "flag": RNG.random(600) < 0.5,
            "empty": np.full(600, np.nan),
            "many": [f"k{k % 30}" for k in range(600)],
        }
    ).assign(kind=lambda d: d["kind"].where(d.index > 9, None))


@pytest.mark.parametrize("backend", [pd.DataFrame, pl.from_pandas])
def test_rates_count_every_row_once(backend):
    frame = mixed()
    found = dict(zip(frame.columns, describe_columns(backend(frame), IS_RARE), strict=True))
    for one in found.values():
        assert sum(rate["n"] for rate in one["rates"]) == 600
        assert sum(rate["n_rare"] for rate in one["rates"]) == IS_RARE.sum()
        assert all(r["low"] - 1e-12 <= r["rate"] <= r["high"] + 1e-12 for r in one["rates"])
    red = next(rate for rate in found["kind"]["rates"] if rate["label"] == "red")
    rows = (frame["kind"] == "red").to_numpy()
    assert (red["n"], red["n_rare"]) == (rows.sum(), (rows & IS_RARE).sum())
    assert found["x"]["rates"][-1] | {"low": 0, "high": 0} == {
        "label": "missing", "n": 30, "n_rare": int(IS_RARE[:30].sum()),
        "rate": IS_RARE[:30].mean(), "low": 0, "high": 0,
    }  # fmt: skip
    assert [rate["label"] for rate in found["few"]["rates"]] == ["0", "1", "2"]
    assert [rate["label"] for rate in found["many"]["rates"]][-1] == "others"


def test_histograms_are_fractions_of_each_class():
    frame = mixed()
    found = dict(zip(frame.columns, describe_columns(frame, IS_RARE), strict=True))
    x, present = found["x"]["histogram"], frame["x"].notna().to_numpy()
    clipped = np.clip(frame["x"][present], x["edges"][0], x["edges"][-1])
    for name, rows in (("rare", IS_RARE[present]), ("rest", ~IS_RARE[present])):
        expected = np.histogram(clipped[rows], x["edges"])[0] / rows.sum()
        np.testing.assert_allclose(x[name], expected, atol=6e-5)
    assert found["kind"]["histogram"]["labels"][0] == "blue"
    assert found["empty"]["histogram"] is None


def test_association_is_strong_where_the_classes_differ():
    frame = mixed()
    found = dict(zip(frame.columns, describe_columns(frame, IS_RARE), strict=True))
    assert min(found["kind"]["association"], found["x"]["association"]) > 0.5
    assert found["flag"]["association"] < 0.1
    assert found["kind"]["p_value"] < 1e-6 < 0.05 < found["flag"]["p_value"]
    assert found["empty"]["p_value"] is None
    counts = [[r["n_rare"] for r in found["x"]["rates"]],
              [r["n"] - r["n_rare"] for r in found["x"]["rates"]]]  # fmt: skip
    # Holm: the second smallest of five p-values.
    assert found["x"]["p_value"] == pytest.approx(4 * chi2_contingency(counts).pvalue)


def test_hellinger_distance():
    assert hellinger(np.array([5, 0]), np.array([0, 9])) == 1
    assert hellinger(np.array([5, 5]), np.array([90, 90])) == 0
    half = np.sqrt(1 - np.sqrt(0.5))
    assert hellinger(np.array([4, 4]), np.array([7, 0])) == pytest.approx(half)
    assert hellinger(np.array([0, 0]), np.array([7, 0])) is None


def test_groups_apply_to_another_table():
    old, new = read_columns(np.array([[1.0], [2.0], [3.0]]))[0], read_columns(
        np.array([[0.5], [2.5], [np.nan], [9.0]]))[0]  # fmt: skip
    bins = Bins.of(old)
    assert bins.labels == ["1", "2", "3", "missing"]
    assert bins.codes(new).tolist() == [0, 1, 3, 2]
    words = [read_columns(pd.DataFrame({"a": list(t)}))[0] for t in ("aab", "bc")]
    assert Bins.of(words[0]).codes(words[1]).tolist() == [1, 2]


def test_columns_are_ranked_by_association_in_the_summary():
    columns = binary().summary["data"]["columns"]
    ranked = sorted(columns, key=lambda one: one["rank"])
    strengths = [one["association"] for one in ranked]
    assert strengths == sorted(strengths, reverse=True)
