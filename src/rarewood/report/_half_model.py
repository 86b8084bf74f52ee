"""A model fitted on one half of the rows, which the other half explains and tests."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import Protocol
from rarewood.evaluate._cell import Table, _scores, _seeded
from rarewood.evaluate._inputs import gaps
from rarewood.evaluate._prepare import needs_preparation, prepared
from rarewood.report._pooled import finite

Rows = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HalfModel:
    """A model fitted on ``known`` rows of a table; ``other`` are the rows left out."""

    table: Table
    model: Any
    known: Rows
    other: Rows

    @classmethod
    def fit(cls, table: Table, model: Any, seed: int) -> HalfModel:
        """Fit a copy of a model on the first half of the rows, with preparation if it needs any."""
        known, other = halves(table, seed)
        fitted = fit_rows(table, model, known, seed)
        return cls(table, fitted, known, other)

    @property
    def is_rare(self) -> NDArray[np.bool_]:
        """Whether each row left out is of the rare class."""
        rare = self.table.classes[self.table.pos_index]
        return np.asarray(self.table.y[self.other] == rare)

    def scores(self, X: Any) -> Floats | None:
        """Return the scores of the rare class; None for a model that predicts only labels."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, _ = _scores(self.model, X, self.table.classes)
        return None if found is None else finite(found[:, self.table.pos_index])

    def alerts(self, threshold: float | None) -> NDArray[np.bool_]:
        """Return the decisions on the rows left out, by a threshold if there are scores."""
        X = self.table.rows(self.other)
        scores = self.scores(X)
        if threshold is not None and scores is not None:
            return np.asarray(scores >= threshold)
        rare = self.table.classes[self.table.pos_index]
        return np.asarray(np.asarray(self.model.predict(X)) == rare)


def halves(table: Table, seed: int) -> tuple[Rows, Rows]:
    """Return two stratified halves of the rows."""
    split = Protocol(2, 1, seed).split(table.y, 0, 0)
    return split.train, split.test


def fit_rows(table: Table, model: Any, rows: Rows | None, seed: int) -> Any:
    """Fit a copy of a model, by default on all rows; its preparation is that of a comparison."""
    blank = _seeded(model, seed)
    if needs_preparation(blank, *gaps(table.X)):
        blank = prepared(blank)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the folds are listed
        if rows is None:
            return blank.fit(table.X, table.y)
        return blank.fit(table.rows(rows), table.y[rows])
