"""The core checks its arguments: a ValueError with a reason, never a crash."""

from __future__ import annotations

import numpy as np
import pytest

from oracle.cases import Case
from oracle.problem import Problem
from rarewood import _core
from support.grown import encode, grow
from support.medium import medium_problem

GINI = Case("gini")


@pytest.fixture(scope="module")
def problem() -> Problem:
    return medium_problem("continuous", 100, 2)


@pytest.mark.parametrize(
    "options",
    [
        {"max_features": -1},
        {"categorical_split": "both"},
        {"search": "magic"},
        {"max_depth": -1},
        {"min_samples_leaf": -1},
        {"min_samples_split": -1},
        {"max_leaf_nodes": -3},
        {"n_cuts": -1},
        {"min_weight_leaf": float("nan")},
        {"min_gain": float("nan")},
    ],
    ids=str,
)
def test_options(problem, options):
    with pytest.raises(ValueError):
        grow(problem, GINI, **options)


def test_classes(problem):
    columns = encode(problem)
    for y, k in (
        (problem.y[:-1], 2),
        (problem.y, 1),
        (problem.y - 1, 2),
        (problem.y + 1, 2),
        (problem.y, 0),
        (problem.y, -1),
    ):
        with pytest.raises(ValueError):
            grow(
                Problem(problem.X, y.astype(np.int32), k, problem.n_categories),
                GINI,
                columns=columns,
            )


def test_weights(problem):
    for weights in (
        np.ones(99),
        -np.ones(100),
        np.full(100, np.nan),
        np.full(100, np.inf),
        np.zeros(100),
    ):
        bad = Problem(problem.X, problem.y, 2, problem.n_categories, weights)
        with pytest.raises(ValueError):
            grow(bad, GINI)


def test_criterion():
    with pytest.raises(ValueError) as error:
        _core.Criterion("hellingr")
    for entry in _core.criterion_entries():
        assert entry["name"] in str(error.value)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("alpha", {"alpha": -0.1}, r"alpha must be a number between 0 and 2; got -0\.1\."),
        ("alpha", {"alpha": 2.1}, r"alpha must be a number between 0 and 2; got 2\.1\."),
        ("alpha", {"alpha": float("inf")}, "between 0 and 2; got inf"),
        ("alpha", {"alpha": float("nan")}, "between 0 and 2; got nan"),
        ("alpha", {"alpha": "1"}, "between 0 and 2; got '1'"),
        (
            "alpha",
            {"reference": "posterior"},
            "reference must be one of 'prior', 'uniform', 'complement'; got 'posterior'",
        ),
        ("alpha", {"reference": 1}, "one of 'prior'.*; got 1"),
        ("alpha", {"order": 1}, "criterion 'alpha' has no parameter 'order'; its parameters are"),
        ("gini", {"alpha": 1}, "criterion 'gini' has no parameter 'alpha': it has none"),
    ],
)
def test_parameters_of_a_criterion(name, parameters, message):
    with pytest.raises(ValueError, match=message):
        _core.Criterion(name, **parameters)


@pytest.mark.parametrize("value", [None, True, [0.5], 1j])
def test_parameters_are_numbers_or_text(value):
    with pytest.raises(TypeError, match="alpha must be a number or text"):
        _core.Criterion("alpha", alpha=value)


@pytest.mark.parametrize("tables", [[[[1.0, np.nan]]], [[[1.0, -1.0]]], [[[1.0, np.inf]]]])
def test_score_refuses_what_is_not_a_count(tables):
    with pytest.raises(ValueError):
        _core.Criterion("gini").score(np.array(tables))


def test_score_of_nothing():
    assert _core.Criterion("gini").score(np.zeros((0, 2, 2))).shape == (0,)
    for entry in _core.criterion_entries():
        assert np.isfinite(_core.Criterion(entry["name"]).score(np.zeros((1, 2, 2)))).all()


def test_leaf_values(problem):
    tree = grow(problem, GINI)
    for kind, strength in (("median", 1.0), ("laplace", -1.0), ("shrunk", float("nan"))):
        with pytest.raises(ValueError):
            tree.leaf_values(kind, strength)
