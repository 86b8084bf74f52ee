"""A large table made ready for models without reading all of it at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.datasets._files import pandas
from rarewood.intake._arrow_files import ParquetSource, arrow
from rarewood.intake._errors import TableError, short_list
from rarewood.intake._findings import ColumnFinding, Findings
from rarewood.intake._labels import MOST_CLASSES, choose_target, labels_of, rare_among
from rarewood.intake._prepare import chosen_names, few_rare, find_columns, two_classes
from rarewood.intake._recipe import Step, follow, make_step
from rarewood.intake._recipe_rows import recipe_rows
from rarewood.table._table import Table

__all__ = ["PreparedStream", "take_stream"]

_EXAMPLES = 100_000  # rows that tell what the columns hold
_PLACES = 20  # of the table from which they are taken


@dataclass(frozen=True, eq=False)
class PreparedStream:
    """A table as models take it, batch by batch.

    Attributes
    ----------
    source : ParquetSource
        The table.
    classes : ndarray
        The labels, sorted.
    codes : ndarray of int32
        Which of them each row has; -1 for rows without one, which are left out.
    rare : label
        The rare class.
    findings : Findings
        What was found in the table.
    recipe : list of dict
        How the features are made; see :func:`follow`.
    example : pandas.DataFrame
        The features of some rows.
    """

    source: ParquetSource
    classes: NDArray[Any]
    codes: NDArray[np.int32]
    rare: Any
    findings: Findings
    recipe: list[Step]
    example: Any

    @property
    def target(self) -> str:
        """The column with the labels."""
        return self.findings.target

    def rows(self, chosen: NDArray[np.bool_] | None = None) -> Table:
        """Return the rows that have a label, or those of them that are chosen.

        Parameters
        ----------
        chosen : ndarray of bool, default=None
            One for each row of the table.

        Returns
        -------
        rows : Table
            With features and labels, for ``fit`` and ``predict``.
        """
        kept = self.codes >= 0
        if chosen is not None:
            kept &= chosen
        labels = (self.target, self.classes, self.codes)
        return recipe_rows(self.source, self.recipe, self.example, labels, kept)


def take_stream(
    source: ParquetSource,
    target: str | None = None,
    rare: Any = None,
    *,
    columns: Iterable[str] | None = None,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
    against_rest: bool = True,
) -> PreparedStream:
    """Look at a large table: all its labels, and some of its rows.

    Parameters
    ----------
    source : ParquetSource
        A Parquet file, or a folder of them.
    target, rare, columns, keep, drop, against_rest
        As for :func:`take`.

    Returns
    -------
    prepared : PreparedStream
        Features and labels are made when they are read.
    """
    label = choose_target(source, target)
    dropped = {source.find(name) for name in drop}
    kept = chosen_names(source, keep, label)
    wanted = source.columns if columns is None else [source.find(name) for name in columns]
    wanted = [n for n in source.columns if n in wanted and n not in dropped and n != label]
    notes: list[str] = []
    classes, codes, chosen = _labels(source, label, rare, against_rest, notes)
    frame = _some_rows(source, wanted)
    found, recipe = find_columns(frame, label, kept, set())
    found, recipe = _with_constants(frame, found, recipe)
    if not recipe:
        reasons = "; ".join(f"{one.name}: {one.reason}" for one in found[:5])
        raise TableError(f"{source.name} has no column to learn from ({reasons}).")
    if dropped:
        notes.append(f"{source.name} was read without {short_list(sorted(dropped))}, as asked")
    if len(frame) < source.rows.n_rows:
        notes.append(f"what the columns hold was told from {len(frame):,} rows of the table")
    sizes = np.bincount(codes[codes >= 0], minlength=len(classes))
    order = np.argsort(-sizes, kind="stable")
    counts = {str(classes[k]): int(sizes[k]) for k in order}
    findings = Findings(
        name=source.name,
        n_rows=int(sizes.sum()),
        target=label,
        classes=counts,
        rare=str(chosen),
        columns=found,
        n_unlabelled=int(np.count_nonzero(codes < 0)),
        notes=[*notes, *few_rare(counts, chosen)],
        about=dict(source.about),
    )
    return PreparedStream(source, classes, codes, chosen, findings, recipe, follow(recipe, frame))


def _labels(
    source: ParquetSource, target: str, rare: Any, against_rest: bool, notes: list[str]
) -> tuple[NDArray[Any], NDArray[np.int32], Any]:
    """Return the classes, the class of each row, -1 for none, and the rare class."""
    pd = pandas()
    values, places = _distinct(source, target)
    labels, has_label = labels_of(pd.Series(values, name=target), source.name)
    of_value = np.full(len(values) + 1, -1, dtype=np.int32)  # the last is for missing values
    names, numbers = np.unique(labels, return_inverse=True)
    of_value[:-1][has_label] = numbers
    codes = of_value[places]
    sizes = np.bincount(codes[codes >= 0], minlength=len(names)).tolist()
    chosen = rare_among(dict(zip(names.tolist(), sizes, strict=True)), rare, target)
    joined, chosen = two_classes(names, chosen, against_rest and rare is not None, notes)
    classes, numbers = np.unique(joined, return_inverse=True)
    return classes, np.where(codes < 0, -1, numbers[codes]).astype(np.int32), chosen


def _distinct(source: ParquetSource, target: str) -> tuple[list[Any], NDArray[np.int32]]:
    """Return the different values of a column, and which of them each row has; -1 for none."""
    numbers: dict[Any, int] = {}
    places = []
    for batch in source.rows.batches([target]):
        column = source.frame(batch)[target]
        codes, found = pandas().factorize(column)
        if len(numbers) <= 10 * MOST_CLASSES:  # more are refused anyway
            for value in found.tolist():
                numbers.setdefault(value, len(numbers))
        of_batch = [numbers.get(value, -1) for value in found.tolist()]
        places.append(np.array([*of_batch, -1], dtype=np.int32)[codes])
    if not places:
        raise TableError(f"{source.name} has a header but no rows: there is nothing to learn.")
    return list(numbers), np.concatenate(places)


def _some_rows(source: ParquetSource, columns: list[str]) -> Any:
    """Return rows from several places of a table: all of a small one."""
    pa = arrow()
    rows = source.rows
    places = rows.split(_PLACES)
    n_each = -(-_EXAMPLES // max(1, len(places)))
    found = [
        pa.Table.from_batches([batch])
        for place in places
        for batch in _first(place.batches(columns, n_each))
    ]
    return source.frame(pa.concat_tables(found, promote_options="permissive").combine_chunks())


def _first(batches: Any) -> list[Any]:
    found = [next(batches)]
    batches.close()
    return found


def _with_constants(
    frame: Any, columns: list[ColumnFinding], recipe: list[Step]
) -> tuple[list[ColumnFinding], list[Step]]:
    """Use columns that are constant in the rows that were looked at: others may differ.

    Missing values are not counted in these rows alone.
    """
    steps = {step["name"]: step for step in recipe}
    found = []
    for column in columns:
        if column.kind == "constant":
            step = make_step(frame[column.name], "numeric")
            kind = {"number": "numeric", "flag": "flag"}.get(step["as"], "nominal")
            column = replace(column, kind=kind, used=True, reason="")
            steps[column.name] = step
        if column.kind == "empty":
            column = replace(column, reason="it has no values in the rows that were looked at")
        found.append(replace(column, n_missing=0))
    return found, [steps[column.name] for column in found if column.used]
