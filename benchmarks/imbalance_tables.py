"""Tables of the comparison of methods for rare classes, and their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from rarewood import datasets
from rarewood.evaluate import Protocol
from tables import LARGE, NAMES, family, load_all, load_large

MOST_TRAIN, MOST_TEST = 3_000, 20_000
# Tables of the papers with at least 8 rare samples whose source is not among the others under
# another name (such as credit_g, the table german).
PAPERS = (
    "balance", "boundary", "breast_y", "cardio", "digits", "fourclass", "hayes_roth", "letter",
    "mammography", "oil", "paw02a_600_5_70_BI", "pendigits_10", "phoneme", "semeion", "sick",
    "sonar", "spambase", "steel", "svmguide1", "waveform", "wine",
)  # fmt: skip


@dataclass(frozen=True)
class Capped(Protocol):
    """Stratified halves, of which at most some samples are used."""

    n_folds: int = 1
    most_train: int = MOST_TRAIN
    most_test: int = MOST_TEST

    def places(self) -> list[tuple[int, int]]:
        return [(0, fold) for fold in range(self.n_folds)]

    def split(self, y: Any, repeat: int, fold: int) -> Any:
        whole = super().split(y, repeat, fold)
        train = self._some(whole.train, y, self.most_train, repeat, fold)
        test = self._some(whole.test, y, self.most_test, repeat, fold)
        return whole._replace(train=train, test=test)

    def _some(self, rows: Any, y: Any, n_rows: int, repeat: int, fold: int) -> Any:
        if len(rows) <= n_rows:
            return rows
        seed = self.model_seed(repeat, fold)
        labels = np.asarray(y)[rows]
        kept, _ = train_test_split(rows, train_size=n_rows, stratify=labels, random_state=seed)
        return np.sort(kept)

    @property
    def key(self) -> str:
        return f"{super().key}:{self.most_train}:{self.most_test}"


def source(name: str) -> str:
    """Return the source of a table; large tables are sources of their own."""
    return name if name in LARGE else family(name)


def in_order(folder: Path) -> dict[str, tuple[Any, np.ndarray]]:
    """Load all tables, those first that are the first of their source by name, cheap ones first."""
    found = dict(load_all())
    found |= {name: _load_paper(folder, name) for name in PAPERS}
    found |= {name: load_large(folder, name) for name in LARGE}
    first = set(_first_of_source([*sorted(NAMES), *PAPERS, *LARGE]))

    def place(name: str) -> tuple[bool, int, str]:
        n_rows, n_features = found[name][0].shape
        return name not in first, min(n_rows, 2 * MOST_TRAIN) * n_features, name

    return {name: found[name] for name in sorted(found, key=place)}


def _first_of_source(names: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if source(name) not in seen:
            seen.add(source(name))
            yield name


def _load_paper(folder: Path, name: str) -> tuple[Any, np.ndarray]:
    """Load a table of the papers as its rarest class against the rest."""
    record = datasets.fetch(name, folder=folder)
    return record.X, np.asarray(record.y == record.pos_label, dtype=np.int64)
