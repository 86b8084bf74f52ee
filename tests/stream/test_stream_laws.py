"""Whatever the table and however it is cut into batches, the model is that of the whole table."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.stream import Stream
from support.streamed import assert_same_model

LABELS = st.sampled_from(["a", "b", "c"])
COLUMNS = {
    "float": st.none() | st.floats(-1e6, 1e6, width=32),
    "few": st.sampled_from([None, -1.5, 0.0, 2.25, 1e-30]),
    "whole": st.integers(-200, 200),
    "text": st.none() | st.sampled_from(["", "x", "yy", "é"]),
    "flag": st.none() | st.booleans(),
}
TYPES = {
    "float": pa.float32(), "few": pa.float64(), "whole": pa.int16(), "text": pa.string(),
    "flag": pa.bool_(), "label": pa.string(), "weight": pa.float64(),
}  # fmt: skip


@st.composite
def tables(draw) -> pa.Table:
    n_rows = draw(st.integers(1, 60))
    names = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, unique=True))
    weights = st.sampled_from([0.0, 1.0, 1.0, 0.3, 1e-3, 7.0])

    def column(values):
        return draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    arrays = {name: column(COLUMNS[name]) for name in names}
    arrays |= {"label": column(LABELS), "weight": column(weights)}
    if not any(arrays["weight"]):
        arrays["weight"][0] = 1.0
    return pa.table({name: pa.array(values, TYPES[name]) for name, values in arrays.items()})


@st.composite
def cut(draw, table: pa.Table) -> list[pa.Table]:
    places = draw(st.lists(st.integers(0, table.num_rows), max_size=5))
    ends = [0, *sorted(places), table.num_rows]
    return [table.slice(a, b - a) for a, b in itertools.pairwise(ends)]


@given(st.data(), tables(), st.integers(1, 70), st.sampled_from([2, 5, 255]))
def test_any_table_in_any_batches(data, table, batch_rows, max_bins):
    features = table.drop_columns(["label", "weight"])
    y = table["label"].to_numpy(zero_copy_only=False)
    has_weights = data.draw(st.booleans())
    params = {
        "max_bins": max_bins,
        "class_weight": data.draw(st.sampled_from([None, "balanced"])),
        "categorical_split": data.draw(st.sampled_from(["subset", "multiway", "onehot"])),
        "random_state": 1,
    }
    if data.draw(st.booleans()):
        make = lambda: RareForestClassifier(2, splitter="random", bootstrap=True, **params)  # noqa: E731
    else:
        make = lambda: RareTreeClassifier(**params)  # noqa: E731
    expected = make().fit(features, y, table["weight"].to_numpy() if has_weights else None)
    parts = data.draw(cut(table))
    stream = Stream(
        iter(parts) if data.draw(st.booleans()) else parts,
        columns=features.column_names,
        batch_rows=batch_rows,
        codes=data.draw(st.sampled_from(["memory", "file"])),
    )
    model = make().fit(stream, "label", "weight" if has_weights else None)
    assert_same_model(model, expected)
    np.testing.assert_array_equal(
        model.predict_proba(iter(parts)), expected.predict_proba(features), strict=True
    )
