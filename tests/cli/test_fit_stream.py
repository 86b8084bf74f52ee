"""``rarewood fit`` on tables that are read in batches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import rarewood
from rarewood.intake import open_table, prepare_stream
from rarewood.modelfile import describe
from rarewood.operating import ThresholdedClassifier
from rarewood.workflow import _reading
from support.customers import customers
from support.program import fails
from support.program import run as run_program

TREE = ["--preset", "hddt"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = customers(1500)
    table.to_parquet("train.parquet", index=False, row_group_size=200)
    (tmp_path / "parts").mkdir()
    for k in range(3):
        table[k * 500 : (k + 1) * 500].to_parquet(f"parts/{k}.parquet", index=False)
    return tmp_path


def run(*words) -> list[str]:
    result = run_program(*words)
    assert result.exit_code == 0, result.output + result.stderr
    return result.stdout.splitlines()


def fit(*words, data="train.parquet", target="cheats") -> list[str]:
    return run("fit", data, "-t", target, "-o", "model", *words)


def features(table: pd.DataFrame) -> pd.DataFrame:
    chosen = table[["age", "income", "region", "vip"]]
    return chosen.assign(vip=chosen["vip"].map({True: "True", False: "False"}))


def test_the_default_forest(folder):
    lines = fit("--stream")
    assert lines[0] == "train.parquet is read in batches (as requested); --no-stream reads it whole"
    assert lines[1].startswith("train.parquet: 1,500 rows, 4 columns used (2 numeric, 1 categ")
    assert any("skipped 'customer'" in line for line in lines)
    assert any("(301 rows held out)" in line or "(300 rows held out)" in line for line in lines)
    assert lines[-1].startswith("wrote model (")
    model = rarewood.load("model")
    assert type(model) is ThresholdedClassifier
    table = customers(1500)
    expected = rarewood.RareForestClassifier(random_state=0)
    expected.fit(features(table), table["cheats"])
    np.testing.assert_array_equal(
        model.predict_proba(features(table)), expected.predict_proba(features(table))
    )


def test_each_pass_is_shown(folder):
    result = run_program("fit", "train.parquet", "-t", "cheats", "-o", "m", "--stream", *TREE)
    told = result.stderr
    assert "1199 of 1199 rows read for bins" in told or "1200 of 1200 rows read for bins" in told
    assert "1500 of 1500 rows read for bins" in told
    assert "1500 of 1500 rows encoded" in told


def test_the_estimates_are_those_of_rows_held_out(folder):
    fit("--stream", *TREE, "--seed", "4")
    told = describe("model")["notes"]["fit"]["estimates"]
    taken = prepare_stream(open_table("train.parquet"), "cheats")
    random = np.random.RandomState(4)
    held = np.zeros(1500, dtype=bool)
    for number in range(2):
        rows = np.flatnonzero(taken.y == number)
        held[random.permutation(rows)[: -(-len(rows) // 5)]] = True
    table = customers(1500)
    judge = rarewood.presets.hddt(max_bins=255, random_state=4)
    judge.fit(features(table)[~held], table["cheats"][~held])
    scores = judge.predict_proba(features(table)[held])[:, 1]
    truth = (table["cheats"][held] == "yes").to_numpy()
    assert told["auc"] == pytest.approx(roc_auc_score(truth, scores))
    threshold = rarewood.load("model").threshold_
    assert told["tp"] == int((truth & (scores >= threshold)).sum())
    assert told["fp"] == int((~truth & (scores >= threshold)).sum())


def test_a_folder_and_out_of_bag_scores(folder):
    lines = fit("--stream", "--preset", "balanced-random-forest", data="parts")
    assert any("(out of bag)" in line for line in lines)
    model = rarewood.load("model")
    fit("--stream", "--preset", "balanced-random-forest")
    again = rarewood.load("model")
    np.testing.assert_array_equal(model.curve_.threshold, again.curve_.threshold)
    table = features(customers(1500))
    np.testing.assert_array_equal(model.predict(table), again.predict(table))


def test_a_folder_that_is_read_whole(folder):
    lines = fit(*TREE, data="parts")
    assert lines[0].startswith("parts: 1,500 rows, 4 columns used")
    assert any("(out of fold, 5 folds)" in line for line in lines)


def test_predict_reads_the_folder(folder):
    fit("--stream", *TREE)
    run("predict", "model", "parts", "-o", "out.csv")
    run("predict", "model", "train.parquet", "-o", "same.csv")
    assert (folder / "out.csv").read_text() == (folder / "same.csv").read_text()
    assert len(pd.read_csv("out.csv")) == 1500


def test_rows_without_a_label_and_many_classes(folder):
    table = customers(900)
    table["cheats"] = np.where(table["age"] % 7 == 0, None, table["cheats"])
    table["kind"] = np.where(table["cheats"].isna(), None, np.arange(900) % 3)
    table.to_parquet("holes.parquet", index=False)
    n_gone = int(table["cheats"].isna().sum())
    lines = fit("--stream", *TREE, "--drop", "kind", data="holes.parquet")
    assert f"left out: {n_gone} rows without a label" in lines
    assert describe("model")["training"]["n_rows"] == 900 - n_gone
    lines = fit("--stream", *TREE, "--drop", "cheats", data="holes.parquet", target="kind")
    assert any("most probable class" in line for line in lines)
    assert rarewood.load("model").classes_.tolist() == [0, 1, 2]
    lines = fit(
        "--stream", *TREE, "--rare", "1", "--drop", "cheats", data="holes.parquet", target="kind"
    )
    assert any("3 classes were reduced to two: 1 and the rest" in line for line in lines)
    assert rarewood.load("model").classes_.tolist() == ["1", "rest"]


def test_columns_that_look_constant_in_some_rows_are_used(folder, monkeypatch):
    from rarewood.intake import _prepare_stream

    monkeypatch.setattr(_prepare_stream, "_INSPECTED", 100)
    table = customers(1500)
    table["late"] = (np.arange(1500) % 250 == 249).astype(float)
    table["cheats"] = np.where(table["late"] == 1, "yes", table["cheats"])
    table.to_parquet("late.parquet", index=False, row_group_size=250)
    lines = fit("--stream", *TREE, data="late.parquet")
    assert any("inferred from 102 rows" in line for line in lines)
    assert "late" in rarewood.load("model").feature_names_in_
    assert rarewood.load("model").estimator_.feature_importances_[-1] > 0


def test_dates_and_other_columns_as_asked(folder):
    fit("--stream", *TREE, "--keep", "since", "--drop", "income")
    names = rarewood.load("model").feature_names_in_.tolist()
    assert names == ["age", "region", "vip", "since"]
    fit("--stream", *TREE, "--columns", "age,vip")
    assert rarewood.load("model").feature_names_in_.tolist() == ["age", "vip"]


def test_a_large_table_is_read_in_batches_by_itself(folder, monkeypatch):
    lines = fit("--memory", "100KB", *TREE)
    assert "is read in batches (it would take about" in lines[0]
    monkeypatch.setattr("rarewood.table._memory.available_memory", lambda: 200_000)
    assert "is read in batches" in fit(*TREE)[0]
    monkeypatch.setattr("rarewood.table._memory.available_memory", lambda: 1 << 40)
    assert "is read in batches" not in fit(*TREE)[0]
    assert _reading.stream_reason(open_table("wine"), None, None, 1) is None


def test_what_cannot_be_read_in_batches(folder):
    customers().to_csv("train.csv", index=False)
    for words, parts in [
        (["train.csv", "--stream"], ["needs a Parquet file", "--sample"]),
        (["train.parquet", "--stream", "--sampling", "smote"], ["needs the whole table in memory"]),
        (["train.parquet", "--stream", "--sample", "100"], ["exclude each other"]),
        (["train.parquet", "--memory", "1KB", "--no-stream"], ["needs about"]),
    ]:
        fails(run_program("fit", *words, "-t", "cheats", "-o", "model"), *parts)
    fails(
        run_program("fit", "train.parquet", "--stream", "-t", "chets", "-o", "m"),
        "Did you mean 'cheats'",
    )
    fails(
        run_program("fit", "train.parquet", "--stream", "-t", "income", "-o", "m"),
        "is continuous",
    )
    fails(
        run_program("fit", "train.parquet", "--stream", "-t", "customer", "-o", "m"),
        "distinct values",
    )


def test_files_of_a_folder_that_do_not_go_together(folder):
    customers(100).drop(columns="age").to_parquet("parts/2.parquet", index=False)
    for words in ([], ["--stream"]):
        fails(
            run_program("fit", "parts", "-t", "cheats", "-o", "m", *words),
            "2.parquet has other columns than 0.parquet: it lacks 'age'",
        )
