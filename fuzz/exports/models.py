"""The model of a case, fitted on names that must be quoted, and rows to predict."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from fuzz.sql.draw import LEVELS, NAMES
from fuzz.tables import table as tables
from fuzz.tables.fits import Setting
from fuzz.tables.parameters import make
from fuzz.target import Refused
from rarewood.operating import PriorCorrectedClassifier, ThresholdedClassifier

WRAPPERS = ["none", "none", "none", "prior", "threshold", "threshold of prior"]


@dataclass(frozen=True)
class Exported:
    """A model in perhaps a wrapper, and tables for it."""

    setting: Setting

    @cached_property
    def table(self) -> tables.Table:
        """The table of the case with other names of categories."""
        draw, table = self.setting.draw, self.setting.table
        levels = draw.pick(LEVELS)
        columns = [
            {**one, "levels": sorted(levels[: len(one["levels"])])} if "levels" in one else one
            for one in table["columns"]
        ]
        return {**table, "columns": columns, "single": False}

    @cached_property
    def frame(self) -> pd.DataFrame:
        frame = tables.as_frame(self.table)
        draw = self.setting.draw
        frame.columns = [
            f"{draw.pick(NAMES)}{'_' * j}" if draw.chance(0.3) else f"x{j}"
            for j in range(frame.shape[1])
        ]
        return frame

    @cached_property
    def model(self) -> Any:
        s, frame = self.setting, self.frame
        found = make(s.case["estimator"], s.parameters)
        kind, n_classes = s.draw.pick(WRAPPERS), len(set(s.table["y"]))
        if "prior" in kind:
            parts = [s.draw.uniform(0.1, 1) for _ in range(n_classes)]
            prior = [part / sum(parts) for part in parts]
            found = PriorCorrectedClassifier(found, trained_prior=prior)
        try:
            found.fit(frame, s.y, sample_weight=s.weights)
            if "threshold" in kind and n_classes == 2:
                rule = s.draw.pick([0.0, 0.3, 0.5, "f", "recall>=0.5"])
                found = ThresholdedClassifier(found, by=rule, cv="prefit", n_bootstrap=0)
                found.fit(frame, s.y)
        except ValueError as error:
            if type(error) is ValueError and len(str(error)) > 20:
                raise Refused(str(error)) from error
            raise
        return found

    @cached_property
    def trees(self) -> Any:
        """The model without its wrappers."""
        found = self.model
        while not hasattr(found, "_schema"):
            found = found.estimator_
        return found

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Rows of training, and others with missing values and unknown categories."""
        draw, frame, n = self.setting.draw, self.frame, 8
        other = {}
        for j, name in enumerate(frame):
            column = frame[name].astype(object).where(frame[name].notna(), None)
            values = [*draw.many(column.tolist(), n - 2), None, None]
            if "levels" in self.table["columns"][j]:
                values[n - 1] = "violet"
            draw.shuffle(values)
            other[name] = [*column.tolist(), *values]
        made = pd.DataFrame(other, dtype=object)
        for j in range(made.shape[1]):
            if "levels" not in self.table["columns"][j]:
                made.isetitem(j, made.iloc[:, j].astype(np.float64))
        return made
