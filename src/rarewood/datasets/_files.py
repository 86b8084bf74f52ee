"""Tables in files: Parquet, Feather, CSV, ARFF and KEEL's format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._optional import require
from rarewood.datasets._attribute_files import read_attribute_file

__all__ = ["SUFFIXES", "nominal_as_categories", "pandas", "read_table", "split_target", "stem"]

SUFFIXES = (".parquet", ".feather", ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".arff", ".dat")


def pandas() -> Any:
    """Import pandas, which data sets are made of."""
    return require("pandas", "Reading data sets", "rarewood[data]")


def stem(path: Path) -> str | None:
    """Name of a data set file without its suffix, or None if it is another file."""
    for suffix in SUFFIXES:
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)]
    return None


def read_table(path: Path) -> tuple[Any, str]:
    """Read a file.

    Parameters
    ----------
    path : Path
        A file with one of the known suffixes.

    Returns
    -------
    table : DataFrame
        Nominal columns are categories.
    target : str
        The column that the file calls its output, else the last one.
    """
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
        raise ValueError(f"{path.name} has {table.shape[1]} columns; features and a target need 2.")
    return nominal_as_categories(table), target or str(table.columns[-1])


def attribute_table(path: Path) -> tuple[Any, str | None]:
    """Read an ARFF or KEEL file as a DataFrame, with the column that it calls its output."""
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
    for name in frame.columns:  # a column without any value is one of objects
        if name not in content.categories and frame[name].isna().all():
            frame[name] = frame[name].astype(float)
    return frame, content.target


def nominal_as_categories(table: Any) -> Any:
    """Return the table with text columns as categories."""
    pd = pandas()
    texts = [
        name
        for name in table.columns
        if pd.api.types.is_string_dtype(table[name]) or table[name].dtype == object
    ]
    return table.astype(dict.fromkeys(texts, "category"))


def split_target(table: Any, target: Any, name: str) -> tuple[Any, NDArray[Any]]:
    """Return the features and the labels of a table.

    Parameters
    ----------
    table : DataFrame
        Features and target.
    target : str
        Name of the column of labels.
    name : str
        Name of the data set, for messages.

    Returns
    -------
    X : DataFrame
        The other columns.
    y : ndarray
        The labels: texts, whole numbers or booleans.
    """
    if target not in table.columns:
        raise ValueError(
            f"{name!r} has no column {target!r} to predict; its columns are "
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
