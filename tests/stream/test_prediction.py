"""Predicting tables that are read in batches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.stream import Stream
from support.streamed import in_memory, wide_table

TABLE = wide_table(1000)
FEATURES = TABLE.drop_columns(["ill", "weight"])
METHODS = ("predict", "predict_proba", "predict_log_proba", "apply")


@pytest.fixture(scope="module", params=["tree", "forest"])
def model(request):
    if request.param == "tree":
        return in_memory(RareTreeClassifier(), TABLE)
    return in_memory(RareForestClassifier(5, random_state=0), TABLE)  # hyperplanes, too


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("parquet")
    pq.write_table(TABLE.slice(0, 640), place / "a.parquet", row_group_size=100)
    pq.write_table(TABLE.slice(640).select(TABLE.column_names[::-1]), place / "b.parquet")
    return place


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "source",
    [
        lambda folder: folder,
        str,
        lambda folder: ds.dataset(folder),
        lambda folder: Stream(folder, batch_rows=77),
        lambda folder: iter(TABLE.to_batches(max_chunksize=99)),
        lambda folder: pa.Table.to_reader(TABLE, 50),
        lambda folder: [TABLE.slice(0, 10).to_pandas(), TABLE.slice(10)],
        lambda folder: (TABLE.slice(k, 100).to_pandas() for k in range(0, 1000, 100)),
    ],
    ids=["path", "text", "dataset", "stream", "batches", "reader", "list", "frames"],
)
def test_the_same_as_in_memory(model, folder, source, method):
    expected = getattr(model, method)(FEATURES)
    found = getattr(model, method)(source(folder))
    np.testing.assert_array_equal(found, expected, strict=True)


def test_a_model_of_an_array(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(200, 3)), np.arange(200) % 2
    model = RareTreeClassifier().fit(X, y)
    pq.write_table(
        pa.table({name: X[:, j] for j, name in enumerate("abc")}), tmp_path / "x.parquet"
    )
    np.testing.assert_array_equal(model.predict(tmp_path / "x.parquet"), model.predict(X))


def test_columns_that_are_not_there(model, tmp_path):
    pq.write_table(TABLE.drop_columns(["town", "fine"]), tmp_path / "x.parquet")
    with pytest.raises(
        ValueError, match="lacks columns that the model was fitted on: 'fine', 'town'"
    ):
        model.predict(tmp_path / "x.parquet")


def test_a_column_of_another_kind(model):
    changed = TABLE.to_pandas().assign(fine="text")
    with pytest.raises(ValueError, match=r"column 'fine' was numeric .* and is categorical now"):
        model.predict(iter([changed]))


def test_no_rows(model, tmp_path):
    pq.write_table(TABLE.slice(0, 0), tmp_path / "x.parquet")
    for source in (tmp_path / "x.parquet", iter([])):
        with pytest.raises(ValueError, match="0 sample"):
            model.predict(source)


def test_what_needs_a_table_in_memory_says_so(model, folder):
    with pytest.raises(TypeError, match="Expected a table in memory"):
        model.decision_path(folder)


def test_an_infinite_value_is_named(model):
    frame = pd.DataFrame(FEATURES.to_pandas()).assign(fine=np.inf)
    with pytest.raises(ValueError, match=r"infinity .* in column 'fine'"):
        model.predict_proba(iter([frame]))
