"""From a table on disk or in memory to features and labels, read whole or in batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from rarewood.intake._prepare import PreparedTable
    from rarewood.intake._prepare_stream import PreparedStream
    from rarewood.intake._raw_table import RawTable

_FRACTION = 0.5  # of the free memory that a table may need to be read whole


class Reading(TypedDict, total=False):
    """Options for reading a table; see :func:`rarewood.intake.prepare`."""

    columns: Sequence[str] | None
    keep: Sequence[str]
    drop: Sequence[str]
    sample: int | None
    delimiter: str | None
    memory: int | str | None


def read_table(
    data: Any,
    target: str | None,
    pos_label: Any,
    random_state: int,
    stream: bool | None,
    reading: Reading,
) -> tuple[PreparedTable | PreparedStream, str | None]:
    """Read a table whole, or inspect one that will be read in batches; also return why."""
    from rarewood.intake import open_table, prepare, prepare_stream
    from rarewood.intake._raw_table import parse_size

    memory = parse_size(reading.get("memory"))
    source = open_table(data, delimiter=reading.get("delimiter"), memory=memory)
    columns, drop = reading.get("columns"), reading.get("drop", ())
    reason = None
    if reading.get("sample") is None:
        used = [name for name in columns or source.columns if name not in drop]
        reason = stream_reason(source, stream, used, memory)
    elif stream:
        raise ValueError("`sample` and `stream` exclude each other: use one of them.")
    if reason is None:
        return prepare(source, target, pos_label, seed=random_state, **reading), None
    keep = reading.get("keep", ())
    return prepare_stream(source, target, pos_label, columns=columns, keep=keep, drop=drop), reason


def stream_reason(
    source: RawTable, wanted: bool | None, columns: list[str] | None, memory: int | None
) -> str | None:
    """Return why a table is read in batches; None if it is read whole.

    By default it is if it would need more than ``memory`` bytes, or half of the free memory.
    """
    from rarewood.table._memory import available_memory, spell_bytes

    if wanted and not source.can_stream:
        raise ValueError(
            f"`stream` needs a Parquet file or a folder of them, and {source.name} is not. Convert "
            "it to Parquet, or use a part of the rows with `sample`."
        )
    if wanted is False or not source.can_stream:
        return None
    if wanted:
        return "as requested"
    free = available_memory()
    most = memory if memory is not None else None if free is None else int(_FRACTION * free)
    needed = source.memory_needed(columns)
    if most is None or needed <= most:
        return None
    return f"it would take about {spell_bytes(needed)} of memory"
