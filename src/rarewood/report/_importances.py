"""Importances of the features of a model: losses by permutation, gains, and SHAP values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.explain._shap import sum_over_trees
from rarewood.model._base import RareClassifier
from rarewood.report._half_model import HalfModel
from rarewood.report._plain import text

Floats = NDArray[np.float64]
_MOST_COLUMNS, _MOST_ROWS, _N_SHUFFLES = 20, 2000, 5
_MOST_SHAP_ROWS = 500  # they take the time of many predictions
_SCREEN_ROWS = 500  # of which a first permutation chooses the features of other models


def importances(half: HalfModel, seed: int) -> dict[str, Any] | None:
    """Return the importances of 20 features, JSON-safe; None for a model without scores.

    "drop" is the mean loss of average precision over five permutations of a feature in the rows
    that the model was not fitted on, and "spread" its standard deviation. "average_precision" is
    the score before; None if these rows have no rare row. A model of rarewood also has "gain", the
    fraction of the total gain, by which its features are chosen, and "shap", the mean absolute SHAP
    value for the rare class in at most 500 of the rows. For other models both are None, and the
    features are chosen by a first permutation.
    """
    rng = np.random.default_rng(seed)
    rows = half.other
    if len(rows) > _MOST_ROWS:
        rows = np.sort(rng.choice(rows, _MOST_ROWS, replace=False))
    names = _names(half.table.X)
    own = isinstance(half.model, RareClassifier)
    place = _Scorer.of_own(half, rows) if own else _Scorer.of_other(half, rows)
    if place is None:
        return None
    if own:
        gains = np.asarray(half.model.feature_importances_, dtype=np.float64)
        order = np.argsort(-gains, kind="stable")
        order = order[: max(min(int(np.count_nonzero(gains)), _MOST_COLUMNS), 1)]
        shap = _shap(half, rows)
    else:
        order = _screened(half, rows, len(names), seed)
    before = place.quality() if place.is_rare.any() else None
    columns = []
    for j in order.tolist():
        shuffles = [rng.permutation(len(rows)) for _ in range(_N_SHUFFLES)]
        drops = np.zeros(_N_SHUFFLES) if before is None else before - place.shuffled(j, shuffles)
        columns.append(
            {
                "name": names[j],
                "gain": float(gains[j]) if own else None,
                "shap": float(shap[j]) if own and before is not None else None,
                "drop": float(drops.mean()),
                "spread": float(drops.std(ddof=1)),
            }
        )
    return {
        "columns": sorted(columns, key=lambda c: -c["drop"]),
        "n_columns": len(names),
        "average_precision": before,
        "n_rows": len(rows),
        "n_shuffles": _N_SHUFFLES,
        "n_shap_rows": min(len(rows), _MOST_SHAP_ROWS) if own else 0,
    }


class _Scorer:
    """Average precision of a model on some rows, as they are or with a feature permuted."""

    def __init__(self, X: Any, is_rare: NDArray[np.bool_], score: Callable[[Any], Floats]) -> None:
        self.X = X
        self.is_rare = is_rare
        self._score = score

    @classmethod
    def of_own(cls, half: HalfModel, rows: NDArray[np.intp]) -> _Scorer:
        """Score a model of rarewood on a matrix that is encoded once."""
        model, rare = half.model, half.table.classes[half.table.pos_index]
        number = int(np.flatnonzero(model.classes_ == rare)[0])
        # The copy protects the table of the caller.
        matrix = model._encode(half.table.rows(rows)).copy()
        return cls(matrix, half.table.y[rows] == rare, lambda X: model._proba(X)[:, number])

    @classmethod
    def of_other(cls, half: HalfModel, rows: NDArray[np.intp]) -> _Scorer | None:
        """Score any model; None if it predicts only labels."""
        X = half.table.rows(rows)
        if half.scores(X) is None:
            return None
        rare = half.table.classes[half.table.pos_index]
        return cls(X, half.table.y[rows] == rare, lambda X: half.scores(X))  # type: ignore[arg-type, return-value]

    def quality(self) -> float:
        return _average_precision(self.is_rare, self._score(self.X))

    def shuffled(self, column: int, orders: list[NDArray[np.intp]]) -> Floats:
        """Return the quality with the values of a column in other orders, predicted together."""
        n = len(self.is_rare)
        scores = self._score(_permuted(self.X, column, np.concatenate(orders), len(orders)))
        parts = scores.reshape(len(orders), n)
        return np.array([_average_precision(self.is_rare, part) for part in parts])


def _average_precision(is_rare: NDArray[np.bool_], scores: Floats) -> float:
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(is_rare, scores))


def _permuted(X: Any, column: int, order: NDArray[np.intp], times: int) -> Any:
    """Return a table repeated some times, with one column in another order."""
    everyone = np.tile(np.arange(len(X)), times)
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        values = X[everyone]
        values[:, column] = X[order, column]
        return values
    name = frame.columns[column]
    tiled = frame[everyone.tolist()]
    if frame.implementation.is_pandas():  # rows of a pandas table keep their labels
        native = tiled.to_native().reset_index(drop=True)
        values = frame.to_native().iloc[order, column].reset_index(drop=True)
        native[name] = values
        return native
    return tiled.with_columns(frame[name][order.tolist()].alias(name)).to_native()


def _screened(half: HalfModel, rows: NDArray[np.intp], n_columns: int, seed: int) -> Any:
    """Return the features whose permutation changes the quality most."""
    if n_columns <= _MOST_COLUMNS:
        return np.arange(n_columns)
    rng = np.random.default_rng(seed)
    is_rare = half.table.y[rows] == half.table.classes[half.table.pos_index]
    few = [
        part if len(part) <= _SCREEN_ROWS // 2 else rng.choice(part, _SCREEN_ROWS // 2, False)
        for part in (rows[is_rare], rows[~is_rare])
    ]
    place = _Scorer.of_other(half, np.sort(np.concatenate(few)))
    if place is None or not place.is_rare.any():
        return np.arange(n_columns)[:_MOST_COLUMNS]
    before = place.quality()
    orders = [rng.permutation(len(place.is_rare)) for _ in range(n_columns)]
    drops = [before - place.shuffled(j, [order])[0] for j, order in enumerate(orders)]
    return np.argsort(-np.abs(drops), kind="stable")[:_MOST_COLUMNS]


def _shap(half: HalfModel, rows: NDArray[np.intp]) -> Floats:
    """Return the mean absolute SHAP value of each feature for the rare class."""
    model = half.model
    number = int(np.flatnonzero(model.classes_ == half.table.classes[half.table.pos_index])[0])
    matrix = model._encode(half.table.rows(rows[:_MOST_SHAP_ROWS]))
    values: Floats = np.abs(sum_over_trees(model, matrix)[0][:, :, number]).mean(axis=0)
    return values


def _names(X: Any) -> list[str]:
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return [text(name) for name in frame.columns]
    return [f"feature_{j}" for j in range(np.asarray(X).shape[1])]
