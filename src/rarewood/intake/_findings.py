"""Description of a table as plain data, for the command line and the report."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from rarewood.intake._errors import count, short_list

_MOST_LINES = 15  # columns listed one by one


@dataclass(frozen=True)
class ColumnFinding:
    """Description of a column."""

    name: str
    kind: str  # "numeric", "categorical", "boolean", "date", "text", "id", "constant", ...
    used: bool
    reason: str = ""  # why it is skipped, or a warning if it is used
    n_missing: int = 0
    n_distinct: int = 0
    low: float | None = None  # of a numeric column
    high: float | None = None
    categories: dict[str, int] = field(default_factory=dict)  # most frequent values, and their rows


@dataclass(frozen=True)
class Findings:
    """Description of a table; :func:`prepare` describes the attributes."""

    name: str
    n_rows: int
    target: str
    classes: dict[str, int]
    pos_label: str
    columns: list[ColumnFinding]
    n_unlabelled: int = 0
    notes: list[str] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def n_rare(self) -> int:
        """Number of rows of the class of interest."""
        return self.classes[self.pos_label]

    @property
    def imbalance(self) -> float:
        """Number of other rows for each row of the class of interest."""
        return (self.n_rows - self.n_rare) / self.n_rare

    @property
    def n_missing(self) -> int:
        """Number of missing values in the columns that are used."""
        return sum(column.n_missing for column in self.columns if column.used)

    @property
    def used(self) -> list[str]:
        """Names of the columns that are used."""
        return [column.name for column in self.columns if column.used]

    @property
    def skipped(self) -> list[ColumnFinding]:
        """Columns that are not used."""
        return [column for column in self.columns if not column.used]

    @property
    def majority_question(self) -> str:
        """A question if the class of interest is the majority; empty if it is not."""
        fraction = self.n_rare / self.n_rows
        if fraction <= 0.5:
            return ""
        others = [label for label in self.classes if label != self.pos_label]
        other = repr(others[-1]) if len(others) == 1 else "another class"
        return (
            f"{self.pos_label!r} is the majority, with {fraction:.1%} of the rows: is {other} not "
            "the class of interest?"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as JSON-safe data."""
        names = ("n_rare", "imbalance", "n_missing", "used")
        return asdict(self) | {name: getattr(self, name) for name in names}

    def lines(self) -> list[str]:
        """Return a description of the table for people, line by line."""
        kinds = Counter(column.kind for column in self.columns if column.used)
        missing = f", {count(self.n_missing, 'missing value')}" if self.n_missing else ""
        classes = [f"{label} {n:,}" for label, n in list(self.classes.items())[:12]]
        more = f", ... ({len(self.classes)} classes)" if len(self.classes) > 12 else ""
        lines = [
            f"{self.name}: {count(self.n_rows, 'row')}, {count(len(self.used), 'column')} used ("
            + ", ".join(f"{n} {kind}" for kind, n in kinds.items())
            + f"){missing}",
            f"target {self.target!r}: {', '.join(classes)}{more}",
            f"rare class {self.pos_label!r}: {count(self.n_rare, 'row')} "
            f"({self.n_rare / self.n_rows:.2%}), imbalance ratio {self.imbalance:,.1f}",
        ]
        if self.n_unlabelled:
            lines.append(f"left out: {count(self.n_unlabelled, 'row')} without a label")
        lines += _listed("skipped", self.skipped)
        lines += _listed("note on", [c for c in self.columns if c.used and c.reason])
        if question := self.majority_question:
            lines.append(f"note: {question}")
        return lines + [f"note: {note}" for note in self.notes]


def _listed(what: str, columns: list[ColumnFinding]) -> list[str]:
    """Return a line for each column; if there are many, one line for all but the first."""
    lines = [f"{what} {column.name!r}: {column.reason}" for column in columns[:_MOST_LINES]]
    more = [column.name for column in columns[_MOST_LINES:]]
    if more:
        lines.append(f"{what} {count(len(more), 'more column')}: {short_list(more)}")
    return lines
