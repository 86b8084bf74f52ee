"""The verdict on a comparison: which model is recommended, how sure that is, and what is simpler.

One procedure decides: comparisons of every model with the best one over the folds, by the corrected
resampled t-test with Holm correction. Terminal, page and JSON show the same sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

_MARGIN = 0.01  # of a metric between 0 and 1
_RELATIVE_MARGIN = 0.05  # of the best value of another metric, such as a cost
_WORTH_SAYING = 1.5  # times faster
TEST = (
    "corrected resampled t-test over the folds, Holm correction for the comparisons with the best"
)


def decide(
    ranking: Mapping[str, Any], labels: Mapping[str, str], simple: Collection[str]
) -> dict[str, Any]:
    """Return the verdict as JSON-safe data; "sentence" says all of it.

    ``simple`` are the models that people can read: single trees and linear models.
    """
    metric = next(one for one in ranking["metrics"] if one["name"] == ranking["metric"])
    names, alpha = ranking["models"], ranking["alpha"]
    best, seconds = names[0], _seconds(ranking)
    margin = _margin(metric)
    others = [
        {
            "model": name,
            "label": labels.get(name, name),
            "is_simple": name in simple,
            "mean": metric["values"][place]["mean"],
            "worse_by": _worse_by(metric, place),
            "p_value": metric["p_best"][place],
            "times_faster": seconds[best] / seconds[name]
            if seconds.get(best) and seconds.get(name)
            else None,
        }
        for place, name in enumerate(names)
        if place and metric["values"][place]["mean"] is not None
    ]
    for one in others:
        one["is_significant"] = one["p_value"] is not None and one["p_value"] < alpha
        one["is_within_margin"] = not one["is_significant"] and one["worse_by"] <= margin
    ties = [one for one in others if not one["is_significant"]]
    near = [one for one in others if one["is_within_margin"]]
    faster = [one for one in near if (one["times_faster"] or 0) >= _WORTH_SAYING]
    found = {
        "recommended": best,
        "label": labels.get(best, best),
        "is_simple": best in simple,
        "metric": metric["name"],
        "metric_label": metric["label"],
        "mean": metric["values"][0]["mean"],
        "interval": [metric["values"][0]["low"], metric["values"][0]["high"]],
        "level": ranking["level"],
        "alpha": alpha,
        "test": TEST,
        "margin": margin,
        "seconds": seconds.get(best),
        "others": others,
        "ties": [one["model"] for one in ties],
        "runner_up": others[0]["model"] if others else None,
        "simpler": None
        if best in simple
        else next((one["model"] for one in ties if one["is_simple"]), None),
        "faster": max(faster, key=lambda one: one["times_faster"])["model"] if faster else None,
    }
    return found | {"sentence": _sentence(found)}


def _seconds(ranking: Mapping[str, Any]) -> dict[str, float]:
    """Return the mean seconds to fit a fold and to predict another, of each model."""
    pairs = zip(ranking["models"], ranking["seconds"], strict=True)
    return {name: seconds for name, seconds in pairs if seconds is not None}


def _margin(metric: Mapping[str, Any]) -> float:
    """Return the difference from the best that is too small to matter."""
    if metric["name"] in ("expected_cost", "alerts_at_recall", "log_loss"):
        return _RELATIVE_MARGIN * abs(float(metric["values"][0]["mean"] or 0.0))
    return _MARGIN


def _worse_by(metric: Mapping[str, Any], place: int) -> float:
    first, other = (metric["values"][k]["mean"] for k in (0, place))
    return float(first - other if metric["higher_is_better"] else other - first)


def _sentence(found: Mapping[str, Any]) -> str:
    low, high = found["interval"]
    sure = "" if low is None else f" ({found['level']:.0%} interval {_num(low)} to {_num(high)})"
    name = inside_sentence(found["metric_label"])
    verb = "are" if name.startswith("alerts") else "is"
    value = "" if found["mean"] is None else f"Its {name} {verb} {_num(found['mean'])}{sure}"
    others = {one["model"]: one for one in found["others"]}
    if not others:
        alone = "the only model with scores" if found["mean"] is not None else "the first model"
        return f"{found['label']} is {alone}.{f' {value}.' if value else ''}"
    parts = [f"Recommended: {found['label']}. {value}, {_lead(found, others)}."]
    if found["is_simple"]:
        parts.append("It is the simplest kind of model, which can be read as it is.")
    elif found["simpler"] is not None:
        one = others[found["simpler"]]
        parts.append(
            f"The simpler {one['label']} does not differ significantly"
            f"{_by(one, found['margin'])}{_speed(one)}."
        )
    elif read := [one for one in found["others"] if one["is_simple"]]:
        parts.append(f"The best simpler model, {read[0]['label']}, is worse{_by(read[0])}.")
    if found["faster"] not in (None, found["simpler"]):
        one = others[found["faster"]]
        parts.append(
            f"Within {_num(found['margin'])} of the best, {one['label']} is the fastest"
            f"{_by(one)}{_speed(one)}."
        )
    return " ".join(parts)


def inside_sentence(label: str) -> str:
    """Return the label of a metric as it is written inside a sentence: "ROC AUC", "log loss"."""
    return label if label[1:2].isupper() else f"{label[:1].lower()}{label[1:]}"


def _lead(found: Mapping[str, Any], others: Mapping[str, Mapping[str, Any]]) -> str:
    """Return by how much the best model leads, and against how many that is significant."""
    second = others[found["runner_up"]]
    n_all, n_ties = len(others), len(found["ties"])
    by = f"{_num(second['worse_by'])} better than {second['label']}"
    p = "" if second["p_value"] is None else f" (p {_p(second['p_value'])})"
    if not n_ties:
        rest = "" if n_all == 1 else "; it is significantly better than every other model"
        return f"{by}, which is significant{p}{rest}"
    if n_ties == n_all:
        rest = "" if n_all == 1 else "; it is not significantly better than any other model"
        return f"{by}, which is not significant{p}{rest}"
    how = "not significant" if second["model"] in found["ties"] else "significant"
    return f"{by}, which is {how}{p}; it is significantly better than {n_all - n_ties} of {n_all}"


def _by(one: Mapping[str, Any], margin: float | None = None) -> str:
    """Return the difference from the best, and whether it exceeds a margin."""
    p = "" if one["p_value"] is None else f", p {_p(one['p_value'])}"
    beyond = ""
    if margin is not None and one["worse_by"] > margin:
        beyond = f"; more than the margin of {_num(margin)}"
    return f" ({_num(one['worse_by'])} worse{p}{beyond})"


def _speed(one: Mapping[str, Any]) -> str:
    times = one["times_faster"]
    if times is None or 1 / _WORTH_SAYING < times < _WORTH_SAYING:
        return ""
    word, times = ("faster", times) if times > 1 else ("slower", 1 / times)
    return f" and is {_times(times)} times {word} to fit and predict"


def _times(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def _num(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.0f}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
