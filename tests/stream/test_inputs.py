"""What ``fit`` takes as a table to be read in batches, and what it says where that is wrong."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.stream import Stream
from support.streamed import assert_same_model, in_memory, wide_table

TABLE = wide_table(600).drop_columns("weight")
EXPECTED = in_memory(
    RareTreeClassifier(max_bins=50), TABLE.append_column("weight", pa.array([1] * 600))
)


def tree(**params) -> RareTreeClassifier:
    return RareTreeClassifier(max_bins=50).set_params(**params)


def parts(n: int = 90) -> list[pa.Table]:
    return [TABLE.slice(start, n) for start in range(0, TABLE.num_rows, n)]


SOURCES = {
    "table": lambda: TABLE,
    "record batch": lambda: TABLE.combine_chunks().to_batches()[0],
    "list of batches": lambda: TABLE.to_batches(max_chunksize=33),
    "list of tables": parts,
    "pandas": lambda: TABLE.to_pandas(),
    "polars": lambda: pl.from_arrow(TABLE),
    "generator": lambda: (part for part in parts()),
    "generator of pandas": lambda: (part.to_pandas() for part in parts()),
    "generator of polars": lambda: (pl.from_arrow(part) for part in parts()),
    "reader": lambda: TABLE.to_reader(max_chunksize=44),
    "with empty batches": lambda: iter([TABLE.slice(0, 0), *parts(), TABLE.slice(600)]),
    "data set in memory": lambda: ds.dataset(TABLE),
    "texts of two types": lambda: [parts(300)[0], parts(300)[1].cast(_large(TABLE.schema))],
}


def _large(schema: pa.Schema) -> pa.Schema:
    fields = [
        pa.field(f.name, pa.large_string() if f.type == pa.string() else f.type) for f in schema
    ]
    return pa.schema(fields)


@pytest.mark.parametrize("source", SOURCES)
def test_sources(source):
    assert_same_model(tree().fit(SOURCES[source](), "ill"), EXPECTED)


def test_feather_files_and_chosen_rows(tmp_path):
    import pyarrow.feather as feather

    feather.write_feather(TABLE, tmp_path / "table.feather")
    assert_same_model(tree().fit(tmp_path / "table.feather", "ill"), EXPECTED)
    chosen = ds.dataset(tmp_path, format="feather").filter(ds.field("coarse") > 10)
    few = chosen.to_table()
    expected = in_memory(tree(), few.append_column("weight", few["coarse"]))
    assert_same_model(tree().fit(chosen, "ill"), expected)


def test_names_of_folders_are_columns(tmp_path):
    pq.write_to_dataset(TABLE, tmp_path, partition_cols=["coarse"])
    whole = ds.dataset(tmp_path, partitioning="hive").to_table()
    expected = in_memory(tree(), whole.append_column("weight", whole["coarse"]))
    assert_same_model(tree().fit(tmp_path, "ill"), expected)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_names_of_folders_in_their_order(tmp_path, kind):
    keys = ds.partitioning(TABLE.select(["town", "coarse"]).schema, flavor="hive")
    ds.write_dataset(
        TABLE.filter(ds.field("coarse") > 30), tmp_path, format=kind, partitioning=keys
    )
    hive = ds.dataset(tmp_path, format=kind, partitioning="hive")
    for source in (hive, hive.filter(ds.field("coarse") != 35)):
        whole = source.to_table()
        assert whole.column_names[-2:] == ["town", "coarse"]
        expected = in_memory(tree(), whole.append_column("weight", whole["coarse"]))
        model = tree().fit(source, "ill")
        assert_same_model(model, expected)
        assert (model.predict(source) == expected.predict(whole.drop_columns("ill"))).all()


def test_an_integer_column_may_become_a_float_where_values_are_missing():
    frames = [part.to_pandas() for part in parts(200)]
    frames[1].loc[frames[1].index[3], "coarse"] = np.nan
    whole = pd.concat(frames, ignore_index=True)
    expected = tree().fit(whole.drop(columns="ill"), whole["ill"])
    assert_same_model(tree().fit(iter(frames), "ill"), expected)


def test_a_column_without_values_in_some_batches():
    gone = TABLE.slice(0, 90).to_pandas().assign(town=None, fine=None)
    frames = [gone, *(part.to_pandas() for part in parts()[1:])]
    whole = TABLE.to_pandas()
    for name in ("town", "fine"):
        whole[name] = whole[name].where(whole.index >= len(gone))
    expected = tree().fit(whole.drop(columns="ill"), whole["ill"])
    assert_same_model(tree().fit(iter(frames), "ill"), expected)


@pytest.mark.parametrize("splitter", ["best", "random", "oblique"])
def test_the_order_of_categories_does_not_matter(splitter):
    """In no kind of table, in memory or in batches: a model is the same for the same values."""
    names = ["small", "large", "none", "medium"]
    table = TABLE.to_pandas()
    values = np.array(names, dtype=object)[np.arange(600) % 7 % 4]
    values[::50] = None
    plain = {"fine": table["fine"], "size": values, "ill": table["ill"]}

    def model():
        return RareTreeClassifier(splitter=splitter, max_bins=255, random_state=0)

    def assert_same(frame):
        other = model().fit(frame, "ill")
        assert_same_model(other, expected)
        assert other.tree_.schema.categories[1].values.tolist() == sorted(names)

    expected = model().fit(pd.DataFrame(plain), "ill")
    for order in (names, sorted(names), [*reversed(names), "unused"]):
        for ordered in (False, True):
            size = pd.Categorical(values, categories=order, ordered=ordered)
            frame = pd.DataFrame(plain | {"size": size})
            assert_same(frame)
            assert_same(iter([frame[:250], frame[250:]]))
        enum = pl.DataFrame(plain | {"size": pl.Series(values.tolist(), dtype=pl.Enum(order))})
        assert_same(enum)
        assert_same(iter([enum[:250], enum[250:]]))
        places = pa.array([None if one is None else order.index(one) for one in values])
        encoded = pa.DictionaryArray.from_arrays(places.cast(pa.int32()), pa.array(order))
        assert_same(pa.table(plain | {"size": encoded}))
    text = pl.DataFrame(plain | {"size": pl.Series(values.tolist(), dtype=pl.String)})
    assert_same(text)
    assert_same(text.with_columns(pl.col("size").cast(pl.Categorical)))


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (pa.array([0, 3, 300] * 200, pa.int16()), np.int16),
        (pa.array([True, False, True] * 200), bool),
        (pa.array([1.0, 0.0, 0.0] * 200), np.float64),
        (pa.array(["b", "a", "a"] * 200).dictionary_encode(), object),
        (pa.array([5, 7, 5] * 200, pa.uint64()).dictionary_encode(), np.uint64),
    ],
    ids=str,
)
def test_labels_of_any_type(labels, kind):
    table = TABLE.set_column(TABLE.column_names.index("ill"), "ill", labels)
    model = tree().fit(Stream(table, batch_rows=101), "ill")
    assert model.classes_.dtype == kind
    assert model.classes_.tolist() == sorted(set(labels.to_pylist()))
    features = table.drop_columns("ill")
    assert_same_model(model, tree().fit(features, labels.to_numpy(zero_copy_only=False)))


def test_nothing_is_left_of_an_iterator(tmp_path):
    seen = []

    def batches():
        for part in parts():
            seen.append(list(tmp_path.iterdir()))
            yield part

    tree().fit(Stream(batches(), folder=tmp_path), "ill")
    assert seen == [[]] * 7  # the file has no name even while it is written
    assert not list(tmp_path.iterdir())


def test_the_file_of_an_iterator_is_closed():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        tree().fit(iter(parts()), "ill")
        gc.collect()
    assert [str(one.message) for one in told] == []


def test_an_iterator_that_fails(tmp_path):
    def batches():
        yield TABLE
        raise RuntimeError("the line is dead")

    model = tree().fit(TABLE, "ill")
    before = model.tree_
    with pytest.raises(RuntimeError, match="the line is dead"):
        model.fit(Stream(batches(), folder=tmp_path), "ill")
    assert model.tree_ is before
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_fit_that_is_interrupted_leaves_nothing(tmp_path, how):
    code = f"""
