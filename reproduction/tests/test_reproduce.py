"""Tables are reproduced from a small folder of synthetic data."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest

from reproduction import reproduce
from reproduction.experiment import Measured, Run
from reproduction.registry import find, names
from reproduction.run import _compare
from reproduction.search_summary import search_summary
from reproduction.searches import OTHER_SEARCHES, named
from reproduction.sources import Source, available_sources

NAMES = ("pima", "oil", "wdbc", "fourclass", "segment")


def frame(seed, rare="1", n=120):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    X = rng.normal(size=(n, 3)) + y[:, None] * 0.8
    table = pd.DataFrame(X.round(2), columns=["a", "b", "c"])
    return table.assign(target=np.where(y, rare, "0"))


@pytest.fixture(autouse=True)
def scores_of_levels(tmp_path, monkeypatch):
    monkeypatch.setattr("reproduction.models.SCORES_OF_LEVELS", tmp_path / "levels")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("data")
    for seed, name in enumerate(NAMES):
        frame(seed).to_csv(place / f"{name}.csv", index=False)
    many = frame(9, n=200)
    many["target"] = np.where(many["c"] > 1, "negative", np.where(many["a"] > 0, "x", "y"))
    many.to_csv(place / "allhypo.csv", index=False)
    return place


@pytest.fixture(scope="module")
def wrapper_options(folder, tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "s.sqlite"
    return {
        "folder": folder, "store": store, "show": False, "n_repeats": 1, "rows": ["Pima", "Oil"],
    }  # fmt: skip


def test_hddt_table_2(folder, tmp_path, capsys):
    store = tmp_path / "store.sqlite"
    result = reproduce("hddt-table2", folder=folder, store=store, readings=True, n_repeats=2)
    shown = capsys.readouterr().out
    assert result.ours.datasets == ["Breast-w", "Fourclass", "Oil", "Pima", "Segment"]
    assert result.ours.models == ["c45", "dkm", "cart", "hddt"]
    assert "Letter" in result.missing
    assert len(result.cells) == 20
    assert result.inside()[1] == 20
    assert result.inside(["hddt", "dkm"])[1] == 10
    cell = next(c for c in result.cells if (c.row, c.column) == ("Pima", "hddt"))
    assert (cell.printed, cell.printed_sd, cell.allowed) == (0.76, 0.019, 0.038)
    assert cell.ours == pytest.approx(0.65, abs=0.03)  # synthetic data, not those of the paper
    assert cell.is_inside is False
    assert cell.our_sd > 0
    assert [v.word for v in result.verdicts][3] == "holds"  # HDDT and DKM are the same tree
    assert len(result.other_verdicts) == len(result.verdicts)
    assert {reading.column for reading in result.readings} == {"c45", "cart", "hddt"}
    for text in (
        "0.760±0.019",
        "Average ranks",
        "[holds]",
        "Alternative interpretation",
        "Not available",
    ):
        assert text in shown
    assert list(result.to_frame().columns)[:3] == ["row", "column", "ours"]


def test_nothing_is_computed_twice(folder, tmp_path, monkeypatch):
    store = tmp_path / "store.sqlite"
    options = {"folder": folder, "store": store, "show": False, "rows": ["Pima"]}
    first = reproduce("hddt-table2", **options)
    from rarewood.tree import RareTreeClassifier

    monkeypatch.setattr(RareTreeClassifier, "fit", None)
    again = reproduce("hddt-table2", **options)
    np.testing.assert_array_equal(first.ours.values, again.ours.values)
    assert again.left_out == ["Breast-w", "Fourclass", "Oil", "Segment"]


def test_wrapper_tables_share_their_cells(wrapper_options):
    scores = reproduce("hddt-table3", **wrapper_options)
    assert not scores.failures
    assert scores.protocol == "2-fold cross-validation"
    levels = reproduce("hddt-table5", **wrapper_options)
    assert levels.ours.models[:2] == ["c45_undersample", "c45_smote"]
    assert ((levels.ours.values >= 0) & (levels.ours.values <= 500)).all()
    ranks = reproduce("hddt-table4", **wrapper_options)
    np.testing.assert_allclose(ranks.ours.values.sum(axis=1), 36)
    gains = reproduce("hddt-figure6", **wrapper_options)
    assert gains.inside() == (0, 0)  # gains are not counted
    assert "Pima" in str(gains)


def test_wrapper_tables_under_each_search(wrapper_options):
    tables = ("hddt-table3", "hddt-table5", "hddt-figure6")
    every = [
        name for table in tables for name in (table, *map(partial(named, table), OTHER_SEARCHES))
    ]
    results = {name: reproduce(name, **wrapper_options) for name in every}
    first, best = results["hddt-table5"], results["hddt-table5-best-per-axis"]
    assert not best.failures
    assert best.printed.values.tolist() == first.printed.values.tolist()
    assert [v.text for v in best.verdicts] == [v.text for v in first.verdicts]
    assert "tries all levels" in best.experiment.setup
    assert (best.ours.values != first.ours.values).any()
    assert not np.isnan(best.ours.values).any()
    lines = [line.split(" | ") for line in search_summary(results.values()).splitlines()]
    assert lines[0] == ["|", "printed", "greedy", "lookahead", "best_per_axis |"]
    removed = best.ours.values[:, ::2].mean(axis=0)
    assert lines[2][-1] == ", ".join(f"{level:.0f}" for level in removed) + " |"
    judged = [line for line in lines if line[0].startswith("| hddt-figure6: ")]
    words = [verdict.word for verdict in results["hddt-figure6-best-per-axis"].verdicts]
    assert [line[-1].removesuffix(" |") for line in judged] == words


def test_only_tables_with_the_wrapper_have_other_searches():
    suffixes = [name for name in names() if name.endswith(("-lookahead", "-best-per-axis"))]
    tables = ("hddt-table3", "hddt-table4", "hddt-table5", "hddt-figure6", "ccpdt-table7")
    assert set(suffixes) == {named(name, s) for name in tables for s in OTHER_SEARCHES}
    assert all(find(name).printed().rows for name in suffixes)


@pytest.mark.parametrize(
    ("name", "rows"),
    [("ccpdt-table4", 5), ("ccpdt-table6", 5), ("beat-table1", 1), ("beat-table1-errors", 1)],
)
def test_other_tables(folder, tmp_path, name, rows):
    result = reproduce(name, folder=folder, store=None, show=False, n_repeats=1, rows=None)
    assert len(result.ours) == rows
    assert not result.failures
    assert not np.isnan(result.ours.values).any()
    assert len(result.verdicts) == len(result.experiment.conclusions)


def test_hedex_tables_of_wins(folder, tmp_path):
    options = {
        "folder": folder, "store": tmp_path / "s.sqlite", "show": False, "n_repeats": 1,
        "rows": ["oil"],
    }  # fmt: skip
    wins = reproduce("hedex-table6", **options)
    assert not wins.failures
    assert (wins.ours.values.sum(axis=1) == 1).all()
    gains = reproduce("hedex-table8-wins", **options)
    assert (gains.ours.values.sum(axis=1) == 1).all()


def test_class_rules(folder):
    record = Source("allhypo", negative="negative").load(folder)
    assert record.pos_label == "positive"
    assert set(record.counts) == {"positive", "negative"}
    without = Source("allhypo", without="x").load(folder)
    assert set(without.counts) == {"negative", "y"}
    assert len(without.X) == len(without.y)


def test_bad_arguments(folder, tmp_path, monkeypatch):
    monkeypatch.delenv("RAREWOOD_DATA", raising=False)
    with pytest.raises(ValueError, match="RAREWOOD_DATA"):
        reproduce("hddt-table2")
    with pytest.raises(ValueError, match="has no row 'pima'"):
        reproduce("hddt-table2", folder=folder, rows=["pima"])
    with pytest.raises(ValueError, match="None of the data sets"):
        reproduce("ihd-table4", folder=tmp_path)


def test_only_the_folder_is_looked_at(folder):
    found, missing = available_sources({"a": Source("wine"), "b": Source("pima")}, folder)
    assert (list(found), missing) == (["b"], ["a"])


def test_measured_joins_runs(folder):
    from rarewood import presets
    from rarewood.evaluate import Protocol

    records = {"pima": Source("pima").load(folder)}
    runs = [
        Run({name: presets.hddt(max_depth=d)}, Protocol(2, 3)) for name, d in (("x", 1), ("y", 9))
    ]
    options = {"store": None, "n_jobs": 1, "progress": False}
    measured = Measured([_compare(run, records, options) for run in runs])
    assert measured.matrix("auc").models == ["x", "y"]
    assert sum(measured.pair("auc", "x", "y")) == 1
    assert measured.pair("auc", "x", "x") == (0, 1, 0)
