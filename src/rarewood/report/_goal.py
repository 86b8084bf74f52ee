"""What the reader wants, a lowest cost, a capacity or a recall, as a metric of every model."""

from __future__ import annotations

import warnings
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import Results
from rarewood.operating import (
    AlertBudget,
    Confusion,
    Costs,
    LowestCost,
    OperatingCurve,
    RecallFloor,
    operating_curve,
)
from rarewood.operating._choice import choose_on_curve
from rarewood.operating._extremes import alert_warning
from rarewood.operating._goals import Goal, kind_of, rule_in_rows
from rarewood.operating._point import measures
from rarewood.operating._rule_text import rule_text
from rarewood.report._plain import plain
from rarewood.report._pooled import finite
from rarewood.report._verdict import inside_sentence

Floats = NDArray[np.float64]
_N_BOOTSTRAP, _N_COST_POINTS = 500, 120
_METRICS = {"cost": "expected_cost", "alerts": "recall_at_capacity", "recall": "alerts_at_recall"}
EVERYONE, NO_ONE, RANDOM = "alert everyone", "alert no one", "random, as many alerts"


def goal_metric(goal: Goal) -> dict[str, Any]:
    """Return name, label and description of the metric of a goal, and whether higher is better."""
    if isinstance(goal, LowestCost):
        words = {"fp": "false positive", "fn": "false negative", "tp": "true positive"}
        costs = ", ".join(
            f"{word} {getattr(goal, name):,g}"
            for name, word in words.items()
            if name != "tp" or goal.tp
        )
        label = "Expected cost per 1,000 rows"
        about = f"{costs}, at a threshold chosen on the other folds"
    elif isinstance(goal, AlertBudget):
        label = f"Recall at {goal.max_alerts:,g} alerts per {goal.per:,g} rows"
        about = "fraction of the rare rows among the alerts with the highest scores"
    else:
        label = f"Alerts for a recall of {goal.recall:.4g}"
        about = "number of alerts per 1,000 rows that finds this fraction of the rare rows"
    is_higher = isinstance(goal, AlertBudget)
    about += "" if is_higher else "; lower is better"
    name = _METRICS[kind_of(goal)]
    found = {"name": name, "label": label, "about": about, "higher_is_better": is_higher}
    return found | {"bounds": _bounds(goal)}


def _bounds(goal: Goal) -> tuple[float, float]:
    """Return the lowest and the highest value of the metric of a goal."""
    if isinstance(goal, LowestCost):
        prices = [goal.fp, goal.fn, goal.tp, goal.tn]
        return 1000 * min(prices), 1000 * max(prices)
    return 0.0, 1.0 if isinstance(goal, AlertBudget) else 1000.0


def goal_scores(results: Results, dataset: str, goal: Goal) -> Floats:
    """Return the metric of a goal for each model and fold; NaN where a model has no scores.

    The threshold of the lowest cost is chosen on the scores of the other folds of the repeat: on
    those that it is tested on, the cost would be too low. The recall at a capacity and the alerts
    for a recall are properties of the order of the rows in the fold, as average precision is.
    """
    splits = sorted({(cell.repeat, cell.fold) for cell in results.cells})
    values = np.full((len(results.models), len(splits)), np.nan)
    for row, name in enumerate(results.models):
        try:
            found = results.predictions(dataset, name)
        except ValueError:  # it failed in every fold
            continue
        if found.scores is None:
            continue
        is_rare, scores = found.y == found.pos_index, finite(found.scores[:, found.pos_index])
        for column, (repeat, fold) in enumerate(splits):
            same = found.repeat == repeat
            inside = same & (found.fold == fold)
            if not inside.any() or not 0 < is_rare[inside].sum() < inside.sum():
                continue
            here = operating_curve(is_rare[inside], scores[inside], pos_label=True)
            others = same & ~inside
            values[row, column] = _one_fold(goal, here, is_rare[others], scores[others])
    return values


def _one_fold(
    goal: Goal, here: OperatingCurve, is_rare: NDArray[np.bool_], scores: Floats
) -> float:
    if isinstance(goal, LowestCost):
        if not 0 < is_rare.sum() < len(is_rare):
            return float("nan")
        there = operating_curve(is_rare, scores, pos_label=True)
        threshold = float(there.threshold[int(goal.choose(there))])
        return float(here.at(threshold).cost_per_1000(goal.costs))
    counts = here.take(int(goal.choose(here)))
    return float(counts.recall if isinstance(goal, AlertBudget) else counts.alerts_per_1000)


