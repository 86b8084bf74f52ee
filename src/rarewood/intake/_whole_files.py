"""Tables that are read whole: ARFF and KEEL files, and data sets by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rarewood.intake._raw_table import RawTable, check_memory

_GROWTH = 12  # parsing makes lists of Python objects


class FrameTable(RawTable):
    """A table in memory."""

    def __init__(self, name: str, table: Any, n_bytes: int = 0) -> None:
        names = [str(column) for column in table.columns]
        super().__init__(name, names, n_bytes)
        is_named = names == list(table.columns)
        self._table = table if is_named else table.set_axis(names, axis="columns")
        self.n_rows = len(table)
        self.schema = {column: str(kind) for column, kind in self._table.dtypes.items()}

    def _read(self, columns: list[str]) -> Any:
        return self._table[columns]

    def _chunks(self, n_rows: int, columns: list[str], types: Mapping[str, str]) -> Iterator[Any]:
        for start in range(0, len(self._table), n_rows):
            yield self._table[columns].iloc[start : start + n_rows].reset_index(drop=True)

    def memory_needed(self, columns: Iterable[str] | None = None) -> int:
        """Return 0, since the table is in memory."""
        return 0

    def _size_in_memory(self, columns: list[str]) -> float:
        return float(self._table[columns].memory_usage(deep=False).sum())


class AttributeFile(FrameTable):
    """An ARFF or KEEL file."""

    def __init__(self, path: Path, memory: int | None = None) -> None:
        from rarewood.datasets._attribute_files import attribute_table

        n_bytes = path.stat().st_size
        check_memory(path.name, _GROWTH * n_bytes, memory)
        table, target = attribute_table(path)
        super().__init__(path.name, table, n_bytes)
        self.target = target if target in self.columns else None
        self.about = {"file": path.name}


class DatasetTable(FrameTable):
    """A data set of :mod:`rarewood.datasets`; its labels are the last column."""

    def __init__(self, name: str) -> None:
        from rarewood.datasets import fetch

        record = fetch(name)
        features = {str(column) for column in record.X.columns}
        target = next(n for n in ("class", "target", "the class") if n not in features)
        super().__init__(record.name, record.X.assign(**{target: record.y}))
        self.target, self.pos_label = target, record.pos_label
        self.n_bytes = int(self._size_in_memory(self.columns))
        texts = ("rule", "source", "licence", "notes")
        self.about = {"dataset": name} | {n: getattr(record, n) for n in texts}
        self.about["differences"] = list(record.differences)
