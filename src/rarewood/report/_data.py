"""Description of the data: rows, classes, columns, and missing values."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._cell import Table
from rarewood.intake._findings import Findings
from rarewood.report._columns import describe_columns
from rarewood.report._plain import plain, text
from rarewood.table._frames import all_series

_MOST_COLUMNS = 300  # listed in the report


def describe_data(table: Table, findings: Findings | None) -> dict[str, Any]:
    """Return a JSON-safe description of a table, from its findings if there are any."""
    columns = _columns(table.X)
    is_rare = table.y == table.classes[table.pos_index]
    for column, by_class in zip(columns, describe_columns(table.X, is_rare), strict=True):
        column |= plain(by_class)
    strength = [-(column["association"] or 0.0) for column in columns]
    for rank, place in enumerate(np.argsort(strength, kind="stable").tolist()):
        columns[place]["rank"] = rank
    n_numeric = sum(column["kind"] == "numeric" for column in columns)
    about: dict[str, Any] = {"source": None, "skipped": [], "warnings": [], "notes": []}
    if findings is not None:
        _add_findings(about, columns, findings)
    counts = np.bincount(np.searchsorted(table.classes, table.y), minlength=len(table.classes))
    n_rows, n_rare = len(table.y), int(counts[table.pos_index])
    order = np.argsort(-counts, kind="stable").tolist()
    n_missing = sum(column["n_missing"] for column in columns)
    return {
        "name": table.name,
        "n_rows": n_rows,
        "n_columns": len(columns),
        "n_numeric": n_numeric,
        "n_missing": n_missing,
        "missing_fraction": n_missing / max(n_rows * len(columns), 1),
        "n_columns_with_missing": sum(bool(column["n_missing"]) for column in columns),
        "classes": [
            {
                "label": text(table.classes[number]),
                "n": int(counts[number]),
                "fraction": int(counts[number]) / n_rows,
                "is_rare": number == table.pos_index,
            }
            for number in order
        ],
        "pos_label": text(table.classes[table.pos_index]),
        "n_rare": n_rare,
        "rare_fraction": n_rare / n_rows,
        "imbalance": (n_rows - n_rare) / n_rare if n_rare else None,
        "columns": columns[:_MOST_COLUMNS],
        "n_columns_not_listed": max(len(columns) - _MOST_COLUMNS, 0),
        **plain(about),
    }


def _add_findings(about: dict[str, Any], columns: list[dict[str, Any]], findings: Findings) -> None:
    origin = findings.about
    about["source"] = origin.get("source") or origin.get("file") or findings.name
    about["skipped"] = [{"name": c.name, "reason": c.reason} for c in findings.skipped]
    about["notes"] = list(findings.notes)
    if findings.n_unlabelled:
        about["notes"].append(f"{findings.n_unlabelled:,} rows without a label were left out")
    used = {column.name: column for column in findings.columns if column.used}
    for column in columns:
        if found := used.get(column["name"]):
            column |= {name: getattr(found, name) for name in ("kind", "n_missing", "n_distinct")}
            if found.reason:
                about["warnings"].append(f"{found.name}: {found.reason}")


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
    if series.dtype == nw.Object:  # values may not be comparable, but their texts are
        n_distinct = len({str(value) for value in values.to_list()})
    else:
        n_distinct = int(values.n_unique()) if len(values) else 0
    kind = "boolean" if series.dtype == nw.Boolean else "categorical"
    return _column(name, kind, n_missing, n_distinct)


def _numbers(name: str, values: NDArray[Any]) -> dict[str, Any]:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):  # an array of objects
        texts = [str(v) for v in values.tolist() if v is not None and v == v]
        return _column(name, "categorical", len(values) - len(texts), len(set(texts)))
    present = numbers[~np.isnan(numbers)]
    n_missing = len(numbers) - len(present)
    ends = (present.min(), present.max()) if len(present) else ()
    return _column(name, "numeric", n_missing, len(np.unique(present)), *ends)


def _column(
    name: str, kind: str, n_missing: int, n_distinct: int, low: Any = None, high: Any = None
) -> dict[str, Any]:
    about = {"name": name, "kind": kind, "n_missing": n_missing, "n_distinct": n_distinct}
    return {**about, "low": plain(low), "high": plain(high)}
