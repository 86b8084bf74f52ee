"""Finished cells of a comparison in a CSV file of the repository.

The store of a run is under build/, and is lost with the machine. From the file a later run goes on
with the cells that are missing, wherever it is, and the models of other libraries are not measured
again after every change of rarewood. Each cell has the day and the versions of its fit.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from rarewood.evaluate import Results

ABOUT = ("error", "fitted", "versions")  # columns beside the scores
LONGEST = 90  # letters of an error


@dataclass(frozen=True)
class CellFile:
    """A CSV file with one row per cell, and the columns that tell cells apart."""

    path: Path
    keys: tuple[str, ...] = ("dataset", "model", "fold")

    def read(self) -> pd.DataFrame:
        """Return the cells; none if there is no file."""
        if not self.path.exists():
            return pd.DataFrame(columns=list(self.keys))
        return pd.read_csv(self.path)

    def merged(self, *newer: pd.DataFrame) -> pd.DataFrame:
        """Return the cells of the file, replaced by newer ones, in order."""
        parts = [part for part in (self.read(), *newer) if len(part)]
        if not parts:
            return self.read()
        cells = pd.concat(parts).drop_duplicates(list(self.keys), keep="last")
        return cells.sort_values(list(self.keys), ignore_index=True)

    def write(self, cells: pd.DataFrame, columns: Sequence[str], digits: int) -> None:
        """Replace the file: keys, the given columns, and numbers with so many digits."""
        cells = cells.reindex(columns=[*self.keys, *columns])
        if "error" in columns:
            texts = cells["error"].astype(object).where(cells["error"].notna(), None)
            cells["error"] = [text and " ".join(text.split())[:LONGEST] for text in texts]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        cells.to_csv(new, index=False, float_format=f"%.{digits}g", lineterminator="\n")
        new.replace(self.path)


def missing(cells: pd.DataFrame, dataset: str, names: Iterable[str], n_cells: int = 1) -> list[str]:
    """Return the models that have fewer cells of a data set."""
    counts = cells[cells["dataset"] == dataset]["model"].value_counts()
    return [name for name in names if counts.get(name, 0) < n_cells]


def frame_of(results: Results) -> pd.DataFrame:
    """Return the cells of a comparison, with the day and the versions of the fit."""
    frame = results.to_frame()
    frame["fitted"] = [
        datetime.date.fromtimestamp(cell.finished).isoformat() for cell in results.cells
    ]
    frame["versions"] = [versions_of(cell.about) for cell in results.cells]
    return frame


def versions_of(about: dict[str, Any]) -> str:
    """Return the versions of a cell as text."""
    return ", ".join(f"{name} {version}" for name, version in sorted(about["versions"].items()))


def fitted(cells: pd.DataFrame) -> str:
    """Say on which days the models were fitted, and with which versions."""
    versions = {part for text in cells["versions"].dropna() for part in text.split(", ")}
    days: dict[str, list[str]] = {}
    for model in dict.fromkeys(cells["model"]):
        found = sorted(cells.loc[cells["model"] == model, "fitted"].dropna().unique())
        days.setdefault(" and ".join(dict.fromkeys([*found[:1], *found[-1:]])), []).append(model)
    most = max(days, key=lambda day: len(days[day]))
    parts = [f"{', '.join(names)} on {day}" for day, names in days.items() if day != most]
    parts.append(f"{'the other' if parts else 'all'} models on {most}")
    return f"Fitted: {'; '.join(parts)}, with {', '.join(sorted(versions))}."
