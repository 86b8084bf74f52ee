"""Every preset is a configured estimator that takes any parameter of it."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from rarewood import RareTreeClassifier, presets
from rarewood.criteria import Alpha

EXPECTED = {
    "cart": ("gini", "subset"),
    "c45": ("entropy", "multiway"),
    "gain_ratio_tree": ("gain_ratio", "multiway"),
    "dkm": ("dkm", "multiway"),
    "hddt": ("hellinger", "multiway"),
    "ccpdt": ("ccp_entropy", "subset"),
    "alpha_tree": (Alpha(0.5), "subset"),
    "ihd": ("ihd", "subset"),
    "ihdw": ("ihdw", "subset"),
    "dcsm_tree": ("dcsm", "subset"),
}


def test_every_preset_is_expected():
    assert sorted(presets.__all__) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_presets_are_configured_estimators(name):
    tree = getattr(presets, name)()
    assert type(tree) is RareTreeClassifier
    assert (tree.criterion, tree.categorical_split) == EXPECTED[name]
    assert tree.leaf == "laplace"
    X, y = load_iris(return_X_y=True)
    assert clone(tree).fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("name", EXPECTED)
def test_keywords_win_over_the_preset(name):
    preset = getattr(presets, name)
    tree = preset(criterion="gini", categorical_split="onehot", leaf="raw", max_depth=3)
    assert (
        tree.get_params()
        == RareTreeClassifier(
            criterion="gini", categorical_split="onehot", leaf="raw", max_depth=3
        ).get_params()
    )
    with pytest.raises(TypeError, match="depth"):
        preset(depth=3)


@pytest.mark.parametrize("name", EXPECTED)
def test_presets_cite_their_paper(name):
    assert "References" in getattr(presets, name).__doc__


def test_parameters_of_presets():
    assert presets.ccpdt("gini").criterion == "ccp_gini"
    assert presets.ccpdt(base="entropy", max_depth=2).max_depth == 2
    assert presets.alpha_tree(1.5, "uniform").criterion == Alpha(1.5, "uniform")
    with pytest.raises(ValueError, match="'entropy' or 'gini'"):
        presets.ccpdt("hellinger")
    with pytest.raises(ValueError, match="between 0 and 2"):
        presets.alpha_tree(3)
