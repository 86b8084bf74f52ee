"""Our forest taken apart: what each part of its default brings, one step at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

AXIS = {"splitter": "random", "n_cuts": 1}
ONE_CUT = {**AXIS, "criterion": "gini", "leaf": "raw"}

# From Extra-Trees to the default, then changes of a single part of the default.
STEPS: dict[str, dict[str, Any]] = {
    "one random cut, gini, raw leaves (Extra-Trees)": ONE_CUT,
    "the same by Hellinger distance": {**ONE_CUT, "criterion": "hellinger"},
    "and Laplace leaves": {**AXIS, "leaf": "laplace"},
    "and shrunk leaves": AXIS,
    "and ten cuts": {**AXIS, "n_cuts": 10},
    "lines through two points in place of cuts": {"oblique_draw": "points"},
    "lines in a random direction (the default)": {},
    "default with raw leaves": {"leaf": "raw"},
    "default with Laplace leaves": {"leaf": "laplace"},
    "default with shrinkage 10": {"leaf_strength": 10.0},
    "default by gini": {"criterion": "gini"},
    "default by entropy": {"criterion": "entropy"},
    "default with planes over three columns": {"oblique_dim": 3},
    "default with bootstrap": {"bootstrap": True},
    "default with balanced bootstrap": {"bootstrap": True, "balance": True},
}


def _maker(params: dict[str, Any]) -> Callable[[int, int], Any]:
    def make(trees: int, seed: int) -> Any:
        from rarewood import RareForestClassifier

        return RareForestClassifier(trees, n_jobs=1, random_state=seed, **params)

    return make


# In the form of a file for `accuracy.py run --variants`.
VARIANTS = {name: _maker(params) for name, params in STEPS.items()}
