"""A law is something that must hold for any table and parameters; a case is checked by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fuzz.draw import Draw
from fuzz.tables.fits import Setting
from fuzz.tables.parameters import draw_parameters, is_drawn
from fuzz.tables.table import Table, draw_table
from fuzz.target import Case


@dataclass(frozen=True)
class Law:
    """A check, and the cases for which it is drawn."""

    check: Callable[[Setting], None]
    estimators: str = "tree forest c45"
    n: int = 1
    """Relative number of cases."""
    left_out: tuple[str, ...] = ()
    """Parameters with which it does not apply; "pilot" stands for leaves chosen by a pilot."""
    needed: Mapping[str, Callable[[Draw], Any]] = field(default_factory=dict)
    """Parameters that it needs."""
    table: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of ``draw_table``."""
    is_constrained: bool = False
    """Whether it is about monotonic constraints; other laws have them now and then."""


@dataclass(frozen=True)
class Laws:
    """The laws of a target by name."""

    laws: Mapping[str, Law]

    def draw(self, d: Draw) -> Case:
        name = d.pick([name for name, law in self.laws.items() for _ in range(law.n)])
        law = self.laws[name]
        estimator = d.pick(law.estimators.split())
        table = draw_table(d, **law.table)
        parameters = {
            key: value
            for key, value in draw_parameters(d, estimator).items()
            if key not in law.left_out
        }
        parameters |= {key: value(d) for key, value in law.needed.items()}
        if "pilot" in law.left_out and estimator != "c45":
            parameters = {"leaf_strength": 1.0, "collapse": 0.0} | parameters
        _fit_to_table(d, law, estimator, parameters, table)
        return {
            "law": name,
            "estimator": estimator,
            "parameters": parameters,
            "seed": d.integer(0, 2**31),
            "table": table,
        }

    def check(self, case: Case) -> None:
        setting = Setting(case)
        try:
            self.laws[case["law"]].check(setting)
        except ValueError:
            setting.refuse_invalid()
            raise


def _fit_to_table(
    d: Draw, law: Law, estimator: str, parameters: dict[str, Any], table: Table
) -> None:
    """Make parameters valid that depend on each other, or on the columns."""
    n_features = len(table["columns"])
    if parameters.get("oblique_dim", 2) > max(2, n_features):
        parameters["oblique_dim"] = 2
    if "oob_score" in parameters:
        parameters["oob_score"] &= is_drawn(parameters)
    if law.is_constrained or (estimator != "c45" and d.chance(0.05)):
        signs = [0 if "levels" in column else d.pick([-1, 1, 1, 0]) for column in table["columns"]]
        if any(signs) and max(table["y"]) == 1:
            parameters["monotonic_cst"] = signs
