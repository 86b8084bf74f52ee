"""C4.5, rules of items and Shapley values against the naive ones of ``tests/oracle``."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.draw import Draw
from fuzz.tables import table as tables
from fuzz.target import Case, Refused
from oracle.j48 import Options
from oracle.problem import Problem
from oracle.rules import Twin
from oracle.shapley import naive_shapley
from rarewood import C45Classifier, RareTreeClassifier, explain
from rarewood.rules import SparcccClassifier
from rarewood.rules._items import ItemMap
from support import grown_c45


def draw(d: Draw, kind: str) -> Case:
    return {
        "kind": kind,
        "options": OPTIONS[kind](d),
        "table": tables.draw_table(d, (3, 30), (1, 3 if kind == "rules" else 4)),
    }


def check(case: Case) -> None:
    CHECKS[case["kind"]](case["table"], case["options"])


def _options_of_c45(d: Draw) -> dict[str, Any]:
    return {
        "min_weight": d.pick([1.0, 2.0, 2.0, 3.0]),
        "penalty": d.chance(0.5),
        "at_midpoint": d.chance(0.5),
        "collapse": d.chance(0.5),
        "confidence": d.pick([None, 0.25, 0.25, 0.05, 0.5]),
        "raising": d.chance(0.5),
    }


def c45(table: tables.Table, options: dict[str, Any]) -> None:
    """Every node is that of J48, and so are the predictions."""
    y = np.array(table["y"])
    sizes = [len(c.get("levels", ())) for c in table["columns"]]
    weights = tables.weights(table)
    if weights is not None:
        weights[weights == 0] = 1.0  # the core is never given a row of weight zero
    X = tables.as_array(table)
    problem = Problem.of(X, y, max(2, int(y.max()) + 1), sizes, weights)
    grown_c45.check(problem, Options(**options))


def _options_of_rules(d: Draw) -> dict[str, Any]:
    return {
        "alpha": d.pick([0.051, 0.51]),
        "ranking": d.pick(["ccr", "p_value", "confidence"]),
        "n_best": d.integer(1, 4),
        "redundant": d.chance(0.5),
    }


def rules(table: tables.Table, options: dict[str, Any]) -> None:
    """The rules of every class are those of the definition."""
    frame, y = tables.as_frame(table), tables.labels(table)
    model = SparcccClassifier(**options).fit(frame, y)
    items, expected = ItemMap(model.discretizer_).items(frame, model), {}
    for number, label in enumerate(model.classes_):
        twin = Twin(items.tolist(), (y == label).tolist(), options["redundant"])
        for rule in twin.rules(options["alpha"], 3):
            expected[number, rule] = twin.table(rule)
    found = {
        (int(about), frozenset(rule.tolist())): counts
        for about, rule, counts in zip(
            model._found.about, model._found.items, model.rules_.counts, strict=True
        )
    }
    assert found.keys() == expected.keys(), f"{found.keys()} and {expected.keys()}"
    for (about, rule), counts in found.items():
        a, _, c, _ = expected[about, rule]
        assert (counts[about], counts.sum() - counts[about]) == (a, c), f"counts of {rule}"


def _options_of_shapley(d: Draw) -> dict[str, Any]:
    return {
        "estimator": d.pick(["tree", "tree", "c45"]),
        "splitter": d.pick(["best", "random", "oblique"]),
        "seed": d.integer(0, 2**31),
    }


def shapley(table: tables.Table, options: dict[str, Any]) -> None:
    """Shapley values are those of the definition, over all sets of players."""
    categorical = tables.categorical(table)
    if options["estimator"] == "c45":
        model: Any = C45Classifier(categorical_features=categorical)
    else:
        model = RareTreeClassifier(
            splitter=options["splitter"], random_state=options["seed"], max_depth=4,
            categorical_features=categorical,
        )  # fmt: skip
    X = tables.as_array(table)
    model.fit(X, tables.labels(table), tables.weights(table))
    if len(model.classes_) < 2:
        raise Refused("one class")
    rows = model._encode(X)[:4]
    found = explain.shap_values(model, X[:4])
    for number in range(len(model.classes_)):
        base, values = naive_shapley(model.tree_, rows, number)
        np.testing.assert_allclose(found.values[:, :, number], values, rtol=0, atol=1e-9)
        np.testing.assert_allclose(found.base_values[number], base, rtol=0, atol=1e-9)


CHECKS = {"c45": c45, "rules": rules, "shapley": shapley}
OPTIONS = {"c45": _options_of_c45, "rules": _options_of_rules, "shapley": _options_of_shapley}
