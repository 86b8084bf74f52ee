"""The rows of a table as a recipe makes features of them, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.intake._arrow_files import ParquetSource, arrow
from rarewood.intake._recipe import Step, follow
from rarewood.table._fragments import Fragment
from rarewood.table._table import Table

__all__ = ["recipe_rows"]


@dataclass(frozen=True, eq=False)
class RecipeFragment(Fragment):
    """Some rows of a fragment of a table: their features, and their labels.

    Parameters
    ----------
    source : ParquetSource
        The table.
    fragment : Fragment
        Where its rows are.
    recipe : list of dict
        How columns become features.
    target : str
        Name of the column with the labels.
    classes : ndarray
        The labels.
    codes : ndarray of int32
        Which of them each row of the fragment has.
    kept : ndarray of bool
        Which rows of the fragment these are.
    """

    source: ParquetSource
    fragment: Fragment
    recipe: Sequence[Step]
    target: str
    classes: NDArray[Any]
    codes: NDArray[np.int32]
    kept: NDArray[np.bool_]

    @property
    def sizes(self) -> Sequence[int]:
        return (int(np.count_nonzero(self.kept)),)

    @property
    def name(self) -> str:
        return self.fragment.name

    def part(self, begin: int, end: int) -> RecipeFragment:
        return self

    def batches(
        self, columns: list[str], batch_rows: int, *, use_threads: bool = False
    ) -> Iterator[Any]:
        if columns == [self.target]:
            codes = self.codes[self.kept]
            for start in range(0, len(codes), batch_rows):
                yield _batch({self.target: self._labels(codes[start : start + batch_rows])})
            return
        steps = [step for step in self.recipe if step["name"] in columns]
        first = 0
        names = [step["name"] for step in steps]
        for batch in self.fragment.batches(names, batch_rows, use_threads=use_threads):
            here = slice(first, first + batch.num_rows)
            first += batch.num_rows
            kept = self.kept[here]
            if kept.any():
                yield self._features(batch, steps, columns, kept, self.codes[here])

    def _features(
        self,
        batch: Any,
        steps: list[Step],
        columns: list[str],
        kept: NDArray[np.bool_],
        codes: NDArray[np.int32],
    ) -> Any:
        pa = arrow()
        if not kept.all():
            batch, codes = batch.filter(pa.array(kept)), codes[kept]
        made = pa.RecordBatch.from_pandas(
            follow(steps, self.source.frame(batch)), preserve_index=False
        )
        arrays = dict(zip(made.schema.names, made.columns, strict=True))
        arrays[self.target] = self._labels(codes)
        return _batch({name: arrays[name] for name in columns})

    def _labels(self, codes: NDArray[np.int32]) -> Any:
        pa = arrow()
        return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(self.classes))


def _batch(arrays: dict[str, Any]) -> Any:
    return arrow().RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))


def recipe_rows(
    source: ParquetSource,
    recipe: Sequence[Step],
    example: Any,
    labels: tuple[str, NDArray[Any], NDArray[np.int32]],
    kept: NDArray[np.bool_],
) -> Table:
    """Return some rows of a table, with features and labels, to be read in batches.

    Parameters
    ----------
    source : ParquetSource
        The table.
    recipe : list of dict
        How columns become features.
    example : pandas.DataFrame
        Features of a few rows, for their types.
    labels : tuple of str, ndarray and ndarray
        Name of the column with the labels, the labels, and which of them each row has.
    kept : ndarray of bool
        Which rows these are.

    Returns
    -------
    rows : Table
        What an estimator takes.
    """
    pa = arrow()
    target, classes, codes = labels
    schema = pa.Table.from_pandas(example, preserve_index=False).schema
    label = pa.field(target, pa.dictionary(pa.int32(), pa.array(classes).type))
    fragments: list[Fragment] = []
    first = 0
    for fragment in source.rows.fragments:
        here = slice(first, first + fragment.n_rows)
        first += fragment.n_rows
        fragments.append(
            RecipeFragment(source, fragment, recipe, target, classes, codes[here], kept[here])
        )
    return Table(source.name, schema.remove_metadata().append(label), fragments)
