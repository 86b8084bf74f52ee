from __future__ import annotations

import numpy as np

from rarewood.evaluate import ScoreMatrix
from reproduction import ReproducedCell, Reproduction
from reproduction.conclusions import judge
from reproduction.markdown import section, summary
from reproduction.registry import find
from reproduction.result import OtherReading


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
    text = section(made(shift=0.2), {"Boundary, c45": "Because."}, ["Look here."])
    assert "**0.754** (0.554 ± 0.037)" in text
    assert "- Boundary C4.5 +0.200: Because." in text
    assert "**75 of 76 (99%) of the cells agree**" in text
    assert "| CART | raw leaves | 19 of 19 (100%) | +0.000 |" in text
    assert "- Look here." in text
    assert "Failed: x on y: Error." in text
    assert "| average rank | 2.76 (2.92) | 1.79 (1.74) |" in text
    assert "Not explained." not in text
    assert "Not explained." in section(made(shift=0.2), {})


def test_nan_cells_are_not_counted():
    cell = ReproducedCell("a", "b", 0.5, np.nan, np.nan, np.nan, 0.02)
    assert cell.is_inside is None
    assert ReproducedCell("a", "b", 0.5, np.nan, 0.4, np.nan, np.nan).is_inside is None
    assert ReproducedCell("a", "b", 0.42, np.nan, 0.4, np.nan, 0.02).is_inside is True
