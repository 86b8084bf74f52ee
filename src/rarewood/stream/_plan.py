"""How a table is coded: categories, edges of bins, and what the core makes of the codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._schema import Categories, Schema
from rarewood.stream._layout import Layout

__all__ = ["MISSING_CODE", "Coded", "Plan"]

MISSING_CODE = 255  # of a missing value
_MOST_CODES = 255  # categories beyond so many do not fit into a code


@dataclass(frozen=True, eq=False)
class Coded:
    """The codes of some rows.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_features, n_rows)
        One code for each value; 255 is missing.
    wide : dict of int to ndarray of int32
        The categories of nominal features that have more than 255; -1 is missing.
    """

    codes: NDArray[np.uint8]
    wide: dict[int, NDArray[np.int32]]


@dataclass(frozen=True, eq=False)
class Plan:
    """How the rows of a table become codes, wherever they are.

    Parameters
    ----------
    layout : Layout
        The columns.
    classes : ndarray
        The labels, sorted.
    categories : dict of int to Categories
        Those of the nominal features.
    missing : set of int
        Nominal features with missing values.
    bins : _core.Bins or None
        The bins of the numeric features; None if there are none.
    max_bins : int
        Most bins of a column.
    """

    layout: Layout
    classes: NDArray[Any]
    categories: dict[int, Categories]
    missing: set[int]
    bins: _core.Bins | None
    max_bins: int

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**state, "bins": None if self.bins is None else self.bins.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        bins = state["bins"]
        found = None if bins is None else _core.Bins.from_state(bins)
        self.__dict__.update(state, bins=found)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.layout.features)

    @cached_property
    def has_missing(self) -> NDArray[np.bool_]:
        """Which features have missing values, in rows that weigh anything."""
        found = np.zeros(self.n_features, dtype=bool)
        found[list(self.missing)] = True
        if self.bins is not None:
            found[self.layout.numeric] = self.bins.has_missing
        return found

    @cached_property
    def edges(self) -> list[NDArray[np.float64]]:
        """The edges of the bins of each feature; none for nominal ones."""
        edges = [np.empty(0)] * self.n_features
        if self.bins is not None:
            for j, found in zip(self.layout.numeric, self.bins.edges, strict=True):
                edges[j] = found
        return edges

    @cached_property
    def schema(self) -> Schema:
        """The columns, as a model keeps them."""
        layout = self.layout
        return Schema(
            self.n_features,
            layout.names,
            self.categories,
            layout.by_dtype,
            bool(self.has_missing.any()),
        )

    @property
    def wide(self) -> list[int]:
        """Nominal features with more categories than codes can tell apart."""
        return [j for j, found in self.categories.items() if len(found) > _MOST_CODES]

    def columns(self, coded: Coded, n_threads: int = 1) -> _core.Columns:
        """Return coded rows as the core takes them; the codes are not copied.

        Parameters
        ----------
        coded : Coded
            The codes of all rows, or of those of one part of the table.
        n_threads : int, default=1
            Threads to use.

        Returns
        -------
        columns : _core.Columns
            What trees are grown on.
        """
        return _core.Columns.from_codes(
            coded.codes,
            self.edges,
            self.schema.n_categories,
            self.has_missing,
            self.max_bins,
            coded.wide,
            n_threads,
        )
