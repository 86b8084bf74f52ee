"""How partitions that lie on workers are divided into runs."""

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
def test_each_partition_is_in_one_run_and_nobody_has_too_much(partitions, n_workers):
    sizes, owners = zip(*partitions, strict=True)
    workers = WORKERS[:n_workers]
    runs = divide_partitions(sizes, owners, workers)
    covered = [number for run in runs for number in range(run.begin, run.end)]
    assert covered == list(range(len(sizes)))
    assert [run.n_rows for run in runs] == [sum(sizes[run.begin : run.end]) for run in runs]
    load = Counter(dict.fromkeys(workers, 0))
    for run in runs:
        load[run.home] += run.n_rows
    assert set(load) == set(workers)
    share = sum(sizes) / n_workers
    assert max(load.values()) <= 1.25 * share + max(run.n_rows for run in runs)


def test_rows_stay_where_they_are_if_that_is_fair():
    runs = divide_partitions([10, 10, 10, 10, 0, 12], ["b", "b", "a", "a", "c", "b"], ["a", "b"])
    assert [(run.begin, run.end, run.home) for run in runs] == [
        (0, 2, "b"),
        (2, 5, "a"),
        (5, 6, "b"),
    ]


def test_rows_of_one_worker_are_spread():
    runs = divide_partitions([10] * 8, ["a"] * 8, ["a", "b"])
    assert Counter(run.home for run in runs) == {"a": 1, "b": 1}
    assert {run.n_rows for run in runs} <= {40, 50, 30}


def test_nothing_is_moved_in_vain():
    runs = divide_partitions([10, 10, 10], ["a", "a", "b"], ["a", "b"])
    assert [run.home for run in runs] == ["a", "b", "b"]


def test_neighbours_that_lie_apart_are_moved_together():
    runs = divide_partitions([5] * 1000, ["a", "b"] * 500, ["a", "b"])
    assert [(run.begin, run.end, run.home) for run in runs] == [(0, 500, "a"), (500, 1000, "b")]


def test_one_partition():
    (run,) = divide_partitions([7], ["gone"], ["a", "b"])
    assert (run.begin, run.end, run.n_rows) == (0, 1, 7)
    assert run.home in ("a", "b")
