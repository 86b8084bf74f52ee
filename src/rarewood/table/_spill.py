"""What an iterator yields, kept in a temporary file: a model needs every row twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from rarewood.table._arrow import arrow
from rarewood.table._arrow_schema import unify_schemas
from rarewood.table._fragments import SpilledFragment, SpillFile, sliced
from rarewood.table._table import BATCH_ROWS

__all__ = ["spill"]


def spill(
    tables: Iterator[Any],
    folder: str | os.PathLike[str] | None,
    on_rows: Callable[[int], object] | None = None,
) -> tuple[Any, SpilledFragment]:
    """Write tables to a temporary file.

    Nothing can be left behind: the file loses its name as soon as it is there, and the system
    removes it when it is closed, or when the process ends in whichever way.

    Parameters
    ----------
    tables : iterator of pyarrow.Table
        All with the same columns.
    folder : path or None
        Where to write; None for the system's place.
    on_rows : callable, default=None
        Called with the number of rows that were written so far.

    Returns
    -------
    schema : pyarrow.Schema
        Names and types of the columns.
    fragment : SpilledFragment
        The rows.
    """
    pa, ipc = arrow(), arrow("ipc")
    how = ipc.IpcWriteOptions(compression="lz4" if pa.Codec.is_available("lz4") else None)
    held = SpillFile(folder)
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
    return schema, SpilledFragment(held, tuple(offsets), tuple(sizes))
