"""Growing tells how far it is, and ends when the listener raises."""

from __future__ import annotations

import time

import pytest

from oracle.cases import Case
from oracle.row_sampling import Draw
from support.grown import assert_same_tree, grow_forest
from support.medium import medium_problem

HELLINGER = Case("hellinger")
ENDLESS = 10**6


class Enough(Exception):
    pass


@pytest.mark.parametrize("n_threads", [1, 2])
def test_numbers_rise_to_the_number_of_trees(n_threads):
    problem, told = medium_problem("continuous", 2000, 2), []
    grow_forest(
        problem, HELLINGER, 60, Draw(replace=True), n_threads=n_threads, progress=told.append
    )
    assert told == sorted(told)
    assert told[-1] == 60
    assert told[0] >= 0


@pytest.mark.parametrize("error", [Enough, KeyboardInterrupt, SystemExit, MemoryError])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_an_error_ends_growing(n_threads, error):
    """At once: these many trees would take hours."""
    problem, told = medium_problem("continuous", 400, 2), []

    def stop(n_done):
        told.append(n_done)
        raise error("enough")

    start = time.monotonic()
    with pytest.raises(error, match="enough"):
        grow_forest(problem, HELLINGER, ENDLESS, n_threads=n_threads, progress=stop, n_cuts=1)
    assert len(told) == 1
    assert told[0] < ENDLESS
    assert time.monotonic() - start < 30


def test_an_error_ends_a_single_large_tree():
    problem = medium_problem("continuous", 150_000, 3)

    def stop(n_done):
        raise Enough(n_done)

    with pytest.raises(Enough) as raised:
        grow_forest(problem, HELLINGER, 1, n_cuts=1, max_features=1, progress=stop)
    assert raised.value.args in [(0,), (1,)]  # a quick machine may have been done


def test_an_error_at_the_very_end():
    problem = medium_problem("continuous", 50, 2)

    def stop(n_done):
        if n_done == 2:
            raise Enough

    with pytest.raises(Enough):
        grow_forest(problem, HELLINGER, 2, progress=stop)


def test_growing_works_after_an_error():
    problem = medium_problem("missing", 400, 2)
    want = grow_forest(problem, HELLINGER, 3, Draw(replace=True))

    def stop(n_done):
        raise Enough

    for _ in range(3):
        with pytest.raises(Enough):
            grow_forest(problem, HELLINGER, ENDLESS, Draw(replace=True), progress=stop, n_threads=2)
        trees = grow_forest(problem, HELLINGER, 3, Draw(replace=True), n_threads=2)
        for a, b in zip(want, trees, strict=True):
            assert_same_tree(a, b)


def test_what_growing_tells_is_not_its_result():
    problem = medium_problem("continuous", 300, 2)
    (silent,) = grow_forest(problem, HELLINGER, 1, n_cuts=2)
    (loud,) = grow_forest(problem, HELLINGER, 1, n_cuts=2, progress=lambda n_done: False)
    assert_same_tree(silent, loud)
