"""Drift between two tables: shifts of columns, of the score, and of the rate of the rare class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import holm
from rarewood.evaluate._cell import Table
from rarewood.report._columns import Bins, Column, bar_edges, chi_squared, hellinger, read_columns
from rarewood.report._half_model import HalfModel
from rarewood.report._plain import plain

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_ALPHA, _N_GROUPS, _N_BOOTSTRAP = 0.05, 10, 400
_WORTH_SAYING = 0.01  # fraction of repeated rows


def describe_drift(
    table: Table,
    new: Any,
    new_is_rare: Flags | None,
    model: Any,
    *,
    name: str,
    n_in_table: int,
    label: str,
    threshold: float | None,
    repeated: float = 0.0,
    seed: int = 0,
) -> dict[str, Any]:
    """Return how a new table differs from the table of a comparison, as JSON-safe data.

    ``new`` are the features of the new table, or of a sample of its ``n_in_table`` rows, and
    ``new_is_rare`` their labels if it has any. ``model``, not fitted yet, has the name ``label``.
    It is fitted on half of the old rows: its scores of the other half and of the new rows can be
    compared, since it was fitted on neither. ``repeated`` is the fraction of the new rows that the
    old table has too, for which this does not hold.
    """
    columns = [
        _shift(old, other)
        for old, other in zip(read_columns(table.X), read_columns(new), strict=True)
    ]
    tested = [one["p_value"] for one in columns if one["p_value"] is not None]
    adjusted = iter(holm(tested).tolist() if tested else [])
    for one in columns:
        one["p_value"] = None if one["p_value"] is None else float(next(adjusted))
        one["is_significant"] = one["p_value"] is not None and one["p_value"] < _ALPHA
    columns.sort(key=lambda one: -(one["shift"] or 0.0))
    half = HalfModel.fit(table, model, seed)
    score = _score_shift(half, new, threshold, seed)
    rare = table.y == table.classes[table.pos_index]
    actual = None if new_is_rare is None else float(new_is_rare.mean())
    found: dict[str, Any] = plain(
        {
            "table": name,
            "n_rows": len(new),
            "n_in_table": n_in_table,
            "n_old": len(table.y),
            "repeated": repeated,
            "model": label,
            "columns": columns,
            "n_significant": sum(one["is_significant"] for one in columns),
            "score": score,
            "rare_rate": {"old": float(rare.mean()), "actual": actual} | score.pop("rates"),
        }
    )
    return found | {"sentence": _sentence(found)}


def _shift(old: Column, new: Column) -> dict[str, Any]:
    """Return the shift of a column: Hellinger distance over groups of the old values."""
    bins = Bins.of(old, _N_GROUPS)
    before, after = bins.counts(old), bins.counts(new)
    known = set(old.values[~old.is_missing].tolist())
    present = new.values[~new.is_missing]
    if not old.is_numeric:
        n_unseen = sum(value not in known for value in present.tolist())
    elif len(present) and known:
        n_unseen = int(((present < min(known)) | (present > max(known))).sum())
    else:
        n_unseen = 0
    return {
        "name": old.name,
        "is_numeric": old.is_numeric,
        "shift": hellinger(before, after),
        "p_value": chi_squared(before, after),
        "labels": bins.labels,
        "old": (before / max(before.sum(), 1)).tolist(),
        "new": (after / max(after.sum(), 1)).tolist(),
        "missing": [float(old.is_missing.mean()), float(new.is_missing.mean())],
        "n_unseen": n_unseen,
    }


def _score_shift(half: HalfModel, new: Any, threshold: float | None, seed: int) -> dict[str, Any]:
    """Return the shift of the score, and what it says about the rate of the rare class."""
    before, after = half.scores(half.table.rows(half.other)), half.scores(new)
    is_rare = half.is_rare
    nothing = {"by_values": None, "by_class": None}
    if before is None or after is None:
        return {"shift": None, "p_value": None, "alerts_per_1000": None, "rates": nothing}
    old = Column("score", before, True)
    bins = Bins.of(old, _N_GROUPS)
    counts = bins.counts(old), bins.counts(Column("score", after, True))
    edges = bar_edges(before)
    codes = [np.searchsorted(edges[1:-1], values, side="right") for values in (before, after)]
    bars = [np.bincount(c, minlength=len(edges) - 1) / len(c) for c in codes]
    alerts = None
    if threshold is not None:
        alerts = [1000 * float((values >= threshold).mean()) for values in (before, after)]
    is_probability = bool(hasattr(half.model, "predict_proba"))
    cut = float("nan") if threshold is None else threshold
    rates = _rates(before, after, is_rare, cut, is_probability, seed)
    return {
        "shift": hellinger(*counts),
        "p_value": chi_squared(*counts),
        "edges": edges.tolist(),
        "old": bars[0].tolist(),
        "new": bars[1].tolist(),
        "threshold": threshold,
        "alerts_per_1000": alerts,
        "rates": rates,
    }


def _rates(
    before: Floats,
    after: Floats,
    is_rare: Flags,
    threshold: float,
    is_probability: bool,
    seed: int,
) -> dict[str, Any]:
    """Return the expected rate of the rare class in the new rows under two assumptions.

    "by_values": only the values of the columns changed, and equal rows are rare as often as before;
    the rate follows the mean probability. "by_class": only the rate changed, and the rows within
    each class are as before; the rate follows the number of alerts (adjusted count). Intervals are
    bootstrap percentiles over both tables.
    """
    rng = np.random.default_rng(seed)
    draws = [
        (rng.integers(0, len(before), len(before)), rng.integers(0, len(after), len(after)))
        for _ in range(_N_BOOTSTRAP)
    ]

    def estimate(function: Any) -> dict[str, Any] | None:
        value = function(before, is_rare, after)
        if np.isnan(value):
            return None
        drawn = [function(before[old], is_rare[old], after[new]) for old, new in draws]
        low, high = np.nanpercentile(drawn, [2.5, 97.5])
        return {"rate": value, "low": float(low), "high": float(high)}

    def by_values(old: Floats, rare: Flags, new: Floats) -> float:
        return float(np.clip(new.mean() * rare.mean() / old.mean(), 0, 1)) if old.any() else np.nan

    def by_class(old: Floats, rare: Flags, new: Floats) -> float:
        if not 0 < rare.sum() < len(rare):
            return float("nan")
        recall, false_rate = (old[rare] >= threshold).mean(), (old[~rare] >= threshold).mean()
        if recall - false_rate < 0.05:  # the alerts say nothing about the class
            return float("nan")
        count = ((new >= threshold).mean() - false_rate) / (recall - false_rate)
        return float(np.clip(count, 0, 1))

    return {
        "by_values": estimate(by_values) if is_probability else None,
        "by_class": estimate(by_class),
    }


def _sentence(found: dict[str, Any]) -> str:
    n, n_all = found["n_significant"], len(found["columns"])
    first = found["columns"][0] if found["columns"] else None
    parts = [f"{n} of {n_all} columns shifted significantly"]
    if n and first is not None:
        parts[0] += f", most of all {first['name']} (distance {first['shift']:.2f})"
    score = found["score"]
    if score["shift"] is not None:
        sure = score["p_value"] is not None and score["p_value"] < _ALPHA
        parts.append(
            f"the score of {found['model']} shifted {'' if sure else 'not '}significantly "
            f"(distance {score['shift']:.2f})"
        )
    if score["alerts_per_1000"]:
        old, new = score["alerts_per_1000"]
        parts.append(f"its threshold gives {new:,.1f} alerts per 1,000 rows instead of {old:,.1f}")
    rates = found["rare_rate"]
    expected = [
        f"{one['rate']:.1%} ({one['low']:.1%} to {one['high']:.1%}) {words}"
        for one, words in (
            (rates["by_values"], "if only the values of the columns changed"),
            (rates["by_class"], "if only the rate changed"),
        )
        if one is not None
    ]
    if expected:
        parts.append(f"expected rare rate {', '.join(expected)}, instead of {rates['old']:.1%}")
    if rates["actual"] is not None:
        parts.append(f"by its labels the rare rate is {rates['actual']:.1%}")
    if found["repeated"] >= _WORTH_SAYING:
        parts.append(
            f"{found['repeated']:.1%} of its rows are also in the first table, so its scores are "
            "partly those of training"
        )
    sample = ""
    if found["n_rows"] < found["n_in_table"]:
        sample = f" ({found['n_rows']:,} of {found['n_in_table']:,} rows, drawn at random)"
    return f"{found['table']}{sample}: {'; '.join(parts)}."
