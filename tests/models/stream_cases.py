"""Tables that are read in batches give the model of the same table in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from models import tables
from models.digest import Case, fitting, model_arrays
from models.shorthand import TABLES, forest, tree

MODELS: dict[str, Callable[[], Any]] = {
    "tree": partial(tree, max_bins=255),
    "tree-few": partial(tree, max_bins=9, criterion="entropy", max_leaf_nodes=12),
    "tree-cuts": partial(
        tree, max_bins=63, splitter="random", n_cuts=3, categorical_split="multiway"
    ),
    "forest": partial(forest, max_bins=63, splitter="random"),
    "forest-drawn": partial(forest, max_bins=63, splitter="best", bootstrap=True, balance=True),
}


def stream_cases() -> Iterator[Case]:
    """Each model from memory, from files and from an iterator, with weights and without."""
    for table, data in {"mixed": TABLES["mixed-three"], "medium": _medium}.items():
        for name, make in MODELS.items():
            for weighted in (False, True):
                whole = f"binned/{name}/{table}" + "/weighted" * weighted
                yield fitting(whole, make, data, weighted=weighted)
                for source in SOURCES:
                    streamed = partial(_streamed, make, data, source, weighted)
                    yield Case(f"{source}/{whole}", streamed, whole)


def _medium() -> tables.Table:
    return tables.as_frames(TABLES["medium-missing"](), "pandas")


def _streamed(
    make: Callable[[], Any],
    data: Callable[[], tables.Table],
    source: str,
    weighted: bool,
    folder: Path,
) -> Iterator[Any]:
    table = data()
    arrow = tables.to_arrow(table)
    if not weighted:
        arrow = arrow.drop_columns(["weight"])
    given = SOURCES[source](arrow, folder)
    model = make().fit(given, "label", "weight" if weighted else None)
    return model_arrays(model, table.rows)


def _file(table: pa.Table, folder: Path) -> Path:
    pq.write_table(table, folder / "table.parquet", row_group_size=150)
    return folder / "table.parquet"


def _folder(table: pa.Table, folder: Path) -> Path:
    half = table.num_rows // 2
    pq.write_table(table.slice(0, half), folder / "a.parquet")
    pq.write_table(table.slice(half), folder / "b.parquet")
    return folder


def _batches(table: pa.Table, folder: Path) -> Iterator[pa.RecordBatch]:
    return iter(table.to_batches(max_chunksize=130))


SOURCES = {"file": _file, "folder": _folder, "batches": _batches}
