"""Data sets of the rows of a printed table."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rarewood.datasets import Dataset, available, derive, fetch

__all__ = ["Source", "available_sources"]


@dataclass(frozen=True)
class Source:
    """A data set, and how its classes are derived.

    Parameters
    ----------
    name : str
        Name for :func:`rarewood.datasets.fetch`. Only the folder is searched, since packages have
        other versions under the same names.
    negative : str, default=None
        Negative class of a two-class problem; all other classes are positive.
    positive : tuple of str, default=()
        Positive classes of a two-class problem; all others are negative.
    without : str, default=None
        Class whose samples are dropped.
    as_numbers : bool, default=False
        Convert all columns to numbers. For columns with the categories "0" and "1" the trees are
        the same, and fitting is faster. Other categories are numbered in the order of the file.
    n_samples : int, default=None
        Number of samples, drawn at random with a fixed seed; by default all.
    make : callable, default=None
        Function that returns other features and labels, of a release under the same name.
    """

    name: str
    negative: str | None = None
    positive: tuple[str, ...] = ()
    without: str | None = None
    as_numbers: bool = False
    n_samples: int | None = None
    make: Callable[[], tuple[Any, Any]] | None = None

    def load(self, folder: Any) -> Dataset:
        """Return the data set."""
        record = fetch(self.name, folder=folder)
        if self.make is not None:
            X, y = self.make()
            record = replace(record, X=X, y=y)
        if self.n_samples is not None:
            order = np.random.default_rng(0).permutation(len(record.y))[: self.n_samples]
            record = replace(record, X=record.X.iloc[order], y=record.y[order])
        if self.as_numbers:
            record = replace(record, X=record.X.apply(_numbers))
        if self.without is not None:
            kept = record.y != self.without
            rule = f"{record.rule}; without {self.without!r}"
            record = replace(record, X=record.X[kept], y=record.y[kept], rule=rule)
            labels = record.counts
            record = replace(record, pos_label=min(labels, key=lambda label: labels[label]))
        if self.negative is not None:
            others = [label for label in record.counts if label != self.negative]
            record = derive(record, others, rule=f"all but {self.negative!r} are positive")
        if self.positive:
            record = derive(record, list(self.positive))
        return record


def _numbers(column: Any) -> Any:
    """Return a column as numbers; categories that are not numbers by their place."""
    if column.dtype != "category":
        return column.astype(float)
    try:
        return column.astype(float)
    except ValueError:
        return column.cat.codes.where(column.notna()).astype(float)


def available_sources(
    sources: Mapping[str, Source], folder: str | os.PathLike[str] | None
) -> tuple[dict[str, Source], list[str]]:
    """Return the rows whose data sets are in the folder, and the names of the others."""
    names = set(available(folder, source="folder"))
    found = {row: source for row, source in sources.items() if source.name in names}
    return found, [row for row in sources if row not in found]
