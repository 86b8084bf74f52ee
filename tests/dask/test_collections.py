"""Collections that can be fitted, and errors for those that cannot."""

from __future__ import annotations

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed

from rarewood import RareTreeClassifier
from rarewood.dask import DaskRareTreeClassifier
from support.dask_tables import assert_same_model, left_behind, mixed_table, numbers

X, Y, W = numbers(600)
TREE = RareTreeClassifier(max_bins=60).fit(X, Y)


def model() -> DaskRareTreeClassifier:
    return DaskRareTreeClassifier(max_bins=60)


def parts_of(*parts: pd.DataFrame):
    """A collection whose partitions may differ; the first one is declared."""
    return dd.from_delayed([delayed(part) for part in parts], meta=parts[0], verify_meta=False)


def test_arrays_of_unknown_sizes(client):
    table = da.from_array(X, chunks=(150, 2))
    keep = da.from_array(X, chunks=(150, 5))[:, 4] < 0.6
    labels = da.from_array(Y, chunks=150)
    assert np.isnan(table[keep].shape[0])
    is_kept = X[:, 4] < 0.6
    expected = RareTreeClassifier(max_bins=60).fit(X[is_kept], Y[is_kept])
    assert_same_model(model().fit(table[keep], labels[keep]), expected)


def test_labels_with_other_chunks_are_rechunked(client):
    tables = da.from_array(X, chunks=(200, 5)), da.from_array(Y, chunks=99)
    assert_same_model(model().fit(*tables), TREE)


def test_partitions_of_a_file_that_dask_reads_together(client, tmp_path):
    whole = pd.DataFrame(X, columns=list("abcde")).assign(y=Y, w=W)
    whole.to_parquet(tmp_path / "table.parquet", row_group_size=100)
    table = dd.read_parquet(tmp_path / "table.parquet", split_row_groups=1)
    assert len(table["y"].to_delayed()) < table.npartitions == 6
    for features in (list("abcde"), ["b", "a"]):
        expected = RareTreeClassifier(max_bins=60).fit(whole[features], Y, W)
        parts = table[features], table["y"], table["w"]
        assert_same_model(model().fit(*parts), expected)
        assert_same_model(model().fit(table[[*features, "y", "w"]], "y", "w"), expected)


def test_integers_and_booleans_of_an_array_are_numbers(client):
    whole = (X * 9).astype(np.int8)
    for table in (whole, whole > 5):
        expected = RareTreeClassifier(max_bins=60).fit(table, Y)
        tables = da.from_array(table, chunks=(200, 5)), da.from_array(Y, chunks=200)
        assert_same_model(model().fit(*tables), expected)


@pytest.mark.parametrize("form", ["F", "big endian", "long", "masked"])
def test_arrays_of_every_dtype_and_order(client, form):
    table = {
        "F": np.asfortranarray(X),
        "big endian": X.astype(">f4"),
        "long": X.astype(np.longdouble),
        "masked": np.ma.masked_array(X.astype(np.float32), X < 0.1),
    }[form]
    expected = RareTreeClassifier(max_bins=60).fit(table, Y)
    tables = da.from_array(table, chunks=(200, 5)), da.from_array(Y, chunks=200)
    assert_same_model(model().fit(*tables), expected)


def test_an_array_that_differs_from_its_declaration(client):
    def array_of(part):
        return da.from_delayed(delayed(part), (300, 5), float)

    labels = da.from_array(Y, chunks=300)
    good = array_of(X[:300])
    cases = [
        (X[300:, :4], "Partition 1 of X has 4 columns, .*declares 5"),
        (X[300:].astype(str), "Partition 1 has other columns .*'0' is string"),
    ]
    for bad, message in cases:
        with pytest.raises(ValueError, match=message):
            model().fit(da.concatenate([good, array_of(bad)]), labels)
    assert left_behind(client) == {}


def test_categorical_features_of_an_array(client):
    whole = np.column_stack([(X * 9).round(), X[:, :1]])
    parameters = {"max_bins": 60, "categorical_features": [0, 3]}
    expected = RareTreeClassifier(**parameters).fit(whole, Y)
    tables = da.from_array(whole, chunks=(200, 6)), da.from_array(Y, chunks=200)
    assert_same_model(DaskRareTreeClassifier(**parameters).fit(*tables), expected)


def test_columns_without_names(client):
    frame = dd.from_pandas(pd.DataFrame(X), npartitions=3)
    labels = dd.from_pandas(pd.Series(Y), npartitions=3)
    assert_same_model(model().fit(frame, labels), TREE)


def test_features_named_like_labels_and_weights(client):
    frame = pd.DataFrame(X, columns=["y", "sample_weight", "_y", "c", "d"])
    expected = RareTreeClassifier(max_bins=60).fit(frame, Y, W)
    found = model().fit(
        dd.from_pandas(frame, npartitions=3),
        dd.from_pandas(pd.Series(Y), npartitions=3),
        dd.from_pandas(pd.Series(W), npartitions=3),
    )
    assert_same_model(found, expected)


