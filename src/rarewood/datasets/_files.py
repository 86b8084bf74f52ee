"""Reader of tables in Parquet, Feather, CSV, ARFF and KEEL files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._imports import require
from rarewood.datasets._attribute_files import read_attribute_file

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
        table, target = attribute_table(path)
    if table.shape[1] < 2:
        raise ValueError(f"{path.name} has {table.shape[1]} columns; at least 2 are needed.")
    return as_categories(table), target or str(table.columns[-1])


def attribute_table(path: Path) -> tuple[Any, str | None]:
    """Read an ARFF or KEEL file as a DataFrame, and return it with its declared target."""
    pd = pandas()
    content = read_attribute_file(path)
    columns = {}
    for name, values in content.columns.items():
        if name in content.categories:
            known = content.categories[name]
            unseen = sorted({v for v in values if v is not None} - set(known))
            columns[name] = pd.Categorical(values, categories=[*dict.fromkeys(known), *unseen])
        else:
            columns[name] = values
    frame = pd.DataFrame(columns)
    for name in frame.columns:  # an empty column has the type object
        if name not in content.categories and frame[name].isna().all():
            frame[name] = frame[name].astype(float)
    return frame, content.target


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
