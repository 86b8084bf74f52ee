"""From what a person typed to features and labels, in one step."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from rarewood.intake._errors import TableError, short_list
from rarewood.intake._labels import choose_target
from rarewood.intake._memory import check_memory
from rarewood.intake._open import open_table
from rarewood.intake._prepare import Prepared, prepare
from rarewood.intake._raw_table import Source
from rarewood.intake._whole_files import FrameSource

__all__ = ["take"]


def take(
    source: str | os.PathLike[str] | Source,
    target: str | None = None,
    rare: Any = None,
    *,
    columns: Iterable[str] | None = None,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
    sample: int | None = None,
    seed: int = 0,
    delimiter: str | None = None,
    memory: int | None = None,
    against_rest: bool = True,
) -> Prepared:
    """Open a table, read what is needed of it, and make features and labels.

    Parameters
    ----------
    source : str, Path or Source
        A file or the name of a data set; see :func:`open_table`.
    target : str, default=None
        The column to predict; by default the one that the source names.
    rare : label, default=None
        The rare class, also as text; by default the one with the fewest rows.
    columns : list of str, default=None
        Features to read; by default all columns.
    keep, drop : list of str
        Columns to use whatever they hold, and not to use.
    sample : int, default=None
        Take so many rows, drawn at random, instead of all.
    seed : int, default=0
        What the draw is derived from.
    delimiter : str, default=None
        The mark between the columns of a text file; by default found out.
    memory : int, default=None
        Bytes that may be used; by default what the system has left.
    against_rest : bool, default=True
        Where there are more than two classes and ``rare`` is given, make them two: it and "rest".

    Returns
    -------
    prepared : Prepared
        Features, labels, the rare class, findings and the recipe.

    Examples
    --------
    >>> from rarewood.intake import take
    >>> taken = take("wine", rare="class_2", drop=["ash"])
    >>> taken.X.shape, taken.rare, taken.findings.classes
    ((178, 12), 'class_2', {'rest': 130, 'class_2': 48})
    """
    table = open_table(source, delimiter=delimiter, memory=memory)
    label = choose_target(table, target)
    kept, dropped = ({table.find(name) for name in names} for names in (keep, drop))
    for name in sorted(kept & dropped):
        raise TableError(f"{name!r} is to be kept and to be dropped: which of them?")
    wanted = [*columns, *kept, label] if columns is not None else table.columns
    wanted = [name for name in wanted if name not in dropped or name == label]
    if sample is None:
        frame = table.read(wanted, memory=memory)
    else:
        if table.n_rows is not None:
            share = min(1.0, 2 * sample / max(1, table.n_rows))
            check_memory(table.name, int(share * table.memory_needed(wanted)), memory)
        frame = table.sample(sample, seed, wanted)
    read = FrameSource(table.name, frame, table.n_bytes)
    read.notes, read.about = list(table.notes), dict(table.about)
    if table.target == label:
        read.target, read.rare = label, table.rare
    if dropped:
        read.notes.append(f"was read without {short_list(sorted(dropped))}, as asked")
    if sample is not None:
        read.notes.append(f"was sampled: {len(frame):,} rows drawn at random")
    return prepare(read, label, rare, keep=kept, against_rest=against_rest)
