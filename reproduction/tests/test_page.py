"""The page in docs/ is the one that the code writes: its fixed texts are those of the code."""

from __future__ import annotations

import re

import pytest

from reproduction.findings import INTRODUCTION, REMARKS
from reproduction.page import PAGE, PAPERS
from reproduction.registry import find, names
from reproduction.search_summary import GAINS, LEVELS


@pytest.fixture(scope="module")
def page():
    if not PAGE.exists():
        pytest.skip("the documentation is not part of an installed package")
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sections(page):
    parts = re.split(r"(?m)^\(([a-z0-9-]+)\)=$", page)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_introduction_and_the_papers(page):
    assert INTRODUCTION in page
    assert [f"## {title}" in page for title in PAPERS.values()] == [True] * len(PAPERS)


def test_every_table_has_its_section(sections):
    assert [name for name in sections if name != "wrapper-searches"] == names()


@pytest.mark.parametrize("name", names())
def test_the_texts_of_a_section(sections, name):
    experiment, text = find(name), sections[name]
    assert f"### {name}: {experiment.title}\n\n{experiment.source}.\n" in text
    assert f"**What was done:** {experiment.setup.rstrip()} Reproduced with " in text
    verdicts = [line for line in text.splitlines() if re.match(r"\| .* \| \*\*.*\*\* \|", line)]
    told = [line.split(" | **")[0].removeprefix("| ") for line in verdicts]
    assert told[-len(experiment.conclusions) :] == [c.text for c in experiment.conclusions]
    for line in (*(f"- Misprint: {m}" for m in experiment.misprints), *REMARKS.get(name, ())):
        assert str(line) in text
    assert all(f"- {note}" in text for note in experiment.notes)
    for variant in experiment.variants:
        assert f" | {variant.label} | " in text


def columns_of(lines):
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return {row[0]: [cell.strip("`\" ") for cell in row[1:]] for row in rows}


def numbers(cell):
    return [float(text) for text in re.findall(r"[-+]?\d+\.?\d*", cell)]


def test_the_page_on_sampling_has_the_same_numbers(sections):
    """They are those of C4.5, CART and HDDT, which are the first, third and last tree."""
    there = columns_of(sections["wrapper-searches"].splitlines())
    here = columns_of((PAGE.parent / "sampling.md").read_text().splitlines())
    rows = {
        "mean undersampling, %": "mean level of undersampling %",
        "mean SMOTE, %": "mean level of SMOTE %",
        "mean change of AUC, %": "mean gain in AUC, %",
    }
    for own, other in rows.items():
        for cell, long in zip(here[own], there[other], strict=True):
            assert numbers(cell) == [numbers(long)[i] for i in (0, 2, 3)], (own, cell)
    assert {LEVELS, GAINS} <= set(sections)
