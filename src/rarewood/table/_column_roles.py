"""Which columns of a table are features, which are nominal, and where labels and weights are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.table._arrow import ArrowColumn, arrow, fits_float32, kind_of
from rarewood.table._categorical_features import chosen_columns
from rarewood.table._columns import column_label, not_numeric
from rarewood.table._schema import Categories, Schema

__all__ = ["ColumnRoles", "assign_roles"]


@dataclass(frozen=True, eq=False)
class ColumnRoles:
    """What the columns of a table are to a model.

    Parameters
    ----------
    features : list of str
        Columns that a model learns from, in order.
    nominal : list of int
        Which of the features are nominal.
    y : str
        The column with the labels.
    weight : str or None
        The column with the weights of the rows.
    is_float32 : bool
        Whether every feature is exact in float32.
    by_dtype : bool
        Whether the types of the columns decided which are nominal.
    has_names : bool, default=True
        Whether the model knows the names of the features; not so if they came from an array.
    orders : dict of str to list
        The order of the categories of features that have one.
    known : dict of int to Categories
        Categories that a model has already; others count as missing.
    """

    features: list[str]
    nominal: list[int]
    y: str
    weight: str | None
    is_float32: bool
    by_dtype: bool
    has_names: bool = True
    orders: dict[str, list[Any]] = field(default_factory=dict)
    known: dict[int, Categories] = field(default_factory=dict)

    @property
    def names(self) -> NDArray[np.object_] | None:
        """Names of the features, as a model keeps them."""
        return np.array(self.features, dtype=object) if self.has_names else None

    @property
    def numeric(self) -> list[int]:
        """Which of the features are numeric."""
        nominal = set(self.nominal)
        return [j for j in range(len(self.features)) if j not in nominal]

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
    orders: Mapping[str, list[Any]] | None = None,
    has_names: bool = True,
    fitted: Schema | None = None,
) -> ColumnRoles:
    """Decide what the columns of a table are.

    Parameters
    ----------
    schema : pyarrow.Schema
        The columns.
    y, sample_weight : str
        Names of those with the labels and the weights. All others are features.
    categorical_features : "from_dtype", array-like of int, bool or str, or None
        Which features are nominal, as in ``RareTreeClassifier``; indices count features only.
    columns : list of str, default=None
        The features to use, in this order; by default all.
    orders : dict of str to list, default=None
        The order of the categories of some columns; others are sorted.
    has_names : bool, default=True
        Whether the model is to know the names of the features.
    fitted : Schema, default=None
        What the features are to a model that is there already: their order and their categories.

    Returns
    -------
    roles : ColumnRoles
        An error names the columns that are not there, or hold what no tree can use.
    """
    _find(y, schema.names, "y")
    if sample_weight is not None:
        _find(sample_weight, schema.names, "sample_weight")
    if y == sample_weight:
        raise ValueError(f"y and sample_weight are the same column, {y!r}.")
    if fitted is not None:
        columns = None if fitted.names is None else fitted.names.tolist()
        has_names = columns is not None
    features = _features(schema.names, columns, {y, sample_weight})
    types = [schema.field(name).type for name in features]
    by_dtype = isinstance(categorical_features, str)
    if fitted is not None:
        _check_number(len(features), fitted.n_features)
        nominal, by_dtype = sorted(fitted.categories), fitted.by_dtype
    elif by_dtype:
        nominal = [j for j, kind in enumerate(types) if kind_of(kind) == "nominal"]
    else:
        names = np.array(features, dtype=object) if has_names else None
        nominal = chosen_columns(categorical_features, names, len(features))
    roles = ColumnRoles(
        features,
        nominal,
        y,
        sample_weight,
        all(j in nominal or fits_float32(kind) for j, kind in enumerate(types)),
        by_dtype,
        has_names,
        {name: list(order) for name, order in (orders or {}).items() if name in features},
        {} if fitted is None else fitted.categories,
    )
    _check_text(roles, types)
    return roles


def _check_number(n_features: int, n_fitted: int) -> None:
    if n_features != n_fitted:
        raise ValueError(
            f"X has {n_features} features, but the model is expecting {n_fitted} features as input."
        )


def _check_text(roles: ColumnRoles, types: Sequence[Any]) -> None:
    """Raise for text that is to be a number, before anything is read."""
    for j in roles.numeric:
        if kind_of(types[j]) == "nominal" and not arrow().types.is_boolean(types[j]):
            raise not_numeric(column_label(j, roles.names))


def _features(
    names: Sequence[str], columns: Iterable[str] | None, others: set[str | None]
) -> list[str]:
    wanted = names if columns is None else [_find(name, names, "columns") for name in columns]
    features = [name for name in dict.fromkeys(wanted) if name not in others]
    if not features:
        raise ValueError(
            "Found array with 0 feature(s) while a minimum of 1 is required: the table has no "
            "column beside the labels and the weights."
        )
    return features


def _find(name: Any, names: Sequence[str], what: str) -> str:
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
    raise ValueError(f"{what}={name!r} is no column of the table.{hint} Its columns are {shown}.")
