"""tree_: read-only arrays that describe the tree, with scikit-learn's names where they fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.tree import DecisionTreeClassifier

from rarewood import RareTreeClassifier

X, Y = load_breast_cancer(return_X_y=True)
COLOURS = pd.DataFrame({"colour": ["red", "green", "blue", "red", None, "green"]})
LABELS = [0, 1, 0, 0, 1, 1]


@pytest.fixture(scope="module")
def view():
    return RareTreeClassifier("gini", leaf="raw").fit(X, Y).tree_


@pytest.fixture(scope="module")
def multiway():
    return RareTreeClassifier(categorical_split="multiway").fit(COLOURS, LABELS).tree_


def test_sizes(view):
    assert view.n_nodes == len(view.feature) == view.node_count
    assert view.n_leaves == (view.n_children == 0).sum() == (view.n_nodes + 1) // 2
    assert (view.n_features, view.n_classes) == (*X.shape[1:], 2)
    assert view.max_depth == view.depth.max()


def test_every_array_is_read_only(view):
    names = [
        "feature", "threshold", "first_child", "n_children", "missing_child", "counts",
        "weighted_counts", "gain", "category_offset", "category", "category_child",
        "probabilities", "prediction", "parent", "depth", "children_left", "children_right",
        "n_node_samples", "weighted_n_node_samples", "value",
    ]  # fmt: skip
    for name in names:
        array = getattr(view, name)
        assert isinstance(array, np.ndarray), name
        assert not array.flags.writeable, name
        with pytest.raises(AttributeError):
            setattr(view, name, array)
    with pytest.raises(AttributeError):
        view.n_nodes = 3
    with pytest.raises(AttributeError):
        view.anything = 3


def test_leaves_and_inner_nodes(view):
    leaf = view.n_children == 0
    assert (view.feature[leaf] == -1).all()
    assert (view.first_child[leaf] == -1).all()
    assert (view.missing_child[leaf] == -1).all()
    assert (view.gain[leaf] == 0).all()
    assert np.isnan(view.threshold[leaf]).all()
    inner = np.flatnonzero(~leaf)
    assert (view.first_child[inner] > inner).all()
    assert (view.gain[inner] >= -1e-12).all()
    for node in inner:
        children = view.first_child[node] + np.arange(view.n_children[node])
        np.testing.assert_array_equal(view.counts[children].sum(axis=0), view.counts[node])
        assert (view.parent[children] == node).all()
        assert (view.depth[children] == view.depth[node] + 1).all()
    assert view.parent[0] == -1
    np.testing.assert_array_equal(np.sort(view.children_of(inner)), np.arange(1, view.n_nodes))


def test_scikit_learns_names_mean_the_same():
    data, labels = make_classification(5000, 6, n_informative=6, n_redundant=0, random_state=0)
    data = data.astype(np.float32)  # without ties, and as scikit-learn stores it
    ours = RareTreeClassifier("gini", leaf="raw", max_depth=4).fit(data, labels).tree_
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(data, labels).tree_
    assert ours.node_count == theirs.node_count
    inner = ours.n_children > 0
    assert {*zip(ours.feature[inner], ours.threshold[inner].round(6), strict=True)} == {
        *zip(theirs.feature, theirs.threshold.round(6), strict=True)
    } - {(-2, -2.0)}
    assert ours.value.shape == theirs.value.shape
    assert sorted(ours.n_node_samples) == sorted(theirs.n_node_samples)
    assert ours.children_left[0] == 1
    np.testing.assert_array_equal(ours.children_right[inner], ours.children_left[inner] + 1)
    np.testing.assert_array_equal(ours.children_right == -1, ~inner)
    np.testing.assert_array_equal(ours.weighted_n_node_samples, ours.n_node_samples)


def test_the_arrays_route_rows_as_apply_does(view):
    node = np.zeros(len(X), dtype=int)
    for _ in range(view.max_depth):
        value = X[np.arange(len(X)), view.feature[node]]
        child = np.where(
            value <= view.threshold[node], view.children_left[node], view.children_right[node]
        )
        node = np.where(view.n_children[node] > 0, child, node)
    np.testing.assert_array_equal(view.apply(X), node)


def test_multiway_nodes_have_sets_but_no_left_and_right(multiway):
    assert multiway.n_children[0] == 4
    assert multiway.category_sets(0)[:3] == [["blue"], ["green"], ["red"]]
    assert multiway.category_sets(0)[3] == []
    assert multiway.missing_child[0] == 3
    for name in ("children_left", "children_right"):
        with pytest.raises(
            AttributeError, match=rf"{name} exists for binary trees only.*4 children"
        ):
            getattr(multiway, name)
        assert not hasattr(multiway, name)
    assert multiway.n_node_samples.tolist() == [6, 1, 2, 2, 1]
    assert multiway.max_depth == 1


def test_subsets_cover_the_categories():
    view = RareTreeClassifier().fit(COLOURS, LABELS).tree_
    first, second = view.category_sets(0)
    assert sorted(first + second) == ["blue", "green", "red"]
    assert {"blue", "red"} in (set(first), set(second))
    assert view.children_left[0] == 1


def test_a_view_of_a_single_leaf():
    view = RareTreeClassifier().fit([[1.0], [2.0]], [0, 0]).tree_
    assert (view.n_nodes, view.n_leaves, view.max_depth) == (1, 1, 0)
    assert view.parent.tolist() == [-1]
    assert view.children_left.tolist() == [-1]
    assert view.compute_feature_importances().tolist() == [0.0]


def test_repr_is_short_and_str_is_the_text(multiway):
    assert (
        repr(multiway)
        == "FittedTree(n_nodes=5, n_leaves=4, max_depth=1, n_features=1, n_classes=2)"
    )
    assert str(multiway) == multiway.export_text()


def test_a_hyperplane_divides_its_gain_over_its_columns():
    X, y = make_classification(300, 5, n_informative=4, n_redundant=0, random_state=0)
    view = (
        RareTreeClassifier(splitter="oblique", n_cuts=5, oblique_dim=3, random_state=0)
        .fit(X, y)
        .tree_
    )
    assert view.plane_offset.size == view.n_nodes + 1
    expected = np.zeros(5)
    n_planes = 0
    for node in np.flatnonzero(view.n_children):
        terms = view.plane_terms(node)
        columns = [column for column, _ in terms] or [view.feature[node]]
        assert columns[0] == view.feature[node]
        n_planes += len(terms) == 3
        for column in columns:
            share = view.weighted_counts[node].sum() / 300
            expected[column] += max(view.gain[node], 0) * share / len(columns)
    assert n_planes > 0
    np.testing.assert_allclose(view.compute_feature_importances(normalize=False), expected)
    np.testing.assert_allclose(view.compute_feature_importances(), expected / expected.sum())
    splits = view.compute_feature_importances(normalize=False, kind="splits")
    assert splits.sum() == pytest.approx(view.n_nodes - view.n_leaves)
    with pytest.raises(ValueError, match="is not 'gain' or 'splits'"):
        view.compute_feature_importances(kind="permutation")


def test_the_terms_of_a_hyperplane_say_where_rows_go():
    X, y = make_classification(300, 5, n_informative=4, n_redundant=0, random_state=0)
    X[::7, 0] = np.nan
    model = RareTreeClassifier(splitter="oblique", n_cuts=5, random_state=0).fit(X, y)
    view = model.tree_
    for row, leaf in zip(X, model.apply(X), strict=True):
        node = 0
        while view.n_children[node]:
            terms = view.plane_terms(node) or [(int(view.feature[node]), 1.0)]
            total = sum(weight * row[column] for column, weight in terms)
            place = view.missing_child[node] if np.isnan(total) else total > view.threshold[node]
            node = view.first_child[node] + int(place)
        assert node == leaf
