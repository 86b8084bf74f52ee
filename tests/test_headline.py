"""The headline tables of README and docs are those of the benchmark pages."""

import importlib
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ("accuracy", "large_tables")


@pytest.fixture
def headline(monkeypatch):
    if not (ROOT / "benchmarks").is_dir():
        pytest.skip("tests outside the repository")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    module = importlib.import_module("headline")
    yield module
    for name in ("headline", "common", "rankings"):
        sys.modules.pop(name, None)


def test_readme_and_docs_are_up_to_date(headline):
    small, large = (headline.read_page(headline.DOCS / f"{n}.md") for n in BENCHMARKS)
    block = headline.headline(small, large)
    for name in headline.PAGES:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert headline.replaced(text, block) == text, f"{name} is out of date: make figures"


def test_the_means_are_those_of_the_stored_scores(headline):
    scores = pd.read_csv(headline.DOCS / "accuracy.csv").groupby("model")["average_precision"]
    rows = [line for line in (ROOT / "README.md").read_text().splitlines() if line[:2] == "| "]
    for model, shown in headline.NAMES.items():
        row = next(row for row in rows if row.startswith(f"| {shown} |"))
        shown_mean = float(row.replace("*", "").split(" | ")[1])
        assert shown_mean == pytest.approx(scores.mean()[model], abs=0.00056)  # rounded twice
