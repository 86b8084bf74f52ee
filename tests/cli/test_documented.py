"""Every command and message of the README and the pages about the command line.

The tables are smaller than those of the pages, and the default models are the fastest, so numbers
and rankings differ: messages are compared without their numbers.
"""

from __future__ import annotations

import importlib
import io
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rarewood.intake import prepare
from support.payments import machines, payments
from support.program import REGISTRY, fails, run

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/command-line.md", "docs/command-line-models.md")
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
FAST = ("hddt", "sklearn-logistic-regression")
# What stands for the words in capitals.
WORDS = {"DATA": "machines.csv", "COL": "failure", "RUN": "latest", "[DIR]": ".", "[NAME]": "wine"}
# Phrases of the pages that the output of a command must contain.
PHRASES = {
    "rarewood compare payments.csv --target fraud": [],
    "rarewood compare payments.csv --target fraud --models rare-forest,ccpdt": [
        "payments.csv: 5,000 rows, 5 columns used (3 numeric, 2 categorical), 278 missing values",
        "target 'fraud': ok 4,889, fraud 111",
        "rare class 'fraud': 111 rows (2.22%), imbalance ratio 44.0",
        "skipped 'payment_id': its integers are unique, so it is probably an identifier",
        "skipped 'when': it contains dates",
        "skipped 'remark': it is free text",
        "note: payments.csv is delimited by a semicolon, not a comma",
        "use a skipped column with --keep, such as --keep payment_id",
    ],
    "rarewood compare hypothyroid": [
        "hypothyroid: 3,163 rows, 25 columns used (7 numeric, 18 categorical), 5,329 missing "
        "values",
        "target 'class': negative 3,012, hypothyroid 151",
        "rare class 'hypothyroid': 151 rows (4.77%), imbalance ratio 19.9",
        "comparing 10 models by 5 x 2-fold cross-validation: 100 fits, 2 at a time",
        "Recommended:",
        "p: corrected resampled t-test over the folds, Holm correction for the comparisons with "
        "the best; level 0.05.",
        "report: rarewood-runs/hypothyroid-5x2-",
    ],
    "rarewood compare machines.csv --target failure --cost fp=10,fn=500 --protocol cv3": [
        "alert everyone", "alert no one", "random, as many alerts",
        "(lowest cost (fp 10, fn 500)), expected on new rows: recall",
    ],
    "rarewood fit payments.csv --target fraud -o fraud.rarewood": [
        "fitting RareForestClassifier(n_jobs=-1, random_state=0)",
        "estimates on rows not used for training (out of fold, 5 folds):",
        "expected on new rows: recall",
        "wrote fraud.rarewood (554 KB)",
    ],
    "rarewood predict fraud.rarewood payments.csv -o out.csv": [],
    "rarewood rules fraud.rarewood --top 10": [
        "rules of a surrogate: a tree with ordinary splits that stands for the forest. Fidelity",
    ],
    "rarewood explain fraud.rarewood payments.csv --row 84": [],
    "rarewood explain fraud.rarewood payments.csv --row-id 84 --row-id 1023": [],
    "rarewood fit breast_cancer -o cancer.rarewood": [],
    "rarewood predict cancer.rarewood breast_cancer --top 2 --why": [
        "score: probability of malignant",
    ],
    "rarewood explain cancer.rarewood breast_cancer --row 84 --top 5": [
        "row 84 of breast_cancer",
        "prediction malignant: probability of malignant 0.9957 (threshold 0.4642)",
        "because worst area = 1298 raises the score by 0.062; worst concave points = 0.1841 raises "
        "the score by 0.057; worst perimeter = 141.3 raises the score by 0.057",
        "100 of 100 trees vote for malignant",
    ],
    "rarewood export cancer.rarewood -o cancer.onnx": [],
    "rarewood export cancer.rarewood -o cancer.c --prefix cancer": [],
    "rarewood compare DATA --target COL": [],
    "rarewood report RUN": [],
    "rarewood report RUN --no-cases -o page.html": [],
    "rarewood report RUN --compare-with DATA": [],
    "rarewood report latest": [],
    "rarewood runs": [],
    "rarewood runs [DIR]": [],
    "rarewood models": [],
    "rarewood datasets": [],
    "rarewood datasets [NAME]": [],
    "rarewood --version": [],
    "rarewood --help": [],
    "rarewood compare --help": [],
}  # fmt: skip
NAMES_ONLY = {"rarewood fit", "rarewood predict", "rarewood rules", "rarewood explain"}


