"""Whether two models are the same, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np


def trees_of(model: Any) -> list[Any]:
    """The compiled trees of a model."""
    if hasattr(model, "forest_"):
        return list(model.forest_.compiled_trees)
    return [model.tree_.compiled]


def difference(one: Any, other: Any, ignored: tuple[str, ...] = ()) -> str:
    """Where the trees of two models differ; empty if they are equal in every array."""
    a, b = trees_of(one), trees_of(other)
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} trees"
    for number, (first, second) in enumerate(zip(a, b, strict=True)):
        x, y = first.state(), second.state()
        for name in x.keys() - set(ignored):
            if not is_equal(x[name], y[name]):
                return f"{name} of tree {number}: {x[name]} and {y[name]}"
    return ""


def is_equal(a: Any, b: Any) -> bool:
    """Equal to the bit, except that both zeros are one value."""
    if not isinstance(a, np.ndarray):
        return bool(a == b)
    if a.dtype.kind == b.dtype.kind == "f":
        a, b = a + 0.0, b + 0.0
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def assert_same(one: Any, other: Any, what: str, ignored: tuple[str, ...] = ()) -> None:
    found = difference(one, other, ignored)
    assert not found, f"{what}: {found}"


def assert_equal(one: Any, other: Any, what: str) -> None:
    one, other = np.asarray(one), np.asarray(other)
    assert is_equal(one, other), f"{what}: {one.tolist()} and {other.tolist()}"


def assert_probabilities(proba: np.ndarray, n_rows: int, n_classes: int) -> None:
    assert proba.shape == (n_rows, n_classes), f"shape {proba.shape}"
    assert np.isfinite(proba).all(), f"not finite: {proba[~np.isfinite(proba).all(axis=1)][:3]}"
    assert (proba >= 0).all() and (proba <= 1 + 1e-9).all(), f"out of range: {proba.tolist()[:5]}"
    total = proba.sum(axis=1)
    assert np.abs(total - 1).max(initial=0) < 1e-9, f"sum {total[np.abs(total - 1).argmax()]}"