def test_empty_partitions_and_partitions_of_one_class(client):
    table = mixed_table(400).sort_values("y", kind="stable", ignore_index=True)
    nothing = table.iloc[:0]
    objects = nothing.astype(object)
    frame = parts_of(table.iloc[:150], nothing, table.iloc[150:151], table.iloc[151:], objects)
    features = list(table.columns.drop(["y", "weight"]))
    expected = RareTreeClassifier(max_bins=60).fit(table[features], table["y"])
    assert_same_model(model().fit(frame[features], frame["y"]), expected)


def test_categories_that_differ_are_joined(client):
    first = pd.DataFrame({"c": pd.Categorical(["b", "a", "b"] * 20), "y": [0, 1, 0] * 20})
    second = pd.DataFrame({"c": pd.Categorical(["z", "a", "b"] * 20), "y": [1, 1, 0] * 20})
    frame = parts_of(first, second)
    whole = frame.compute()
    expected = RareTreeClassifier(max_bins=60).fit(whole[["c"]], whole["y"])
    found = model().fit(frame, "y")
    assert_same_model(found, expected)
    assert list(found._schema.categories[0].values) == sorted(whole["c"].cat.categories)


def test_a_column_of_objects_without_values_in_a_partition(client):
    whole = pd.DataFrame({"c": pd.Series([None] * 30 + ["u", "v"] * 30, dtype=object)})
    labels = pd.Series([0, 1] * 45)
    frame = parts_of(whole.iloc[:30], whole.iloc[30:])
    expected = RareTreeClassifier(max_bins=60).fit(whole, labels)
    found = model().fit(frame, dd.from_map(lambda part: part, [labels[:30], labels[30:]]))
    assert_same_model(found, expected)


GOOD = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y})
BAD = {
    "type": (GOOD.assign(b="text"), "Partition 1 has other columns.*'b' is .*string.*double"),
    "names": (GOOD.rename(columns={"b": "c"}), r"Partition 1 of X has the columns \['a', 'c'"),
    "mixture": (GOOD.assign(b=["u", 1] * 300), "Partition 1 has a column 'b' that cannot be read"),
    "infinite": (GOOD.assign(b=np.inf), "contains infinity.*'b'"),
    "no label": (GOOD.assign(y=None), "y contains NaN.*row 600"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_partition_that_differs_is_named(client, case):
    bad, message = BAD[case]
    estimator = model()
    with pytest.raises(ValueError, match=message):
        estimator.fit(parts_of(GOOD, bad), "y")
    assert not hasattr(estimator, "tree_")
    assert left_behind(client) == {}


def test_lengths_must_agree(client):
    frame = parts_of(GOOD, GOOD)
    labels = dd.from_map(lambda part: part, [GOOD["y"], GOOD["y"].iloc[:-1]])
    with pytest.raises(ValueError, match=r"Partition 1 of X has 600 rows.* has 599"):
        model().fit(frame[["a", "b"]], labels)
    with pytest.raises(ValueError, match="X has 2 partitions and y has 1"):
        model().fit(frame[["a", "b"]], labels.partitions[:1])
    known = da.from_array(Y[:-1], chunks=200)
    for divided in (known, known.rechunk(50)):
        with pytest.raises(ValueError, match="X has 600 rows and y has 599"):
            model().fit(da.from_array(X, chunks=(200, 5)), divided)


def test_only_collections_and_files(client):
    table, labels = da.from_array(X, chunks=(200, 5)), da.from_array(Y, chunks=200)
    with pytest.raises(TypeError, match=r"ndarray; expected a Dask DataFrame.*from_array"):
        model().fit(X, labels)
    with pytest.raises(TypeError, match="y is of type ndarray; expected a Dask Series"):
        model().fit(table, Y)
    with pytest.raises(TypeError, match="y is of type NoneType; expected a Dask Series"):
        model().fit(table, None)
    with pytest.raises(TypeError, match="sample_weight is of type Array; expected"):
        model().fit(table, labels, table)
    with pytest.raises(TypeError, match=r"array of type object.*DataFrame"):
        model().fit(table.astype(object), labels)
    with pytest.raises(TypeError, match="an iterator, which only this process can read"):
        model().fit(iter([GOOD]), "y")
    with pytest.raises(ValueError, match=r"no column 'z' \(y\)"):
        model().fit(parts_of(GOOD), "z")
    with pytest.raises(ValueError, match="0 sample"):
        model().fit(parts_of(GOOD.iloc[:0]), "y")
    with pytest.raises(ValueError, match="zero for every sample"):
        model().fit(parts_of(GOOD.assign(w=0.0)), "y", "w")
    assert left_behind(client) == {}
