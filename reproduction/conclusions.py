"""Conclusions of the papers, as functions of a table.

A conclusion is judged on three tables: the printed table, its rows whose data sets are available,
and the reproduced table. It cannot be judged if even the printed cells of the available rows do not
support it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rarewood.evaluate import ScoreMatrix

__all__ = ["Check", "Conclusion", "Finding", "Verdict", "judge"]


class Finding(NamedTuple):
    """Whether a conclusion holds on a table, None if it cannot be decided, and the numbers."""

    holds: bool | None
    why: str


Check = Callable[[ScoreMatrix], Finding]


@dataclass(frozen=True)
class Conclusion:
    """Conclusion of a paper, and the function that checks it on a table."""

    text: str
    check: Check
    explanation: str = ""


@dataclass(frozen=True)
class Verdict:
    """A conclusion with its findings.

    Attributes
    ----------
    text, explanation : str
        Text of the conclusion, and why it may not hold.
    ours, printed, printed_here : Finding
        Findings on the reproduced table, on the printed table, and on its available rows.
    """

    text: str
    explanation: str
    ours: Finding
    printed: Finding
    printed_here: Finding

    @property
    def word(self) -> str:
        """Return "holds", "does not hold" or "cannot be judged"."""
        if self.ours.holds:
            return "holds"
        too_few = self.printed.holds and not self.printed_here.holds
        if self.ours.holds is None or too_few:
            return "cannot be judged"
        return "does not hold"


def judge(
    conclusion: Conclusion, ours: ScoreMatrix, printed: ScoreMatrix, here: ScoreMatrix
) -> Verdict:
    """Judge a conclusion on the reproduced table, the printed table and its available rows."""
    found = [_look(conclusion.check, matrix) for matrix in (ours, printed, here)]
    return Verdict(conclusion.text, conclusion.explanation, *found)


def _look(check: Check, matrix: ScoreMatrix) -> Finding:
    complete = matrix.complete()
    if len(complete) == 0:
        return Finding(None, "no numbers")
    return check(complete)
