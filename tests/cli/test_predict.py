"""``rarewood predict``: rows in order, in chunks, and nothing left behind when it fails."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier
from support.customers import customers
from support.program import fails, start
from support.program import run as run_program

NEW = customers(500, seed=1)


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A folder with a model and new rows."""
    folder = tmp_path_factory.mktemp("predict")
    customers().to_csv(folder / "train.csv", index=False)
    NEW.to_csv(folder / "new.csv", index=False)
    run("fit", folder / "train.csv", "-t", "cheats", "-o", folder / "model", "--preset", "ccpdt")
    return folder


@pytest.fixture
def here(fitted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("model", "new.csv"):
        (tmp_path / name).symlink_to(fitted / name)
    return tmp_path


def run(*words):
    result = run_program(*words)
    assert result.exit_code == 0, result.output + result.stderr
    return result


def refused(*words) -> str:
    return fails(run_program(*words))


def expected(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    model = rarewood.load("model")
    notes = rarewood.modelfile.describe("model")["notes"]["fit"]
    X = rarewood.intake.apply_recipe(notes["recipe"], table)
    return model.predict(X), model.predict_proba(X)[:, 1]


def test_labels_and_probabilities_in_the_order_of_the_rows(here):
    result = run("predict", "model", "new.csv", "-o", "out.csv")
    out = pd.read_csv("out.csv", dtype={"customer": str})
    assert list(out) == ["customer", "prediction", "probability_yes"]
    labels, proba = expected(NEW)
    assert out["customer"].tolist() == NEW["customer"].tolist()  # with their zeros
    assert out["prediction"].tolist() == labels.tolist()
    np.testing.assert_array_equal(out["probability_yes"], proba)
    assert "500 rows written to out.csv" in result.stderr
    assert sorted(p.name for p in here.iterdir()) == ["model", "new.csv", "out.csv"]


@pytest.mark.parametrize("name", ["a.parquet", "a.tsv", "a.csv.gz", "a.pq"])
def test_other_forms_say_the_same(here, name):
    run("predict", "model", "new.csv", "-o", name, "--chunk-rows", "77")
    if name.endswith(("parquet", "pq")):
        out = pd.read_parquet(name)
    else:
        out = pd.read_csv(name, sep="\t" if "tsv" in name else ",", dtype={"customer": str})
    labels, proba = expected(NEW)
    assert out["customer"].tolist() == NEW["customer"].tolist()
    assert out["prediction"].tolist() == labels.tolist()
    np.testing.assert_array_equal(out["probability_yes"], proba)


@pytest.mark.parametrize("rows", [7, 499, 500])
def test_chunks_make_no_difference(here, rows):
    run("predict", "model", "new.csv", "-o", "whole.csv")
    run("predict", "model", "new.csv", "-o", "parts.csv", "--chunk-rows", rows)
    assert (here / "whole.csv").read_bytes() == (here / "parts.csv").read_bytes()


def test_extra_columns_the_target_and_the_order_are_ignored(here):
    run("predict", "model", "new.csv", "-o", "a.csv")
    other = NEW.drop(columns=["cheats", "since"]).assign(extra=1)
    other[other.columns[::-1]].to_parquet("other.parquet")
    run("predict", "model", "other.parquet", "-o", "b.csv")
    assert (here / "a.csv").read_bytes() == (here / "b.csv").read_bytes()


def test_which_columns_are_kept(here):
    run("predict", "model", "new.csv", "-o", "a.csv", "--id", "age", "--id", "cheats")
    assert list(pd.read_csv("a.csv"))[:2] == ["age", "cheats"]
    run("predict", "model", "new.csv", "-o", "a.csv", "--no-id", "--all-classes")
    assert list(pd.read_csv("a.csv")) == ["prediction", "probability_no", "probability_yes"]
    line = refused("predict", "model", "new.csv", "-o", "x.csv", "--id", "aeg")
    assert "Did you mean 'age'" in line
    NEW.rename(columns={"since": "prediction"}).to_csv("odd.csv", index=False)
    line = refused("predict", "model", "odd.csv", "-o", "x.csv", "--id", "prediction")
    assert "rename it" in line
    assert not (here / "x.csv").exists()


def test_to_the_standard_output(here):
    result = run("predict", "model", "new.csv", "-o", "-")
    out = pd.read_csv(io.StringIO(result.stdout), dtype={"customer": str})
    assert out["prediction"].tolist() == expected(NEW)[0].tolist()
    assert "500 rows written to the standard output" in result.stderr


def test_another_threshold(here):
    run("predict", "model", "new.csv", "-o", "a.csv", "--threshold", "0.05")
    assert (pd.read_csv("a.csv")["prediction"] == "yes").sum() == (expected(NEW)[1] >= 0.05).sum()


def test_categories_that_training_did_not_have_are_counted(here):
    table = NEW.assign(region=["west", "mars", "north", None, "south"] * 100)
    table.to_csv("odd.csv", index=False)
    result = run("predict", "model", "odd.csv", "-o", "a.csv", "--chunk-rows", "100")
    assert "200 values of 'region', such as 'west', did not occur in training" in result.stderr
    labels, _ = expected(table)
    assert pd.read_csv("a.csv")["prediction"].tolist() == labels.tolist()


def test_a_table_that_does_not_fit_is_refused_with_all_that_differs(here):
    table = NEW.rename(columns={"age": "Age"}).drop(columns="vip")
    table.assign(income="high", region=1.5).to_csv("odd.csv", index=False)
    line = refused("predict", "model", "odd.csv", "-o", "a.csv")
    assert "odd.csv does not match the model" in line
    assert "it lacks 'age' (did you mean 'Age'?), 'vip'" in line
    assert "'income' holds text where the model has numbers" in line
    assert "'region' holds numbers where the model has categories such as east" in line
    assert not (here / "a.csv").exists()


def test_a_bad_value_late_in_the_file_leaves_nothing_behind(here):
    table = customers(40_000, seed=2).assign(note="x" * 60)
    table["income"] = table["income"].astype(object)
    table.loc[39_000, "income"] = "much"
    table.to_csv("late.csv", index=False)
    (here / "a.csv").write_text("older")
    line = refused("predict", "model", "late.csv", "-o", "a.csv", "--chunk-rows", "100")
    assert "'income' contains 'much'" in line
    assert (here / "a.csv").read_text() == "older"
    assert not list(here.glob(".*"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "new.csv", "-o", "a.csv"], "There is no model file nowhere"),
        (["new.csv", "new.csv", "-o", "a.csv"], "is not a model file of rarewood"),
        (["model", "nowhere.csv", "-o", "a.csv"], "There is no file nowhere.csv"),
        (["model", "new.csv", "-o", "a.xlsx"], "a name that ends in .csv"),
        (["model", "new.csv", "-o", "./new.csv"], "is an input"),
        (["model", "new.csv", "-o", "no/a.csv"], "does not exist"),
        (["model", "new.csv", "-o", "a.csv", "--id", "age", "--no-id"], "use one of them"),
        ([".", "new.csv", "-o", "a.csv"], "is a folder, not a model file"),
    ],
)
def test_mistakes(here, words, message):
    assert message in refused("predict", *words)