def commands(text):
    """The commands of a page: lines of its blocks, and inline code."""
    blocks = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`(rarewood [^`]+)`", outside)
    return dict.fromkeys([line for line in lines if line.startswith("rarewood ")] + inline)


def plain(text):
    """A text without its numbers and line breaks."""
    return re.sub(r"\s+", " ", re.sub(r"\d[\d,.]*", "N", text))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documented")
    payments(folder / "payments.csv", 1100)
    machines(folder / "machines.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("RAREWOOD_DATA", raising=False)
        patch.setattr("rarewood.workflow._compare._processes", lambda n_jobs, table: 1)
        for name, one in REGISTRY.items():
            patch.setitem(REGISTRY, name, replace(one, is_default=name in FAST))
        yield folder


def test_every_command_runs_and_says_what_the_page_says(place):
    documented = dict.fromkeys(
        command for text in TEXTS.values() for command in commands(text)
        if not command.startswith("rarewood: ")
    )  # fmt: skip
    assert set(documented) - NAMES_ONLY == set(PHRASES)
    whole = plain("\n".join(TEXTS.values()))
    for command, phrases in PHRASES.items():  # an order in which each finds its files
        words = [WORDS.get(word, word) for word in shlex.split(command)[1:]]
        result = run(*words)
        assert result.exit_code == 0, (command, result.stderr)
        for phrase in phrases:
            assert plain(phrase) in whole, phrase
            assert plain(phrase) in plain(result.stdout + result.stderr), (command, phrase)
    assert all((place / name).stat().st_size for name in re.findall(r"-o (\S+)", " ".join(PHRASES)))
    listed = re.findall(r"^\| `([a-z]+\.[a-z]+)` \|", TEXTS["docs/command-line.md"], re.MULTILINE)
    (folder,) = place.glob("rarewood-runs/hypothyroid-5x2-*")
    assert {path.name for path in folder.iterdir()} == set(listed)


def errors():
    block = TEXTS["docs/command-line.md"].split("## Errors")[1].split("```\n")[1]
    return block.splitlines()


@pytest.mark.parametrize(
    ("place_of_line", "words"),
    [
        (0, ["payment.csv", "-t", "fraud"]),
        (1, ["payments.csv", "-t", "frud"]),
        (2, ["payments.csv", "-t", "amount"]),
        (3, ["payments.csv", "-t", "fraud", "--rare", "frau"]),
        (4, ["payments.csv", "-t", "fraud", "--memory", "20KB"]),
    ],
)
def test_the_errors_of_the_page(tmp_path, monkeypatch, place_of_line, words):
    assert len(errors()) == 5
    monkeypatch.chdir(tmp_path)
    payments(tmp_path / "payments.csv", 1100)
    line = fails(run("compare", *words, "--models", "hddt"))
    unit = re.compile(r"N [KM]B")
    assert unit.sub("SIZE", plain(line)) == unit.sub("SIZE", plain(errors()[place_of_line]))


COLUMNS = {
    "numbers": (lambda draw, n: draw.randn(n), True),
    "text with at most 200 distinct values, each twice on average or more": (
        lambda draw, n: draw.choice(["a", "b", "c"], n), True,
    ),
    "booleans": (lambda draw, n: draw.rand(n) < 0.5, True),
    "dates or times": (lambda draw, n: pd.date_range("2020-01-01", periods=n), False),
    "other text": (
        lambda draw, n: [f"remark {k // 2} {k * 7}" for k in range(n - 2)] + ["x"] * 2, False,
    ),
    "text that is unique in every row": (lambda draw, n: [f"k{k:04}" for k in range(n)], False),
    "unique integers that increase or decrease from row to row, or whose name contains \"id\"": (
        lambda draw, n: np.arange(n) + 5, False,
    ),
    "other unique integers": (lambda draw, n: draw.permutation(n * 3)[:n], True),
    "mostly numbers, and some words": (
        lambda draw, n: ["none known", *draw.rand(n - 1).round(4).astype(str)], False,
    ),
    "one value, or none": (lambda draw, n: ["same"] * n, False),
}  # fmt: skip


@pytest.mark.parametrize("content", COLUMNS)
def test_the_use_of_a_column_is_that_of_the_page(content, tmp_path):
    page = TEXTS["docs/command-line.md"].split("The use of a column depends on its content:")[1]
    rows = [line.strip("| ").split(" | ") for line in page.split("\n\n")[1].splitlines()[2:]]
    described = dict(rows)
    assert set(described) == set(COLUMNS)
    make, is_used = COLUMNS[content]
    assert described[content].startswith("used" if is_used else "skipped")
    draw = np.random.RandomState(0)
    n = 400
    table = pd.DataFrame({"other": draw.randn(n), "thing": make(draw, n)})
    table["y"] = np.where(draw.rand(n) < 0.2, "rare", "rest")
    table.to_csv(tmp_path / "t.csv", index=False)
    found = {one.name: one for one in prepare(tmp_path / "t.csv", "y").findings.columns}["thing"]
    assert found.used == is_used, found
    if "--keep COL" in described[content]:
        kept = prepare(tmp_path / "t.csv", "y", keep=["thing"])
        assert "thing" in kept.X


def test_the_packages_of_the_readme_exist():
    table = TEXTS["README.md"].split("## Contents")[1].split("\n\n")[1]
    first = [line.split("|")[1] for line in table.splitlines()[2:]]
    for name in re.findall(r"`rarewood\.(\w+)`", " ".join(first)):
        assert hasattr(importlib.import_module("rarewood"), name) or importlib.import_module(
            f"rarewood.{name}"
        )


def test_the_quick_start_has_the_score_that_the_readme_says():
    text = TEXTS["README.md"]
    code = re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
    said = float(re.search(r"average precision over five folds is about ([\d.]+)\d?;", text)[1])
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(code, {"__name__": "readme"})
    assert float(printed.getvalue()) == pytest.approx(said, abs=0.01)
