"""Partitions that lie on workers become runs: where they are, if that is fair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

__all__ = ["Run", "divide_partitions"]

_SLACK = 1.25  # of a worker's share of the rows that it may hold
_MOST_RUNS = 32  # of a worker on average: each run answers apart


@dataclass(frozen=True)
class Run:
    """Consecutive partitions.

    Parameters
    ----------
    begin, end : int
        The first partition, and the one after the last.
    n_rows : int
        Their rows.
    home : str
        The address of the worker that is to hold them.
    """

    begin: int
    end: int
    n_rows: int
    home: str


def divide_partitions(
    sizes: Sequence[int], owners: Sequence[str], workers: Sequence[str]
) -> list[Run]:
    """Divide partitions into runs, of which each worker gets about the same number of rows.

    Rows stay where they are as long as nobody has many more than others. Where neighbours lie on
    different workers throughout, there would be too many runs, and they are moved together.

    Parameters
    ----------
    sizes : list of int
        Rows of each partition.
    owners : list of str
        The worker that has it.
    workers : list of str
        Who may hold runs.

    Returns
    -------
    runs : list of Run
        In order; each partition is in one of them.
    """
    most = ceil(_SLACK * sum(sizes) / len(workers))
    runs = _neighbours(sizes, owners, most)
    if len(runs) > _MOST_RUNS * len(workers):
        runs = _neighbours(sizes, _even_owners(sizes, workers), most)
    load = dict.fromkeys(workers, 0)
    homes = {}
    for place in sorted(range(len(runs)), key=lambda place: -runs[place].n_rows):
        run = runs[place]
        home = min(workers, key=lambda worker: (load[worker], worker != run.home))
        if load.get(run.home, most) + run.n_rows <= most:
            home = run.home
        load[home] += run.n_rows
        homes[place] = home
    return [replace(run, home=homes[place]) for place, run in enumerate(runs)]


def _neighbours(sizes: Sequence[int], owners: Sequence[str], most: int) -> list[Run]:
    """Join neighbours of one owner, up to a number of rows; who has no rows joins anybody."""
    runs: list[Run] = []
    for number, (size, owner) in enumerate(zip(sizes, owners, strict=True)):
        last = runs[-1] if runs else None
        is_same = last is not None and owner == last.home and last.n_rows + size <= most
        if last is not None and (size == 0 or is_same):
            runs[-1] = replace(last, end=number + 1, n_rows=last.n_rows + size)
        else:
            runs.append(Run(number, number + 1, size, owner))
    return runs


def _even_owners(sizes: Sequence[int], workers: Sequence[str]) -> list[str]:
    """Give each worker consecutive partitions with about the same number of rows."""
    total, before = max(1, sum(sizes)), 0
    owners = []
    for size in sizes:  # a partition goes to the worker that has its middle row
        place = (2 * before + size) * len(workers) // (2 * total)
        owners.append(workers[min(place, len(workers) - 1)])
        before += size
    return owners
