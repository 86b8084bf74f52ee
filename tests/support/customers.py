"""A made-up table for the tests of the commands that fit and use models."""

from __future__ import annotations

import numpy as np
import pandas as pd


def customers(n: int = 600, seed: int = 0) -> pd.DataFrame:
    """Customers of whom about a tenth cheat, with an id, missing values and dates."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "customer": [f"{i:06d}" for i in range(n)],
            "age": random.integers(18, 90, n),
            "income": np.where(random.random(n) < 0.05, np.nan, random.lognormal(10, 0.5, n)),
            "region": random.choice(["north", "south", "east", None], n),
            "vip": random.random(n) < 0.2,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, n), "D"),
        }
    )
    score = (table["age"] > 60) * 2.0 + (table["region"] == "north") * 1.5 + table["vip"]
    table["cheats"] = np.where(score + random.normal(size=n) * 0.6 > 3.2, "yes", "no")
    return table
