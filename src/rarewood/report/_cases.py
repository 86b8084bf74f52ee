"""Cases: rows that a model alerts, misses or alerts falsely, with reasons and similar rows.

Scores are those of the first repeat, in which each row is predicted once, by a model that was not
trained on it. The contributions are of that very model, so that they lead to the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import Results
from rarewood.evaluate._cell import Table
from rarewood.report._case_rows import KINDS, N_CASES, choose_cases
from rarewood.report._plain import plain, text
from rarewood.report._pooled import finite
from rarewood.report._reasons import reason_text
from rarewood.report._similar import DISTANCE, Neighbourhood

Floats = NDArray[np.float64]
_N_REASONS, _N_WEIGHTS = 6, 8
_N_SIMILAR = 2  # of each class


@dataclass(frozen=True, eq=False)
class _Contributions:
    """Contributions of the features to the score of one row."""

    values: Floats
    base: float
    unit: str
    method: str


@dataclass(frozen=True, eq=False)
class _Scored:
    """Scores of a model in the first repeat, by row, and the contributions of some rows."""

    name: str
    rows: NDArray[np.int64]  # that have a score: fewer if a run was interrupted
    score: Floats  # of these rows
    spread: dict[int, Floats]  # scores of a row in all repeats
    cases: dict[str, NDArray[np.intp]]  # rows by kind
    contributions: dict[int, _Contributions]

    def weights(self, n_features: int) -> Floats:
        """Return the mean absolute contribution of each feature; equal without contributions."""
        if not self.contributions:
            return np.ones(n_features)
        found = np.abs([one.values for one in self.contributions.values()]).mean(axis=0)
        return np.asarray(found) if found.any() else np.ones(n_features)


def describe_cases(
    results: Results, dataset: str, table: Table, names: list[str], seed: int
) -> dict[str, Any]:
    """Return the cases of each model with scores, as JSON-safe data."""
    scored = [found for name in names if (found := _scored(results, dataset, table, name))]
    shown = {int(row) for one in scored for rows in one.cases.values() for row in rows}
    around = Neighbourhood(table, shown, seed)
    rows = _Rows(table, around)
    models = [_describe(one, around, rows) for one in scored]
    return {
        "kinds": dict(KINDS),
        "n_cases": N_CASES,
        "distance": DISTANCE,
        "n_searched": around.n_rows,
        "models": models,
        "rows": rows.found,
    }


def _scored(results: Results, dataset: str, table: Table, name: str) -> _Scored | None:
    """Return the scores of a model in the first repeat; None if it has no scores."""
    found = results.predictions(dataset, name)
    if found.scores is None or not (found.repeat == 0).any():
        return None
    all_scores = finite(found.scores[:, found.pos_index])
    is_first = found.repeat == 0
    rows, score = found.rows[is_first], all_scores[is_first]
    order = np.argsort(rows)
    rows, score = rows[order], score[order]
    is_rare = table.y[rows] == table.classes[table.pos_index]
    cases = {kind: rows[places] for kind, places in choose_cases(is_rare, score).items()}
    shown = np.unique(np.concatenate(list(cases.values())))
    spread = {int(row): all_scores[found.rows == row] for row in shown}
    return _Scored(name, rows, score, spread, cases, _contributions(results, dataset, name))


def _contributions(results: Results, dataset: str, name: str) -> dict[int, _Contributions]:
    found = {}
    for fold in results.annotations(dataset, name):
        if "case_places" not in fold:
            continue
        unit, method = (str(fold[f"case_{key}"]) for key in ("unit", "method"))
        base = float(fold["case_base"])
        for place, values in zip(fold["case_places"], fold["case_values"], strict=True):
            found[int(fold["rows"][place])] = _Contributions(values, base, unit, method)
    return found


class _Rows:
    """The rows that are shown, with the values that are needed."""

    def __init__(self, table: Table, around: Neighbourhood) -> None:
        self.table, self.around = table, around
        self.found: dict[str, dict[str, Any]] = {}

    def add(self, row: int, features: list[int]) -> str:
        """Return the key of a row, which then has the values of some features."""
        label = self.table.y[row]
        about = self.found.setdefault(
            str(row),
            {
                "row": row + 1,
                "ids": {},
                "label": text(label),
                "is_rare": bool(label == self.table.classes[self.table.pos_index]),
                "values": {},
            },
        )
        for j in features:
            about["values"].setdefault(self.around.names[j], self.around.value(row, j))
        return str(row)


def _describe(model: _Scored, around: Neighbourhood, rows: _Rows) -> dict[str, Any]:
    weights = model.weights(len(around.names))
    order = np.argsort(-weights, kind="stable")[:_N_WEIGHTS].tolist()
    first = next(iter(model.contributions.values()), None)
    kinds = {
        kind: [_case(model, int(row), weights, around, rows) for row in chosen]
        for kind, chosen in model.cases.items()
    }
    return {
        "name": model.name,
        "unit": None if first is None else first.unit,
        "method": None if first is None else first.method,
        "weights": None
        if first is None
        else {around.names[j]: plain(weights[j] / weights.sum()) for j in order},
        **kinds,
    }


def _case(
    model: _Scored, row: int, weights: Floats, around: Neighbourhood, rows: _Rows
) -> dict[str, Any]:
    """Describe a row: its score, the strongest contributions, and the nearest rows."""
    found = model.contributions.get(row)
    strongest = np.argsort(-weights, kind="stable")[:_N_REASONS].tolist()
    reasons, others = [], None
    if found is not None:
        order = np.argsort(-np.abs(found.values), kind="stable")
        strongest = [j for j in order[:_N_REASONS].tolist() if found.values[j]]
        others = float(found.values.sum() - found.values[strongest].sum())
        reasons = [_reason(around, row, j, float(found.values[j]), found.unit) for j in strongest]
    similar = [
        {"row": rows.add(other, strongest), "distance": distance, "score": _score(model, other)}
        for other, distance in around.nearest(row, weights, _N_SIMILAR)
    ]
    spread = model.spread[row]
    described: dict[str, Any] = plain(
        {
            "row": rows.add(row, strongest),
            "score": _score(model, row),
            "scores": {"mean": spread.mean(), "low": spread.min(), "high": spread.max()},
            "base_value": None if found is None else found.base,
            "reasons": reasons,
            "others": others,
            "similar": similar,
        }
    )
    return described


def _score(model: _Scored, row: int) -> float | None:
    place = int(np.searchsorted(model.rows, row))
    is_known = place < len(model.rows) and model.rows[place] == row
    return float(model.score[place]) if is_known else None


def _reason(around: Neighbourhood, row: int, j: int, change: float, unit: str) -> dict[str, Any]:
    name, value = around.names[j], around.value(row, j)
    return {
        "column": name,
        "value": value,
        "change": change,
        "text": reason_text(name, value, change, unit),
    }
