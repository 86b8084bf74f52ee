"""Division of partitions into shards: rows stay on their workers if the load is balanced."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from rarewood.table._fragments import runs_of

_SLACK = 1.25  # rows that a worker may hold, relative to an equal division
_MAX_SHARDS = 32  # per worker on average: every shard is counted separately


class ShardRange(NamedTuple):
    """The partitions of a shard, ``begin`` to ``end - 1``, and the address of its worker."""

    begin: int
    end: int
    n_rows: int
    worker: str


def divide_partitions(
    sizes: Sequence[int], owners: Sequence[str], workers: Sequence[str]
) -> list[ShardRange]:
    """Divide partitions into shards so that all workers hold about the same number of rows.

    Rows stay on their worker unless it holds many more than others. If neighbouring partitions
    are on different workers throughout, they are moved to keep the number of shards small.
    ``sizes`` are the rows of the partitions, ``owners`` the addresses of their workers.
    """
    max_rows = ceil(_SLACK * sum(sizes) / len(workers))
    shards = _join_neighbours(sizes, owners, max_rows)
    if len(shards) > _MAX_SHARDS * len(workers):
        owners = [workers[run] for run in runs_of(sizes, len(workers), 0, sum(sizes))]
        shards = _join_neighbours(sizes, owners, max_rows)
    load = dict.fromkeys(workers, 0)
    chosen = {}
    for place in sorted(range(len(shards)), key=lambda place: -shards[place].n_rows):
        shard = shards[place]
        worker = min(workers, key=lambda worker: (load[worker], worker != shard.worker))
        if shard.worker in load and load[shard.worker] + shard.n_rows <= max_rows:
            worker = shard.worker
        load[worker] += shard.n_rows
        chosen[place] = worker
    return [shard._replace(worker=chosen[place]) for place, shard in enumerate(shards)]


def _join_neighbours(
    sizes: Sequence[int], owners: Sequence[str], max_rows: int
) -> list[ShardRange]:
    """Join neighbours of one owner, up to a number of rows; empty partitions join any shard."""
    shards: list[ShardRange] = []
    for number, (size, owner) in enumerate(zip(sizes, owners, strict=True)):
        last = shards[-1] if shards else None
        is_same = last is not None and owner == last.worker and last.n_rows + size <= max_rows
        if last is not None and (size == 0 or is_same):
            shards[-1] = last._replace(end=number + 1, n_rows=last.n_rows + size)
        else:
            shards.append(ShardRange(number, number + 1, size, owner))
    return shards
