"""Division of partitions into shards."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rarewood.dask._division import divide_partitions

WORKERS = ["a", "b", "c"]


@given(
    st.lists(st.tuples(st.integers(0, 50), st.sampled_from(["a", "b", "c", "gone"])), min_size=1),
    st.integers(1, 3),
)
def test_each_partition_is_in_one_shard_and_no_worker_has_too_many_rows(partitions, n_workers):
    sizes, owners = zip(*partitions, strict=True)
    workers = WORKERS[:n_workers]
    shards = divide_partitions(sizes, owners, workers)
    covered = [number for shard in shards for number in range(shard.begin, shard.end)]
    assert covered == list(range(len(sizes)))
    assert [shard.n_rows for shard in shards] == [
        sum(sizes[shard.begin : shard.end]) for shard in shards
    ]
    load = Counter(dict.fromkeys(workers, 0))
    for shard in shards:
        load[shard.worker] += shard.n_rows
    assert set(load) == set(workers)
    equal = sum(sizes) / n_workers
    assert max(load.values()) <= 1.25 * equal + max(shard.n_rows for shard in shards)


def test_rows_stay_on_their_workers_if_the_load_is_balanced():
    shards = divide_partitions([10, 10, 10, 10, 0, 12], ["b", "b", "a", "a", "c", "b"], ["a", "b"])
    assert [(shard.begin, shard.end, shard.worker) for shard in shards] == [
        (0, 2, "b"),
        (2, 5, "a"),
        (5, 6, "b"),
    ]


def test_rows_of_one_worker_are_distributed():
    shards = divide_partitions([10] * 8, ["a"] * 8, ["a", "b"])
    assert Counter(shard.worker for shard in shards) == {"a": 1, "b": 1}
    assert {shard.n_rows for shard in shards} <= {40, 50, 30}


def test_no_partition_is_moved_without_need():
    shards = divide_partitions([10, 10, 10], ["a", "a", "b"], ["a", "b"])
    assert [shard.worker for shard in shards] == ["a", "b", "b"]


def test_neighbours_on_different_workers_are_moved_together():
    shards = divide_partitions([5] * 1000, ["a", "b"] * 500, ["a", "b"])
    assert [(shard.begin, shard.end, shard.worker) for shard in shards] == [
        (0, 500, "a"),
        (500, 1000, "b"),
    ]


def test_one_partition():
    (shard,) = divide_partitions([7], ["gone"], ["a", "b"])
    assert (shard.begin, shard.end, shard.n_rows) == (0, 1, 7)
    assert shard.worker in ("a", "b")
