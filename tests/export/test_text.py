"""The tree as text, from trees made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rarewood import RareForestClassifier, RareTreeClassifier, _core, export_text
from rarewood.model._fitted_tree import FittedTree
from rarewood.table._schema import Categories, Schema


def handmade(schema, classes=("no", "yes"), **nodes) -> FittedTree:
    """A tree from lists: one entry per node; what is not given is that of a leaf."""
    n_nodes = len(nodes["feature"])
    counts = np.array(nodes["counts"], dtype=np.int64)
    offsets, category, category_child = [0], [], []
    for node in range(n_nodes):
        for number, child in sorted(nodes.get("sets", {}).get(node, {}).items()):
            category.append(number)
            category_child.append(child)
        offsets.append(len(category))
    planes = nodes.get("planes", {})  # node: {feature: weight}
    terms = [term for node in sorted(planes) for term in planes[node].items()]
    n_terms = [len(planes.get(node, {})) for node in range(n_nodes)]
    default = [-1] * n_nodes
    state = {
        "n_classes": len(classes),
        "n_features": schema.n_features,
        "feature": np.array(nodes["feature"], dtype=np.int32),
        "threshold": np.array(nodes["threshold"], dtype=np.float64),
        "first_child": np.array(nodes["first_child"], dtype=np.int32),
        "n_children": np.array(nodes["n_children"], dtype=np.int32),
        "missing_child": np.array(nodes.get("missing_child", default), dtype=np.int32),
        "gain": np.array(nodes.get("gain", [0.0] * n_nodes)),
        "counts": counts.ravel(),
        "weighted_counts": np.array(nodes.get("weighted_counts", counts), dtype=np.float64).ravel(),
        "category_offset": np.array(offsets, dtype=np.int64),
        "category": np.array(category, dtype=np.int32),
        "category_child": np.array(category_child, dtype=np.int32),
        "plane_offset": np.cumsum([0, *n_terms] if planes else [], dtype=np.int64),
        "plane_feature": np.array([feature for feature, _ in terms], dtype=np.int32),
        "plane_weight": np.array([weight for _, weight in terms], dtype=np.float64),
    }
    return FittedTree(_core.Tree.from_state(state), schema, np.array(classes), "laplace", 1.0)


COLOURS = Categories(["blue", "green", "red"])
MIXED = Schema(2, np.array(["age", "colour"], dtype=object), {1: COLOURS})


def two_levels(schema=MIXED, **more):
    return handmade(
        schema,
        feature=[0, 1, -1, -1, -1],
        threshold=[30.5, np.nan, np.nan, np.nan, np.nan],
        first_child=[1, 3, -1, -1, -1],
        n_children=[2, 2, 0, 0, 0],
        missing_child=more.pop("missing_child", [0, 0, -1, -1, -1]),
        counts=[[6, 4], [6, 1], [0, 3], [5, 0], [1, 1]],
        sets={1: {0: 1, 1: 0, 2: 0}},
        **more,
    )


def test_numeric_and_categorical_branches():
    assert two_levels().export_text() == (
        "|--- age <= 30.50\n"
        "|   |--- colour in {green, red}\n"
        "|   |   |--- class: no, counts [5, 0], p [0.86, 0.14]\n"
        "|   |--- colour = blue\n"
        "|   |   |--- class: no, counts [1, 1], p [0.50, 0.50]\n"
        "|--- age > 30.50\n"
        "|   |--- class: yes, counts [0, 3], p [0.20, 0.80]\n"
    )


def test_missing_values_are_told_where_they_do_not_take_the_larger_branch():
    text = two_levels(missing_child=[1, 1, -1, -1, -1]).export_text()
    assert "age > 30.50 or missing\n" in text
    assert "colour = blue or missing\n" in text
    assert text.count("missing") == 2


def test_missing_values_are_told_everywhere_if_there_were_some():
    schema = Schema(2, MIXED.names, MIXED.categories, has_missing=True)
    text = two_levels(schema).export_text()
    assert "age <= 30.50 or missing\n" in text
    assert "colour in {green, red} or missing\n" in text
    assert "missing" not in two_levels(schema).export_text(show_missing=False)
    assert two_levels().export_text(show_missing=True) == text


def test_names_counts_and_digits_can_be_chosen():
    text = export_text(
        two_levels(),
        feature_names=["years", "tint"],
        class_names=["healthy", "ill"],
        decimals=3,
        show_counts=False,
    )
    assert "years <= 30.500" in text
    assert "tint = blue" in text
    assert "class: ill, p [0.200, 0.800]" in text
    bare = export_text(two_levels(), show_counts=False, show_probabilities=False)
    assert "|--- class: yes\n" in bare


def test_columns_without_names_are_numbered():
    text = two_levels(Schema(2, None, {1: COLOURS})).export_text()
    assert "feature_0 <= 30.50" in text
    assert "feature_1 = blue" in text


def test_deep_branches_are_left_out():
    assert two_levels().export_text(max_depth=1) == (
        "|--- age <= 30.50\n"
        "|   |--- truncated branch of depth 1\n"
        "|--- age > 30.50\n"
        "|   |--- class: yes, counts [0, 3], p [0.20, 0.80]\n"
    )
    assert two_levels().export_text(max_depth=0) == "|--- truncated branch of depth 2\n"


def test_weights_are_shown_where_they_differ_from_the_counts():
    text = two_levels(weighted_counts=[[6, 8], [6, 2], [0, 6], [5, 0], [1, 2]]).export_text()
    assert "counts [5, 0], p" in text
    assert "counts [1, 1], weights [1.00, 2.00], p" in text


def test_a_single_leaf():
    leaf = handmade(
        MIXED, feature=[-1], threshold=[np.nan], first_child=[-1], n_children=[0], counts=[[3, 1]]
    )
    assert leaf.export_text() == "|--- class: no, counts [3, 1], p [0.67, 0.33]\n"


def test_present_against_missing_and_multiway():
    tree = handmade(
        MIXED,
        feature=[0, 1, -1, -1, -1, -1],
        threshold=[np.inf] + [np.nan] * 5,
        first_child=[1, 3, -1, -1, -1, -1],
        n_children=[2, 3, 0, 0, 0, 0],
        missing_child=[1, 2, -1, -1, -1, -1],
        counts=[[6, 4], [6, 1], [0, 3], [5, 0], [1, 0], [0, 1]],
        sets={1: {0: 0, 2: 1}},
    )
    assert tree.export_text(show_counts=False, show_probabilities=False) == (
        "|--- age is present\n"
        "|   |--- colour = blue\n"
        "|   |   |--- class: no\n"
        "|   |--- colour = red\n"
        "|   |   |--- class: no\n"
        "|   |--- colour is missing\n"
        "|   |   |--- class: yes\n"
        "|--- age is missing\n"
        "|   |--- class: yes\n"
    )


def test_long_sets_are_cut_short_and_numbers_stay_readable():
    many = Schema(1, None, {0: Categories([float(number) for number in range(30)])})
    tree = handmade(
        many,
        feature=[0, -1, -1],
        threshold=[np.nan] * 3,
        first_child=[1, -1, -1],
        n_children=[2, 0, 0],
        missing_child=[0, -1, -1],
        counts=[[20, 10], [20, 0], [0, 10]],
        sets={0: {number: int(number >= 20) for number in range(30)}},
    )
    assert "in {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 10 more}" in tree.export_text()


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (0.0, "0.00"),
        (1e-5, "1.00e-05"),
        (-2e-3, "-2.00e-03"),
        (1234.5678, "1234.57"),
        (1e20, "1.00e+20"),
    ],
)
def test_thresholds_never_lose_their_size(threshold, text):
    tree = handmade(
        Schema(1),
        feature=[0, -1, -1],
        threshold=[threshold, np.nan, np.nan],
        first_child=[1, -1, -1],
        n_children=[2, 0, 0],
        missing_child=[0, -1, -1],
        counts=[[2, 1], [2, 0], [0, 1]],
    )
    assert f"feature_0 <= {text}\n" in tree.export_text()


def test_wrong_names_and_wrong_objects_are_refused():
    with pytest.raises(ValueError, match="feature_names must have 2 names, got 1"):
        export_text(two_levels(), feature_names=["a"])
    with pytest.raises(ValueError, match="class_names must have 2 names, got 3"):
        export_text(two_levels(), class_names=list("abc"))
    with pytest.raises(TypeError, match="fitted RareTreeClassifier"):
        export_text(RareTreeClassifier())


def plane(weights, threshold, **more):
    return handmade(
        Schema(3, np.array(["age", "income", "size"], dtype=object)),
        feature=[next(iter(weights)), -1, -1],
        threshold=[threshold, np.nan, np.nan],
        first_child=[1, -1, -1],
        n_children=[2, 0, 0],
        missing_child=more.pop("missing_child", [0, -1, -1]),
        counts=[[6, 4], [6, 1], [0, 3]],
        planes={0: weights},
        **more,
    )


@pytest.mark.parametrize(
    ("weights", "threshold", "text"),
    [
        ({0: 0.53, 1: -1.2}, 3.1, "0.530*age - 1.20*income <= 3.10"),
        ({1: -2e-5, 0: 0.0123}, -0.0456, "-2.00e-05*income + 0.0123*age <= -0.0456"),
        ({2: 1, 0: -123.456, 1: 7}, 12345.6, "1.00*size - 123.46*age + 7.00*income <= 12345.60"),
        ({0: 1e20, 2: 1e-20}, 0.0, "1.00e+20*age + 1.00e-20*size <= 0.00"),
    ],
)
def test_hyperplanes_are_written_as_weighted_sums(weights, threshold, text):
    view = plane(weights, threshold)
    assert view.plane_terms(0) == list(weights.items())
    assert view.plane_terms(1) == []
    left, right = view.export_text().splitlines()[::2]
    assert left == f"|--- {text}"
    assert right == f"|--- {text.replace('<=', '>')}"


def test_missing_values_of_hyperplanes_and_their_digits():
    view = plane({0: 0.53, 1: -1.2}, 3.1, missing_child=[1, -1, -1])
    assert "income > 3.10 or missing\n" in view.export_text()
    assert "0.5300*a - 1.200*b <= 3.100" in view.export_text(decimals=3, feature_names=list("abc"))


def test_a_forest_is_written_tree_by_tree():
    forest = RareForestClassifier(3, random_state=0).fit([[0.0, 0.0], [1.0, 1.0]], ["a", "b"])
    with pytest.raises(TypeError, match=r"has 3 trees.*estimators_\[0\]"):
        export_text(forest)
    assert export_text(forest[1]).count("class:") == 2


def test_estimator_view_and_str_agree():
    model = RareTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    assert export_text(model) == model.tree_.export_text() == str(model.tree_)


def test_very_deep_trees_can_be_written():
    n = 3000
    X = np.arange(n, dtype=float).reshape(-1, 1)
    model = RareTreeClassifier(criterion="gini").fit(X, np.arange(n) % 2)
    text = model.tree_.export_text(max_depth=n)
    assert text.count("class:") == model.get_n_leaves()
