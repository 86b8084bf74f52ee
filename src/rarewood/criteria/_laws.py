"""Laws that a function is checked for before it becomes a criterion, on a few tables of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core

Floats = NDArray[np.float64]

_TOLERANCE = 1e-9  # relative to the largest value


def check_laws(compiled: _core.Criterion, name: str, convex: bool) -> None:
    """Raise unless a criterion satisfies simple laws on a few tables of counts.

    Empty children and absent classes are removed by the core, so they have no effect by
    construction.
    """
    rng = np.random.default_rng(0)
    for n_children, n_classes in ((2, 2), (2, 3), (3, 2)):
        tables = _tables(rng, n_children, n_classes)
        values = _core.evaluate_custom(compiled, tables)
        slack = _TOLERANCE * max(1e-3, float(np.abs(values).max()))

        def require(are_equal: Any, law: str, tables: Floats = tables) -> None:
            if not np.all(are_equal):
                table = tables[int(np.argmin(are_equal))].tolist()
                raise ValueError(f"The criterion {name!r} {law}, for example for {table}.")

        alone = np.concatenate([_core.evaluate_custom(compiled, one[None]) for one in tables])
        require(
            np.abs(alone - values) <= slack,
            "gives a candidate a value that depends on the other candidates of the call",
        )
        turned = _core.evaluate_custom(compiled, np.ascontiguousarray(tables[:, ::-1]))
        require(np.abs(turned - values) <= slack, "changes with the order of the children")
        perfect = _value(compiled, _perfect(n_classes, max(n_children, n_classes)))
        same = _perfect(n_classes, n_classes).sum(axis=1, keepdims=True)
        for n_parts in (1, n_children):
            if _value(compiled, np.repeat(same, n_parts, axis=1)) > perfect + slack:
                raise ValueError(
                    f"The criterion {name!r} prefers a split without information to one that "
                    "separates the classes. Higher must be better: change the sign."
                )
        if convex and n_children == 2:
            _check_convex(compiled, name, rng, n_classes, slack)


def _tables(rng: np.random.Generator, n_children: int, n_classes: int) -> Floats:
    """Return counts without empty children or absent classes, some with cells of zero."""
    counts = rng.integers(1, 50, (40, n_children, n_classes)).astype(float)
    counts[10:20, :, 0] *= 1000.0  # a rare class
    counts[20:30] *= 0.37  # weights
    for v in range(n_children):
        counts[30:, v, v % n_classes] = 0.0
    counts[30:, 0, 1:] += 1.0
    return counts


def _perfect(n_classes: int, n_children: int) -> Floats:
    """Return the counts of a split whose children have one class each."""
    table = np.zeros((1, n_children, n_classes))
    for v in range(n_children):
        table[0, v, v % n_classes] = 7.0
    return table


def _value(compiled: _core.Criterion, table: Floats) -> float:
    return float(_core.evaluate_custom(compiled, np.ascontiguousarray(table))[0])


def _check_convex(
    compiled: _core.Criterion, name: str, rng: np.random.Generator, n_classes: int, slack: float
) -> None:
    """Raise where a value between two cuts of a node exceeds that of both."""
    totals = rng.integers(40, 60, (400, 1, n_classes)).astype(float)
    ends = rng.integers(1, 39, (2, 400, 1, n_classes)).astype(float)
    between = ends[0] + rng.random((400, 1, 1)) * (ends[1] - ends[0])

    def at(left: Floats) -> Floats:
        tables = np.ascontiguousarray(np.concatenate([left, totals - left], axis=1))
        return _core.evaluate_custom(compiled, tables)

    excess = at(between) - np.maximum(at(ends[0]), at(ends[1]))
    worst = int(excess.argmax())
    if excess[worst] > slack:
        left, right = between[worst, 0], (totals - between)[worst, 0]
        raise ValueError(
            f"The criterion {name!r} is not convex in the counts of a child: [{left.tolist()}, "
            f"{right.tolist()}] is better than both cuts it lies between. Set convex=False, which "
            "scores every cut."
        )
