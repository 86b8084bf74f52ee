"""A case of a workflow: a table as a file, a model, and how it is fitted and used."""

from __future__ import annotations

from typing import Any

from fuzz.draw import Draw
from fuzz.tables.parameters import draw_parameters
from fuzz.tables.table import SINGLE_POOLS, draw_table
from fuzz.target import Case

PRESETS = ["hddt", "ccpdt", "cart", "hedex", "balanced-random-forest", "j48", "rare-tree"]
# Models of other packages, with parameters that make them quick.
FOREIGN: dict[str, dict[str, Any]] = {
    "sklearn-logistic-regression": {},
    "sklearn-random-forest": {"n_estimators": 3},
    "lightgbm": {"n_estimators": 3},
}
KINDS = ["tree", "tree", "forest", "forest", "preset", "preset"]
OPTIONS = {
    "threshold": lambda d: d.pick([None, None, 0.0, 0.3, "f", "recall>=0.5", "alerts<=3"]),
    "folds": lambda d: d.integer(2, 3),
    "chunk_rows": lambda d: d.pick([1, 5, 1000]),
    "format": lambda d: d.pick(["csv", "csv", "parquet"]),
    "all_classes": lambda d: d.chance(0.5),
    "by_stream": lambda d: d.chance(0.3),
    "explain": lambda d: d.chance(0.3),
}


def draw(d: Draw) -> Case:
    kind = "foreign" if d.chance(0.04) else d.pick(KINDS)
    parameters: dict[str, Any] = {}
    if kind in ("tree", "forest"):
        # Parameters that need a certain number of columns are left out.
        unfit = {"oblique_dim", "monotonic_cst", "oob_score"}
        drawn = draw_parameters(d, kind)
        parameters = {name: value for name, value in drawn.items() if name not in unfit}
    elif kind == "preset":
        parameters = {"model": d.pick(PRESETS)}
    else:
        parameters = {"model": d.pick(list(FOREIGN))}
    return {
        "kind": kind,
        "parameters": parameters,
        "options": {name: draw_one(d) for name, draw_one in OPTIONS.items()},
        "seed": d.integer(0, 2**31),
        "table": draw_table(d, (12, 60), (1, 4), pools=SINGLE_POOLS),
    }
