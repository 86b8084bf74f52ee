"""Feature importances: impurity-based, and by permutation on held-out rows."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._cell import Table
from rarewood.model._base import RareClassifier
from rarewood.report._plain import text

__all__ = ["importances"]

_MOST_COLUMNS, _MOST_ROWS, _N_SHUFFLES = 20, 4000, 5


def importances(
    table: Table, fitted: RareClassifier, blank: RareClassifier, halves: tuple[Any, Any], seed: int
) -> dict[str, Any]:
    """Return the importances of the 20 features with the largest gain.

    "gain" is the fraction of the total gain of ``fitted``, a model of all rows. "drop" is the mean
    loss of average precision over five permutations of a feature in the second half, and "spread"
    its standard deviation, for the model ``blank`` after fitting it on the first half.
    "average_precision" is the score before permutation; None if a half has no rare row.
    """
    gains = np.asarray(fitted.feature_importances_, dtype=np.float64)
    order = np.argsort(-gains, kind="stable")
    order = order[: max(min(int(np.count_nonzero(gains)), _MOST_COLUMNS), 1)]
    drops, before = _drops(table, blank, halves, order, seed)
    names = _names(table.X)
    columns = [
        {
            "name": names[j],
            "gain": float(gains[j]),
            "drop": float(drops[k].mean()),
            "spread": float(drops[k].std(ddof=1)),
        }
        for k, j in enumerate(order.tolist())
    ]
    return {
        "columns": sorted(columns, key=lambda c: -c["drop"]),
        "n_columns": len(gains),
        "average_precision": before,
        "n_rows": int(min(len(halves[1]), _MOST_ROWS)),
        "n_shuffles": _N_SHUFFLES,
    }


def _drops(
    table: Table,
    model: RareClassifier,
    halves: tuple[Any, Any],
    columns: NDArray[np.intp],
    seed: int,
) -> tuple[NDArray[np.float64], float | None]:
    """Return losses of shape (n_features, n_shuffles), and the score; None without rare rows."""
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(seed)
    known, other = halves
    if len(other) > _MOST_ROWS:
        other = np.sort(rng.choice(other, _MOST_ROWS, replace=False))
    model.fit(table.rows(known), table.y[known])
    is_rare = table.y[other] == table.classes[table.pos_index]
    number = np.flatnonzero(model.classes_ == table.classes[table.pos_index])
    if not len(number) or not is_rare.any():
        return np.zeros((len(columns), _N_SHUFFLES)), None
    # Encoded once, since a table may have many columns. The copy protects the table of the caller.
    matrix = model._encode(table.rows(other)).copy()

    def quality() -> float:
        return float(average_precision_score(is_rare, model._proba(matrix)[:, number[0]]))

    before = quality()
    drops = np.zeros((len(columns), _N_SHUFFLES))
    for k, j in enumerate(columns.tolist()):
        values = matrix[:, j].copy()
        for shuffle in range(_N_SHUFFLES):
            matrix[:, j] = values[rng.permutation(len(is_rare))]
            drops[k, shuffle] = before - quality()
        matrix[:, j] = values
    return drops, before


def _names(X: Any) -> list[str]:
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return [text(name) for name in frame.columns]
    return [f"feature_{j}" for j in range(np.asarray(X).shape[1])]
