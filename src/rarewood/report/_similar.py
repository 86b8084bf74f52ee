"""Nearest rows of a table, by a distance for mixed tables that serves every model.

The distance of two rows is the weighted mean over the features of a difference between 0 and 1
(Gower's coefficient): for numbers the fraction of the rows with values between the two, which does
not depend on units, skew or outliers; for categories 0 if they are equal and otherwise 1. A missing
value equals another one, and differs by 1 from all else. The weight of a feature is its mean
absolute contribution to the scores of the model, so rows are similar in what the model uses.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._cell import Table
from rarewood.report._plain import plain, text
from rarewood.table._frames import all_series

Floats = NDArray[np.float64]
DISTANCE = (
    "mean over the columns, weighted by their mean absolute contribution, of the fraction of rows "
    "with values in between (numbers), or of 0 if equal and 1 if not (categories)"
)
_MOST_RARE, _MOST_ROWS = 2000, 4000  # among which the nearest rows are searched
_MOST_REFERENCE = 2000  # rows that tell the fraction of rows between two numbers
_MOST_FEATURES = 100  # those with the largest weights


class Neighbourhood:
    """Rows among which those nearest to others are found, separately for the rare class.

    All rows are searched if there are few, otherwise a random part of each class.
    """

    def __init__(self, table: Table, of: Collection[int], seed: int) -> None:
        draw = np.random.default_rng(seed)

        def some(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
            return rows if len(rows) <= most else np.sort(draw.choice(rows, most, replace=False))

        is_rare = table.y == table.classes[table.pos_index]
        rare = some(np.flatnonzero(is_rare), _MOST_RARE)
        rest = some(np.flatnonzero(~is_rare), _MOST_ROWS - len(rare))
        reference = some(np.arange(len(is_rare)), _MOST_REFERENCE)
        self.n_rows = len(rare) + len(rest)
        self.groups = rare, rest
        self._kept = np.unique(np.concatenate([rare, rest, reference, sorted(of)]).astype(np.intp))
        self._reference = np.searchsorted(self._kept, reference)
        self._columns = _columns(table.rows(self._kept))
        self._scaled: dict[int, NDArray[Any]] = {}
        self.names = [name for name, _, _ in self._columns]

    def value(self, row: int, feature: int) -> Any:
        """Return a value of a row as a number, a text, a boolean or None."""
        value = self._columns[feature][1][np.searchsorted(self._kept, row)]
        return None if value is None or value != value else plain(value)

    def nearest(self, row: int, weights: Floats, n_of_class: int) -> list[tuple[int, float]]:
        """Return the nearest rows of each class with their distances, the nearest first."""
        found: list[tuple[int, float]] = []
        for group in self.groups:
            others = group[group != row]
            distances = self._distances(row, others, weights)
            order = np.lexsort([others, distances])[:n_of_class]
            found += zip(others[order].tolist(), distances[order].tolist(), strict=True)
        return sorted(found, key=lambda one: (one[1], one[0]))

    def _distances(self, row: int, others: NDArray[np.intp], weights: Floats) -> Floats:
        order = np.argsort(-weights, kind="stable")[:_MOST_FEATURES]
        order = order[weights[order] > 0]
        places, own = np.searchsorted(self._kept, others), np.searchsorted(self._kept, row)
        distances = np.zeros(len(others))
        for j in order.tolist():
            values = self._scale(j)
            if self._columns[j][2]:
                differences = np.nan_to_num(np.abs(values[places] - values[own]), nan=1.0)
                differences[np.isnan(values[places]) & np.isnan(values[own])] = 0.0
            else:
                differences = (values[places] != values[own]).astype(np.float64)
            distances += weights[j] * differences
        return distances / max(float(weights[order].sum()), 1e-300)

    def _scale(self, j: int) -> NDArray[Any]:
        """Return numbers as the fraction of the rows below them, categories as codes."""
        if j not in self._scaled:
            _, values, is_number = self._columns[j]
            if not is_number:
                texts = [_MISSING if v is None or v != v else text(v) for v in values.tolist()]
                self._scaled[j] = np.unique(texts, return_inverse=True)[1]
                return self._scaled[j]
            known = np.sort(values[self._reference])
            known = known[~np.isnan(known)]
            below = np.searchsorted(known, values, "left") + np.searchsorted(known, values, "right")
            ranks = below / max(2 * len(known), 1)
            self._scaled[j] = np.where(np.isnan(values), np.nan, ranks)
        return self._scaled[j]


_MISSING = "\0"


def _columns(X: Any) -> list[tuple[str, NDArray[Any], bool]]:
    """Return the name, the values and whether they are numbers, of each feature."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return [_column(text(one.name), one) for one in all_series(frame)]
    matrix = np.asarray(X)
    is_number = matrix.dtype.kind in "iuf"
    columns = matrix.astype(np.float64) if is_number else matrix
    return [(f"feature_{j}", columns[:, j], is_number) for j in range(columns.shape[1])]


def _column(name: str, series: nw.Series[Any]) -> tuple[str, NDArray[Any], bool]:
    if series.dtype.is_numeric():
        return name, np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64), True
    values = np.empty(len(series), dtype=object)
    values[:] = series.to_list()
    return name, values, False
