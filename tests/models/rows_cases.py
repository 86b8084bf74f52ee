"""What rows count, who draws them and in what form they come."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from models import tables
from models.digest import Case, fitting, model_arrays
from models.shorthand import MODELS, TABLES, forest, tree

WEIGHTS: dict[str, tuple[dict[str, Any], bool]] = {
    "rows": ({}, True),
    "balanced": ({"class_weight": "balanced"}, False),
    "balanced-rows": ({"class_weight": "balanced"}, True),
    "classes": ({"class_weight": {0: 1.0, 1: 6.5, 2: 0.3}}, False),
    "no-class": ({"class_weight": {0: 1.0, 1: 2.0, 2: 0.0}}, True),
}
DRAWS: dict[str, dict[str, Any]] = {
    "bootstrap": {"bootstrap": True},
    "bootstrap-number": {"bootstrap": True, "max_samples": 150},
    "bootstrap-share": {"bootstrap": True, "max_samples": 0.6},
    "balance": {"balance": True},
    "balance-number": {"balance": True, "max_samples": 45},
    "balance-share": {"balance": True, "max_samples": 0.5},
    "both": {"bootstrap": True, "balance": True},
    "both-number": {"bootstrap": True, "balance": True, "max_samples": 90},
    "both-share": {"bootstrap": True, "balance": True, "max_samples": 1.5},
    "subsample": {"bootstrap": True, "class_weight": "balanced_subsample"},
}


def weight_cases() -> Iterator[Case]:
    """Weights of rows and of classes."""
    for kind, make in MODELS.items():
        for name, (params, weighted) in WEIGHTS.items():
            model = partial(make, splitter="best", **params)
            yield fitting(f"weight/{name}/{kind}", model, TABLES["three"], weighted=weighted)
    yield fitting("weight/rows/planes", forest, TABLES["missing"], weighted=True)


def draw_cases() -> Iterator[Case]:
    """Rows that the trees of a forest draw, and what trees say of rows they did not draw."""
    for name, params in DRAWS.items():
        exact = partial(forest, splitter="best", **params)
        yield fitting(f"draw/{name}", exact, TABLES["missing"])
        yield fitting(f"draw/{name}/weighted", exact, TABLES["three"], weighted=True)
    for name in ("bootstrap", "balance-share", "both", "subsample"):
        model = partial(forest, oob_score="accuracy", **DRAWS[name])
        yield Case(f"out-of-bag/{name}", partial(_out_of_bag, model, False))
        yield Case(f"out-of-bag/{name}/weighted", partial(_out_of_bag, model, True))


def _out_of_bag(make: Any, weighted: bool, folder: Path) -> list[Any]:
    data = TABLES["three"]()
    model = make().fit(data.X, data.y, data.weight if weighted else None)
    samples = model.estimators_samples_
    return [model.oob_decision_function_, model.oob_score_, *map(np.asarray, samples)]


def same_cases() -> Iterator[Case]:
    """Threads, further trees and the library of a table change nothing."""
    for table in ("two", "missing", "mixed-three"):
        larger = partial(forest, n_estimators=100, n_jobs=2)
        same = f"default/forest/{table}"
        yield fitting(f"threads/forest/{table}", larger, TABLES[table], same_as=same)
        yield Case(f"warm/{table}", partial(_warm, table), same)
    for table in ("medium", "medium-missing"):
        threads = {"n_jobs": 2}
        for name, params in {
            "default": {},
            "exact": {"splitter": "best", "bootstrap": True},
            "bins": {"splitter": "best", "max_bins": 64, "bootstrap": True},
        }.items():
            model = partial(forest, **params, **threads)
            same = f"medium/forest-{name}/{table}"
            yield fitting(f"threads/{name}/{table}", model, TABLES[table], same_as=same)
        same = f"default/tree/{table}"
        yield fitting(f"threads/tree/{table}", partial(tree, n_jobs=2), TABLES[table], same_as=same)
    for library in ("pandas", "polars", "pyarrow"):
        yield from _library_cases(library)


def _warm(table: str, folder: Path) -> Iterator[Any]:
    data = TABLES[table]()
    model = forest(n_estimators=30, warm_start=True).fit(data.X, data.y)
    return model_arrays(model.set_params(n_estimators=100).fit(data.X, data.y), data.rows)


def _library_cases(library: str) -> Iterator[Case]:
    def numbers() -> tables.Table:
        return tables.as_frames(TABLES["missing"](), library)

    mixed = partial(tables.mixed, 3, library)
    larger = partial(forest, n_estimators=100)
    for kind, make in (("tree", tree), ("forest", larger)):
        same = f"default/{kind}"
        yield fitting(f"{library}/{kind}/numbers", make, numbers, same_as=f"{same}/missing")
        if library != "pandas":
            yield fitting(f"{library}/{kind}/mixed", make, mixed, same_as=f"{same}/mixed-three")
