"""A model from batches is the model of the same table in memory, to the bit."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.pruning import CostComplexity
from rarewood.stream import Stream
from support.streamed import assert_same_model, in_memory, wide_table

TABLE = wide_table()
FEATURES = [name for name in TABLE.column_names if name not in ("ill", "weight")]
PLAIN = Stream(TABLE, columns=FEATURES)  # without the weights


def tree(**params) -> RareTreeClassifier:
    return RareTreeClassifier(max_bins=255, random_state=3).set_params(**params)


def forest(**params) -> RareForestClassifier:
    model = RareForestClassifier(6, max_bins=63, splitter="random", random_state=3)
    return model.set_params(**params)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("parquet") / "table.parquet"
    pq.write_table(TABLE, file, row_group_size=700)
    return file


@pytest.mark.parametrize(
    ("batch_rows", "max_bins"),
    [(1, 255), *itertools.product([17, 700, 701, 65_536], [2, 20, 254, 255])],
)
def test_any_size_of_batches(path, batch_rows, max_bins):
    stream = Stream(path, columns=FEATURES, batch_rows=batch_rows)
    model = tree(max_bins=max_bins, n_jobs=2)
    assert_same_model(model.fit(stream, "ill"), in_memory(tree(max_bins=max_bins), TABLE))


@pytest.mark.parametrize("group_rows", [64, 1000, 3000])
def test_any_row_groups_and_files(tmp_path, group_rows):
    for place, start in enumerate(range(0, TABLE.num_rows, 1100)):
        part = TABLE.slice(start, 1100)
        pq.write_table(part, tmp_path / f"part-{place}.parquet", row_group_size=group_rows)
    pq.write_table(TABLE.slice(0, 0), tmp_path / "part-00.parquet")  # without rows
    expected = in_memory(tree(), TABLE)
    for source in (tmp_path, sorted(tmp_path.iterdir()), ds.dataset(tmp_path)):
        assert_same_model(tree().fit(Stream(source, columns=FEATURES), "ill"), expected)


def test_a_column_may_be_read_as_a_dictionary(path):
    expected = in_memory(tree(), TABLE)
    options = ds.ParquetReadOptions(dictionary_columns=["town", "street", "ill"])
    dataset = ds.dataset(path, format=ds.ParquetFileFormat(read_options=options))
    assert_same_model(tree().fit(Stream(dataset, columns=FEATURES), "ill"), expected)


@pytest.mark.parametrize(
    "params",
    [
        {"criterion": "gini", "max_depth": 5},
        {"criterion": "ccp_entropy", "max_leaf_nodes": 20},
        {"splitter": "random", "n_cuts": 4, "max_features": 3},
        {"categorical_split": "multiway", "pruning": "fisher"},
        {"categorical_split": "onehot", "pruning": "error"},
        {"pruning": CostComplexity(0.001), "leaf": "shrunk"},
        {"min_samples_leaf": 0.01, "min_gain": 0.01},
        {"categorical_features": ["coarse", "street", "town", "code"]},
    ],
    ids=str,
)
def test_any_parameters_of_a_tree(params):
    assert_same_model(tree(**params).fit(PLAIN, "ill"), in_memory(tree(**params), TABLE))


def test_numbers_only_and_no_categorical_columns():
    table = TABLE.select(["fine", "half", "coarse", "small", "flag", "rounded", "ill", "weight"])
    model = tree(categorical_features=None)
    expected = in_memory(tree(categorical_features=None), table)
    assert_same_model(model.fit(Stream(table, columns=expected.feature_names_in_), "ill"), expected)


def test_categorical_columns_only():
    table = TABLE.select(["town", "street", "flag", "ill", "weight"])
    expected = in_memory(tree(), table)
    assert_same_model(
        tree().fit(Stream(table, columns=["town", "street", "flag"]), "ill"), expected
    )


@pytest.mark.parametrize(
    "params",
    [
        {"class_weight": "balanced"},
        {"class_weight": {"yes": 7.5, "no": 1.0, "maybe": 0.0}},
        {"min_weight_fraction_leaf": 0.02},
    ],
    ids=str,
)
@pytest.mark.parametrize("weight", [None, "weight"])
def test_weights(params, weight):
    stream = Stream(TABLE, columns=FEATURES, batch_rows=100)
    model = tree(**params).fit(stream, "ill", weight)
    assert_same_model(model, in_memory(tree(**params), TABLE, weight))


def test_weights_that_are_all_one_are_none():
    table = TABLE.set_column(TABLE.column_names.index("weight"), "weight", pa.array([1] * 3000))
    model = tree().fit(table, "ill", "weight")
    assert_same_model(model, in_memory(tree(), TABLE))
    assert (
        model.tree_.weighted_counts.tolist()
        == in_memory(tree(), TABLE).tree_.weighted_counts.tolist()
    )


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"splitter": "best", "bootstrap": True},
        {"balance": True, "bootstrap": True, "max_samples": 0.7},
        {"balance": True},
        {"bootstrap": True, "class_weight": "balanced_subsample"},
        {"class_weight": "balanced"},
    ],
    ids=str,
)
@pytest.mark.parametrize("weight", [None, "weight"])
def test_forests(params, weight):
    model = forest(**params, n_jobs=2).fit(Stream(TABLE, columns=FEATURES), "ill", weight)
    expected = in_memory(forest(**params), TABLE, weight)
    assert_same_model(model, expected)
    if model.bootstrap:
        for own, other in zip(model.estimators_samples_, expected.estimators_samples_, strict=True):
            np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize(
    "preset", ["hddt", "ccpdt", "bagged_hddt", "beat", "balanced_random_forest"]
)
def test_presets(preset):
    make = getattr(presets, preset)
    more = {"n_estimators": 4} if hasattr(make(), "n_estimators") else {}
    make_one = lambda: make(max_bins=100, random_state=0, **more)  # noqa: E731
    assert_same_model(make_one().fit(PLAIN, "ill"), in_memory(make_one(), TABLE))


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("params", [{"bootstrap": True}, {"balance": True, "max_samples": 0.5}])
def test_out_of_bag_scores(params, weight):
    params = {**params, "n_estimators": 12, "oob_score": True}
    model = forest(**params).fit(Stream(TABLE, columns=FEATURES, batch_rows=333), "ill", weight)
    expected = in_memory(forest(**params), TABLE, weight)
    np.testing.assert_array_equal(
        model.oob_decision_function_, expected.oob_decision_function_, strict=True
    )
    assert model.oob_score_ == expected.oob_score_


def test_trees_are_added_to_a_forest():
    expected = in_memory(forest(n_estimators=9, bootstrap=True), TABLE)
    model = forest(n_estimators=4, bootstrap=True, warm_start=True).fit(PLAIN, "ill")
    assert_same_model(model.set_params(n_estimators=9).fit(PLAIN, "ill"), expected)


def test_trees_are_added_to_a_forest_of_other_categories():
    before, more = TABLE.slice(0, 1500), TABLE.slice(1500)
    more = more.set_column(
        more.column_names.index("town"), "town", pa.array(["nowhere", "north", None] * 500)
    )
    expected = in_memory(forest(warm_start=True), before)
    model = forest(warm_start=True).fit(Stream(before, columns=FEATURES), "ill")
    in_memory(expected.set_params(n_estimators=9), more)
    model.set_params(n_estimators=9).fit(Stream(more.select(TABLE.column_names[::-1])), "ill")
    assert_same_model(model, expected)


@pytest.mark.parametrize("codes", ["memory", "file"])
def test_codes_in_memory_or_in_a_file(tmp_path, codes):
    stream = Stream(TABLE, columns=FEATURES, codes=codes, folder=tmp_path)
    model = forest(bootstrap=True).fit(stream, "ill")
    assert_same_model(model, in_memory(forest(bootstrap=True), TABLE))
    assert not list(tmp_path.iterdir())


def test_the_search_by_threshold_of_the_number_of_rows():
    # More rows than the sample from which edges are chosen.
    table = wide_table(40_000, seed=1)
    model = tree(max_depth=6).fit(Stream(table, columns=FEATURES, batch_rows=999), "ill", "weight")
    assert_same_model(model, in_memory(tree(max_depth=6), table, "weight"))


def test_one_class_only():
    table = pa.table({"x": [1.0, 2.0, 3.0], "ill": ["no"] * 3, "weight": [1, 1, 1]})
    model = tree().fit(table.drop_columns("weight"), "ill")
    assert_same_model(model, in_memory(tree(), table))


def test_a_model_can_be_pickled_and_saved(path, tmp_path):
    model = forest(bootstrap=True).fit(Stream(path, columns=FEATURES, codes="file"), "ill")
    assert_same_model(pickle.loads(pickle.dumps(model)), model)
    rarewood.save(model, tmp_path / "model")
    again = rarewood.load(tmp_path / "model")
    np.testing.assert_array_equal(again.predict_proba(path), model.predict_proba(path))