import sys, itertools, numpy as np, pyarrow as pa
from rarewood import RareTreeClassifier
from rarewood.stream import Stream
def batches():
    for k in itertools.count():
        yield pa.table({{"x": np.random.rand(20_000), "y": np.arange(20_000) % 2}})
        if k == 3:
            print("ready", flush=True)
RareTreeClassifier(max_bins=9).fit(Stream(batches(), folder={str(tmp_path)!r}), "y")
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    os.kill(process.pid, how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert ("KeyboardInterrupt" in errors) == (how == signal.SIGINT)
    assert not list(tmp_path.iterdir())


def test_progress_of_each_pass(capfd):
    RareForestClassifier(2, max_bins=9, splitter="best", verbose=1).fit(
        Stream(TABLE, batch_rows=100), "ill"
    )
    told = capfd.readouterr().err
    assert "600 of 600 labels read" in told
    assert "600 of 600 rows read for bins" in told
    assert "600 of 600 rows encoded" in told
    assert "2 of 2 trees grown" in told
    assert "written to a file" not in told
    parts = (TABLE[k : k + 100] for k in range(0, 600, 100))
    tree().fit(Stream(parts, verbose=True), "ill")
    kept = [line for line in capfd.readouterr().err.splitlines() if "written to a file" in line]
    assert [int(line.split()[0]) for line in kept] == [100, 200, 400, 600]
    tree().fit(Stream(TABLE, verbose=True), "ill")
    assert "600 of 600 rows encoded" in capfd.readouterr().err
    tree().fit(TABLE, "ill")
    assert capfd.readouterr().err == ""
