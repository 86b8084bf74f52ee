"""The main results are computed: with the printed cells as results, every one agrees."""

from __future__ import annotations

import pytest

from reproduction import names
from reproduction.models import COUNTS
from reproduction.overview import computed_remarks, main_results
from reproduction.registry import find
from reproduction.result import OtherReading
from reproduction.tests.test_markdown import made


@pytest.fixture(scope="module")
def results():
    return {name: made(name) for name in names() if find(name).printed().rows}


def test_main_results(results):
    lines = main_results(results).splitlines()
    assert lines[0].startswith("1. **HDDT, table 2:** 38 of 38 (100%) cells of HDDT and DKM agree")
    assert "differs by at most 0.0120" in lines[0]
    assert [line.partition(".")[0] for line in lines] == [str(i + 1) for i in range(len(lines))]
    wrapper = next(line for line in lines if "**The sampling wrapper**" in line)
    assert "DKM -0.42% (4 up, 14 down)" in wrapper


def test_hyperplanes_over_categories(results):
    result = results["hedex-table7"]
    cells = [cell._replace(ours=0.5) for cell in result.cells if cell.column == "hedexh"]
    result.readings.append(OtherReading("hedexh", "indicators", cells))
    remarks = list(computed_remarks(result))
    assert remarks[0] == (
        "Hyperplanes over categories, car: HeDEx 0.913 (printed 0.913), HeDExh 0.926 (printed "
        "0.926), with indicators 0.500."
    )
    assert "HeDEx nan (printed -)" in remarks[1]  # nursery has no printed cell
    assert not list(computed_remarks(results["hddt-table2"]))


def test_weights_by_counts(results):
    result = results["ccpdt-table4"]
    assert not list(computed_remarks(result))  # without the interpretation
    cells = [cell._replace(ours=0.5) for cell in result.cells if cell.column == "ccp_cart"]
    result.readings.append(OtherReading("ccp_cart", COUNTS, cells))
    assert list(computed_remarks(result)) == [
        f"Boundary, CCP-CART: 0.628 (printed 0.628), 0.500 with {COUNTS}."
    ]
