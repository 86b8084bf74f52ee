"""Roles of columns: features, numeric or categorical, labels and weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._arrow import ArrowColumn, arrow, fits_float32, kind_of
from rarewood.table._categorical_features import chosen_columns
from rarewood.table._checks import check_n_features
from rarewood.table._columns import column_label, not_numeric
from rarewood.table._schema import Categories, Schema


@dataclass(frozen=True, eq=False)
class ColumnRoles:
    """The role of each column of a table that is read in batches."""

    features: list[str]  # in order
    categorical: list[int]  # which of the features are categorical
    y: str
    weight: str | None
    is_float32: bool  # whether every feature is exact in float32
    by_dtype: bool  # whether the types of the columns decided which are categorical
    has_names: bool = True  # False for features of an array
    known: dict[int, Categories] = field(default_factory=dict)
    """Categories of a fitted model; others count as missing."""

    @cached_property
    def names(self) -> NDArray[np.object_] | None:
        """Names of the features, as a model keeps them."""
        return np.array(self.features, dtype=object) if self.has_names else None

    @cached_property
    def numeric(self) -> list[int]:
        """Which of the features are numeric."""
        return sorted(set(range(len(self.features))) - set(self.categorical))

    @property
    def numeric_names(self) -> NDArray[np.object_]:
        """What messages call the numeric features."""
        names = self.features if self.has_names else range(len(self.features))
        return np.array(names, dtype=object)[self.numeric]

    @property
    def dtype(self) -> Any:
        """The type of matrix that holds the features without loss."""
        return np.float32 if self.is_float32 else np.float64

    def column(self, batch: Any, feature: int) -> ArrowColumn:
        """Return a feature of a batch that holds the features in order."""
        return ArrowColumn(batch.column(feature), column_label(feature, self.names))


def assign_roles(
    schema: Any,
    y: str,
    sample_weight: str | None = None,
    categorical_features: Any = "from_dtype",
    *,
    columns: Iterable[str] | None = None,
    has_names: bool = True,
    fitted: Schema | None = None,
) -> ColumnRoles:
    """Assign the roles of the columns of an Arrow schema.

    All columns but ``y`` and ``sample_weight`` are features, or only ``columns``, in this order.
    ``fitted`` is the schema of a model, which sets the order of the features and their categories.
    """
    find_column(y, schema.names, "y")
    if sample_weight is not None:
        find_column(sample_weight, schema.names, "sample_weight")
    check_distinct(y, sample_weight)
    if fitted is not None:
        columns = None if fitted.names is None else fitted.names.tolist()
        has_names = columns is not None
    features = feature_columns(schema.names, columns, {y, sample_weight})
    types = [schema.field(name).type for name in features]
    by_dtype = isinstance(categorical_features, str)
    if fitted is not None:
        check_n_features(len(features), fitted.n_features)
        categorical, by_dtype = sorted(fitted.categories), fitted.by_dtype
    elif by_dtype:
        categorical = [j for j, kind in enumerate(types) if kind_of(kind) == "categorical"]
    else:
        names = np.array(features, dtype=object) if has_names else None
        categorical = chosen_columns(categorical_features, names, len(features))
    roles = ColumnRoles(
        features,
        categorical,
        y,
        sample_weight,
        all(j in categorical or fits_float32(kind) for j, kind in enumerate(types)),
        by_dtype,
        has_names,
        {} if fitted is None else fitted.categories,
    )
    for j in roles.numeric:  # raise for text before anything is read
        if kind_of(types[j]) == "categorical" and not arrow().types.is_boolean(types[j]):
            raise not_numeric(column_label(j, roles.names))
    return roles


def feature_columns(
    names: Sequence[str], columns: Iterable[str] | None, others: set[str | None]
) -> list[str]:
    """Return the names of the features, in order: all columns but ``others``, or ``columns``."""
    wanted = names if columns is None else [find_column(name, names, "columns") for name in columns]
    features = [name for name in dict.fromkeys(wanted) if name not in others]
    if not features:
        raise ValueError(
            "Found array with 0 feature(s) while a minimum of 1 is required: the table has no "
            "columns other than labels and weights."
        )
    return features


def check_distinct(y: Any, sample_weight: Any) -> None:
    """Raise if one column is to hold both labels and weights."""
    if isinstance(y, str) and isinstance(sample_weight, str) and y == sample_weight:
        raise ValueError(f"y and sample_weight are the same column, {y!r}.")


def find_column(name: Any, names: Sequence[str], what: str) -> str:
    """Return the name of a column; an error that lists the columns if there is none."""
    if isinstance(name, str) and name in names:
        return name
    if not isinstance(name, str):
        raise TypeError(
            f"{what} must be the name of a column when the table is read in batches, such as "
            f"{what}={names[-1]!r}; got {type(name).__name__}."
        )
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    shown = ", ".join(map(repr, names[:12])) + (", ..." if len(names) > 12 else "")
    raise ValueError(f"The table has no column {name!r} ({what}).{hint} Its columns are {shown}.")
