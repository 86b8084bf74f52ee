"""A fitted model as a list of arrays, and the hash of such a list."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.tables import Table

HASHES = Path(__file__).with_name("model_hashes.json")
only_here = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc",
    reason="the hashes belong to Linux on x86-64 with glibc",
)


@dataclass(frozen=True)
class Case:
    """What to compute in an empty folder, and whose hash it must have if not one of its own."""

    name: str
    arrays: Callable[[Path], Iterable[Any]]
    same_as: str | None = None

    @property
    def pinned(self) -> str:
        """The name that the hash is kept under."""
        return self.same_as or self.name


def fitting(
    name: str,
    make: Callable[[], Any],
    table: Callable[[], Table],
    *,
    weighted: bool = False,
    same_as: str | None = None,
) -> Case:
    """A case that makes an estimator and a table, and fits the one on the other."""

    def arrays(folder: Path) -> Iterator[Any]:
        data = table()
        model = make().fit(data.X, data.y, data.weight if weighted else None)
        return model_arrays(model, data.rows)

    return Case(name, arrays, same_as)


def model_arrays(model: Any, rows: Any) -> Iterator[Any]:
    """What a tree or forest says of rows, and all nodes of all of its trees."""
    yield model.predict_proba(rows)
    yield model.apply(rows)
    yield np.searchsorted(model.classes_, model.predict(rows))
    for tree in getattr(model, "estimators_", [model]):
        yield from tree_arrays(tree.tree_)


def tree_arrays(tree: Any) -> Iterator[Any]:
    """The nodes of a tree."""
    yield from (tree.feature, tree.threshold, tree.first_child, tree.n_children)
    yield from (tree.missing_child, tree.counts, tree.weighted_counts, tree.gain)
    yield from (tree.category_offset, tree.category, tree.category_child)
    yield from (tree.plane_offset, tree.plane_feature, tree.plane_weight)


def hash_of(arrays: Iterable[Any]) -> str:
    """Hash the shapes and the exact values of arrays, but not the width of their numbers."""
    digest = hashlib.sha256()
    for array in arrays:
        values = _widened(np.asarray(array))
        digest.update(f"{values.dtype.str}{values.shape}".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()[:16]


def _widened(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "biu":
        return array.astype("<i8")
    if array.dtype.kind != "f":
        raise TypeError(f"Cannot hash an array of {array.dtype}.")
    values = array.astype("<f8")
    values[np.isnan(values)] = np.nan  # there are several NaNs
    return values
