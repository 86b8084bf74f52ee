"""Trees on discretised data, and the sentence that their leaves give."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rarewood import presets
from reproduction.discretised import (
    AS_CATEGORIES,
    IN_ORDER,
    WEKA,
    discretised,
    leaves_reason,
    weka_reason,
)
from reproduction.models import HardLabels
from reproduction.registry import find
from reproduction.result import OtherReading, ReproducedCell


def cells(column, *ours):
    return [ReproducedCell("row", column, x, 0, 10, 0, 0) for x in ours]


def result(raw, in_order, as_categories):
    both = ("c45_error", "c45_fisher")
    return SimpleNamespace(
        ours=SimpleNamespace(models=list(both)),
        cells=[cell for column in both for cell in cells(column, *raw)],
        readings=[
            OtherReading(column, words, cells(column, *ours))
            for column, ours in (("c45_error", in_order), ("c45_fisher", as_categories))
            for words in (IN_ORDER, AS_CATEGORIES)
        ],
    )


def test_the_sentence_follows_the_numbers():
    reason = leaves_reason(result([20, 40], [12, 11], [30, 60]))
    assert reason.kind == "measured"
    error, fisher = reason.text.split("Fisher pruning")
    assert "raw values 3.00 and 2.83, bins in order 1.15 and 1.15" in error
    assert "discretised data explain it (bins in order and bins as categories)" in error
    assert "discretised data do not explain it" in fisher  # these are larger
    smaller = leaves_reason(result([11, 10], [5, 5], [2, 2]))
    assert smaller.text.count("do not explain it") == 2  # but farther from the printed ones


@pytest.mark.parametrize(("leaves", "words"), [([11, 9], "explain"), ([50, 40], "do not explain")])
def test_the_rules_of_weka(leaves, words):
    found = result([20, 40], [12, 11], [30, 60])
    found.readings.append(OtherReading("c45_error", WEKA, cells("c45_error", *leaves)))
    assert f"so the rules of {WEKA} {words} it." in weka_reason(found).text


@pytest.mark.parametrize("as_categories", [False, True])
def test_a_tree_on_bins(as_categories):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = X[:, 0] > 0.3
    model = discretised(presets.c45, as_categories=as_categories).fit(X, y)
    assert model[-1].get_n_leaves() == 2
    assert model.score(X, y) > 0.99


def test_probabilities_of_hard_labels():
    X, y = np.arange(20.0).reshape(-1, 1), np.repeat([0, 1], 10)
    model = HardLabels(presets.cart()).fit(X, y)
    assert model.predict_proba(X[[0, -1]]).tolist() == [[1, 0], [0, 1]]


def test_table_4_has_all_columns():
    experiment = find("ccpdt-table4")
    assert list(experiment.columns) == experiment.printed().columns
    assert "sparccc" in experiment.columns
