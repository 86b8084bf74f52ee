"""Random tables as plain data, and as arrays, data frames and Arrow tables.

A column is a dict with ``values``, None where missing; a categorical one has ``levels``, the sorted
names of its categories, and its values are their positions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz.draw import Draw

Table = dict[str, Any]  # "columns", "y", "labels", "weights", "single"

_TINY, _BIG = 5e-324, 1.7e308
POOLS: list[list[float]] = [
    [0, 1],
    [0, 1, 2, 3],
    list(range(-4, 5)),
    [0.1 * i for i in range(12)],
    [1.0 + i * 2**-52 for i in range(5)],
    [-0.1 + i * 2**-56 for i in range(5)],
    [i * _TINY for i in (-3, -1, 0, 1, 2, 7)],
    [-_BIG, -_BIG / 3, 0.0, _BIG / 2, _BIG],
    [-0.0, 0.0, _TINY, -_TINY, 1.0],
    [-1e300, -1.0, 0.0, 1e-300, 1.0, 1e300],
    [7.0],
]
SINGLE_POOLS = [pool for pool in POOLS if max(map(abs, pool)) < 1e30]
MODERATE_POOLS = [pool for pool in SINGLE_POOLS if all(v == 0 or abs(v) > 1e-30 for v in pool)]
LEVELS = ["a", "b", "c", "d", "e", "f", "g", "h"]
LABELS: list[list[Any]] = [
    [0, 1, 2, 3],
    ["common", "kind", "odd", "rare"],
    [-7, -1, 1, 5],
    [False, True],
]
WEIGHTS = ["none", "none", "none", "whole", "some zero", "dyadic", "any", "wide"]


def draw_table(
    d: Draw, rows: tuple[int, int] = (4, 60), features: tuple[int, int] = (1, 5),
    categorical: float = 0.3, pools: list[list[float]] | None = None, n_classes: int | None = None,
    zeros: float = 0.0,
) -> Table:  # fmt: skip
    """``categorical``: the fraction of columns; ``pools``: the values of some of the others.

    ``zeros``: the largest fraction of values that are replaced by zero, of columns of numbers.
    """
    n = d.integer(*rows) if d.chance(0.3) else d.small(*rows)
    k = n_classes or d.pick([2, 2, 2, 3, 4])
    y = (
        d.many(range(k), n)
        if d.chance(0.5)
        else [d.integer(1, k - 1) * d.chance(0.2) for _ in range(n)]
    )
    y[:2] = [0, k - 1]
    d.shuffle(y)
    is_single = d.chance(0.15)
    has_missing = d.chance(0.4)
    pools = pools or (SINGLE_POOLS if is_single else POOLS)
    columns = [
        _column(d, y, categorical, pools, has_missing and d.chance(0.6))
        for _ in range(d.small(*features))
    ]
    if zeros:
        _add_zeros(d, columns, d.pick([0.0, zeros / 2, zeros]))
    return {
        "columns": columns,
        "y": y,
        "labels": d.pick([one for one in LABELS if len(one) >= k]),
        "weights": draw_weights(d, n, d.pick(WEIGHTS)),
        "single": is_single,
    }


def _column(
    d: Draw, y: list[int], categorical: float, pools: list[list[float]], has_missing: bool
) -> dict[str, Any]:
    n = len(y)
    column: dict[str, Any] = {}
    if d.chance(categorical):
        column["levels"] = LEVELS[: d.integer(2, len(LEVELS))]
        values: list[Any] = d.many(range(len(column["levels"])), n)
    elif d.chance(0.45):
        values = d.many(d.pick(pools), n)
    else:  # related to the class, in a few digits so that values repeat
        digits, effect = d.pick([0, 1, 3, 12]), d.pick([0.0, 1.0, 3.0])
        values = [round(d.gauss(effect * c, 1), digits) for c in y]
    if has_missing:
        values = [None if d.chance(0.2) else value for value in values]
    return {**column, "values": values}


def _add_zeros(d: Draw, columns: list[dict[str, Any]], fraction: float) -> None:
    for column in columns:
        if "levels" not in column:
            column["values"] = [0.0 if d.chance(fraction) else v for v in column["values"]]


def draw_weights(d: Draw, n: int, kind: str) -> list[float] | None:
    if kind == "none":
        return None
    draw_one = {
        "whole": lambda: d.integer(1, 3),
        "some zero": lambda: d.integer(0, 3),
        "dyadic": lambda: d.integer(1, 64) / 16,
        "any": lambda: d.uniform(0.01, 3),
        "wide": lambda: 10 ** d.uniform(-6, 6),
    }[kind]
    weights = [float(draw_one()) for _ in range(n)]
    return weights if any(weights) else None


# ------------------------------------------------------------------ as the types that users have


def categorical(table: Table) -> list[int]:
    return [j for j, column in enumerate(table["columns"]) if "levels" in column]


def as_array(table: Table) -> np.ndarray:
    """Numbers, positions of categories, and NaN."""
    columns = [
        [math.nan if value is None else value for value in column["values"]]
        for column in table["columns"]
    ]
    array = np.array(columns, dtype=np.float32 if table["single"] else np.float64).T
    return np.ascontiguousarray(array)


def names(table: Table) -> list[str]:
    return [f"x{j}" for j in range(len(table["columns"]))]


def as_frame(table: Table) -> Any:
    """A DataFrame of pandas, with categorical columns."""
    import pandas as pd

    X = as_array(table)
    frame = {}
    for j, (name, column) in enumerate(zip(names(table), table["columns"], strict=True)):
        if "levels" in column:
            codes = [-1 if value is None else value for value in column["values"]]
            frame[name] = pd.Categorical.from_codes(codes, column["levels"])
        else:
            frame[name] = X[:, j]
    return pd.DataFrame(frame)


def as_objects(table: Table) -> np.ndarray:
    """An array of objects: numbers, names of categories, and None."""
    found = as_array(table).astype(object)
    for j, column in enumerate(table["columns"]):
        if "levels" in column:
            found[:, j] = [None if v is None else column["levels"][v] for v in column["values"]]
    return found


def as_arrow(table: Table, with_targets: bool = False) -> Any:
    """A table of Arrow; ``with_targets`` adds the labels "y" and the weights "w"."""
    import pyarrow as pa

    X, columns = as_array(table), {}
    for j, (name, column) in enumerate(zip(names(table), table["columns"], strict=True)):
        if "levels" in column:
            texts = [None if v is None else column["levels"][v] for v in column["values"]]
            columns[name] = pa.array(texts, type=pa.string())
        else:
            columns[name] = pa.array(X[:, j])
    if with_targets:
        columns["y"] = pa.array(labels(table))
        if table["weights"] is not None:
            columns["w"] = pa.array(table["weights"])
    return pa.table(columns)


def labels(table: Table) -> np.ndarray:
    return np.array([table["labels"][c] for c in table["y"]])


def weights(table: Table) -> np.ndarray | None:
    return None if table["weights"] is None else np.array(table["weights"], dtype=np.float64)


def rows_of(table: Table, rows: list[int]) -> Table:
    """A table with the rows at these positions, possibly repeated."""
    return {
        **table,
        "columns": [
            {**column, "values": [column["values"][i] for i in rows]} for column in table["columns"]
        ],
        "y": [table["y"][i] for i in rows],
        "weights": None if table["weights"] is None else [table["weights"][i] for i in rows],
    }
