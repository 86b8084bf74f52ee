from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import reproduction


def test_names():
    names = reproduction.names()
    assert len(names) == len(set(names))
    wanted = ["hddt-table2", "hddt-table3", "hddt-table4", "hddt-table5", "hddt-figure6"]
    wanted += [f"ccpdt-table{i}" for i in (4, 5, 6, 7)]
    wanted += ["beat-table1", "beat-figure1", "beat-figure2", "ihd-table3", "ihd-table4"]
    wanted += [f"hedex-table{i}" for i in (5, 6, 7, 8)]
    assert set(wanted) <= set(names)


@pytest.mark.parametrize("name", reproduction.names())
def test_every_table_has_a_source_and_the_columns_that_are_made_again(name):
    from reproduction.registry import find

    table, experiment = reproduction.printed(name), find(name)
    assert ", table" in table.source or ", figure" in table.source
    assert table.values.shape == table.deviations.shape == (len(table.rows), len(table.columns))
    if table.rows:
        assert set(experiment.columns) <= set(table.columns)
        assert set(table.ranks) <= set(table.columns)
    if set(table.rows) & set(experiment.sources):
        assert set(table.rows) == set(experiment.sources)
    assert name in str(table)
    for variant in experiment.variants:
        assert variant.column in experiment.columns
    labels = {(v.column, v.label) for v in experiment.variants}
    assert set(experiment.reading.items()) <= labels


def test_cells_and_frame():
    table = reproduction.printed("hddt-table2")
    assert table.cell("Oil", "cart") == (0.815, 0.052)
    assert np.isnan(table.cell("nowhere", "cart")).all()
    frame = table.to_frame()
    assert list(frame.columns[:3]) == ["row", "c45", "c45_sd"]
    assert len(frame) == 19
    assert "hddt_sd" not in reproduction.printed("ccpdt-table4").to_frame("polars").columns


def test_unknown_name():
    with pytest.raises(ValueError, match="Did you mean 'hddt-table2'"):
        reproduction.printed("hddt-table-2")


def test_command_line():
    def run(*arguments):
        command = [sys.executable, "-m", "reproduction", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "hedex-table8" in run("list")
    assert "3.63" in run("printed", "hddt-table3")


def test_only_public_names_of_rarewood_are_used():
    import ast
    from pathlib import Path

    used = set()
    for path in Path(reproduction.__file__).parent.rglob("*.py"):
        if path.parent.name == "tests":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                used |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
    used = {name for name in used if name.split(".")[0] == "rarewood"}
    private = {
        name for name in used for part in name.split(".") if part[0] == "_" and part[:2] != "__"
    }
    assert used
    assert not private
