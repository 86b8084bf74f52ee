"""A law is something that must hold for any table and parameters; a case is checked by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fuzz.draw import Draw
from fuzz.tables import law_inputs, law_models, law_rows
from fuzz.tables.fits import Setting
from fuzz.tables.parameters import draw_parameters, is_drawn
from fuzz.tables.table import MODERATE_POOLS, Table, draw_table
from fuzz.target import Case

# name -> (law, for which estimators, relative number of cases)
LAWS: dict[str, tuple[Callable[[Setting], None], str, int]] = {
    "probabilities": (law_models.probabilities, "tree forest c45", 4),
    "threads": (law_models.threads, "tree forest", 3),
    "warm start": (law_models.warm_start, "forest", 3),
    "saved": (law_models.saved, "tree forest c45", 1),
    "pickled": (law_models.pickled, "tree forest c45", 1),
    "row by row": (law_models.row_by_row, "tree forest c45", 1),
    "members": (law_models.members, "forest", 2),
    "contributions": (law_models.contributions, "tree forest", 2),
    "shap": (law_models.shap, "tree forest c45", 1),
    "monotonic": (law_models.monotonic, "tree forest", 2),
    "paths": (law_models.paths, "tree forest", 2),
    "frame": (law_inputs.frame, "tree forest c45", 2),
    "arrow": (law_inputs.arrow, "tree forest c45", 1),
    "stream": (law_inputs.stream, "tree forest", 1),
    "sparse": (law_inputs.sparse_table, "tree forest", 2),
    "labels": (law_inputs.renamed_labels, "tree forest c45", 2),
    "zero weights": (law_rows.zero_weights, "tree forest c45", 3),
    "repeats": (law_rows.repeats, "tree forest", 3),
    "power of two": (law_rows.power_of_two, "tree forest", 4),
    "order": (law_rows.order, "tree forest", 3),
    "scale": (law_rows.scale, "tree forest", 3),
}
_NAMES = [name for name, (_, _, n) in LAWS.items() for _ in range(n)]


# Laws of C4.5 too, which has no constraints.
_NOT_CONSTRAINED = [name for name, (_, estimators, _) in LAWS.items() if "c45" in estimators]
_ROWS = ("bootstrap", "balance", "max_samples")
_LIMITS = ("min_samples_split", "min_samples_leaf", "pruning", "max_bins")
# Parameters with which a law does not apply; "pilot" stands for leaves chosen by a pilot.
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "warm start": ("pilot",),
    "members": ("class_weight", "min_weight_fraction_leaf", "split_samples", "max_bins", "pilot"),
    "sparse": ("max_bins",),
    "repeats": (*_ROWS, *_LIMITS, "split_samples", "pilot"),
    "order": (*_ROWS, "split_samples"),
    "scale": ("max_bins", "pilot"),
}
# Parameters that a law needs, and the tables that it is about.
NEEDED: dict[str, dict[str, Callable[[Draw], Any]]] = {
    "stream": {"max_bins": lambda d: d.pick([2, 3, 16, 255])},
    "scale": {"splitter": lambda d: d.pick(["best", "random"])},
}
TABLES: dict[str, dict[str, Any]] = {
    "sparse": {"categorical": 0.0, "features": (1, 8)},
    "monotonic": {"categorical": 0.1, "n_classes": 2},
    "scale": {"pools": MODERATE_POOLS},
}


def draw(d: Draw) -> Case:
    name = d.pick(_NAMES)
    estimator = d.pick(LAWS[name][1].split())
    table = draw_table(d, **TABLES.get(name, {}))
    parameters = draw_parameters(d, estimator)
    left_out = LEFT_OUT.get(name, ())
    parameters = {key: value for key, value in parameters.items() if key not in left_out}
    parameters |= {key: value(d) for key, value in NEEDED.get(name, {}).items()}
    if "pilot" in left_out:
        parameters = {"leaf_strength": 1.0, "collapse": 0.0} | parameters
    _fit_to_table(d, name, parameters, table)
    return {
        "law": name,
        "estimator": estimator,
        "parameters": parameters,
        "seed": d.integer(0, 2**31),
        "table": table,
    }


def _fit_to_table(d: Draw, law: str, parameters: dict[str, Any], table: Table) -> None:
    """Make parameters valid that depend on each other, or on the columns."""
    n_features = len(table["columns"])
    if parameters.get("oblique_dim", 2) > max(2, n_features):
        parameters["oblique_dim"] = 2
    if "oob_score" in parameters:
        parameters["oob_score"] &= is_drawn(parameters)
    if law == "monotonic" or (law not in _NOT_CONSTRAINED and d.chance(0.05)):
        signs = [0 if "levels" in column else d.pick([-1, 1, 1, 0]) for column in table["columns"]]
        if any(signs) and max(table["y"]) == 1:
            parameters["monotonic_cst"] = signs


def check(case: Case) -> None:
    setting = Setting(case)
    try:
        LAWS[case["law"]][0](setting)
    except ValueError:
        setting.refuse_invalid()
        raise
