"""Trees and forests: how splits are chosen, where growing ends, what becomes of leaves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from models.digest import Case, fitting
from models.shorthand import MODELS, TABLES, forest, tree
from rarewood import RareForestClassifier, RareTreeClassifier, criteria, presets
from rarewood.pruning import CostComplexity, Error, Fisher

LIMITS: dict[str, dict[str, Any]] = {
    "depth": {"max_depth": 3},
    "leaves": {"max_leaf_nodes": 7},
    "gain": {"min_gain": 0.5},
    "leaf-rows": {"min_samples_leaf": 10},
    "leaf-share": {"min_samples_leaf": 0.02},
    "split-rows": {"min_samples_split": 40},
    "split-share": {"min_samples_split": 0.15},
    "columns-5": {"max_features": 5},
    "columns-half": {"max_features": 0.5},
    "columns-sqrt": {"max_features": "sqrt"},
    "columns-round-sqrt": {"max_features": "round_sqrt"},
    "columns-log2": {"max_features": "log2"},
    "columns-all": {"max_features": None},
}
OBLIQUE = {"splitter": "oblique", "n_cuts": 5}
SEARCHES: dict[str, dict[str, Any]] = {
    "exact": {"splitter": "best"},
    "one-cut": {"splitter": "random", "n_cuts": 1},
    "ten-cuts": {"splitter": "random", "n_cuts": 10},
    "bins-2": {"splitter": "best", "max_bins": 2},
    "bins-16": {"splitter": "best", "max_bins": 16},
    "bins-255": {"splitter": "best", "max_bins": 255},
    "bins-and-cuts": {"splitter": "random", "n_cuts": 5, "max_bins": 16},
    "points-2": {**OBLIQUE, "oblique_dim": 2, "oblique_draw": "points"},
    "points-3": {**OBLIQUE, "oblique_dim": 3, "oblique_draw": "points"},
    "direction-2": {**OBLIQUE, "oblique_dim": 2, "oblique_draw": "direction"},
    "direction-3": {**OBLIQUE, "oblique_dim": 3, "oblique_draw": "direction"},
}
PRUNINGS: dict[str, dict[str, Any]] = {
    "fisher": {"pruning": "fisher"},
    "fisher-set": {"pruning": Fisher(1e-6)},
    "error": {"pruning": "error"},
    "error-set": {"pruning": Error(0.05)},
    "cost": {"pruning": "cost_complexity"},
    "cost-set": {"pruning": CostComplexity(0.005)},
}


def default_cases() -> Iterator[Case]:
    """No parameter but the seed."""
    for table, data in TABLES.items():
        yield fitting(f"default/tree/{table}", tree, data)
    for table in ("two", "missing", "mixed-three"):
        yield fitting(f"default/forest/{table}", partial(forest, n_estimators=100), TABLES[table])


def preset_cases() -> Iterator[Case]:
    """Every preset, with two and three classes, and some with parameters of their own."""
    for name in presets.__all__:
        for table in ("mixed", "mixed-three"):
            make = partial(_preset, getattr(presets, name))
            yield fitting(f"preset/{name}/{table}", make, TABLES[table])
    three = TABLES["three"]
    gini = partial(_preset, presets.ccpdt, "gini")
    uniform = partial(_preset, presets.alpha_tree, 0.8, "uniform")
    beat = partial(_preset, presets.beat, 1, 3)
    yield fitting("preset/ccpdt-gini", gini, three)
    yield fitting("preset/alpha_tree-uniform", uniform, three)
    yield fitting("preset/beat-1-3", beat, three)


def _preset(preset: Any, *args: Any) -> RareTreeClassifier | RareForestClassifier:
    model = preset(*args)
    if "random_state" in model.get_params():
        model.set_params(random_state=7)
    if isinstance(model, RareForestClassifier):
        model.set_params(n_estimators=8)
    return model


def criterion_cases() -> Iterator[Case]:
    """Every criterion, and those with parameters."""
    for name in criteria.names():
        for table in ("two", "mixed-three"):
            make = partial(tree, criterion=name)
            yield fitting(f"criterion/{name}/tree/{table}", make, TABLES[table])
        make = partial(forest, criterion=name, splitter="best")
        yield fitting(f"criterion/{name}/forest", make, TABLES["missing"])
    for reference in ("prior", "uniform", "complement"):
        for alpha in (0.0, 0.3, 0.8, 1.7):
            make = partial(tree, criterion=criteria.Alpha(alpha, reference))
            yield fitting(f"criterion/alpha-{alpha}-{reference}", make, TABLES["three"])
        make = partial(forest, criterion=criteria.BetaAlpha(3, 1, reference))
        yield fitting(f"criterion/beta-{reference}", make, TABLES["three"])


def limit_cases() -> Iterator[Case]:
    """Where growing ends, and how many columns are looked at."""
    for kind, make in MODELS.items():
        for name, params in LIMITS.items():
            yield fitting(f"limit/{name}/{kind}", partial(make, **params), TABLES["missing"])
        weight_share = partial(make, min_weight_fraction_leaf=0.03)
        yield fitting(f"limit/weight/{kind}", weight_share, TABLES["three"], weighted=True)


def search_cases() -> Iterator[Case]:
    """Which cuts are looked at: all, edges of bins, random ones, random hyperplanes."""
    for kind, make in MODELS.items():
        for name, params in SEARCHES.items():
            for table in ("missing", "mixed"):
                model = partial(make, **params)
                yield fitting(f"search/{name}/{kind}/{table}", model, TABLES[table])


def leaf_cases() -> Iterator[Case]:
    """How counts become probabilities."""
    for kind, make in MODELS.items():
        for leaf in ("laplace", "raw", "m_estimate", "shrunk"):
            model = partial(make, leaf=leaf, max_depth=5)
            stronger = partial(model, leaf_strength=2.5)
            yield fitting(f"leaf/{leaf}/{kind}", model, TABLES["three"])
            yield fitting(f"leaf/{leaf}-set/{kind}", stronger, TABLES["three"])


def pruning_cases() -> Iterator[Case]:
    """How grown trees are made smaller."""
    for kind, make in MODELS.items():
        for name, params in PRUNINGS.items():
            yield fitting(f"pruning/{name}/{kind}", partial(make, **params), TABLES["three"])


def category_cases() -> Iterator[Case]:
    """How categorical columns split a node, with text, and with numbers taken for categories."""
    for kind, make in MODELS.items():
        for split in ("subset", "multiway", "onehot"):
            model = partial(make, categorical_split=split)
            exact = partial(model, splitter="best")
            by_number = partial(exact, categorical_features=[1, 3])
            yield fitting(f"category/{split}/{kind}/all", exact, TABLES["mixed-three"])
            yield fitting(
                f"category/{split}/{kind}/random",
                partial(model, splitter="random", n_cuts=3),
                TABLES["mixed-three"],
            )
            yield fitting(f"category/{split}/{kind}/numbers", by_number, TABLES["missing"])
    yield fitting("category/ordered/forest", forest, TABLES["ordered"])


def medium_cases() -> Iterator[Case]:
    """Tables of some thousand rows."""
    trees: dict[str, dict[str, Any]] = {
        "gini": {"criterion": "gini"},
        "ccp": {"criterion": "ccp_entropy", "max_leaf_nodes": 40},
        "bins": {"max_bins": 64},
        "leaf": {"min_samples_leaf": 15, "pruning": "fisher"},
        "alpha": {"criterion": criteria.Alpha(0.7), "max_features": 4},
    }
    forests: dict[str, dict[str, Any]] = {
        "default": {},
        "exact": {"splitter": "best", "bootstrap": True},
        "bins": {"splitter": "best", "max_bins": 64, "bootstrap": True},
        "balanced": {"splitter": "best", "bootstrap": True, "balance": True},
        "cuts": {"splitter": "random", "criterion": "entropy"},
    }
    for table in ("medium", "medium-missing"):
        for name, params in trees.items():
            yield fitting(f"medium/tree-{name}/{table}", partial(tree, **params), TABLES[table])
        for name, params in forests.items():
            yield fitting(f"medium/forest-{name}/{table}", partial(forest, **params), TABLES[table])
    for kind, make in MODELS.items():
        yield fitting(f"medium/{kind}-weighted", make, TABLES["medium-three"], weighted=True)
