"""SQL of rules on any value: the same prediction as the tree, or a clear refusal."""

from __future__ import annotations

import sqlite3
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewood import RareTreeClassifier, rules
from rarewood.rules._sql import literal
from support.draw import examples

CATEGORIES = {
    "infinite": [float("inf"), float("-inf"), 0.0, 1.5],
    "bytes": [b"'; --", b"\0", b"\xff", b""],
    "text": ["'", '"', "'' OR 1=1 --", "\n", "é"],
    "numbers": [1, 2.5, -3, 0],
    "booleans": [True, False],
    "decimals": [Decimal("0.5"), Decimal("-1.25"), Decimal("3")],
}


def in_sqlite(values: list, statement: str) -> list:
    """The last column of a SELECT over a table that is filled without a literal."""
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE t (x)")
        base.executemany("INSERT INTO t VALUES (?)", [(value,) for value in values])
        return [row[-1] for row in base.execute(statement)]


@pytest.mark.parametrize("kind", CATEGORIES)
@pytest.mark.parametrize("split", ["subset", "multiway"])
@examples(15)
@given(data=st.data())
def test_the_expression_predicts_what_the_tree_predicts(kind, split, data):
    n = data.draw(st.integers(6, 30))
    values = st.sampled_from([*CATEGORIES[kind], None])
    column = data.draw(st.lists(values, min_size=n, max_size=n))
    labels = data.draw(st.lists(st.sampled_from(["a'", "b"]), min_size=n, max_size=n))
    if len(set(labels)) < 2 or set(column) == {None}:
        return
    is_categorical = kind == "bytes"  # bytes are categories only in a column of this type
    X = pd.DataFrame({"x": pd.Series(column, dtype="category" if is_categorical else object)})
    y = np.array(labels, dtype=object)
    model = RareTreeClassifier(categorical_features=[0], categorical_split=split).fit(X, y)
    statement = rules.extract(model).to_sql("t")
    rows = [float(value) if isinstance(value, Decimal) else value for value in column]
    assert in_sqlite(rows, statement) == model.predict(X).tolist()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "TRUE"),
        (np.int64(-3), "-3"),
        (1e300, "1e+300"),
        (Decimal("1E+3"), "1000"),
        (Decimal("0.10"), "0.10"),
        (b"\0'", "X'0027'"),
        ("it's", "'it''s'"),
        (date(2026, 11, 18), "'2026-11-18'"),
    ],
)
def test_literals(value, text):
    assert literal(value) == text


@pytest.mark.parametrize(
    "value", [float("inf"), float("nan"), Decimal("Infinity"), "a\0b", "\ud800", (1, 2), None]
)
def test_values_without_a_literal(value):
    with pytest.raises(ValueError, match=r"SQL (has no literal for|cannot contain)"):
        literal(value)


def test_names_with_nul_are_refused():
    X = pd.DataFrame({"a\0b": [0.0, 1.0]})
    found = rules.extract(RareTreeClassifier().fit(X, [0, 1]))
    with pytest.raises(ValueError, match=r"SQL cannot contain 'a.x00b'"):
        found.to_sql("t")
