"""The committed cells of the benchmarks: a run goes on from them, and newer ones replace them."""

import importlib
import sys
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier

from rarewood.evaluate import Protocol, compare

ROOT = Path(__file__).parents[1]
PAGES = ("accuracy", "large_tables", "held_out_tables", "imbalance_methods")


@pytest.fixture
def cell_file(monkeypatch):
    if not (ROOT / "benchmarks").is_dir():
        pytest.skip("tests outside the repository")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield importlib.import_module("cell_file")
    sys.modules.pop("cell_file", None)


def cells(**scores):
    return pd.DataFrame(
        [
            {"dataset": "one", "model": model, "fold": 0, "auc": auc, "fitted": day}
            for model, (auc, day) in scores.items()
        ]
    )


def test_newer_cells_replace_older_ones(cell_file, tmp_path):
    file = cell_file.CellFile(tmp_path / "cells.csv")
    assert file.read().empty
    columns = ["auc", "fitted"]
    file.write(file.merged(cells(a=(0.123456, "2026-11-18"), b=(0.5, "2026-11-18"))), columns, 3)
    file.write(file.merged(cells(b=(0.75, "2026-11-19"))), columns, 3)
    found = file.read().set_index("model")
    assert list(found["auc"]) == [0.123, 0.75]
    assert list(found["fitted"]) == ["2026-11-18", "2026-11-19"]


def test_models_without_all_their_cells_are_missing(cell_file):
    known = cells(a=(0.5, "2026-11-18"))
    assert cell_file.missing(known, "one", ["a", "b"]) == ["b"]
    assert cell_file.missing(known, "two", ["a", "b"]) == ["a", "b"]
    assert cell_file.missing(known, "one", ["a"], 2) == ["a"]


def test_the_page_says_which_models_were_fitted_when(cell_file):
    X, y = make_classification(60, random_state=0)
    results = compare({"a": DummyClassifier()}, {"one": (X, y)}, protocol=Protocol(2), store=None)
    old = cell_file.frame_of(results)
    today = old["fitted"].iloc[0]
    assert cell_file.fitted(old).startswith(f"Fitted: all models on {today}, with numpy ")
    new = old.assign(model="b", fitted="2100-01-01", versions="numpy 9, other 1")
    text = cell_file.fitted(pd.concat([old, old.assign(model="c"), new]))
    assert text.startswith(f"Fitted: b on 2100-01-01; the other models on {today}, with numpy ")
    assert "other 1" in text


@pytest.mark.parametrize("name", PAGES)
def test_committed_cells_are_in_order_and_occur_once(cell_file, name):
    found = pd.read_csv(ROOT / "docs" / "benchmarks" / f"{name}.csv")
    keys = [key for key in ("dataset", "model", "fold") if key in found]
    assert not found.duplicated(keys).any()
    assert found[keys].equals(found[keys].sort_values(keys, ignore_index=True))
    assert found["fitted"].notna().all()
