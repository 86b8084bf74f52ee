"""Shapley values of features: against their definition, against shap, and their laws."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.shapley import naive_interactions, naive_shapley
from rarewood import RareForestClassifier, RareTreeClassifier, _core
from rarewood.explain import ShapValues, shap_interaction_values, shap_values
from support.draw import examples
from support.explained import (
    AXIS_PARALLEL,
    LABELS,
    MODELS,
    OBLIQUE,
    TABLE,
    UNSEEN,
    N,
    trees_of,
)


@pytest.mark.parametrize("name", MODELS)
def test_they_are_shapley_values_by_definition(name):
    model = MODELS[name].fit(TABLE, LABELS)
    rows = pd.concat([TABLE[:4], UNSEEN[:2]])
    explained = shap_values(model, rows)
    matrix = model._encode(rows)
    for number in range(3):
        by_hand = [naive_shapley(tree, matrix, number) for tree in trees_of(model)]
        base = np.mean([base for base, _ in by_hand])
        assert explained.base_values[number] == pytest.approx(base, abs=1e-13)
        values = np.mean([values for _, values in by_hand], axis=0)
        np.testing.assert_allclose(explained.values[..., number], values, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", AXIS_PARALLEL)
def test_interactions_are_those_of_the_definition(name):
    model = AXIS_PARALLEL[name].fit(TABLE, LABELS)
    rows = pd.concat([TABLE[4:6], UNSEEN[:1]])
    explained = shap_interaction_values(model, rows)
    matrix = model._encode(rows)
    for number in (0, 2):
        by_hand = [naive_interactions(tree, matrix, number) for tree in trees_of(model)]
        np.testing.assert_allclose(
            explained.values[..., number], np.mean(by_hand, axis=0), rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("n_rows", [1, 31, 32, 33, N])
def test_values_and_base_are_the_prediction(name, n_rows):
    model = MODELS[name].fit(TABLE, LABELS)
    rows = pd.concat([TABLE, UNSEEN])[-n_rows:]
    explained = shap_values(model, rows)
    np.testing.assert_allclose(
        explained.probabilities, model.predict_proba(rows), rtol=0, atol=1e-12
    )
    assert explained.base_values.sum() == pytest.approx(1, abs=1e-14)


@examples(150)
@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans(), st.sampled_from(["f", "d"]))
def test_any_small_table(seed, n_classes, is_weighted, dtype):
    random = np.random.default_rng(seed)
    X = random.integers(0, 5, (25, 4)).astype(dtype)
    X[random.random(X.shape) < 0.1] = np.nan
    y = random.integers(0, n_classes, 25)
    weights = random.integers(0, 3, 25) + (np.arange(25) == 0) if is_weighted else None
    model = RareForestClassifier(
        2, splitter=random.choice(["best", "random", "oblique"]), leaf_strength=1, collapse=0,
        bootstrap=True, random_state=seed,
    ).fit(X, y, sample_weight=weights)  # fmt: skip
    explained = shap_values(model, np.asfortranarray(X[:3]), n_jobs=2)
    matrix = model._encode(X[:3])
    for number in range(len(model.classes_)):
        by_hand = [naive_shapley(tree, matrix, number)[1] for tree in trees_of(model)]
        np.testing.assert_allclose(
            explained.values[..., number], np.mean(by_hand, axis=0), rtol=0, atol=1e-12
        )


def test_with_one_feature_per_node_planes_change_nothing():
    X = TABLE[["x", "z", "w", "v"]].to_numpy()
    tree = RareTreeClassifier(max_depth=5).fit(X, LABELS).tree_
    state = tree.compiled.state()
    n = tree.n_nodes
    # A plane must have two features: the second one has the weight 0, and is the same one.
    inner = np.flatnonzero(tree.n_children)
    state["plane_offset"] = np.concatenate([[0], np.cumsum(2 * (tree.n_children > 0))])
    state["plane_feature"] = np.repeat(tree.feature[inner], 2).astype(np.int32)
    state["plane_weight"] = np.tile([1.0, 0.0], len(inner))
    planes = _core.Tree.from_state(state)
    values = np.ascontiguousarray(tree.probabilities)
    found = []
    for compiled in (tree.compiled, planes):
        out = np.zeros((N, 4, 3))
        _core.PathGame(compiled).add_values(X, values, out)
        found.append(out)
    assert n > 9
    np.testing.assert_array_equal(*found)


def deep_forest(**options):
    """A forest of deep trees: many players on a path, and features that are tested often."""
    random = np.random.default_rng(1)
    X = random.normal(size=(1500, 12))
    y = (random.random(1500) < 0.2 + 0.3 * (X[:, 0] * X[:, 1] > 0)).astype(int)
    options = {"bootstrap": True, "leaf_strength": 2, "collapse": 0} | options
    return RareForestClassifier(5, random_state=0, **options).fit(X, y), X


@pytest.mark.parametrize("splitter", ["best", "oblique"])
def test_deep_trees_sum_to_the_prediction(splitter):
    model, X = deep_forest(splitter=splitter)
    assert max(tree.max_depth for tree in model.forest_.trees) > 15
    explained = shap_values(model, X[:100], n_jobs=2)
    error = explained.probabilities - model.predict_proba(X[:100])
    assert abs(error).max() < 1e-12
    np.testing.assert_array_equal(explained.values, shap_values(model, X[:100]).values)


def as_shap_knows_it(model) -> dict:
    """The arrays of a forest in the form that ``shap.TreeExplainer`` takes."""
    trees = model.forest_.trees
    return {
        "trees": [
            {
                "children_left": tree.children_left,
                "children_right": tree.children_right,
                "children_default": np.where(
                    tree.n_children == 0, -1, tree.first_child + tree.missing_child
                ),
                "features": tree.feature,
                "thresholds": tree.threshold,
                "values": tree.probabilities / len(trees),
                "node_sample_weight": tree.weighted_n_node_samples,
            }
            for tree in trees
        ]
    }


def test_they_are_those_of_shap():
    shap = pytest.importorskip("shap")
    model, X = deep_forest(splitter="best", max_depth=9)
    theirs = shap.TreeExplainer(as_shap_knows_it(model), feature_perturbation="tree_path_dependent")
    explained = shap_values(model, X[:20])
    np.testing.assert_allclose(
        explained.values, theirs.shap_values(X[:20], check_additivity=False), rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(explained.base_values, theirs.expected_value, rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        shap_interaction_values(model, X[:5]).values,
        theirs.shap_interaction_values(X[:5]),
        rtol=0,
        atol=1e-9,
    )


def test_a_path_of_many_players():
    shap = pytest.importorskip("shap")
    n_features = 60
    X = np.repeat(np.eye(n_features), 3, axis=0)
    y = np.arange(len(X)) // 3 % 2
    model = RareForestClassifier(
        1, splitter="best", max_features=None, leaf="shrunk", leaf_strength=1, collapse=0,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    tree = model.forest_.trees[0]
    assert _core.PathGame(tree.compiled).n_players_of_path >= 30
    rows = (np.random.default_rng(0).random((10, n_features)) < 0.1).astype(float)
    explained = shap_values(model, rows)
    np.testing.assert_allclose(
        explained.probabilities, model.predict_proba(rows), rtol=0, atol=1e-12
    )
    theirs = shap.TreeExplainer(as_shap_knows_it(model), feature_perturbation="tree_path_dependent")
    np.testing.assert_allclose(
        explained.values, theirs.shap_values(rows, check_additivity=False), rtol=0, atol=1e-9
    )


def test_coded_models_are_explained_at_the_coordinates_of_bins():
    model = RareTreeClassifier(splitter="oblique", max_bins=8, max_depth=3, random_state=0)
    X = TABLE[["z", "v", "w"]]
    model.fit(X, LABELS)
    explained = shap_values(model, X[:6])
    by_hand = naive_shapley(model.tree_, model._encode(X[:6]), 2)[1]
    np.testing.assert_allclose(explained.of_class("rare"), by_hand, rtol=0, atol=1e-12)


def test_the_result_refers_to_its_table():
    model = AXIS_PARALLEL["subset"].fit(TABLE, LABELS)
    explained = shap_values(model, TABLE[:7])
    assert isinstance(explained, ShapValues)
    assert explained.values.shape == (7, 6, 3)
    assert explained.feature_names == list(TABLE.columns)
    assert explained.classes.tolist() == ["common", "middle", "rare"]
    np.testing.assert_array_equal(explained.of_class("rare"), explained.values[..., 2])
    of_array = RareTreeClassifier().fit(TABLE[["z", "v"]].to_numpy(), LABELS)
    assert shap_values(of_array, [[0.0, 1.0]]).feature_names == ["feature_0", "feature_1"]


def test_conversion_to_shap():
    shap = pytest.importorskip("shap")
    model = AXIS_PARALLEL["subset"].fit(TABLE, LABELS)
    explained = shap_values(model, TABLE[:7])
    every = explained.to_shap()
    assert isinstance(every, shap.Explanation)
    assert every.shape == (7, 6, 3)
    assert list(every.output_names) == ["common", "middle", "rare"]
    one = explained.to_shap("rare")
    np.testing.assert_array_equal(one.values, every[..., 2].values)
    np.testing.assert_array_equal(one.base_values, every.base_values[:, 2])
    assert list(one.feature_names) == list(TABLE.columns)
    assert one.data[0, 2] == TABLE["colour"][0]
    with pytest.raises(ValueError, match="must be one of the classes"):
        explained.to_shap("no")


def test_plots_of_shap_draw_it():
    shap = pytest.importorskip("shap")
    plt = pytest.importorskip("matplotlib.pyplot")
    columns = ["x", "z", "w", "v"]
    model = AXIS_PARALLEL["subset"].fit(TABLE[columns], LABELS)
    explanation = shap_values(model, TABLE[columns][:30]).to_shap("rare")
    for draw in (shap.plots.bar, shap.plots.beeswarm):
        draw(explanation, show=False)
        assert "z" in {label.get_text() for label in plt.gca().get_yticklabels()}
        plt.close("all")
    shap.plots.waterfall(explanation[0], show=False)
    plt.close("all")


def test_without_shap_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", None)
    model = AXIS_PARALLEL["subset"].fit(TABLE, LABELS)
    with pytest.raises(ImportError, match=r"pip install 'rarewood\[shap\]'"):
        shap_values(model, TABLE[:2]).to_shap()


def test_errors_say_what_to_do():
    model = OBLIQUE["planes"].fit(TABLE, LABELS)
    with pytest.raises(ValueError, match='splitter="best" or "random", or use shap_values'):
        shap_interaction_values(model, TABLE[:2])
    with pytest.raises(TypeError, match="Expected a fitted RareTreeClassifier"):
        shap_values("model", TABLE)
    with pytest.raises(ValueError, match=r"infinity .* in column 'z'"):
        shap_values(model, TABLE[:3].assign(z=np.inf))
    game = _core.PathGame(model.tree_.compiled)
    X, values = np.zeros((3, 6)), np.ascontiguousarray(model.tree_.probabilities)
    for shape in [(2, 6, 3), (3, 5, 3), (3, 6, 2)]:
        with pytest.raises(ValueError, match="out must have the shape"):
            game.add_values(X, values, np.zeros(shape))
    with pytest.raises(ValueError, match="row per node"):
        game.add_values(X, values[1:].copy(), np.zeros((3, 6, 3)))
    with pytest.raises(ValueError, match="hyperplanes"):
        game.add_interactions(X, values, np.zeros((3, 6, 6, 3)))


def test_a_long_computation_ends_at_ctrl_c():
    code = """
        import signal, threading, time
        import numpy as np
        from rarewood import RareTreeClassifier
        from rarewood.explain import shap_values
        random = np.random.default_rng(0)
        X = random.normal(size=(20000, 10))
        tree = RareTreeClassifier().fit(X, random.integers(0, 2, 20000))
        is_over = threading.Event()
        def interrupt():
            while not is_over.wait(1.0):
                signal.raise_signal(signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        start = time.process_time()
        try:
            shap_values(tree, np.repeat(X, 10, axis=0))  # a minute of work
        except KeyboardInterrupt:
            is_over.set()
            print(time.process_time() - start < 10)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.strip() == "True", done.stderr
