from __future__ import annotations

import numpy as np

from rarewood.evaluate import ScoreMatrix
from reproduction import ReproducedCell, Reproduction
from reproduction.conclusions import judge
from reproduction.markdown import section, summary
from reproduction.paragraph import paragraph
from reproduction.reasons import guess, measured, reason_of
from reproduction.registry import find
from reproduction.result import OtherData, OtherReading


def made(name="hddt-table2", shift=0.0):
    """A reproduction whose cells are the printed ones, but for one."""
    experiment = find(name)
    printed = experiment.printed()
    values = printed.matrix(list(experiment.columns)).values.copy()
    values[0, 0] += shift
    ours = ScoreMatrix(values, printed.rows, list(experiment.columns), "auc")
    cells = []
    for i, row in enumerate(printed.rows):
        for j, column in enumerate(experiment.columns):
            value, deviation = printed.cell(row, column)
            cells.append(
                ReproducedCell(row, column, values[i, j], 0.01, value, deviation, 2 * deviation)
            )
    verdicts = [judge(c, ours, ours, ours) for c in experiment.conclusions]
    reading = OtherReading("cart", "raw leaves", [c for c in cells if c.column == "cart"])
    return Reproduction(
        experiment, printed, ours, cells, verdicts, [], [], "5 x 2", ["x on y: Error"], [reading],
        verdicts,
    )  # fmt: skip


def test_summary():
    lines = summary([made()]).splitlines()
    assert len(lines) == 3
    assert "76 of 76 (100%)" in lines[2]
    assert "19 of 19" in lines[2]


def test_section():
    text = section(made(shift=0.2), {"Boundary, c45": guess("folds.")}, ["Look here."])
    assert "**0.754** (0.554 ± 0.037)" in text
    assert "- Boundary C4.5 +0.200: guess: folds." in text
    assert "75 of 76 (99%) cells agree (C4.5 18 of 19, DKM 19 of 19" in text
    assert "in 1 cell, 1 above the printed value and 0 below: 1 for which there" in text
    assert "| CART | raw leaves | 19 of 19 (100%) | +0.000 | 0.000 |" in text
    assert "- Look here." in text
    assert "Failed: x on y: Error." in text
    assert "| average rank | 2.76 (2.92) | 1.79 (1.74) |" in text
    assert "not explained" not in text
    assert "not explained" in section(made(shift=0.2), {})
    assert "**Where it differs:** in no cell." in section(made(), {})


def test_the_paragraph_has_every_conclusion_with_its_verdict():
    result = made()
    text = paragraph(result, {})
    for verdict in result.verdicts:
        assert f'"{verdict.text}"' in text
    assert "Holds here: " in text
    assert "on 19 of 19 data sets." in text


def test_measured_reasons():
    result = made(shift=0.2)
    cell = result.cells[0]
    assert reason_of(cell, result, {}).kind == "not explained"
    assert reason_of(cell, result, {"": guess("a"), "c45": guess("b")}) == guess("b")
    cells = [c._replace(ours=c.printed) for c in result.cells]
    column = [c for c in cells if c.column == "c45"]
    result.readings.append(OtherReading("c45", "other trees", column))
    assert reason_of(cell, result, {"": guess("a")}) == guess("a")  # one cell is not sufficient
    place = next(i for i, c in enumerate(result.cells) if c is not cell and c.column == "c45")
    result.cells[place] = result.cells[place]._replace(ours=0.1)
    assert reason_of(cell, result, {"": guess("a")}) == measured(
        'agrees under the interpretation "other trees", with which 19 of 19 cells of the column '
        "agree instead of 17."
    )
    result.readings[-1] = OtherReading("c45", "no better", [cell, *column[1:]])
    assert reason_of(cell, result, {"": guess("a")}) == guess("a")


def test_reasons_by_other_data():
    result = made(shift=0.2)
    cell, row = result.cells[0], [c._replace(ours=c.printed) for c in result.cells[:4]]
    result.other_data.append(OtherData("Boundary", "all samples", row))
    assert reason_of(cell, result, {}).kind == "not explained"
    result.cells[1] = result.cells[1]._replace(ours=0.1)
    assert reason_of(cell, result, {}) == measured(
        "agrees with other data, all samples, on which 4 of 4 cells of the row agree instead of 2."
    )


def test_nan_cells_are_not_counted():
    cell = ReproducedCell("a", "b", 0.5, np.nan, np.nan, np.nan, 0.02)
    assert cell.is_inside is None
    assert ReproducedCell("a", "b", 0.5, np.nan, 0.4, np.nan, np.nan).is_inside is None
    assert ReproducedCell("a", "b", 0.42, np.nan, 0.4, np.nan, 0.02).is_inside is True
