"""The example of how a leaf estimator is added: one header, one line of the registry.

``core/model/leaf/example.hpp`` is compiled with the rest, but not offered to users.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.cases import Case
from rarewood import RareForestClassifier, RareTreeClassifier, _core
from support.draw import examples, problems
from support.grown import grow

CORE = Path(__file__).parents[2] / "core"


@examples(40)
@given(
    problem=problems(rows=(3, 30), categorical=True, missing=True), strength=st.floats(0.001, 1000)
)
def test_formula(problem, strength):
    tree = grow(problem, Case("gini"))
    counts = tree.weighted_counts
    want = (counts + strength / tree.n_classes) / (counts.sum(axis=1, keepdims=True) + strength)
    np.testing.assert_allclose(_core._example_leaf_values(tree, strength), want, rtol=1e-12)


def test_two_classes():
    X = np.arange(50.0)[:, None]
    tree = RareTreeClassifier(max_depth=3).fit(X, np.arange(50) % 7 == 0).tree_.compiled
    want = tree.leaf_values("laplace", 0.5)
    np.testing.assert_allclose(_core._example_leaf_values(tree, 1.0), want, rtol=1e-15)
    with pytest.raises(ValueError, match="leaf_strength must be at least 0"):
        _core._example_leaf_values(tree, -1.0)


def test_the_registry_is_what_python_offers():
    entries = {entry["name"]: entry for entry in _core.leaf_entries()}
    assert "krichevsky" not in entries
    assert all(entry["summary"].endswith(".") for entry in entries.values())
    assert all(entry["reference"] for entry in entries.values())
    X, y = np.arange(20.0)[:, None], np.arange(20) % 3 == 0
    plain = {"leaf_strength": None, "collapse": 0}
    for name, entry in entries.items():
        for model in (RareTreeClassifier(leaf=name), RareForestClassifier(3, leaf=name, **plain)):
            model.fit(X, y)
        strength = _core.default_leaf_strength(name, 2)
        assert (strength > 0) == entry["has_strength"]
        assert model.estimators_[0].tree_.leaf_strength == strength
    with pytest.raises(ValueError, match=r"'leaf' parameter.*'shrunk'"):
        RareTreeClassifier(leaf="krichevsky").fit(X, y)


@pytest.mark.parametrize("name", ["Krichevsky", "MEstimate", "Shrunk"])
def test_an_estimator_is_named_by_its_header_and_the_registry_only(name):
    used = re.compile(rf"^[^/]*<{name}>", re.MULTILINE)  # not in a comment
    files = {path.name for path in CORE.rglob("*.?pp") if used.search(path.read_text())}
    assert files == {"registry.cpp"}
