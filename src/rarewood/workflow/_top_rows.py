"""The rows with the highest probabilities of a table that is read in chunks, with reasons."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.datasets._files import pandas
from rarewood.workflow._contributions import contributions_of_rows
from rarewood.workflow._model_file import LoadedModel
from rarewood.workflow._reasons import N_REASONS, reasons_of


class TopRows:
    """The rows with the highest probabilities so far; of equal ones the first."""

    def __init__(self, n_rows: int, loaded: LoadedModel) -> None:
        self._n_rows, self._loaded = n_rows, loaded
        self._n_before = 0
        self._table: Any = None
        self._features: Any = None

    def add(self, table: Any, features: Any) -> None:
        """Add the next rows: their kept columns and predictions, and their features."""
        numbers = np.arange(self._n_before + 1, self._n_before + len(table) + 1)
        self._n_before += len(table)
        column = f"probability_{self._loaded.pos_label}"
        table = joined(pandas().DataFrame({"row": numbers}), table)
        if self._table is not None:
            table = pandas().concat([self._table, table], ignore_index=True)
            features = _stacked(self._features, features)
        order = np.argsort(-table[column].to_numpy(), kind="stable")[: self._n_rows]
        self._table = table.iloc[order].reset_index(drop=True)
        self._features = _taken(features, order)

    def ranked(self, why: bool) -> Any:
        """Return the rows, the highest probability first, with their ranks and reasons."""
        ranks = pandas().DataFrame({"rank": np.arange(1, len(self._table) + 1)})
        table = joined(ranks, self._table)
        return with_reasons(table, self._loaded, self._features) if why else table


def with_reasons(table: Any, loaded: LoadedModel, features: Any) -> Any:
    """Return a table with the three strongest reasons of each row; missing where there are less."""
    parts = contributions_of_rows(loaded, features)
    found = [reasons_of(parts, features, row) for row in range(len(table))]
    padded = [[*reasons, *[None] * (N_REASONS - len(reasons))] for reasons in found]
    names = [f"reason_{number}" for number in range(1, N_REASONS + 1)]
    return joined(table, pandas().DataFrame(padded, columns=names))


def joined(left: Any, right: Any) -> Any:
    """Return the columns of two tables with the same rows; those on the left are kept."""
    twice = [name for name in right if name in left.columns]
    if twice:
        raise ValueError(
            f"Column {twice[0]!r} conflicts with a column of the output: rename it, or choose the "
            "columns to keep with `id`."
        )
    return pandas().concat([left.reset_index(drop=True), right], axis="columns")


def _stacked(first: Any, second: Any) -> Any:
    if hasattr(first, "iloc"):
        return pandas().concat([first, second], ignore_index=True)
    return np.vstack([first, second])


def _taken(features: Any, places: Any) -> Any:
    return features.iloc[places] if hasattr(features, "iloc") else features[places]
