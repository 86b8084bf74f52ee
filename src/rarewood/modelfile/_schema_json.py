"""The columns of the training table as JSON, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.modelfile._error import ModelFileError
from rarewood.modelfile._values import from_json, to_json
from rarewood.table._schema import Categories, Schema

__all__ = ["schema_from_json", "schema_to_json"]


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """Return the names, kinds and categories of the columns."""
    columns: list[dict[str, Any]] = []
    for index in range(schema.n_features):
        column: dict[str, Any] = {}
        label = f"column {index}"
        if schema.names is not None:
            column["name"] = str.__str__(schema.names[index])
            label = f"column {schema.names[index]!r}"
        categories = schema.categories.get(index)
        column["kind"] = "numeric" if categories is None else "nominal"
        if categories is not None:
            what = f"A category of {label}"
            column["categories"] = [to_json(value, what) for value in categories.values.tolist()]
        columns.append(column)
    return {"columns": columns, "by_dtype": schema.by_dtype, "has_missing": schema.has_missing}


def schema_from_json(value: Any) -> Schema:
    """Return the schema that :func:`schema_to_json` was given."""
    columns = value["columns"]
    names = [column.get("name") for column in columns]
    if any(name is not None for name in names) and not all(isinstance(n, str) for n in names):
        raise ModelFileError("Some of its columns have no name.")
    if not columns or any(column["kind"] not in ("numeric", "nominal") for column in columns):
        raise ModelFileError("It has no columns, or one of an unknown kind.")
    categories = {
        index: _categories(column["categories"])
        for index, column in enumerate(columns)
        if column["kind"] == "nominal"
    }
    return Schema(
        len(columns),
        None if names[0] is None else np.array(names, dtype=object),
        categories,
        by_dtype=bool(value["by_dtype"]),
        has_missing=bool(value["has_missing"]),
    )


def _categories(values: list[Any]) -> Categories:
    decoded = from_json(values)
    if not isinstance(decoded, list) or len(set(decoded)) < len(decoded):
        raise ModelFileError("A nominal column has the same category twice.")
    return Categories(decoded)
