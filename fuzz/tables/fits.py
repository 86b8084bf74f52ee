"""The table and the parameters of a case, and fits on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fuzz.draw import Draw
from fuzz.tables import table as tables
from fuzz.tables.parameters import is_drawn, make
from fuzz.target import Case, Refused


@dataclass(frozen=True)
class Setting:
    """A case, and the model that is fitted on its table as an array."""

    case: Case

    @property
    def table(self) -> tables.Table:
        return self.case["table"]

    @property
    def parameters(self) -> dict[str, Any]:
        return self.case["parameters"]

    @cached_property
    def draw(self) -> Draw:
        """Random choices of a law."""
        return Draw(str(self.case["seed"]))

    @cached_property
    def X(self) -> np.ndarray:
        return tables.as_array(self.table)

    @cached_property
    def y(self) -> np.ndarray:
        return tables.labels(self.table)

    @cached_property
    def weights(self) -> np.ndarray | None:
        return tables.weights(self.table)

    def make(self, **changes: Any) -> Any:
        """The estimator, for arrays."""
        categorical = tables.categorical(self.table)
        given = {"categorical_features": categorical} | changes
        if self.case["estimator"] != "c45":
            # To count the cores takes longer than to fit.
            given = {"n_jobs": self.case.get("n_jobs", 1)} | given
        return make(self.case["estimator"], self.parameters, **given)

    @cached_property
    def model(self) -> Any:
        """The model of the case; an invalid case is refused."""
        try:
            return self.make().fit(self.X, self.y, self.weights)
        except ValueError as error:
            if type(error) is ValueError and len(str(error)) > 20:
                raise Refused(str(error)) from error
            raise

    def refuse_invalid(self) -> None:
        """Refuse a case whose parameters are not valid for its table."""
        assert self.model is not None

    def fit(self, table: tables.Table | None = None, **changes: Any) -> Any:
        """The model of a changed table or of changed parameters."""
        given = table or self.table
        changes = {"categorical_features": tables.categorical(given)} | changes
        model = self.make(**changes)
        return model.fit(tables.as_array(given), tables.labels(given), tables.weights(given))

    # -------------------------------------------------------- what a law may depend on

    def get(self, name: str) -> Any:
        return self.parameters.get(name, getattr(self.make(), name, None))

    @property
    def draws_rows(self) -> bool:
        return is_drawn(self.parameters)

    @property
    def samples_nodes(self) -> bool:
        """Whether a node may choose its hyperplane on fewer rows, chosen by their numbers."""
        return self.get("splitter") == "oblique" and isinstance(self.get("split_samples"), int)

    @property
    def has_pilot(self) -> bool:
        return "auto" in (self.get("leaf_strength"), self.get("collapse"))


def require(condition: bool) -> None:
    """Refuse a case to which a law does not apply."""
    if not condition:
        raise Refused("the law does not apply")