def test_a_table_without_rows(here):
    NEW[:0].to_csv("none.csv", index=False)
    assert "no rows" in refused("predict", "model", "none.csv", "-o", "a.csv")
    assert not (here / "a.csv").exists()


def test_models_from_python(here):
    """Categories that are numbers or true and false are found again in a file."""
    X = NEW[["age", "income", "region", "vip"]].assign(
        grade=pd.Categorical(np.arange(500) % 3), region=NEW["region"].astype("category")
    )
    y = (NEW["cheats"] == "yes").astype(int) + (X["grade"] == 2)
    forest = RareForestClassifier(5, random_state=0).fit(X, y)
    rarewood.save(forest, "own")
    for name in ("own.csv", "own.parquet"):
        X.to_csv(name, index=False) if name == "own.csv" else X.to_parquet(name)
        run("predict", "own", name, "-o", "a.csv", "--chunk-rows", "100")
        out = pd.read_csv("a.csv")
        np.testing.assert_array_equal(out["prediction"], forest.predict(X))
        np.testing.assert_array_equal(out["probability_2"], forest.predict_proba(X)[:, 2])


def test_models_without_names(here):
    X = NEW[["age", "income"]].to_numpy()
    tree = RareTreeClassifier().fit(X, NEW["cheats"])
    rarewood.save(tree, "plain", target="cheats")
    NEW[["age", "income", "cheats"]].to_csv("two.csv", index=False)
    run("predict", "plain", "two.csv", "-o", "a.csv")
    assert pd.read_csv("a.csv")["prediction"].tolist() == tree.predict(X).tolist()
    assert "2 columns without names" in refused("predict", "plain", "new.csv", "-o", "a.csv")


