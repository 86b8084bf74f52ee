"""Types of parameters: signatures, keyword arguments of presets and registries agree."""

from __future__ import annotations

import inspect
from typing import get_args, get_type_hints

import pytest

from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, _core, presets
from rarewood.model import _types
from rarewood.model._parameters import FOREST_CONSTRAINTS
from rarewood.model._pruning import METHODS

KEYWORDS = {
    C45Classifier: _types.C45Parameters,
    RareTreeClassifier: _types.TreeParameters,
    RareForestClassifier: _types.ForestParameters,
}


@pytest.mark.parametrize("estimator", KEYWORDS)
def test_keyword_arguments_of_presets_have_the_types_of_the_constructor(estimator):
    of_constructor = get_type_hints(estimator.__init__)
    del of_constructor["return"]
    assert get_type_hints(KEYWORDS[estimator]) == of_constructor


@pytest.mark.parametrize("name", presets.__all__)
def test_presets_take_the_parameters_of_their_estimator(name):
    hints = get_type_hints(getattr(presets, name))
    returned = hints["return"]
    assert get_args(hints["params"]) == (KEYWORDS[returned],)
    kinds = [p.kind for p in inspect.signature(getattr(presets, name)).parameters.values()]
    assert kinds[-1] is inspect.Parameter.VAR_KEYWORD


def test_literals_list_what_there_is():
    assert set(get_args(_types.PruningName)) == set(METHODS)
    assert set(get_args(_types.Leaf)) == {entry["name"] for entry in _core.leaf_entries()}


@pytest.mark.parametrize(
    ("name", "literal"),
    [
        ("splitter", _types.Splitter), ("oblique_draw", _types.ObliqueDraw),
        ("leaf", _types.Leaf), ("categorical_split", _types.CategoricalSplit),
        ("max_features", _types.MaxFeatures), ("pruning", _types.PruningName),
    ],
)  # fmt: skip
def test_validation_takes_the_values_of_the_signature(name, literal):
    options = [rule.options for rule in FOREST_CONSTRAINTS[name] if hasattr(rule, "options")]
    assert set().union(*options) == set(get_args(literal))
