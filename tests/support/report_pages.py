"""Reports that the browser opens: several tables, a goal of costs, and a drift."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from rarewood.evaluate._cell import Table
from rarewood.report import summarize, write
from rarewood.report._drift import describe_drift
from support.reported import binary, nasty, wine


def write_pages(folder: Path) -> dict[str, Path]:
    """Write each report into the folder."""
    cases = {"binary": binary, "nasty": nasty, "wine": wine}
    made = {name: write(case().summary, folder / f"{name}.html") for name, case in cases.items()}
    drifted = {**binary().summary, "drift": drifting()}
    return made | {
        "goal": write(costly(), folder / "goal.html"),
        "drift": write(drifted, folder / "drift.html"),
    }


@cache
def costly():
    """The summary of the first case for costs, with names to show."""
    case = binary()
    labels = {name: f"the {name} (test)" for name in case.models}
    return summarize(
        case.results, case.X, case.y, models=case.models, goal="cost:fp=2,fn=30", labels=labels,
        caveats=["Only a test."],
    )  # fmt: skip


def drifting():
    """The drift of the first case to a table in which one column is shifted."""
    case = binary()
    table = Table("small", case.X, case.y, np.array(["no", "yes"]), 1)
    new = case.X.assign(c0=case.X["c0"] + 2)
    return describe_drift(
        table, new, case.y == "yes", case.models["forest"], name="new.csv", label="forest",
        n_in_table=len(new), threshold=0.3,
    )  # fmt: skip