def describe_goal(
    goal: Goal, rare_fraction: float, alerts_per_1000: float | None
) -> dict[str, Any]:
    """Return the goal as plain data, with what needs no model: the baselines.

    ``alerts_per_1000`` are those of the recommended model; the random baseline has as many.
    """
    per_1000 = 1000 * rare_fraction
    chance = (alerts_per_1000 or 0.0) / 1000
    if isinstance(goal, AlertBudget):
        chance = goal.max_alerts / (goal.per or 1)
    elif isinstance(goal, RecallFloor):
        chance = goal.recall
    costs = goal.costs if isinstance(goal, LowestCost) else None
    baselines = []
    for name, fraction in ((EVERYONE, 1.0), (NO_ONE, 0.0), (RANDOM, chance)):
        if name == RANDOM and isinstance(goal, RecallFloor):
            name = "random, the same recall"
        counts = Confusion(
            tp=fraction * per_1000, fp=fraction * (1000 - per_1000),
            fn=(1 - fraction) * per_1000, tn=(1 - fraction) * (1000 - per_1000),
        )  # fmt: skip
        one = {
            "name": name,
            "recall": counts.recall,
            "precision": counts.precision,
            "alerts_per_1000": counts.alerts_per_1000,
            "cost_per_1000": None if costs is None else counts.cost_per_1000(costs),
            "is_allowed": bool(goal.reached(counts)),
        }
        baselines.append(one)
    return plain(  # type: ignore[no-any-return]
        {
            "rule": rule_text(goal),
            "text": rule_in_rows(goal),
            "kind": kind_of(goal),
            "metric": _METRICS[kind_of(goal)],
            **dict.fromkeys(("fp", "fn", "tp", "tn", "max_alerts", "per", "recall")),
            **asdict(goal),
            "baselines": baselines,
        }
    )


def beaten_by(goal: dict[str, Any], metric: dict[str, Any], label: str) -> str | None:
    """Return a sentence if a decision without a model does as well as the first model.

    ``goal`` is that of :func:`describe_goal`, ``metric`` that of the ranking.
    """
    key = {"cost": "cost_per_1000", "alerts": "recall", "recall": "alerts_per_1000"}[goal["kind"]]
    able = [one for one in goal["baselines"] if one["is_allowed"] and one[key] is not None]
    mean, is_higher = metric["values"][0]["mean"], metric["higher_is_better"]
    if not able or mean is None:
        return None
    best = (max if is_higher else min)(able, key=lambda one: one[key])
    if best[key] < mean if is_higher else best[key] > mean:
        return None
    return (
        f"{label} is no better than a decision without a model: {inside_sentence(metric['label'])} "
        f"is {_shown(best[key])} for {best['name']}, and {_shown(mean)} over the folds for the "
        "model."
    )


def _shown(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.0f}"


def reach_goal(curve: OperatingCurve, goal: Goal) -> dict[str, Any]:
    """Return the threshold of a goal and what it will achieve on new rows, with intervals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no alert at all, which the result says
        point = choose_on_curve(
            curve, goal, unreachable="closest", n_bootstrap=_N_BOOTSTRAP, random_state=0
        )
    names = ("threshold", "interval", "recall", "precision", "f", "alerts_per_1000", "confidence")
    found = point.to_dict()
    reached = {name: found[name] for name in names}
    reached["cost_per_1000"] = found.get("cost_per_1000")
    reached["warning"] = alert_warning(point.counts)
    if isinstance(goal, LowestCost):
        reached["cost_curve"] = cost_curve(curve, goal.costs)
    return reached


def cost_curve(curve: OperatingCurve, costs: Costs, confidence: float = 0.95) -> dict[str, Any]:
    """Return the cost per 1,000 rows at some thresholds, with pointwise intervals.

    An interval is for a threshold that was set beforehand: it combines the Wilson intervals of the
    fractions of the outcomes.
    """
    positive = curve.n_effective[0] / curve.n_positive
    negative = curve.n_effective[1] / (curve.n_samples - curve.n_positive)
    measure = measures(1.0, costs, (positive, negative))[-1]
    places = curve.thin(_N_COST_POINTS)
    points = [curve.take(int(place)) for place in places]
    ends = [measure.floor(counts, confidence) for counts in points]
    return {
        "threshold": curve.threshold[places].tolist(),
        "cost": [float(counts.cost_per_1000(costs)) for counts in points],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
    }