def test_memory_stays_bounded(here):
    """Ten times the rows take no more memory, but for a little."""
    pytest.importorskip("resource")
    table = customers(20_000, seed=3).drop(columns="since")
    table.to_csv("small.csv", index=False)
    with open("large.csv", "w") as file:  # noqa: PTH123
        table.to_csv(file, index=False)
        for _ in range(9):
            table.to_csv(file, index=False, header=False)
    code = """
import resource, sys
from rarewood.cli import main
try:
    main(["predict", "model", sys.argv[1], "-o", "out.parquet", "--chunk-rows", "5000", "-j", "1"])
except SystemExit as end:
    print(end.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    peaks = []
    for name in ("small.csv", "large.csv"):
        words = [sys.executable, "-c", code, name]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=True)
        status, peak = done.stdout.split()
        assert status == "0", done.stderr
        peaks.append(int(peak))
    assert len(pd.read_parquet("out.parquet")) == 200_000
    assert peaks[1] < peaks[0] + 30_000, peaks  # the large file is 7 MB; as a table 35 MB or more


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_an_interrupt_leaves_no_part_of_a_file(here, number):
    table = customers(20_000, seed=3)
    table.to_csv("large.csv", index=False)
    process = start("predict", "model", "large.csv", "-o", "out.csv", "--chunk-rows", "10")
    for _ in range(600):
        parts = list(here.glob(".out.csv.*"))
        if parts and parts[0].stat().st_size:
            break
        time.sleep(0.05)
    os.kill(process.pid, number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "Interrupted" in errors
    assert "Traceback" not in errors
    assert not (here / "out.csv").exists()
    assert not list(here.glob(".out*"))


def test_a_reader_that_has_seen_enough(here):
    done = subprocess.run(
        f"{sys.executable} -m rarewood predict model new.csv -o - --chunk-rows 5 | head -2",
        shell=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert len(done.stdout.splitlines()) == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("recipe", [[], [{"name": "age", "as": "exec"}], {"a": 1}, "number"])
def test_notes_that_make_no_sense_are_refused(here, recipe):
    """A model file may come from anyone, and so may its notes."""
    model = rarewood.load("model")
    rarewood.save(model, "odd", notes={"fit": {"recipe": recipe, "ids": 3}})
    assert "damaged model file" in refused("predict", "odd", "new.csv", "-o", "a.csv")
    rarewood.save(model, "none", notes={"fit": [1]})
    run("predict", "none", "new.csv", "-o", "a.csv")


def test_dates_are_found_again(here):
    """Dates that were used as asked, in a text file and in Parquet."""
    customers().to_csv("dates.csv", index=False)
    run("fit", "dates.csv", "-t", "cheats", "-o", "dated", "--preset", "hddt", "--keep", "since")
    NEW.to_parquet("new.parquet")
    run("predict", "dated", "new.csv", "-o", "a.csv")
    run("predict", "dated", "new.parquet", "-o", "b.csv")
    assert (here / "a.csv").read_bytes() == (here / "b.csv").read_bytes()
    recipe = rarewood.modelfile.describe("dated")["notes"]["fit"]["recipe"]
    X = rarewood.intake.apply_recipe(recipe, NEW)
    assert pd.read_csv("a.csv")["prediction"].tolist() == rarewood.load("dated").predict(X).tolist()


def test_formulas_in_identifiers_are_noted_and_unchanged(here):
    """A spreadsheet would run them; a changed identifier would not join with its table."""
    table = NEW.head(4).assign(account=["=1+1", "@x", "-5", "+49 1"], plain=["-5", "a=1", "", "7"])
    table.to_csv("formulas.csv", index=False)
    words = ("predict", "model", "formulas.csv", "--id", "account", "--id", "plain", "-o")
    noted = run(*words, "out.csv").stderr
    assert "column 'account' has text such as '=1+1', which a spreadsheet runs" in noted
    assert "'plain'" not in noted
    assert pd.read_csv("out.csv", dtype=str)["account"].tolist() == table["account"].tolist()
    assert "spreadsheet" not in run(*words, "out.parquet").stderr


def test_the_highest_rows_with_reasons(here):
    run("predict", "model", "new.csv", "-o", "all.csv")
    result = run("predict", "model", "new.csv", "-o", "top.csv", "--top", 20, "--why")
    assert "500 rows predicted, 20 of them written to top.csv" in result.stderr
    whole = pd.read_csv("all.csv", dtype={"customer": str})
    top = pd.read_csv("top.csv", dtype={"customer": str})
    order = np.argsort(-whole["probability_yes"].to_numpy(), kind="stable")[:20]
    assert top["row"].tolist() == (order + 1).tolist()
    assert top["customer"].tolist() == whole["customer"].iloc[order].tolist()
    assert list(top)[-3:] == ["reason_1", "reason_2", "reason_3"]
    assert top["reason_1"].str.contains(r"(?:raises|lowers) the score by \d").all()
    printed = run("predict", "model", "new.csv", "--top", 20, "--why").stdout
    lines = printed.splitlines()
    assert lines[0] == "score: probability of yes"
    assert lines[1].split() == ["rank", "row", "customer", "prediction", "score", "why"]
    for reason in top["reason_1"]:
        assert reason in printed
    assert "why" not in run("predict", "model", "new.csv", "--top", 2).stdout


def test_an_output_or_the_highest_rows_are_needed(here):
    assert "--top 50" in refused("predict", "model", "new.csv")
