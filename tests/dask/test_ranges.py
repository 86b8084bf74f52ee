"""Ranges of trees that are tasks: every tree once, small ranges at the end."""

from __future__ import annotations

import pytest

from rarewood.dask._trees import falling_ranges


@pytest.mark.parametrize("n_slots", [1, 2, 7])
@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n_trees", [1, 5, 20, 100, 1001])
def test_every_tree_is_in_one_range(n_trees, n_threads, n_slots):
    ranges = falling_ranges(list(range(n_trees)), n_slots, n_threads)
    assert [number for one in ranges for number in one] == list(range(n_trees))
    sizes = [len(one) for one in ranges]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= n_threads
    assert sizes[0] <= max(n_threads, n_trees / (4 * n_slots))


def test_trees_that_are_there_are_left_out():
    missing = [0, 1, 2, 5, 6, 7, 8, 9, 40, 60, 61, *range(100, 140)]
    ranges = falling_ranges(missing, 2, 1)
    assert [number for one in ranges for number in one] == missing


def test_there_is_nothing_to_grow():
    assert falling_ranges([], 2, 1) == []
