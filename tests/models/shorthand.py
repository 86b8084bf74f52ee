"""Estimators with a seed, and tables by name, for the lists of cases."""

from __future__ import annotations

from functools import partial
from typing import Any

from models import tables
from rarewood import RareForestClassifier, RareTreeClassifier

TABLES = {
    "two": tables.numbers,
    "three": partial(tables.numbers, 3),
    "missing": partial(tables.numbers, 3, missing=True),
    "mixed": partial(tables.mixed, 2),
    "mixed-three": partial(tables.mixed, 3),
    "ordered": partial(tables.mixed, 3, "ordered"),
    "medium": tables.medium,
    "medium-three": partial(tables.medium, 3),
    "medium-missing": partial(tables.medium, 3, missing=True),
}


# Hashes are older than the pilot and than thresholds between samples, now defaults.
PLAIN = {
    "leaf_strength": None, "collapse": 0.0, "oblique_draw": "direction", "split_samples": None,
}  # fmt: skip


def tree(**params: Any) -> RareTreeClassifier:
    """A tree with a seed."""
    return RareTreeClassifier(random_state=7).set_params(**PLAIN | params)


def forest(**params: Any) -> RareForestClassifier:
    """A small forest with a seed."""
    return RareForestClassifier(8, random_state=7).set_params(**PLAIN | params)


MODELS = {"tree": tree, "forest": forest}
