"""C45Classifier: an estimator like the others, and what it does not support."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

import rarewood
from rarewood import C45Classifier, explain, presets, pruning, rules, stream
from rarewood.model import FractionalTree

NAN = float("nan")


@parametrize_with_checks(
    [
        C45Classifier(),
        C45Classifier(confidence=None, raising=False, collapse_subtrees=False, leaf="laplace"),
        C45Classifier(cut="midpoint", class_weight="balanced", min_samples_leaf=1),
    ]
)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def weather(n: int = 200) -> tuple[pd.DataFrame, pd.Series]:
    """Numeric and categorical features with missing values."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "sky": rng.choice(["sunny", "rain", "fog"], n),
            "heat": rng.normal(20, 5, n).round(1),
            "wind": rng.choice([True, False], n),
        }
    )
    y = ((X["sky"] == "sunny") & (X["heat"] > 18)) ^ (rng.random(n) < 0.1)
    X["sky"] = X["sky"].where(rng.random(n) > 0.1)
    X.loc[rng.random(n) < 0.1, "heat"] = NAN
    return X, y


def test_the_tree_of_iris_is_that_of_weka():
    """J48 prints: petalwidth <= 0.6, petalwidth <= 1.7, petallength <= 4.9, petalwidth <= 1.5."""
    X, y = load_iris(return_X_y=True)
    tree = presets.j48().fit(X, y).tree_
    inner = tree.feature >= 0
    assert tree.feature[inner].tolist() == [3, 3, 2, 3]
    np.testing.assert_allclose(tree.threshold[inner], [0.6, 1.7, 4.9, 1.5])
    leaves = tree.counts[~inner].tolist()
    assert leaves == [[50, 0, 0], [0, 1, 45], [0, 47, 1], [0, 0, 3], [0, 2, 1]]


def test_the_weather_of_quinlan():
    """Outlook first; humidity at 75, which is a value and not the midpoint 77.5."""
    outlook = "sunny sunny overcast rain rain rain overcast sunny sunny rain sunny overcast"
    table = pd.DataFrame(
        {
            "outlook": [*outlook.split(), "overcast", "rain"],
            "temperature": [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71],
            "humidity": [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91],
            "windy": [i in (1, 5, 6, 10, 11, 13) for i in range(14)],
        }
    )
    play = [w == "y" for w in "nnyyynynyyyyyn"]
    model = C45Classifier().fit(table, play)
    assert model.tree_.feature.tolist()[:1] == [0]
    assert sorted(model.tree_.feature[model.tree_.feature > 0].tolist()) == [2, 3]
    assert model.tree_.threshold[model.tree_.feature == 2].tolist() == [75.0]
    assert model.get_n_leaves() == 5
    assert model.get_depth() == 2
    assert model.score(table, play) == 1


def test_missing_values_are_divided():
    X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 0, 1, 1]
    model = C45Classifier().fit(X, y)
    assert isinstance(model.tree_, FractionalTree)
    np.testing.assert_allclose(model.predict_proba([[NAN]]), [[0.6, 0.4]])
    assert model.predict([[NAN], [9.0]]).tolist() == [0, 1]
    np.testing.assert_allclose(
        model.decision_path([[NAN], [9.0]]).toarray(), [[1, 0.6, 0.4], [1, 0, 1]]
    )
    assert model.apply([[NAN], [9.0]]).tolist() == [1, 2]


def test_a_category_that_a_node_has_not_seen_has_the_probabilities_of_the_node():
    X = pd.DataFrame({"a": list("xxxxyyyy") + ["z"] * 4, "b": [0.0] * 8 + [1.0] * 4})
    y = [0] * 4 + [1] * 4 + [2] * 4
    model = C45Classifier(confidence=None).fit(X, y)
    ends = model.predict_proba(pd.DataFrame({"a": ["x", "z", "new"], "b": [0.0, 0.0, 0.0]}))
    assert ends[0].tolist() == [1, 0, 0]
    assert ends[2].sum() == pytest.approx(1)  # unknown everywhere: a missing value
    assert model.tree_.missing_child.tolist() == [-1] * model.tree_.n_nodes


def test_contributions_add_up_with_missing_values():
    X, y = weather()
    model = C45Classifier(leaf="laplace").fit(X, y)
    found = explain.contributions(model, X, pos_label=True)
    np.testing.assert_allclose(found.probability, model.predict_proba(X)[:, 1], atol=1e-12)


def test_rules_cover_complete_samples():
    X, y = weather()
    model = C45Classifier().fit(X, y)
    complete = X.dropna()
    found = rules.extract(model)
    np.testing.assert_allclose(
        found.predict_proba(complete), model.predict_proba(complete), atol=1e-12
    )
    assert "missing" not in str(model.tree_)
    assert not any("missing" in text for text in found["rule"])


def test_a_step_by_step_path_needs_a_whole_sample():
    X, y = weather()
    model = C45Classifier().fit(X, y)
    assert explain.path_steps(model, X.dropna()[:1])
    missing = X[X["sky"].isna()][:1]
    with pytest.raises(ValueError, match="divides it among several branches"):
        explain.path_steps(model, missing)


@pytest.mark.parametrize("make", [C45Classifier, presets.j48])
def test_files_and_pickles(make, tmp_path):
    X, y = weather()
    model = make(leaf="laplace", confidence=0.1).fit(X, y)
    rarewood.save(model, tmp_path / "model.rarewood")
    for copy in (rarewood.load(tmp_path / "model.rarewood"), pickle.loads(pickle.dumps(model))):
        assert type(copy) is C45Classifier
        assert type(copy.tree_) is FractionalTree
        assert copy.get_params() == model.get_params()
        np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_integer_weights_are_repeated_samples():
    X, y = weather()
    times = np.random.default_rng(1).integers(0, 4, len(y))
    a = C45Classifier().fit(X, y, sample_weight=times)
    b = C45Classifier().fit(X.loc[X.index.repeat(times)], y.repeat(times))
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=1e-9)


def test_the_order_of_samples_has_no_effect():
    X, y = weather()
    order = np.random.default_rng(2).permutation(len(y))
    a, b = C45Classifier().fit(X, y), C45Classifier().fit(X.iloc[order], y.iloc[order])
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=1e-9)


def test_pruning_makes_it_smaller():
    X, y = load_breast_cancer(return_X_y=True)
    sizes = [
        C45Classifier(confidence=c, collapse_subtrees=False).fit(X, y).get_n_leaves()
        for c in (None, 0.5, 0.25, 0.01)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_what_is_not_supported(tmp_path):
    X, y = weather()
    X.assign(y=y).to_parquet(tmp_path / "table.parquet")
    for table in (tmp_path / "table.parquet", stream.Stream(tmp_path / "table.parquet")):
        with pytest.raises(TypeError, match="does not read tables in batches"):
            C45Classifier().fit(table, "y")
    with pytest.raises(TypeError, match="pruned by fit"):
        pruning.prune(C45Classifier().fit(X, y), "error")
    with pytest.raises(TypeError, match="unexpected keyword argument 'criterion'"):
        presets.j48(criterion="gini")
    with pytest.raises(ValueError, match="infinity"):
        C45Classifier().fit([[np.inf], [0.0]], [0, 1])
    with pytest.raises(ValueError, match="confidence"):
        C45Classifier(confidence=0.9).fit([[1.0], [0.0]], [0, 1])
