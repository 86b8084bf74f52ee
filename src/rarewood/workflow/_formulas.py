"""Text that a spreadsheet would run as a formula.

Output is not changed: an identifier with an added quote no longer joins with its table, and quotes
of CSV do not stop a spreadsheet. A note says where formulas are.
"""

from __future__ import annotations

from typing import Any

# A sign before a plain number is no formula.
_FORMULA = r"[=@\t\r]|[+-](?!\d+(?:[.,]\d*)?$)"


class FormulaFinder:
    """Columns of a table, given in chunks, that have text which looks like a formula."""

    def __init__(self) -> None:
        self._examples: dict[str, str] = {}

    def look(self, table: Any) -> None:
        """Look at the rows of a DataFrame."""
        for name in table.columns:
            kind = str(table[name].dtype)
            if name in self._examples or kind.lower().startswith(("int", "uint", "float", "bool")):
                continue
            text = table[name].dropna().astype(str)
            found = text[text.str.match(_FORMULA)]
            if len(found):
                self._examples[name] = found.iloc[0]

    def notes(self) -> list[str]:
        """Return a sentence per column."""
        return [
            f"column {name!r} has text such as {example[:40]!r}, which a spreadsheet runs as a "
            "formula. It is written unchanged: import the column as text, or write .parquet."
            for name, example in self._examples.items()
        ]
