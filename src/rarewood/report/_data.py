"""What the data is: rows, classes, columns, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._cell import Table
from rarewood.report._plain import plain, text
from rarewood.table._frames import all_series

__all__ = ["describe_data"]

_MOST_COLUMNS = 300  # listed in the report; the counts are of all


def describe_data(table: Table, findings: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the facts about a table.

    Parameters
    ----------
    table : Table
        Features and labels.
    findings : mapping or None
        What reading the file has found: "columns", "skipped", "warnings", "notes", "source".
        Columns that it describes are taken as described, others are looked at here.

    Returns
    -------
    data : dict
        JSON-safe.
    """
    found = dict(findings or {})
    told = {text(c.get("name")): dict(c) for c in found.get("columns", ()) if "name" in c}
    empty: dict[str, Any] = {"note": None}
    seen = _columns(table.X)
    columns = [empty | column | told.get(column["name"], {}) for column in seen]
    counts = np.bincount(np.searchsorted(table.classes, table.y), minlength=len(table.classes))
    n_rows, n_rare = len(table.y), int(counts[table.pos_index])
    order = np.argsort(-counts, kind="stable").tolist()
    n_missing = sum(int(column["n_missing"] or 0) for column in columns)
    return {
        "name": table.name,
        "source": plain(found.get("source")),
        "n_rows": n_rows,
        "n_columns": len(columns),
        "n_numeric": sum(column["kind"] == "number" for column in seen),
        "n_missing": n_missing,
        "missing_share": n_missing / max(n_rows * len(columns), 1),
        "n_columns_with_missing": sum(bool(column["n_missing"]) for column in columns),
        "classes": [
            {
                "label": text(table.classes[number]),
                "n": int(counts[number]),
                "share": int(counts[number]) / n_rows,
                "is_rare": number == table.pos_index,
            }
            for number in order
        ],
        "rare": text(table.classes[table.pos_index]),
        "n_rare": n_rare,
        "rare_share": n_rare / n_rows,
        "imbalance": (n_rows - n_rare) / n_rare if n_rare else None,
        "columns": plain(columns[:_MOST_COLUMNS]),
        "n_columns_not_listed": max(len(columns) - _MOST_COLUMNS, 0),
        "skipped": plain([_named(item) for item in found.get("skipped", ())]),
        "warnings": [text(item) for item in found.get("warnings", ())],
        "notes": [text(item) for item in found.get("notes", ())],
    }


def _named(item: Any) -> dict[str, Any]:
    """Return a skipped column as name and reason, however it was told."""
    if isinstance(item, Mapping):
        return {"name": text(item.get("name", "")), "reason": text(item.get("reason", ""))}
    if isinstance(item, list | tuple) and len(item) == 2:
        return {"name": text(item[0]), "reason": text(item[1])}
    return {"name": text(item), "reason": ""}


def _columns(X: Any) -> list[dict[str, Any]]:
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return [_series(series) for series in all_series(frame)]
    matrix = np.asarray(X)
    return [_numbers(f"feature_{j}", matrix[:, j]) for j in range(matrix.shape[1])]


def _series(series: nw.Series[Any]) -> dict[str, Any]:
    name = text(series.name)
    if series.dtype.is_numeric():
        return _numbers(name, series.to_numpy())
    values = series.drop_nulls()
    n_missing = len(series) - len(values)
    if series.dtype == nw.Object:  # whose values cannot be compared, so their texts are
        n_distinct = len({str(value) for value in values.to_list()})
    else:
        n_distinct = int(values.n_unique()) if len(values) else 0
    kind = "yes/no" if series.dtype == nw.Boolean else "category"
    return {
        "name": name,
        "kind": kind,
        "n_missing": n_missing,
        "n_distinct": n_distinct,
        "low": None,
        "high": None,
    }


def _numbers(name: str, values: NDArray[Any]) -> dict[str, Any]:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):  # an array of objects
        present = [v for v in values.tolist() if v is not None and v == v]
        return {
            "name": name, "kind": "category", "n_missing": len(values) - len(present),
            "n_distinct": len(set(map(str, present))), "low": None, "high": None,
        }  # fmt: skip
    there = numbers[~np.isnan(numbers)]
    return {
        "name": name,
        "kind": "number",
        "n_missing": len(numbers) - len(there),
        "n_distinct": len(np.unique(there)),
        "low": float(there.min()) if len(there) else None,
        "high": float(there.max()) if len(there) else None,
    }
