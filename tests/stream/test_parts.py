"""The steps of a fit, taken apart as a cluster takes them: parts are read anywhere and merged."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rarewood.stream._bin_statistics import collect_bin_statistics
from rarewood.stream._encoding import encode_batches
from rarewood.table._column_roles import assign_roles
from rarewood.table._inputs import open_rows
from rarewood.table._targets import read_targets
from support.streamed import wide_table

TABLE = wide_table(2000, seed=2)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parquet")
    pq.write_table(TABLE.slice(0, 1234), folder / "a.parquet", row_group_size=100)
    pq.write_table(TABLE.slice(0, 0), folder / "b.parquet")
    pq.write_table(TABLE.slice(1234), folder / "c.parquet", row_group_size=41)
    return open_rows(folder)


def again(value):
    return pickle.loads(pickle.dumps(value))


def read(rows, columns, batch_rows=64) -> pa.Table:
    batches = list(rows.batches(columns, batch_rows))
    assert all(0 < batch.num_rows <= batch_rows for batch in batches)
    return pa.Table.from_batches(batches)


@pytest.mark.parametrize("n_parts", [1, 2, 3, 7, 1000])
def test_rows_are_split_into_runs(rows, n_parts):
    runs = [again(run) for run in rows.split(n_parts)]
    assert len(runs) == min(n_parts, 13 + 19)
    columns = ["town", "fine", "ill"]
    assert pa.concat_tables(read(run, columns) for run in runs).equals(TABLE.select(columns))
    assert sum(run.n_rows for run in runs) == rows.n_rows == 2000
    if n_parts <= 7:
        assert max(run.n_rows for run in runs) <= 2000 / n_parts + 100


def test_rows_in_memory_are_split_too():
    runs = open_rows(TABLE.to_batches(max_chunksize=300)).split(3)
    assert [run.n_rows for run in runs] == [600, 600, 800]
    assert pa.concat_tables(read(again(run), ["fine"]) for run in runs).equals(
        TABLE.select(["fine"])
    )


@pytest.mark.parametrize("n_parts", [1, 2, 5])
@pytest.mark.parametrize("class_weight", [None, "balanced", {"yes": 0, "no": 1, "maybe": 2}])
def test_a_table_in_parts_is_coded_as_a_whole(rows, n_parts, class_weight):
    roles = assign_roles(rows.schema, "ill", "weight")
    whole = coded_in_parts([rows], roles, class_weight)
    parts = coded_in_parts([again(run) for run in rows.split(n_parts)], again(roles), class_weight)
    for one, other in zip(whole, parts, strict=True):
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other, strict=True)
        else:
            assert one == other


def coded_in_parts(runs, roles, class_weight):
    """Code every part by itself, with what is known of all."""
    raw = [again(read_targets(run, roles, batch_rows=37)) for run in runs]
    summary = raw[-1].summary()
    for one in raw[:-1]:
        summary = again(summary.merge(one.summary()))
    by_class = summary.class_weights(class_weight)
    targets = [again(one.targets_of_part(summary.classes, by_class)) for one in raw]
    firsts = np.cumsum([0, *(len(one.y) for one in targets)])
    statistics = [
        again(
            collect_bin_statistics(
                run, roles, one.kept, int(first), int(firsts[-1]), 77, batch_rows=29
            )
        )
        for run, one, first in zip(runs, targets, firsts[:-1], strict=True)
    ]
    merged = statistics[-1]
    for one in statistics[:-1]:
        merged.merge(one)
    encoding = again(merged.finish())
    coded = [
        encode_batches(run, encoding, one.kept) for run, one in zip(runs, targets, strict=True)
    ]
    return [
        np.concatenate([one.codes for one in coded], axis=1),
        *(np.concatenate([one.wide[j] for one in coded]) for j in encoding.wide),
        np.concatenate([one.y for one in targets]),
        np.concatenate([one.weights for one in targets]),
        np.concatenate(encoding.bins.edges),
        encoding.bins.n_categories,
        encoding.bins.has_missing,
        summary.classes.tolist(),
        summary.counts,
        [one.values.tolist() for one in encoding.schema.categories.values()],
        all(one.is_plain for one in targets),
    ]


def test_the_kinds_of_columns(rows):
    roles = assign_roles(rows.schema, "ill", "weight")
    categorical = [roles.features[j] for j in roles.categorical]
    assert categorical == ["town", "code", "flag", "street"]
    assert not roles.is_float32  # some are double
    chosen = assign_roles(rows.schema, "ill", columns=["half", "small", "flag", "town"])
    assert chosen.features == ["half", "small", "flag", "town"]
    assert chosen.is_float32
    by_hand = assign_roles(rows.schema, "ill", "weight", ["street", "town", "code", "coarse"])
    assert [by_hand.features[j] for j in by_hand.categorical] == [
        "coarse",
        "town",
        "code",
        "street",
    ]


def test_a_part_without_rows():
    empty = open_rows(TABLE.slice(0, 0))
    roles = assign_roles(empty.schema, "ill", "weight")
    raw = read_targets(empty, roles)
    whole = read_targets(open_rows(TABLE), roles)
    merged = raw.summary().merge(whole.summary())
    assert merged.classes.tolist() == ["maybe", "no", "yes"]
    targets = raw.targets_of_part(merged.classes, merged.class_weights("balanced"))
    assert len(targets.y) == 0
    assert targets.is_plain
