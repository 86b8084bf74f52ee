"""Reader of tables in Parquet, Feather, CSV, ARFF and KEEL files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._imports import require

SUFFIXES = (".parquet", ".feather", ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".arff", ".dat")


def pandas() -> Any:
    """Import pandas."""
    return require("pandas", "Reading data sets", "rarewood[data]")


def stem(path: Path) -> str | None:
    """Name of a data set file without its suffix; None for other files."""
    for suffix in SUFFIXES:
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)]
    return None


def read_table(path: Path) -> tuple[Any, str]:
    """Read a file, and return its table and the target that it declares, or the last column."""
    pd = pandas()
    kind = path.name.lower()
    target = None
    if kind.endswith((".parquet", ".feather")):
        require("pyarrow", "Reading Parquet and Feather files", "rarewood[data]")
        table = pd.read_parquet(path) if kind.endswith(".parquet") else pd.read_feather(path)
    elif kind.endswith((".csv", ".csv.gz", ".tsv", ".tsv.gz")):
        table = pd.read_csv(path, sep="\t" if ".tsv" in kind else ",")
    else:
        from rarewood.datasets._attribute_files import attribute_table

        table, target = attribute_table(path)
    if table.shape[1] < 2:
        raise ValueError(f"{path.name} has {table.shape[1]} columns; at least 2 are needed.")
    return as_categories(table), target or str(table.columns[-1])


def as_categories(table: Any) -> Any:
    """Return the table with columns of strings as categories."""
    pd = pandas()
    texts = [
        name
        for name in table.columns
        if pd.api.types.is_string_dtype(table[name]) or table[name].dtype == object
    ]
    return table.astype(dict.fromkeys(texts, "category"))


def split_target(table: Any, target: Any, name: str) -> tuple[Any, NDArray[Any]]:
    """Return the features and the labels of a table; the name is for messages."""
    if target not in table.columns:
        raise ValueError(
            f"{name!r} has no column {target!r}; its columns are "
            f"{', '.join(map(str, table.columns))}."
        )
    labels = table[target]
    if labels.isna().any():
        row = int(labels.isna().to_numpy().argmax())
        raise ValueError(f"{name!r}: the target {target!r} is missing in row {row}.")
    y = np.array(labels.tolist())
    if y.dtype.kind == "f" and (y == np.trunc(y)).all():
        y = y.astype(np.int64)
    return table.drop(columns=[target]), y
