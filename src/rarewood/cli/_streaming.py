"""Whether ``rarewood fit`` reads a table in batches, and what that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rarewood.cli._errors import CommandError

if TYPE_CHECKING:
    from rarewood.intake import RawTable

__all__ = ["check_sampling", "set_for_stream", "why_stream"]

_SHARE = 0.5  # of the free memory that a table may need to be read whole
_MAX_BINS = 255


def why_stream(
    source: RawTable, wanted: bool | None, columns: list[str] | None, memory: int | None
) -> str | None:
    """Return why a table is read in batches, for people; None if it is read whole.

    Parameters
    ----------
    source : RawTable
        The table.
    wanted : bool or None
        What ``--stream`` or ``--no-stream`` say.
    columns : list of str or None
        The columns that are used.
    memory : int or None
        Bytes that may be used; by default half of what is free.

    Returns
    -------
    reason : str or None
        Part of a sentence.
    """
    from rarewood.table._memory import available_memory, spell_bytes

    can = source.can_stream
    if wanted and not can:
        raise CommandError(
            f"--stream reads Parquet files, and folders of them; {source.name} is none. Convert it "
            "to Parquet, or take a part of the rows with --sample."
        )
    if wanted is False or not can:
        return None
    if wanted:
        return "as asked"
    free = available_memory()
    most = memory if memory is not None else None if free is None else int(_SHARE * free)
    needed = source.memory_needed(columns)
    if most is None or needed <= most:
        return None
    return f"whole it would take about {spell_bytes(needed)} of memory"


def check_sampling(sampling: str, is_streamed: bool) -> None:
    """Raise where rows would be made or left out, which needs all of them in memory."""
    if is_streamed and sampling != "none":
        raise CommandError(
            f"--sampling {sampling} needs the whole table in memory. Take --sampling none, a part "
            "of the rows with --sample, or --no-stream."
        )


def set_for_stream(classifier: Any) -> list[str]:
    """Set the parameters that fitting in batches needs, and return what was set, in words."""
    from rarewood.model._parameters import hyperplane_dim

    changed = []
    if classifier.max_bins is None:
        classifier.set_params(max_bins=_MAX_BINS)
        changed.append(f"max_bins={_MAX_BINS}")
    if hyperplane_dim(classifier) > 1:
        classifier.set_params(hyperplane_dim=1)
        changed.append("hyperplane_dim=1")
    return changed
