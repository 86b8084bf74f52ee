"""A model that went through a file is the same model."""

from __future__ import annotations

import json
import zipfile
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, criteria, presets, pruning, rules

RANDOM = np.random.default_rng(0)
N = 120
TABLE = pd.DataFrame(
    {
        "x": np.where(RANDOM.random(N) < 0.1, np.nan, RANDOM.normal(size=N)),
        "z": RANDOM.normal(size=N),
        "w": RANDOM.normal(size=N).astype(np.float32),
        "colour": RANDOM.choice(["red", "grün", "blue\n", None], N),
        "member": RANDOM.random(N) < 0.5,
        "grade": pd.Categorical(RANDOM.choice([3, 1, 2], N), categories=[3, 1, 2]),
    }
)
SIGNAL = (TABLE["z"] + (TABLE["colour"] == "red") > 0.9).to_numpy()
LABELS = np.where(SIGNAL, "rare", "common")
WEIGHTS = RANDOM.integers(0, 4, N).astype(float)

MODELS = {
    "tree": RareTreeClassifier(),
    "alpha": RareTreeClassifier(criteria.Alpha(0.7, reference="uniform"), leaf="shrunk"),
    "multiway": presets.hddt(),
    "onehot": RareTreeClassifier(categorical_split="onehot", leaf="raw"),
    "planes": RareTreeClassifier(splitter="oblique", n_cuts=5, oblique_dim=3, random_state=3),
    "pruned": presets.ccpdt(),
    "stump": RareTreeClassifier(min_samples_leaf=N),
    "class weights": RareTreeClassifier(class_weight={"rare": 5.0, "common": 1}),
    "forest": RareForestClassifier(7, random_state=0),
    "beat": presets.beat(1, 3, n_estimators=7),
    "bagged": presets.bagged_hddt(n_estimators=7, oob_score=True),
    "balanced": presets.balanced_random_forest(n_estimators=7, oob_score=True, random_state=1),
    "large seed": RareForestClassifier(2, random_state=2**64 - 1),
    "subsample": RareForestClassifier(5, class_weight="balanced_subsample", bootstrap=True),
    "numpy parameters": RareForestClassifier(np.int64(3), min_gain=np.float32(0.5)),
}  # fmt: skip


def through_file(model, folder, **options):
    path = folder / "model.rarewood"
    rarewood.save(model, path, **options)
    return rarewood.load(path)


def trees_of(model):
    return [model.tree_] if hasattr(model, "tree_") else [tree.tree_ for tree in model]


def assert_same(model, other, X):
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    assert other.predict(X).dtype == model.predict(X).dtype
    assert type(other) is type(model)
    for mine, theirs in zip(trees_of(other), trees_of(model), strict=True):
        mine, theirs = mine.compiled.state(), theirs.compiled.state()
        assert mine.keys() == theirs.keys()
        for name, value in theirs.items():
            np.testing.assert_array_equal(mine[name], value, err_msg=name)
            assert getattr(mine[name], "dtype", None) == getattr(value, "dtype", None)


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB")
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", MODELS)
def test_the_same_model_comes_back(name, weights, tmp_path):
    model = clone(MODELS[name]).fit(TABLE, LABELS, weights)
    other = through_file(model, tmp_path)
    assert_same(model, other, TABLE)
    assert other.get_params() == model.get_params()
    assert other.feature_names_in_.tolist() == list(TABLE)
    assert str(trees_of(other)[0]) == str(trees_of(model)[0])
    np.testing.assert_array_equal(other.feature_importances_, model.feature_importances_)
    if hasattr(model, "oob_score_"):
        assert other.oob_score_ == model.oob_score_
    again = clone(other)
    if again.random_state is not None:
        assert_same(model, again.fit(TABLE, LABELS, weights), TABLE)


