"""The example of how a criterion with a parameter is added: one header, one line of the registry.

``core/criterion/example.hpp`` is compiled with the rest, but not offered to users.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewood import _core
from support.draw import count_tables, examples, problems
from support.grown import assert_same_tree, encode, options_of

CORE = Path(__file__).parents[2] / "core"
ORDERS = st.sampled_from([1.1, 1.5, 2.0, 3.0, 4.0])


def entropy(p: np.ndarray, q: float) -> float:
    return (1 - (p**q).sum()) / (q - 1)


@examples(100)
@given(table=count_tables(), order=ORDERS)
def test_value(table, order):
    table = np.asarray(table, dtype=float)
    value = float(_core._example_criterion(order=order).score(table[None])[0])
    table = table[table.sum(axis=1) > 0]
    want = 0.0
    if len(table):
        n = table.sum()
        want = entropy(table.sum(axis=0) / n, order) - sum(
            child.sum() / n * entropy(child / child.sum(), order) for child in table
        )
    assert value == pytest.approx(want, abs=1e-12)


def grown(problem, order: float, search: str) -> _core.Tree:
    return _core.grow(
        encode(problem),
        problem.y,
        problem.n_classes,
        problem.weights,
        _core._example_criterion(order=order),
        options_of(problem, min_gain=1e-6, search=search),
    )


@examples(40)
@given(problem=problems(rows=(2, 40), categorical=True, missing=True), order=ORDERS)
def test_the_quick_search_finds_the_tree_of_the_plain_one(problem, order):
    assert_same_tree(grown(problem, order, "auto"), grown(problem, order, "sort"))


def test_order_two_grows_the_gini_tree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 4))
    y = (X[:, 0] + rng.normal(size=2000) > 1).astype(np.int32)
    columns, options = _core.Columns(X, np.zeros(4, dtype=np.int64)), _core.GrowOptions(max_depth=6)
    trees = [
        _core.grow(columns, y, 2, None, criterion, options)
        for criterion in (_core._example_criterion(), _core.Criterion("gini"))
    ]
    assert_same_tree(*trees, gain_tolerance=1e-12)


def test_its_parameter_is_checked():
    assert _core._example_criterion().parameters == {"order": 2.0}
    with pytest.raises(ValueError, match=r"order must be a number between 1\.1 and 4; got 1"):
        _core._example_criterion(order=1)
    with pytest.raises(ValueError, match="criterion 'tsallis' has no parameter 'alpha'"):
        _core._example_criterion(alpha=1)


def test_it_is_not_offered():
    assert "tsallis" not in {entry["name"] for entry in _core.criterion_entries()}
    with pytest.raises(ValueError, match="unknown criterion 'tsallis'"):
        _core.Criterion("tsallis")


@pytest.mark.parametrize("name", ["Tsallis", "AlphaCriterion", "Ihd"])
def test_a_criterion_is_named_by_its_header_and_the_registry_only(name):
    used = re.compile(rf"^[^/]*<{name}>", re.MULTILINE)  # not in a comment
    files = {path.name for path in CORE.rglob("*.?pp") if used.search(path.read_text())}
    assert files == {"registry.cpp"}
