"""Random parameters of the estimators as plain data, and the estimators with them.

Criteria, leaf estimators and prunings come from the registries, so that a new one is searched too.
"""

from __future__ import annotations

from typing import Any

from fuzz.draw import Draw
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, _core
from rarewood.criteria import BetaAlpha, Criterion
from rarewood.model._pruning import METHODS

CRITERIA = {entry["name"]: entry["parameters"] for entry in _core.criterion_entries()}
LEAVES = [entry["name"] for entry in _core.leaf_entries()]
ESTIMATORS = {
    "tree": RareTreeClassifier,
    "forest": RareForestClassifier,
    "c45": C45Classifier,
}


def draw_criterion(d: Draw) -> dict[str, Any]:
    name = d.pick(list(CRITERIA))
    values = {}
    for parameter in CRITERIA[name]:
        if "choices" in parameter:
            values[parameter["name"]] = d.pick(parameter["choices"])
        else:
            low, high = parameter["low"], parameter["high"]
            values[parameter["name"]] = d.pick([low, high, (low + high) / 2, d.uniform(low, high)])
    return {"name": name, "parameters": values}


# Criteria whose values alone choose a split, and are finite; functions of them are criteria too.
PLAIN = [
    name
    for name, parameters in CRITERIA.items()
    if not parameters and not name.startswith("ccp_") and name != "ihdw"
]


def draw_plain_criterion(d: Draw) -> dict[str, Any]:
    return {"name": d.pick(PLAIN), "parameters": {}}


def draw_pruning(d: Draw) -> dict[str, Any]:
    name = d.pick(list(METHODS))
    field = {"fisher": "p_value", "error": "confidence", "cost_complexity": "alpha"}[name]
    values = {"p_value": [0.01, 0.5, 1.0], "confidence": [0.25, 0.01, 0.5], "alpha": [0, 0.01, 0.2]}
    return {"name": name, "values": {field: d.pick(values[field])}}


_STRENGTHS = [0.0, 1.0, 2.5, 100.0, 1e-300, 1e300, 1.7e308]
# Each parameter is set with a certain probability; without it, it has the default of the estimator.
SHARED: dict[str, Any] = {
    "criterion": draw_criterion,
    "splitter": lambda d: d.pick(["best", "random", "oblique"]),
    "max_depth": lambda d: d.integer(1, 5),
    "min_samples_split": lambda d: d.pick([2, 3, 8, 0.1, 0.5]),
    "min_samples_leaf": lambda d: d.pick([1, 2, 5, 0.05, 0.3]),
    "min_weight_fraction_leaf": lambda d: d.pick([0.0, 0.01, 0.2, 0.5]),
    "max_features": lambda d: d.pick([1, 2, 0.5, 1.0, "sqrt", "log2", "round_sqrt", None]),
    "max_leaf_nodes": lambda d: d.integer(2, 9),
    "min_gain": lambda d: d.pick([0.0, 1e-9, 0.05, 1.0]),
    "pruning": draw_pruning,
    "n_cuts": lambda d: d.pick([1, 2, 5, 40]),
    "oblique_dim": lambda d: d.pick([2, 2, 3]),
    "oblique_draw": lambda d: d.pick(["between", "direction", "points"]),
    "split_samples": lambda d: d.pick([1, 4, "auto", None]),
    "max_bins": lambda d: d.pick([2, 3, 16, 255, "auto", None]),
    "leaf": lambda d: d.pick(LEAVES),
    "categorical_split": lambda d: d.pick(["subset", "multiway", "onehot"]),
    "class_weight": lambda d: "balanced",
}
FOREST: dict[str, Any] = {
    **SHARED,
    "bootstrap": lambda d: d.chance(0.5),
    "balance": lambda d: d.pick([True, 1.5, 3, "balanced"]),
    "max_samples": lambda d: d.pick([1, 7, 0.5, 1.0]),
    "class_weight": lambda d: d.pick(["balanced", "balanced_subsample"]),
    "beta_alpha": lambda d: [d.uniform(0.2, 4), d.uniform(0.2, 4)],
}
C45: dict[str, Any] = {
    "min_samples_leaf": lambda d: d.integer(1, 5),
    "confidence": lambda d: d.pick([0.25, 0.01, 0.5, None]),
    "raising": lambda d: d.chance(0.5),
    "collapse_subtrees": lambda d: d.chance(0.5),
    "penalty": lambda d: d.chance(0.5),
    "cut": lambda d: d.pick(["value", "midpoint"]),
    "leaf": lambda d: d.pick(LEAVES),
    "leaf_strength": lambda d: d.pick(_STRENGTHS),
    "class_weight": lambda d: "balanced",
}


def draw_parameters(d: Draw, estimator: str) -> dict[str, Any]:
    """Parameters that are valid for most tables; an estimator refuses the others."""
    density = d.pick([0.1, 0.25, 0.5])
    if estimator == "c45":
        return d.some(C45, density)
    chosen = d.some(FOREST if estimator == "forest" else SHARED, density)
    chosen["random_state"] = d.integer(0, 2**32 - 1)
    if estimator == "forest":
        chosen["n_estimators"] = d.small(1, 6)
        chosen["oob_score"] = d.chance(0.3) and is_drawn(chosen)
        if "beta_alpha" in chosen:
            chosen.pop("criterion", None)
    if not d.chance(0.08):  # a pilot is slow
        chosen["leaf_strength"] = d.pick(_STRENGTHS) if d.chance(0.3) else float(d.integer(0, 5))
        chosen["collapse"] = d.pick([0.0, 0.0, 0.05, 1.0, 1e300])
    return chosen


def is_drawn(parameters: dict[str, Any]) -> bool:
    """Whether every tree draws samples."""
    return bool(
        parameters.get("bootstrap")
        or parameters.get("balance")
        or parameters.get("max_samples") is not None
    )


def make(estimator: str, parameters: dict[str, Any], **changes: Any) -> Any:
    """The estimator with parameters given as plain data."""
    arguments = dict(parameters)
    if "criterion" in arguments:
        one = arguments["criterion"]
        arguments["criterion"] = Criterion(one["name"], **one["parameters"])
    if "beta_alpha" in arguments:
        arguments["criterion"] = BetaAlpha(*arguments.pop("beta_alpha"))
    if "pruning" in arguments:
        one = arguments["pruning"]
        arguments["pruning"] = METHODS[one["name"]](**one["values"])
    return ESTIMATORS[estimator](**(arguments | changes))
