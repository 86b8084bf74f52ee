"""Every preset is a configured estimator that takes any parameter of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, criteria, presets
from rarewood.criteria import Alpha, BetaAlpha

TREES = {
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
# criterion, leaf, categorical_split, n_estimators, max_features, rows, splitter, n_cuts
FORESTS = {
    "bagged_hddt": ("hellinger", "laplace", "multiway", 100, None, "bootstrap", "best", 10),
    "bagged_c45": ("entropy", "laplace", "multiway", 100, None, "bootstrap", "best", 10),
    "beat": (BetaAlpha(1, 1), "laplace", "onehot", 30, None, "bootstrap", "best", 10),
    "random_forest": ("gini", "raw", "subset", 100, "sqrt", "bootstrap", "best", 10),
    "balanced_random_forest": ("gini", "raw", "subset", 100, "sqrt", "balanced", "best", 10),
    "extra_trees": ("gini", "raw", "subset", 100, "sqrt", "all", "random", 1),
    "hedex": ("hellinger", "laplace", "subset", 100, "round_sqrt", "all", "random", 10),
    "hedexh": ("hellinger", "laplace", "subset", 100, "round_sqrt", "all", "oblique", 10),
}
ROWS = {"bootstrap": (True, False), "balanced": (True, True), "all": (False, False)}
X, Y = load_iris(return_X_y=True)


def test_every_preset_is_expected():
    assert sorted(presets.__all__) == sorted([*TREES, *FORESTS, "j48"])


def test_j48_has_an_estimator_of_its_own():
    model = presets.j48(confidence=0.1)
    assert type(model) is C45Classifier
    assert model.get_params() == C45Classifier(confidence=0.1).get_params()
    assert clone(model).fit(X, Y).score(X, Y) > 0.9


@pytest.mark.parametrize("name", TREES)
def test_tree_presets_are_configured_estimators(name):
    tree = getattr(presets, name)()
    assert type(tree) is RareTreeClassifier
    assert (tree.criterion, tree.categorical_split) == TREES[name]
    assert tree.leaf == "laplace"
    assert clone(tree).fit(X, Y).score(X, Y) > 0.9


@pytest.mark.parametrize("name", FORESTS)
def test_forest_presets_are_configured_estimators(name):
    forest = getattr(presets, name)()
    assert type(forest) is RareForestClassifier
    criterion, leaf, split, n_trees, max_features, rows, splitter, n_cuts = FORESTS[name]
    expected = RareForestClassifier(
        n_trees,
        criterion=criterion,
        leaf=leaf,
        categorical_split=split,
        max_features=max_features,
        bootstrap=ROWS[rows][0],
        balance=ROWS[rows][1],
        splitter=splitter,
        n_cuts=n_cuts,
        oblique_draw="points" if name == "hedexh" else "between",
        split_samples=None,
        leaf_strength=None,
        collapse=0.0,
        max_bins=None if name == "hedexh" else "auto",
    )
    assert forest.get_params() == expected.get_params()
    assert clone(forest).set_params(n_estimators=20, random_state=0).fit(X, Y).score(X, Y) > 0.9


@pytest.mark.parametrize("name", FORESTS)
@pytest.mark.parametrize("criterion", [*criteria.names(), BetaAlpha(1, 3)], ids=str)
def test_every_criterion_works_in_every_forest(name, criterion):
    forest = getattr(presets, name)(criterion=criterion, n_estimators=3, random_state=0)
    proba = forest.fit(X[::3], Y[::3]).predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert forest.score(X, Y) > 0.7


@pytest.mark.parametrize("name", [*TREES, *FORESTS])
def test_keywords_win_over_the_preset(name):
    preset = getattr(presets, name)
    given = {"criterion": "gini", "categorical_split": "onehot", "leaf": "raw", "max_depth": 3}
    model = preset(**given)
    assert model.get_params() == {**preset().get_params(), **given}
    with pytest.raises(TypeError, match="depth"):
        preset(depth=3)


@pytest.mark.parametrize("name", [*TREES, *FORESTS])
def test_presets_cite_their_paper(name):
    assert "References" in getattr(presets, name).__doc__


def test_parameters_of_presets():
    assert presets.ccpdt("gini").criterion == "ccp_gini"
    assert presets.ccpdt(base="entropy", max_depth=2).max_depth == 2
    assert presets.alpha_tree(1.5, "uniform").criterion == Alpha(1.5, "uniform")
    assert presets.beat(1, 3).criterion == BetaAlpha(1, 3)
    assert not presets.balanced_random_forest(bootstrap=False).bootstrap
    with pytest.raises(ValueError, match="'entropy' or 'gini'"):
        presets.ccpdt("hellinger")
    with pytest.raises(ValueError, match="between 0 and 2"):
        presets.alpha_tree(3)
    with pytest.raises(ValueError, match="b must be above zero"):
        presets.beat(1, 0)


def test_the_documented_table_is_that_of_the_presets():
    page = Path(__file__).parents[1] / "docs" / "presets.md"
    if not page.exists():
        pytest.skip("the documentation is not part of an installed package")
    lines = page.read_text(encoding="utf-8").splitlines()
    rows = [line.replace("`", "").strip("| ").split(" | ") for line in lines if "| `" in line]
    assert {name: told for name, *told in rows if name in TREES} == {
        name: [_told(getattr(presets, name)().criterion), "laplace", split]
        for name, (_, split) in TREES.items()
    }
    names = {"bootstrap": "bootstrap", "balanced": "balanced bootstrap", "all": "all"}
    assert {name: told for name, *told in rows if name in FORESTS} == {
        name: [
            _told(criterion), leaf, split, str(n_trees), max_features or "all", names[drawn],
            splitter, "all" if splitter == "best" else str(n_cuts),
        ]
        for name, (criterion, leaf, split, n_trees, max_features, drawn, splitter, n_cuts)
        in FORESTS.items()
    }  # fmt: skip


def _told(criterion):
    if isinstance(criterion, Alpha):
        return f"Alpha({criterion.alpha})"
    if isinstance(criterion, BetaAlpha):
        return f"BetaAlpha({criterion.a:g}, {criterion.b:g})"
    return criterion
