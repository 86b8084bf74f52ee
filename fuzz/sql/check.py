"""The rules of a model by Python, SQLite and DuckDB."""

from __future__ import annotations

import sqlite3
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from fuzz.tables import table as tables
from fuzz.tables.parameters import make
from fuzz.target import Case, Refused
from rarewood import rules


def check(case: Case) -> None:
    table = case["table"]
    frame = frame_of(table)
    changes = {"n_estimators": 2, "collapse": 0.0} if case["estimator"] == "forest" else {}
    try:
        model = make(case["estimator"], case["parameters"], **changes)
        model.fit(frame, tables.labels(table), tables.weights(table))
    except ValueError as error:
        raise Refused(str(error)) from error
    found = rules.extract(model)
    holds = found.apply(frame).toarray().astype(int)
    assert_rules(found, model, frame, holds)
    rows = rows_of(table)
    types = ["VARCHAR" if "levels" in column else "DOUBLE" for column in table["columns"]]
    names = list(frame.columns)
    if case["estimator"] == "tree":
        want = model.predict(frame).tolist()
        for run in (in_sqlite, in_duckdb):
            got = [row[-1] for row in run(found.to_sql("t"), names, types, rows)]
            assert same_labels(got, want), f"{run.__name__}: {got}, expected {want}"
    statement = found.to_sql("t", style="flags")
    for run in (in_sqlite, in_duckdb):
        got = [list(row[-holds.shape[1] :]) for row in run(statement, names, types, rows)]
        assert got == holds.tolist(), f"{run.__name__}: flags {got}, expected {holds.tolist()}"


def assert_rules(found: Any, model: Any, frame: pd.DataFrame, holds: np.ndarray) -> None:
    """Every sample is in one rule of a tree, and the rules predict what the tree predicts."""
    if not found.is_forest:
        assert (holds.sum(axis=1) == 1).all(), f"rules per sample: {holds.sum(axis=1)}"
        np.testing.assert_allclose(found.predict_proba(frame), model.predict_proba(frame))


def frame_of(table: tables.Table) -> pd.DataFrame:
    frame = tables.as_frame(table)
    frame.columns = [c.get("name", f"x{j}") for j, c in enumerate(table["columns"])]
    return frame


def rows_of(table: tables.Table) -> list[tuple[Any, ...]]:
    """Rows as a database has them: NULL where missing, categories by name."""
    columns = [
        [None if v is None else column["levels"][v] if "levels" in column else float(v)
         for v in column["values"]]
        for column in table["columns"]
    ]  # fmt: skip
    return list(zip(*columns, strict=True))


def same_labels(got: list[Any], want: list[Any]) -> bool:
    return all(a == b and isinstance(a, str) == isinstance(b, str)
               for a, b in zip(got, want, strict=True))  # fmt: skip


def _create(names: list[str], types: list[str]) -> str:
    columns = [f'"{name.replace(chr(34), chr(34) * 2)}" {kind}'
               for name, kind in zip(names, types, strict=True)]  # fmt: skip
    return f"CREATE TABLE t ({', '.join(columns)})"


def in_sqlite(statement: str, names: list[str], types: list[str], rows: list) -> list:
    base = sqlite3.connect(":memory:")
    try:
        base.execute(_create(names, types))
        marks = ", ".join("?" * len(names))
        base.executemany(f"INSERT INTO t VALUES ({marks})", rows)
        return base.execute(statement).fetchall()
    finally:
        base.close()


@cache
def _duckdb() -> Any:
    import duckdb

    return duckdb.connect(":memory:", config={"threads": 1})


def in_duckdb(statement: str, names: list[str], types: list[str], rows: list) -> list:
    base = _duckdb()
    base.execute("DROP TABLE IF EXISTS t")
    base.execute(_create(names, types))
    marks = ", ".join("?" * len(names))
    # One statement for all rows: a statement per row takes a millisecond.
    base.execute(
        f"INSERT INTO t VALUES {', '.join([f'({marks})'] * len(rows))}",
        [value for row in rows for value in row],
    )
    return base.execute(statement).fetchall()
