"""Tables with names and categories that must be quoted."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz.draw import Draw
from fuzz.tables.parameters import SHARED
from fuzz.tables.shrink import smaller as smaller_table
from fuzz.tables.table import draw_table
from fuzz.target import Case

NAMES = [
    "x",
    "select",
    'a"b',
    "it's",
    "a b",
    "é",
    ";--",
    "1",
    "X",
    "a.b",
    "%s",
    "?",
    "rule_1",
    "prediction",
]
LEVELS = [
    ["'", '"', "'' OR 1=1 --", "a;b", "\n", "%", "\\", "é"],
    ["a", "b", "A", "B", " a", "a ", "", "ab"],
    ["NULL", "TRUE", "0", "1", "1.0", "nan", "-1", "1e5"],
]
LABELS = [[0, 1, 2, 3], ["common", "it's", 'q"', "rare"], [-1.0, 0.0, 2.0, 1e15]]
CHOSEN = ("criterion", "splitter", "max_depth", "max_leaf_nodes", "n_cuts", "oblique_draw",
          "max_bins", "leaf", "categorical_split", "max_features", "split_samples")  # fmt: skip
OPTIONS = {name: SHARED[name] for name in CHOSEN}


def draw(d: Draw) -> Case:
    table = draw_table(d)
    table["labels"], levels = d.pick(LABELS), d.pick(LEVELS)
    table["single"] = False
    for j, column in enumerate(table["columns"]):
        column["name"] = f"{d.pick(NAMES)}{'_' * j}" if d.chance(0.5) else f"x{j}"
        if "levels" in column:
            column["levels"] = sorted(levels[: len(column["levels"])])
    parameters = d.some(OPTIONS, 0.3)
    return {
        "estimator": "forest" if d.chance(0.25) else "tree",
        "parameters": {**parameters, "random_state": d.integer(0, 2**31), "leaf_strength": 1.0},
        "table": table,
    }


def smaller(case: Case) -> Iterator[Case]:
    yield from smaller_table(case)
