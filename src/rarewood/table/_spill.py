"""Batches of an iterator, kept in a temporary file, since a fit reads every row twice."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rarewood.table._arrow import arrow
from rarewood.table._arrow_schema import unify_schemas
from rarewood.table._fragments import Fragment, sliced
from rarewood.table._table import BATCH_ROWS


class _SpillFile:
    """A temporary file without a name, removed when it is closed: with its last reference."""

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self.file = tempfile.TemporaryFile(prefix="rarewood-", dir=folder)  # noqa: SIM115
        weakref.finalize(self, self.file.close)


@dataclass(frozen=True, eq=False)
class _SpilledFragment(Fragment):
    """Record batches in a temporary file, each an Arrow stream of its own."""

    held: _SpillFile
    offsets: tuple[int, ...]  # where the streams begin

    def part(self, begin: int, end: int) -> _SpilledFragment:
        return replace(self, offsets=self.offsets[begin:end], sizes=self.sizes[begin:end])

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        ipc, file = arrow("ipc"), self.held.file
        for offset in self.offsets:
            file.seek(offset)
            with ipc.open_stream(file) as reader:
                names = reader.schema.names
            file.seek(offset)
            wanted = ipc.IpcReadOptions(
                included_fields=[names.index(name) for name in columns], use_threads=use_threads
            )
            with ipc.open_stream(file, options=wanted) as reader:
                batch = reader.read_next_batch()
            yield from sliced(batch.select(columns), batch_rows)


def spill(
    tables: Iterator[Any],
    folder: str | os.PathLike[str] | None,
    on_rows: Callable[[int], object] | None = None,
) -> tuple[Any, Fragment]:
    """Write tables to a temporary file; return their Arrow schema, and a fragment to read them.

    ``folder`` is that of the system if None; ``on_rows`` is called with the rows written so far.
    """
    pa, ipc = arrow(), arrow("ipc")
    how = ipc.IpcWriteOptions(compression="lz4" if pa.Codec.is_available("lz4") else None)
    held = _SpillFile(folder)
    file, schema, offsets, sizes = held.file, None, [], []
    n_rows = 0
    try:
        for place, table in enumerate(tables):
            name = f"batch {place} of the iterator"
            schema = unify_schemas(schema or table.schema, table.schema, "the first batch", name)
            for batch in table.to_batches(max_chunksize=BATCH_ROWS):
                for part in sliced(batch, BATCH_ROWS):
                    offsets.append(file.tell())
                    sizes.append(part.num_rows)
                    with ipc.new_stream(file, part.schema, options=how) as writer:
                        writer.write_batch(part)
            n_rows += table.num_rows
            if on_rows is not None:
                on_rows(n_rows)
        if schema is None:
            raise ValueError("Expected at least one batch of a table; the iterator has none.")
        file.flush()
    except BaseException:
        file.close()
        raise
    return schema, _SpilledFragment("the iterator", tuple(sizes), held, tuple(offsets))