def test_it_can_be_pruned_drawn_and_read(tmp_path):
    tree = presets.hddt().fit(TABLE, LABELS)
    other = through_file(tree, tmp_path)
    assert str(pruning.prune(other, pruning.Fisher(1e-3)).tree_) == str(
        pruning.prune(tree, pruning.Fisher(1e-3)).tree_
    )
    assert str(rules.extract(other)) == str(rules.extract(tree))
    assert rarewood.export_graphviz(other) == rarewood.export_graphviz(tree)
    forest = through_file(RareForestClassifier(4, random_state=1).fit(TABLE, LABELS), tmp_path)
    pruned = pruning.prune(forest, "error")
    assert sum(t.get_n_leaves() for t in pruned) < sum(t.get_n_leaves() for t in forest)


@pytest.mark.parametrize(
    "labels",
    [
        SIGNAL,
        SIGNAL.astype(np.int8) - 5,
        SIGNAL.astype(np.uint64) + 2**63,
        SIGNAL.astype(">i4"),
        SIGNAL.astype(np.float32) * 3,
        SIGNAL.astype(float),
        LABELS.astype(object),
        LABELS.astype("U30"),
        np.where(SIGNAL, "\udc80 lone", "käse"),
        SIGNAL + 2 * (TABLE["w"] > 0).to_numpy(),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_of_every_kind(labels, tmp_path):
    model = RareTreeClassifier().fit(TABLE, labels)
    other = through_file(model, tmp_path)
    assert other.classes_.dtype == model.classes_.dtype
    assert list(map(type, other.classes_.tolist())) == list(map(type, model.classes_.tolist()))
    assert_same(model, other, TABLE)


def test_tables_without_names_and_with_odd_categories(tmp_path):
    X = TABLE.to_numpy(dtype=object)
    X[:, 1] = [Decimal(round(value, 1)) for value in TABLE["z"]]
    model = RareForestClassifier(3, categorical_features=[1, 3, 4, 5], random_state=0).fit(
        X, LABELS
    )
    other = through_file(model, tmp_path)
    assert not hasattr(other, "feature_names_in_")
    assert_same(model, other, X)
    kinds = {type(v) for c in other._schema.categories.values() for v in c.values.tolist()}
    assert kinds == {Decimal, str, bool, int}
    mask = RareTreeClassifier(categorical_features=np.arange(6) > 2).fit(TABLE, LABELS)
    again = through_file(mask, tmp_path)
    np.testing.assert_array_equal(again.categorical_features, mask.categorical_features)
    assert_same(mask, again, TABLE)


def test_a_table_of_plain_numbers(tmp_path):
    X = RANDOM.normal(size=(N, 3))
    X[::7, 1] = np.nan
    model = RareForestClassifier(4, splitter="best", random_state=0).fit(X, SIGNAL)
    assert_same(model, through_file(model, tmp_path), X)


def test_a_random_state_goes_on_where_it_was(tmp_path):
    model = RareForestClassifier(3, random_state=np.random.RandomState(4)).fit(TABLE, LABELS)
    other = through_file(model, tmp_path)
    assert_same(model.fit(TABLE, LABELS), other.fit(TABLE, LABELS), TABLE)


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB")
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_single_rows_are_kept_on_request_only(weights, tmp_path):
    model = presets.balanced_random_forest(n_estimators=5, oob_score=True, random_state=0)
    model.fit(TABLE, LABELS, weights)
    other = through_file(model, tmp_path, keep_rows=True)
    np.testing.assert_array_equal(other.oob_decision_function_, model.oob_decision_function_)
    for rows, expected in zip(other.estimators_samples_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(rows, expected)
    larger = {"warm_start": True, "n_estimators": 9}
    model.set_params(**larger).fit(TABLE, LABELS, weights)
    assert_same(model, other.set_params(**larger).fit(TABLE, LABELS, weights), TABLE)
    without = through_file(model, tmp_path)
    assert not hasattr(without, "oob_decision_function_")
    with pytest.raises(ValueError, match="keep_rows=True"):
        without.estimators_samples_  # noqa: B018
    with pytest.raises(ValueError, match="warm_start"):
        without.set_params(n_estimators=12).fit(TABLE, LABELS, weights)


def test_a_forest_that_draws_nothing_by_class_needs_no_rows(tmp_path):
    model = RareForestClassifier(3, bootstrap=True, random_state=0).fit(TABLE, LABELS)
    other = through_file(model, tmp_path)
    for rows, expected in zip(other.estimators_samples_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(rows, expected)


def test_a_grown_forest_with_trees_of_different_settings(tmp_path):
    model = RareForestClassifier(2, random_state=0, warm_start=True).fit(TABLE, LABELS)
    model.set_params(n_estimators=4, max_depth=2, criterion="gini").fit(TABLE, LABELS)
    other = through_file(model, tmp_path)
    assert [tree.get_params() for tree in other] == [tree.get_params() for tree in model]
    assert_same(model, other, TABLE)


def test_what_the_file_says(tmp_path):
    path = tmp_path / "model.rarewood"
    model = presets.bagged_hddt(n_estimators=3, random_state=0).fit(TABLE, LABELS)
    rarewood.save(model, path, target="kind", notes={"cost": [1, 20.5], "by": "me"})
    facts = rarewood.modelfile.describe(path)
    assert facts["class"] == "RareForestClassifier"
    assert facts["classes"] == ["common", "rare"]
    n_rare = int(SIGNAL.sum())
    assert facts["training"] == {"n_rows": N, "class_counts": [N - n_rare, n_rare]}
    assert facts["notes"] == {"cost": [1, 20.5], "by": "me"}
    assert facts["target"] == "kind"
    assert facts["versions"]["rarewood"] == rarewood.__version__
    assert facts["columns"][0] == {"name": "x", "kind": "numeric"}
    assert facts["columns"][5] == {"name": "grade", "kind": "categorical", "categories": [1, 2, 3]}
    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("model.json"))["format_version"] == 1
        assert {name.split(".")[1] for name in archive.namelist()} == {"json", "npy"}


def test_the_bytes_depend_on_the_model_and_the_date_alone(tmp_path):
    model = RareForestClassifier(3, random_state=0).fit(TABLE, LABELS)
    parts = []
    for name in ("a", "b"):
        rarewood.save(model, tmp_path / name)
        with zipfile.ZipFile(tmp_path / name) as archive:
            parts.append({n: archive.read(n) for n in archive.namelist() if n != "model.json"})
        model = rarewood.load(tmp_path / name)
    assert parts[0] == parts[1]


def test_many_absent_classes_do_not_look_like_a_bomb(tmp_path):
    """Counts of zero pack to almost nothing; the file must still be one that load accepts."""
    y = np.repeat(np.arange(2000), 4)
    X = np.column_stack([y + RANDOM.normal(size=len(y)), RANDOM.normal(size=len(y))])
    model = RareForestClassifier(4, n_cuts=1, random_state=0, max_depth=10).fit(X, y)
    assert_same(model, through_file(model, tmp_path), X)
    long = {"text": "a" * 2**25}  # packs to almost nothing, too
    assert_same(model, through_file(model, tmp_path, notes=long), X)


def test_a_table_that_does_not_fit_is_refused_by_name(tmp_path):
    other = through_file(RareTreeClassifier().fit(TABLE, LABELS), tmp_path)
    with pytest.raises(ValueError, match=r"now missing:\n- colour"):
        other.predict(TABLE.drop(columns="colour"))
    with_more = TABLE.assign(extra=1)[["extra", *TABLE.columns]]  # ignored
    np.testing.assert_array_equal(other.predict(with_more), other.predict(TABLE))
    with pytest.raises(ValueError, match="column 'z' was numeric when the model was fitted"):
        other.predict(TABLE.assign(z="high"))
