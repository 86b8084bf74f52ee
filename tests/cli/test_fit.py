"""``rarewood fit``: from a table to a model file, end to end in a temporary folder."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import rarewood
from rarewood.modelfile import describe
from rarewood.operating import ThresholdedClassifier, out_of_fold_scores
from rarewood.pruning import CostComplexity, Fisher
from rarewood.workflow._estimates import fit_prepared
from support.customers import customers
from support.program import fails
from support.program import run as run_program

SMALL = ["--preset", "hddt"]  # a tree: quick


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    customers().to_csv("train.csv", index=False)
    return tmp_path


def run(*words):
    result = run_program(*words)
    assert result.exit_code == 0, result.output + result.stderr
    return result


def refused(*words) -> str:
    return fails(run_program(*words))


def test_a_forest_with_a_threshold(folder):
    result = run("fit", "train.csv", "--target", "cheats", "-o", "model.rarewood")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("train.csv: 600 rows, 4 columns used")
    assert any("skipped 'customer'" in line for line in lines)
    assert any(line.startswith("fitting RareForestClassifier(") for line in lines)
    assert any("(out of fold, 5 folds)" in line for line in lines)
    assert any("AUC 0." in line and "average precision 0." in line for line in lines)
    assert any("(best F1): F1 0." in line for line in lines)
    assert lines[-1].startswith("wrote model.rarewood (")
    model = rarewood.load("model.rarewood")
    assert type(model) is ThresholdedClassifier
    facts = describe("model.rarewood")
    assert facts["target"] == "cheats"
    assert facts["notes"]["fit"]["ids"] == ["customer"]
    assert facts["training"]["n_rows"] == 600
    assert facts["pos_label"] == "yes"


def test_the_estimates_are_those_of_rows_not_seen(folder):
    run("fit", "train.csv", "-t", "cheats", "-o", "model", *SMALL, "--seed", "3")
    told = describe("model")["notes"]["fit"]["estimates"]
    taken = rarewood.intake.prepare("train.csv", "cheats")
    tree = rarewood.presets.hddt(random_state=3)
    scores = out_of_fold_scores(tree, taken.X, taken.y, cv=5, random_state=3)[:, 1]
    assert told["auc"] == pytest.approx(roc_auc_score(taken.y == "yes", scores))
    assert told["average_precision"] == pytest.approx(
        average_precision_score(taken.y == "yes", scores)
    )
    threshold = rarewood.load("model").threshold_
    assert told["tp"] == int(((scores >= threshold) & (taken.y == "yes")).sum())
    assert told["fp"] == int(((scores >= threshold) & (taken.y == "no")).sum())


def test_the_model_is_the_library_s(folder):
    run("fit", "train.csv", "-t", "cheats", "-o", "model", "--seed", "7")
    taken = rarewood.intake.prepare("train.csv", "cheats")
    forest = rarewood.RareForestClassifier(random_state=7).fit(taken.X, taken.y)
    np.testing.assert_array_equal(
        rarewood.load("model").predict_proba(taken.X), forest.predict_proba(taken.X)
    )


@pytest.mark.parametrize(
    ("options", "check"),
    [
        (["--criterion", "gini"], lambda m: m.criterion == "gini"),
        (["--criterion", "alpha:0.7"], lambda m: m.criterion.alpha == 0.7),
        (["--pruning", "fisher:0.001"], lambda m: m.pruning == Fisher(0.001)),
        (["--pruning", "cost-complexity"], lambda m: m.pruning == CostComplexity()),
        (["--preset", "ccpdt", "--pruning", "none"], lambda m: m.pruning is None),
        (["--preset", "rare-tree"], lambda m: m.criterion == "hellinger"),
        (["--preset", "Balanced_Random_Forest"], lambda m: m.balance and len(m) == 100),
        (["--set", "max_depth=3", "--set", "max_features=sqrt"], lambda m: m.get_depth() <= 3),
        (["--set", "class_weight={'yes': 3, 'no': 1}"], lambda m: m.class_weight["yes"] == 3),
        (["--set", "criterion=alpha:0.7"], lambda m: m.criterion.alpha == 0.7),
        (["--preset", "ccpdt", "--set", "pruning=none"], lambda m: m.pruning is None),
        (
            [
                "--preset",
                "rare-forest",
                "--set",
                "balance=balanced",
                "--set",
                "n_estimators=7",
                "--set",
                "bootstrap=true",
            ],
            lambda m: m.balance == "balanced" and m.bootstrap is True and len(m) == 7,
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_words_for_models(folder, options, check):
    run("fit", "train.csv", "-t", "cheats", "-o", "model", *SMALL, *options)
    assert check(rarewood.load("model").estimator_)


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("recall:0.8", lambda point: point.recall.observed >= 0.8),
        ("recall>=0.8", lambda point: point.recall.observed >= 0.8),
        ("precision:0.6", lambda point: point.precision.observed >= 0.6),
        ("alerts:50/1000", lambda point: point.alerts_per_1000.observed <= 50),
        ("cost:fp=1,fn=20", lambda point: point.cost_per_1000 is not None),
        ("f2", lambda point: point.beta == 2),
        ("0.4", lambda point: point.threshold == 0.4),
    ],
)
def test_words_for_thresholds(folder, words, holds):
    run("fit", "train.csv", "-t", "cheats", "-o", "model", *SMALL, "--threshold", words)
    assert holds(rarewood.load("model").operating_point_)


def test_a_forest_that_draws_rows_is_judged_out_of_bag(folder):
    wanted = ("fit", "train.csv", "-t", "cheats", "--preset", "balanced-random-forest")
    result = run(*wanted, "-o", "m")
    assert "(out of bag)" in result.stdout
    again = run(*wanted, "-o", "n", "--threshold", "none")
    assert "(out of bag)" in again.stdout
    assert type(rarewood.load("n")) is rarewood.RareForestClassifier


def test_a_precision_that_is_not_reached_is_said(folder):
    table = customers(200)
    table["cheats"] = np.where(np.arange(200) % 10 == 0, "yes", "no")  # nothing to be learnt
    table.to_csv("noise.csv", index=False)
    result = run("fit", "noise.csv", "-t", "cheats", "-o", "m", *SMALL, "--threshold",
                 "precision:0.99")  # fmt: skip
    assert "is not reached" in result.stdout


@pytest.mark.parametrize("name", ["pattern", "smote", "random-over", "random-under", "wrapper"])
def test_sampling(folder, name):
    table = customers(400).dropna()
    table.to_csv("whole.csv", index=False)
    run("fit", "whole.csv", "-t", "cheats", "-o", "m", *SMALL, "--sampling", name, "--folds", "2")
    model, facts = rarewood.load("m"), describe("m")
    assert type(model.estimator_) is rarewood.RareTreeClassifier
    assert facts["left_out"]
    assert facts["notes"]["fit"]["sampling"] == name


def test_smote_says_what_it_cannot_do(folder):
    line = refused("fit", "train.csv", "-t", "cheats", "-o", "m", "--sampling", "smote")
    assert "complete rows" in line
    assert "'income'" in line


def test_several_classes(folder):
    table = customers()
    table["cheats"] = np.where(table["vip"], "maybe", table["cheats"])
    table.to_csv("three.csv", index=False)
    run("fit", "three.csv", "-t", "cheats", "-o", "m", *SMALL)
    assert type(rarewood.load("m")) is rarewood.RareTreeClassifier
    assert describe("m")["classes"] == ["maybe", "no", "yes"]
    run("fit", "three.csv", "-t", "cheats", "-o", "m", *SMALL, "--rare", "maybe")
    assert describe("m")["classes"] == ["maybe", "rest"]
    line = refused("fit", "three.csv", "-t", "cheats", "-o", "m", *SMALL, "--threshold", "f")
    assert "--rare" in line


def test_other_files_and_columns(folder):
    customers().to_parquet("train.parquet")
    run("fit", "train.parquet", "-t", "cheats", "-o", "m", *SMALL, "--drop", "age", "--keep",
        "since", "--id", "income", "--sample", "300")  # fmt: skip
    facts = describe("m")
    assert [column["name"] for column in facts["columns"]] == ["region", "vip", "since"]
    assert set(facts["notes"]["fit"]["ids"]) == {"income", "customer"}
    run("fit", "wine", "-o", "m", *SMALL)
    assert describe("m")["target"] == "class"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.csv", "-t", "cheats"], "There is no file nowhere.csv"),
        (["train.csv", "-t", "cheat"], "Did you mean 'cheats'?"),
        (["train.csv"], "needs a target column"),
        (["train.csv", "-t", "age"], "is continuous"),
        (["train.csv", "-t", "cheats", "--rare", "maybe"], "has no class 'maybe'"),
        (["train.csv", "-t", "cheats", "--preset", "hdt"], "Did you mean 'hddt'"),
        (["train.csv", "-t", "cheats", "--criterion", "hellingr"], "Did you mean 'hellinger'"),
        (["train.csv", "-t", "cheats", "--pruning", "fischer"], "Did you mean 'fisher'"),
        (
            ["train.csv", "-t", "cheats", "--pruning", "fisher:x"],
            "could not convert",
        ),
        (["train.csv", "-t", "cheats", "--pruning", "fisher:7"], "p_value=7.0 must be from 0 to 1"),
        (["train.csv", "-t", "cheats", "--criterion", "gini:0.5"], "has no parameters"),
        (["train.csv", "-t", "cheats", "--sampling", "smot"], "Did you mean 'smote'"),
        (["train.csv", "-t", "cheats", "--threshold", "best"], "Unknown rule"),
        (["train.csv", "-t", "cheats", "--threshold", "1.5"], "between 0 and 1"),
        (["train.csv", "-t", "cheats", "--set", "max_dept=3"], "Did you mean 'max_depth'"),
        (
            ["train.csv", "-t", "cheats", "--set", "max_depth=0"],
            "The 'max_depth' parameter of Rare",
        ),
        (["train.csv", "-t", "cheats", "--set", "max_depth"], "expected NAME=VALUE"),
        (
            ["train.csv", "-t", "cheats", "--set", "balance=evenly"],
            "balance='evenly' must be False",
        ),
        (["train.csv", "-t", "cheats", "--set", "random_state=1"], "Set random_state with --seed"),
        (
            ["train.csv", "-t", "cheats", "--criterion", "gini", "--set", "criterion=gini"],
            "'criterion' is set twice",
        ),
        (["train.csv", "-t", "cheats", "--id", "custmer"], "Did you mean 'customer'"),
        (["train.csv", "-t", "cheats", "--id", "cheats"], "cannot be an --id"),
    ],
    ids=lambda value: " ".join(value[2:]) if isinstance(value, list) else "",
)
def test_mistakes(folder, words, message):
    assert message in refused("fit", *words, "-o", "model")
    assert not (folder / "model").exists()


def test_words_are_looked_at_before_the_table(folder):
    for word in ("--preset", "--criterion", "--pruning", "--sampling", "--set"):
        assert "zz" in refused("fit", "no-such-file.csv", "-o", "m", word, "zz")


def test_places_that_cannot_be_written(folder):
    assert "does not exist" in refused("fit", "train.csv", "-t", "cheats", "-o", "no/where")
    assert "is a folder" in refused("fit", "train.csv", "-t", "cheats", "-o", folder)
    before = (folder / "train.csv").read_bytes()
    line = refused("fit", "train.csv", "-t", "cheats", "-o", folder / "train.csv")
    assert "is an input" in line
    assert (folder / "train.csv").read_bytes() == before


def test_one_row_of_a_class(folder):
    table = customers(50)
    table["cheats"] = ["yes"] + ["no"] * 49
    table.to_csv("one.csv", index=False)
    assert "has one row" in refused("fit", "one.csv", "-t", "cheats", "-o", "m")


def test_without_imbalanced_learn_the_message_says_what_to_install(folder):
    code = """
import sys
sys.modules["imblearn"] = None
from rarewood.cli import main
main(["fit", "train.csv", "-t", "cheats", "-o", "m", "--sampling", "pattern"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "pip install 'rarewood[sampling]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_most_probable_class_is_judged_as_such():
    table = rarewood.intake.prepare(customers(), "cheats")
    tree = rarewood.presets.hddt()
    fitted, _, _ = fit_prepared(tree, table, rule=None, folds=4, seed=0)
    scores = out_of_fold_scores(tree, table.X, table.y, cv=4, random_state=0)
    is_alert = scores.argmax(axis=1) == 1
    assert fitted.counts.tp == int((is_alert & (table.y == "yes")).sum())
    assert fitted.counts.n_samples == len(table.y)
    assert fitted.auc == pytest.approx(roc_auc_score(table.y == "yes", scores[:, 1]))
