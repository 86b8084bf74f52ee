"""Tables whose values are the same everywhere: a frozen generator, and arithmetic without libm.

NumPy promises that the numbers of ``RandomState`` never change. What is made of them here uses
additions, multiplications, divisions and comparisons only, which are exact to the bit everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

TOWNS = ("north", "south", "east", "west", "middle")
SIZES = ("medium", "small", "large")


@dataclass(frozen=True, eq=False)
class Table:
    """Training rows with labels and weights, and all rows to predict: these and held-out ones."""

    X: Any
    y: np.ndarray
    weight: np.ndarray
    rows: Any


@cache
def numbers(n_classes: int = 2, *, missing: bool = False, n_rows: int = 400) -> Table:
    """An array of eight columns: even and skewed numbers, whole numbers with ties, a difference."""
    random = np.random.RandomState(n_classes + 10 * missing)
    n_all = n_rows + n_rows // 2
    X = random.random_sample((n_all, 8))
    noise = random.random_sample(n_all)
    X[:, 1] = np.floor(X[:, 1] * 8)
    X[:, 2] = X[:, 2] * X[:, 2] * X[:, 2] * 100
    X[:, 3] = np.floor(X[:, 3] * 3)
    X[:, 4] = X[:, 4] - X[:, 0] / 2
    X[:, 5] = np.floor(X[:, 5] * 2000) / 100
    score = 2 * X[:, 0] + X[:, 1] / 8 + (X[:, 3] == 2) / 2 + noise
    if missing:
        X[random.random_sample(X.shape) < 0.1] = np.nan
    return _divide(X, _labels(score, n_rows, n_classes), _weights(random, n_rows))


@cache
def medium(n_classes: int = 2, *, missing: bool = False, n_rows: int = 5000) -> Table:
    """An array of twelve columns, half of them whole numbers with ties, half skewed numbers."""
    random = np.random.RandomState(100 + n_classes + 10 * missing)
    n_all = n_rows + n_rows // 5
    X = random.random_sample((n_all, 12))
    noise = random.random_sample(n_all)
    for column, n_values in zip(range(0, 12, 2), (2, 5, 20, 100, 300, 3000), strict=True):
        X[:, column] = np.floor(X[:, column] * n_values)
    for column, scale in zip(range(1, 12, 2), (1, 10, 1e3, 1e-3, 1e6, 1), strict=True):
        X[:, column] *= X[:, column] * X[:, column] * scale
    score = X[:, 0] / 2 + X[:, 1] + X[:, 4] / 20 + X[:, 3] / 10 + X[:, 6] / 100 + noise
    if missing:
        X[random.random_sample(X.shape) < 0.05] = np.nan
    return _divide(X, _labels(score, n_rows, n_classes), _weights(random, n_rows))


@cache
def mixed(n_classes: int = 2, kind: str = "pandas", *, n_rows: int = 400) -> Table:
    """A data frame with numbers, text and booleans; held-out rows have categories of their own."""
    random = np.random.RandomState(1000 + n_classes)
    n_all = n_rows + n_rows // 2
    real, rest, noise = random.random_sample((3, n_all))
    count = random.randint(0, 12, n_all)
    town = np.array(TOWNS, dtype=object)[random.randint(0, 5, n_all)]
    street = np.array([f"street {number}" for number in random.randint(0, 40, n_all)], dtype=object)
    size = random.randint(0, 3, n_all)
    score = real + (town == "west") / 2 + (size == 0) / 2 + count / 20 + noise / 2
    flag = random.random_sample(n_all) + real / 2 < 0.6
    real[random.random_sample(n_all) < 0.1] = np.nan
    town[random.random_sample(n_all) < 0.1] = None
    town[n_rows::7] = "elsewhere"
    street[n_rows::5] = "a new street"
    columns = {
        "real": real,
        "rest": rest * rest * 10,
        "count": count,
        "town": town.tolist(),
        "street": street.tolist(),
        "size": np.array(SIZES)[size].tolist(),
        "flag": flag,
    }
    train = {name: values[:n_rows] for name, values in columns.items()}
    labels = np.array(["a", "b", "c"])[_labels(score, n_rows, n_classes)]
    frame = FRAMES[kind]
    return Table(frame(train), labels, _weights(random, n_rows), frame(columns))


def as_frames(table: Table, kind: str) -> Table:
    """Return a table of arrays as one of data frames."""
    frame = FRAMES[kind]
    X, rows = (
        frame({f"x{j}": values[:, j].copy() for j in range(values.shape[1])})
        for values in (table.X, table.rows)
    )
    return Table(X, table.y, table.weight, rows)


def to_arrow(table: Table) -> pa.Table:
    """Return the training rows of a table of pandas frames with "label" and "weight"."""
    columns = pa.Table.from_pandas(table.X, preserve_index=False)
    columns = columns.append_column("label", pa.array(table.y.tolist()))
    return columns.append_column("weight", pa.array(table.weight))


def _in_order(columns: dict[str, Any]) -> pd.DataFrame:
    """A pandas frame with a column whose categories have an order that is not that of text."""
    frame = pd.DataFrame(columns)
    return frame.assign(size=pd.Categorical(frame["size"], SIZES))


FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table, "ordered": _in_order}


def _divide(X: np.ndarray, y: np.ndarray, weight: np.ndarray) -> Table:
    return Table(X[: len(y)], y, weight, X)


def _labels(score: np.ndarray, n_rows: int, n_classes: int) -> np.ndarray:
    """Return the class of the training rows: few of class 1, above, and fewer of 2, below."""
    own = score[:n_rows]
    ordered = np.sort(own)
    y = (own > ordered[int(0.88 * n_rows)]).astype(np.int64)
    if n_classes > 2:
        y[own < ordered[int(0.06 * n_rows)]] = 2
    return y


def _weights(random: np.random.RandomState, n_rows: int) -> np.ndarray:
    """Return weights in steps of a third, some of them zero."""
    return random.randint(0, 7, n_rows) / 3
