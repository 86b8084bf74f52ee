"""The page in docs/ is the one that the code writes: its fixed texts are those of the code."""

from __future__ import annotations

import re

import numpy as np
import pytest

import reproduction.page
from rarewood.evaluate import ScoreMatrix
from reproduction import ReproducedCell, Reproduction
from reproduction.findings import INTRODUCTION, REMARKS
from reproduction.page import PAGE, PAPERS, write_page
from reproduction.registry import find, names
from reproduction.result import OtherReading
from reproduction.run import _verdicts
from reproduction.search_summary import GAINS, LEVELS

PAIRS = ["bagged_c45 against beat_1_1", "beat_1_1 against beat_1_3", "beat_1_1 against beat_3_1"]


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
    return {row[0]: [cell.strip('`" ') for cell in row[1:]] for row in rows}


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


def as_printed(name, **_):
    """A reproduction whose cells, and those of all interpretations, are the printed ones."""
    experiment = find(name)
    printed, columns = experiment.printed(), list(experiment.columns)
    rows = printed.rows or PAIRS
    values = np.linspace(0.1, 0.9, len(rows) * len(columns)).reshape(len(rows), len(columns))
    if printed.rows:
        values = printed.matrix(columns).values
    allowed = np.nan if experiment.tolerance is None else experiment.tolerance
    ours = ScoreMatrix(values, rows, columns, "score", experiment.higher_is_better)
    cells = [
        ReproducedCell(row, column, values[i, j], 0.01, *printed.cell(row, column), allowed)
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    ]
    result = Reproduction(experiment, printed, ours, cells, [], [], [], "5 x 2", seconds={name: 9})
    for variant in experiment.variants:
        own = [cell for cell in cells if cell.column == variant.column]
        result.readings.append(OtherReading(variant.column, variant.label, own))
    result.verdicts.extend(_verdicts(result, ours))
    if experiment.reading:
        result.other_verdicts.extend(_verdicts(result, result.other_table()))
    return result


def test_the_page_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction.page, "_reproduced", as_printed)
    monkeypatch.setattr(reproduction.page, "_other_shuffles", lambda *_, **__: "Shuffled again.")
    monkeypatch.setattr(reproduction.page, "draw_roc", lambda *_: "![curves](roc.svg)")
    write_page(tmp_path / "page.md", folder=tmp_path)
    text = (tmp_path / "page.md").read_text()
    anchors = re.findall(r"(?m)^\(([a-z0-9-]+)\)=$", text)
    assert anchors == ["wrapper-searches", *names()]
    assert f"{len(names())} fits on training folds" in text
    assert INTRODUCTION in text
    assert text.count("Shuffled again.") == 2
    assert "![curves](roc.svg)" in text
    assert "J48 of Weka 1.00 and 1.00, so the rules of J48 of Weka do not explain it." in text
    assert "**Where it differs, and why:**" not in text  # it is the printed page
    not_printed = ("printed as nan", "HeDEx nan (printed -)")  # in the papers
    assert len(re.findall(r"\bnan\b", text)) == sum(map(text.count, not_printed))
