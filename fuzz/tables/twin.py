"""Trees and forests of the core against the naive ones of ``tests/oracle``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from fuzz.draw import Draw as Source
from fuzz.tables import table as tables
from fuzz.tables import twin_others
from fuzz.target import Case
from oracle import audit, random_tree
from oracle import forest as naive
from oracle.cases import EVERY, FINITE
from oracle.chance import Chance
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw
from rarewood import _core
from support.grown import assert_same_tree, encode, grow, grow_forest

KINDS = ["exact"] * 6 + ["random"] * 4 + ["forest"] * 2 + ["c45"] * 2 + ["rules", "shapley"]
_BY_NAME = {str(case): case for case in EVERY}


def draw(d: Source) -> Case:
    kind = d.pick(KINDS)
    if kind in twin_others.CHECKS:
        return twin_others.draw(d, kind)
    cases = FINITE if kind == "forest" else EVERY
    table = tables.draw_table(d, (3, 40 if kind == "exact" else 24), (1, 4))
    if kind != "exact" and any(abs(v or 0) > 1e30 for c in table["columns"] for v in c["values"]):
        kind = "exact"
    weights = table["weights"]
    if weights is not None and max(weights) > 1e4 * min(filter(None, weights)):
        table["weights"] = None
    if table["weights"] is not None:  # the core is never given a row of weight zero
        table["weights"] = [w or 1.0 for w in table["weights"]]
    limits = {
        "max_depth": lambda d: d.integer(1, 4),
        "min_samples_split": lambda d: d.integer(2, 6),
        "min_samples_leaf": lambda d: d.integer(1, 4),
        "min_gain": lambda d: d.pick([0.01, 0.05]),
        "categorical_split": lambda d: d.pick(["subset", "multiway", "onehot"]),
    }
    chance = {
        "max_features": lambda d: d.integer(1, 4),
        "n_cuts": lambda d: d.pick([1, 3, 6]),
        "oblique_dim": lambda d: 2,
        "oblique_draw": lambda d: d.pick(["points", "between", "direction"]),
    }
    options: dict[str, Any] = d.some(limits, 0.25)
    if kind != "exact":
        options |= d.some(chance, 0.6)
        options["draw"] = [d.chance(0.5), d.chance(0.5), d.integer(0, 12), d.integer(0, 2)]
    return {
        "kind": kind,
        "criterion": str(d.pick(cases)),
        "max_bins": d.pick([0, 0, 255]),
        "seed": d.integer(0, 2**64 - 1),
        "options": options,
        "table": table,
    }


def check(case: Case) -> None:
    if case["kind"] in twin_others.CHECKS:
        twin_others.check(case)
        return
    table, options = case["table"], dict(case["options"])
    X, y = tables.as_array(table), np.array(table["y"])
    sizes = [len(c.get("levels", ())) for c in table["columns"]]
    problem = Problem.of(X, y, max(2, int(y.max()) + 1), sizes, tables.weights(table))
    rows = Draw(*options.pop("draw", ()))
    names = Chance.__dataclass_fields__
    chance = {name: options.pop(name) for name in names if name in options}
    if any(sizes) and case["kind"] != "exact":
        # All subsets of many classes are searched in an order in which ties are left open.
        chance.setdefault("n_cuts", 3)
    if not chance.get("n_cuts"):
        chance.pop("oblique_dim", None)
    if chance.get("oblique_dim", 1) > problem.n_features:
        del chance["oblique_dim"]
    if "max_features" in chance:
        chance["max_features"] = min(chance["max_features"], problem.n_features)
    criterion = _BY_NAME[case["criterion"]]
    limits = Limits(**options)
    kinds = {"exact": exact, "random": random, "forest": forest}
    kinds[case["kind"]](problem, criterion, limits, Chance(**chance), rows, case)


def exact(problem, criterion, limits, chance, rows, case) -> None:
    """Every node has the best split, and both searches choose the same one."""
    columns = encode(problem, case["max_bins"])
    tree = grow(problem, criterion, limits, columns)
    audit.check_tree(tree, problem, criterion, limits)
    assert_same_tree(tree, grow(problem, criterion, limits, columns, search="sort"), 1e-9)


def random(problem, criterion, limits, chance, rows, case) -> None:
    """Every node has the best of the splits that it must draw."""
    own = _options(chance)
    tree = grow(problem, criterion, limits, seed=case["seed"], **own)
    random_tree.check_tree(tree, problem, criterion, limits, chance, case["seed"])


def forest(problem, criterion, limits, chance, rows, case) -> None:
    """Trees on rows that are drawn, their mean, and the rows that were not drawn."""
    limits = Limits(**{**asdict(limits), "min_gain": 1e-6})  # without gain, rounding chooses
    seed, leaf = case["seed"], ("shrunk", 2.0)
    want = naive.grow(problem, criterion, limits, chance, rows, seed, 2)
    trees = grow_forest(problem, criterion, 2, rows, limits, seed=seed, **_options(chance))
    proba = naive.predict_proba(want, problem.X, *leaf)
    found = _core.Forest(trees, *leaf).predict_proba(problem.X)
    np.testing.assert_allclose(found, proba, rtol=1e-9, atol=1e-12)


def _options(chance: Chance) -> dict[str, Any]:
    return {name: value for name, value in asdict(chance).items() if value is not None}
