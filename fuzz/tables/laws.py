"""A law is something that must hold for any table and parameters; a case is checked by one."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.draw import Draw
from fuzz.tables import law_inputs, law_models, law_rows
from fuzz.tables.fits import Setting
from fuzz.tables.parameters import draw_parameters
from fuzz.tables.table import draw_table
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
    "paths": (law_models.paths, "tree forest", 2),
    "frame": (law_inputs.frame, "tree forest c45", 2),
    "arrow": (law_inputs.arrow, "tree forest c45", 1),
    "stream": (law_inputs.stream, "tree forest", 1),
    "labels": (law_inputs.renamed_labels, "tree forest c45", 2),
    "zero weights": (law_rows.zero_weights, "tree forest c45", 3),
    "repeats": (law_rows.repeats, "tree forest", 3),
    "power of two": (law_rows.power_of_two, "tree forest", 4),
    "order": (law_rows.order, "tree forest", 3),
    "scale": (law_rows.scale, "tree forest", 3),
}
_NAMES = [name for name, (_, _, n) in LAWS.items() for _ in range(n)]


def draw(d: Draw) -> Case:
    name = d.pick(_NAMES)
    estimator = d.pick(LAWS[name][1].split())
    return {
        "law": name,
        "estimator": estimator,
        "parameters": draw_parameters(d, estimator),
        "seed": d.integer(0, 2**31),
        "table": draw_table(d),
    }


def check(case: Case) -> None:
    setting = Setting(case)
    try:
        LAWS[case["law"]][0](setting)
    except ValueError:
        setting.refuse_invalid()
        raise
