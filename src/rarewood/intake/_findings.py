"""What was found in a table, as plain data: the command line says it, the report shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from rarewood.intake._errors import count, short_list

__all__ = ["ColumnFinding", "Findings"]

_MOST_SAID = 15  # each said in a line of its own
_WORDS = {
    "numeric": "numeric", "nominal": "nominal", "flag": "true or false", "date": "dates",
    "text": "text", "id": "identifiers", "constant": "constant", "empty": "empty", "other": "other",
}  # fmt: skip


@dataclass(frozen=True)
class ColumnFinding:
    """What was found in a column.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        "numeric", "nominal", "flag", "date", "text", "id", "constant", "empty" or "other".
    used : bool
        Whether models get it.
    reason : str
        Why it is not used, or what one should know though it is; often empty.
    n_missing, n_distinct : int
        Missing values, and different ones.
    low, high : float or None
        The range of a numeric column.
    categories : dict of str to int
        The most frequent values of a nominal column, and their rows.
    """

    name: str
    kind: str
    used: bool
    reason: str = ""
    n_missing: int = 0
    n_distinct: int = 0
    low: float | None = None
    high: float | None = None
    categories: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Findings:
    """What was found in a table.

    Attributes
    ----------
    name : str
        Name of the table.
    n_rows : int
        Rows with a label.
    n_unlabelled : int
        Rows that are left out, since their label is missing.
    target : str
        Name of the column to predict.
    classes : dict of str to int
        Rows of every class, the most frequent first.
    rare : str
        The rare class.
    columns : list of ColumnFinding
        All columns but the target.
    notes : list of str
        Further things to know, each a sentence.
    about : dict
        Where the table comes from.
    """

    name: str
    n_rows: int
    target: str
    classes: dict[str, int]
    rare: str
    columns: list[ColumnFinding]
    n_unlabelled: int = 0
    notes: list[str] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def n_rare(self) -> int:
        """Rows of the rare class."""
        return self.classes[self.rare]

    @property
    def share(self) -> float:
        """Share of the rare class."""
        return self.n_rare / self.n_rows

    @property
    def imbalance(self) -> float:
        """How many other rows there are for each rare one."""
        return (self.n_rows - self.n_rare) / self.n_rare

    @property
    def n_missing(self) -> int:
        """Missing values in the columns that are used."""
        return sum(column.n_missing for column in self.columns if column.used)

    @property
    def used(self) -> list[str]:
        """Names of the columns that models get."""
        return [column.name for column in self.columns if column.used]

    @property
    def skipped(self) -> list[ColumnFinding]:
        """Columns that models do not get."""
        return [column for column in self.columns if not column.used]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data that JSON can hold."""
        values = asdict(self)
        for name in ("n_rare", "share", "imbalance", "n_missing", "used"):
            values[name] = getattr(self, name)
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Findings:
        """Return what :meth:`to_dict` wrote as findings again."""
        names = cls.__dataclass_fields__
        own = {name: value for name, value in values.items() if name in names}
        own["columns"] = [ColumnFinding(**column) for column in own["columns"]]
        return cls(**own)

    def lines(self) -> list[str]:
        """Return what a person wants to know before anything is computed, line by line."""
        kinds = _counted(_WORDS[c.kind] for c in self.columns if c.used)
        missing = f", {count(self.n_missing, 'value')} missing" if self.n_missing else ""
        lines = [
            f"{self.name}: {count(self.n_rows, 'row')}, "
            f"{count(len(self.used), 'column')} used ({kinds}){missing}",
            f"target {self.target!r}: "
            + ", ".join(f"{label} {n:,}" for label, n in list(self.classes.items())[:12])
            + (f", ... ({len(self.classes)} classes)" if len(self.classes) > 12 else ""),
            f"rare class {self.rare!r}: {count(self.n_rare, 'row')}, {self.share:.2%}; "
            f"{self.imbalance:,.1f} others for each of them",
        ]
        if self.n_unlabelled:
            lines.append(f"left out: {count(self.n_unlabelled, 'row')} without a label")
        lines += _said("skipped", self.skipped)
        lines += _said("note on", [c for c in self.columns if c.used and c.reason])
        return lines + [f"note: {note}" for note in self.notes]


def _said(what: str, columns: list[ColumnFinding]) -> list[str]:
    """A line for each column, or, if there are many, for the first ones and for all others."""
    lines = [f"{what} {column.name!r}: {column.reason}" for column in columns[:_MOST_SAID]]
    more = [column.name for column in columns[_MOST_SAID:]]
    if more:
        lines.append(f"{what} {count(len(more), 'more column')}: {short_list(more)}")
    return lines


def _counted(words: Iterable[str]) -> str:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return ", ".join(f"{n} {word}" for word, n in counts.items()) or "none"
