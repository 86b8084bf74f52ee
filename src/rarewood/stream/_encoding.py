"""How a table is coded: categories, edges of bins, and what the core makes of the codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.table._column_roles import ColumnRoles
from rarewood.table._schema import Categories, Schema

__all__ = ["EncodedTable", "Encoding"]


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """The codes of some rows.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_features, n_rows)
        One code for each value; 255 is missing.
    wide : dict of int to ndarray of int32
        The categories of nominal features that have more than 255; -1 is missing.
    row_space : ndarray of uint8 of shape (n_rows, n_features), default=None
        Where the core puts the codes row by row, such as a mapped file; by default in memory.
    """

    codes: NDArray[np.uint8]
    wide: dict[int, NDArray[np.int32]]
    row_space: NDArray[np.uint8] | None = None


@dataclass(frozen=True, eq=False)
class Encoding:
    """How the rows of a table become codes, wherever they are.

    Parameters
    ----------
    roles : ColumnRoles
        The columns of the table.
    schema : Schema
        The columns, as a model keeps them.
    classes : ndarray
        The labels, sorted.
    bins : _core.Bins
        The bins of all features.
    """

    roles: ColumnRoles
    schema: Schema
    classes: NDArray[Any]
    bins: _core.Bins

    @classmethod
    def of(
        cls,
        roles: ColumnRoles,
        classes: NDArray[Any],
        categories: dict[int, Categories],
        edges: list[NDArray[np.float64]],
        has_missing: NDArray[np.bool_],
        max_bins: int,
    ) -> Self:
        """Put together what was found in a table."""
        schema = Schema(
            len(roles.features), roles.names, categories, roles.by_dtype, bool(has_missing.any())
        )
        bins = _core.Bins(edges, schema.n_categories, has_missing, max_bins)
        return cls(roles, schema, classes, bins)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.schema.n_features

    @property
    def has_missing(self) -> NDArray[np.bool_]:
        """Which features have missing values, in rows that weigh anything."""
        return self.bins.has_missing

    @property
    def wide(self) -> list[int]:
        """Nominal features with more categories than codes can tell apart."""
        return np.flatnonzero(self.bins.n_categories > _core.MAX_BINS).tolist()

    def columns(self, coded: EncodedTable, n_threads: int = 1) -> _core.Columns:
        """Return coded rows as the core takes them; the codes are not copied.

        Parameters
        ----------
        coded : EncodedTable
            The codes of all rows, or of those of one part of the table.
        n_threads : int, default=1
            Threads to use.

        Returns
        -------
        columns : _core.Columns
            What trees are grown on.
        """
        bins = self.bins
        return _core.Columns.from_codes(
            coded.codes,
            bins.edges,
            bins.n_categories,
            bins.has_missing,
            bins.max_bins,
            coded.wide,
            n_threads,
            coded.row_space,
        )
