"""The tables that the pages about the command line use as examples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd


def payments(path: Path, n: int = 900, seed: int = 0) -> Path:
    """Payments of which few are fraud, with an identifier, dates, a free text and semicolons."""
    draw = np.random.RandomState(seed)
    amount = draw.lognormal(3, 1, n)
    country = draw.choice(["DE", "FR", "XY"], n, p=[0.6, 0.3, 0.1])
    chance = 0.01 + 0.25 * (amount > 60) * (country == "XY") + 0.05 * (amount > 100)
    table = pd.DataFrame(
        {
            "payment_id": np.arange(1, n + 1),
            "when": pd.date_range("2024-01-01", periods=n, freq="h").strftime("%Y-%m-%d %H:%M"),
            "amount": amount.round(2),
            "hour": draw.randint(0, 24, n),
            "age": np.where(draw.rand(n) < 0.05, np.nan, draw.randint(18, 90, n)),
            "country": country,
            "channel": draw.choice(["web", "shop"], n),
            "remark": [f"order {draw.randint(10**9)} of {draw.randint(10**9)}" for _ in range(n)],
            "fraud": np.where(draw.rand(n) < chance, "fraud", "ok"),
        }
    )
    table.to_csv(path, index=False, sep=";")
    return path


def machines(path: Path, n: int = 900) -> Path:
    """Machines of which few fail."""
    draw = np.random.RandomState(3)
    torque, wear = draw.normal(40, 10, n), draw.uniform(0, 250, n)
    chance = np.where(torque * wear > 9000, 0.5, 0.01)
    failure = np.where(draw.rand(n) < chance, "yes", "no")
    table = {"torque": torque.round(1), "wear": wear.round(), "failure": failure}
    pd.DataFrame(table).to_csv(path, index=False)
    return path
