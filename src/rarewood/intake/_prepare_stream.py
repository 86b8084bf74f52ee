"""Preparation of a table that is read in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.intake._arrow_files import ParquetTable
from rarewood.intake._errors import TableError
from rarewood.intake._findings import ColumnFinding, Findings
from rarewood.intake._labels import encode_labels
from rarewood.intake._prepare import Selection, describe_columns, make_findings
from rarewood.intake._raw_table import RawTable
from rarewood.intake._recipe import Step, apply_recipe, make_step
from rarewood.table._arrow import arrow
from rarewood.table._fragments import Fragment
from rarewood.table._table import Table

_INSPECTED = 100_000  # rows from which the kinds of the columns are inferred
_PLACES = 20  # of the table from which they are taken


@dataclass(frozen=True, eq=False)
class RecipeFragment(Fragment):
    """Features and labels of some rows of a fragment of a table.

    ``y`` has the class number of each row of the fragment, and ``kept`` whether it is included.
    """

    table: ParquetTable
    fragment: Fragment
    recipe: Sequence[Step]
    target: str
    classes: NDArray[Any]
    y: NDArray[np.int32]
    kept: NDArray[np.bool_]

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        if columns == [self.target]:
            y = self.y[self.kept]
            for start in range(0, len(y), batch_rows):
                yield _batch({self.target: self._labels(y[start : start + batch_rows])})
            return
        steps = [step for step in self.recipe if step["name"] in columns]
        names = [step["name"] for step in steps]
        first = 0
        for batch in self.fragment.batches(names, batch_rows, use_threads=use_threads):
            here = slice(first, first + batch.num_rows)
            first += batch.num_rows
            kept = self.kept[here]
            if kept.any():
                rows = batch if kept.all() else batch.filter(arrow().array(kept))
                yield self._features(rows, steps, columns, self.y[here][kept])

    def _features(
        self, batch: Any, steps: list[Step], columns: list[str], y: NDArray[np.int32]
    ) -> Any:
        features = apply_recipe(steps, self.table.frame(batch))
        made = arrow().RecordBatch.from_pandas(features, preserve_index=False)
        arrays = dict(zip(made.schema.names, made.columns, strict=True))
        arrays[self.target] = self._labels(y)
        return _batch({name: arrays[name] for name in columns})

    def _labels(self, y: NDArray[np.int32]) -> Any:
        pa = arrow()
        return pa.DictionaryArray.from_arrays(pa.array(y), pa.array(self.classes))


def _batch(arrays: dict[str, Any]) -> Any:
    return arrow().RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))


@dataclass(frozen=True, eq=False)
class PreparedStream:
    """Result of :func:`prepare_stream`, which describes the attributes."""

    table: ParquetTable
    classes: NDArray[Any]
    y: NDArray[np.int32]
    pos_label: Any
    findings: Findings
    recipe: list[Step]
    example: Any

    def rows(self, chosen: NDArray[np.bool_] | None = None) -> Table:
        """Return the rows with a label, or the chosen ones of them; see :func:`prepare_stream`."""
        kept = self.y >= 0
        if chosen is not None:
            kept &= chosen
        pa, target, table = arrow(), self.findings.target, self.table
        schema = pa.Table.from_pandas(self.example, preserve_index=False).schema.remove_metadata()
        labels = pa.dictionary(pa.int32(), pa.array(self.classes).type)
        fragments = []
        end = 0
        for fragment in table.rows.fragments:
            here = slice(end, end := end + fragment.n_rows)
            own = (target, self.classes, self.y[here], kept[here])
            size = int(np.count_nonzero(kept[here]))
            part = RecipeFragment(fragment.name, (size,), table, fragment, self.recipe, *own)
            fragments.append(part)
        return Table(table.name, schema.append(pa.field(target, labels)), fragments)


def prepare_stream(
    table: RawTable,
    target: str | None = None,
    pos_label: Any = None,
    *,
    columns: Iterable[str] | None = None,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
    one_vs_rest: bool = True,
) -> PreparedStream:
    """Prepare a Parquet table without reading it into memory.

    All labels are read; the kinds of the columns are inferred from up to 100,000 rows.

    Parameters
    ----------
    table : RawTable
        A Parquet file or a folder of them, opened by :func:`open_table`.
    target, pos_label, columns, keep, drop, one_vs_rest
        As for :func:`prepare`.

    Returns
    -------
    prepared : PreparedStream
        Attributes: ``classes``, the sorted labels; ``y``, the class number of each row, -1 for rows
        without a label, which are left out; ``pos_label``, ``findings`` and ``recipe`` as for
        :func:`prepare`; ``example``, the features of the rows that were inspected. The method
        ``rows(chosen)`` returns all rows, or those of a boolean mask, for ``fit`` and ``predict``:
        features, made when they are read, and labels in the column ``findings.target``.
    """
    if not isinstance(table, ParquetTable):
        raise TableError(
            f"{table.name} cannot be read in batches: convert it to Parquet, or use prepare, which "
            "reads it whole."
        )
    selection = Selection.of(table, target, columns, keep, drop)
    target = selection.target
    parts = (table.frame(batch)[target] for batch in table.rows.batches([target]))
    labels = encode_labels(parts, table, target, pos_label, one_vs_rest)
    frame = _some_rows(table, selection.features)
    found, recipe = _with_constants(frame, *describe_columns(frame, selection))
    findings = make_findings(table, selection, labels, found)
    if len(frame) < table.rows.n_rows:
        findings.notes.append(f"column kinds were inferred from {len(frame):,} rows")
    example = apply_recipe(recipe, frame)
    return PreparedStream(
        table, labels.classes, labels.y, labels.pos_label, findings, recipe, example
    )


def _some_rows(table: ParquetTable, columns: list[str]) -> Any:
    """Return rows from several places of a table; all rows of a small one."""
    pa = arrow()
    places = table.rows.split(_PLACES)
    n_each = -(-_INSPECTED // max(1, len(places)))
    found = []
    for place in places:
        batches: Any = place.batches(columns, n_each)
        found.append(pa.Table.from_batches([next(batches)]))
        batches.close()
    return table.frame(pa.concat_tables(found, promote_options="permissive").combine_chunks())


def _with_constants(
    frame: Any, columns: list[ColumnFinding], recipe: list[Step]
) -> tuple[list[ColumnFinding], list[Step]]:
    """Use columns that are constant in the inspected rows, since other rows may differ.

    Missing values are not counted, since only some rows were inspected.
    """
    steps = {step["name"]: step for step in recipe}
    found = []
    for column in columns:
        if column.kind == "constant":
            step = make_step(frame[column.name], "numeric")
            kind = {"number": "numeric", "boolean": "boolean"}.get(step["as"], "categorical")
            column = replace(column, kind=kind, used=True, reason="")
            steps[column.name] = step
        if column.kind == "empty":
            column = replace(column, reason="it has no values in the inspected rows")
        found.append(replace(column, n_missing=0))
    return found, [steps[column.name] for column in found if column.used]
