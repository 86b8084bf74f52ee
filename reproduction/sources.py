"""Which data set stands behind a row of a printed table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rarewood.datasets import Dataset, derive, load
from rarewood.datasets._catalog import DERIVED
from rarewood.datasets._folder import VARIABLE, find_folder, folder_names

__all__ = ["Source", "at_hand"]


@dataclass(frozen=True)
class Source:
    """A data set, and how its classes are made.

    Parameters
    ----------
    name : str
        Name for :func:`rarewood.datasets.load`; only a folder is looked at, since packages have
        other versions under the same names.
    negative : str, default=None
        Make it a problem of two classes: all but this one are positive.
    without : str, default=None
        A class whose rows are left out.
    as_numbers : bool, default=False
        Give all columns as numbers. For columns with the categories "0" and "1" that changes no
        tree, and it saves time.
    """

    name: str
    negative: str | None = None
    without: str | None = None
    as_numbers: bool = False

    def load(self, folder: Any) -> Dataset:
        """Return the data set."""
        record = load(self.name, folder=folder)
        if self.as_numbers:
            record = replace(record, X=record.X.astype(float))
        if self.without is not None:
            kept = record.y != self.without
            rule = f"{record.rule}; without {self.without!r}"
            record = replace(record, X=record.X[kept], y=record.y[kept], rule=rule)
            labels = record.counts
            record = replace(record, rare=min(labels, key=lambda label: labels[label]))
        if self.negative is not None:
            others = [label for label in record.counts if label != self.negative]
            record = derive(record, others, rule=f"all but {self.negative!r} are positive")
        return record


def at_hand(
    sources: Mapping[str, Source], folder: str | os.PathLike[str] | None
) -> tuple[dict[str, Source], list[str]]:
    """Return the rows whose data sets the folder has, and the names of the others."""
    place = find_folder(folder)
    if place is None:
        raise ValueError(
            "The data sets of the papers are looked for in a folder: give folder=..., or set the "
            f"environment variable {VARIABLE}."
        )
    names = set(folder_names(place))
    names.update(name for name, (base, _, _) in DERIVED.items() if base in names)
    found = {row: source for row, source in sources.items() if source.name in names}
    return found, [row for row in sources if row not in found]
