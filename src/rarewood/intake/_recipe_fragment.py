"""Rows of a Parquet table as a recipe makes features of them, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.intake._arrow_files import ParquetTable
from rarewood.intake._recipe import Step, apply_recipe
from rarewood.table._arrow import arrow
from rarewood.table._fragments import Fragment

__all__ = ["RecipeFragment"]


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
