"""Conclusions of the papers, as functions of a table, and the rule by which they are judged.

A conclusion is evaluated on three tables: the printed table, its rows whose data sets are
available, and the reproduced table. The rule is the same whether it favours the paper or the
reproduction:

- *cannot be judged*: the printed table supports the conclusion, but its available rows do not, so
  the available data sets are not sufficient, whatever was reproduced;
- *tie*: on the reproduced table the compared quantities are equal;
- *one row*: the result on the reproduced table changes if a single row is left out (not for
  significance tests, nor for statements about every row, which one row refutes);
- otherwise *holds* or *does not hold*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from rarewood.evaluate import ScoreMatrix

__all__ = [
    "WORDS",
    "Check",
    "Conclusion",
    "Finding",
    "Verdict",
    "chosen",
    "joined",
    "judge",
    "lasting",
    "too_few",
]

State = Literal["yes", "no", "tie", "one row", "too few rows"]
WORDS = ("holds", "does not hold", "tie", "one row", "cannot be judged")
FEWEST_ROWS = 4  # with fewer data sets nothing is concluded


class Finding(NamedTuple):
    """Whether a table supports a conclusion, and the numbers.

    ``state`` is "yes" or "no"; "tie" if the compared quantities are equal; "one row" if the answer
    changes when one row is left out; "too few rows" if a test is not possible.
    """

    state: State
    why: str

    @property
    def holds(self) -> bool:
        """Whether the table supports the conclusion."""
        return self.state == "yes"


Check = Callable[[ScoreMatrix], Finding]


def chosen(matrix: ScoreMatrix, columns: Sequence[str] | None = None) -> ScoreMatrix:
    """Return some columns, all by default, without rows in which one of them has no number."""
    names = matrix.models if columns is None else list(dict.fromkeys(columns))
    places = [matrix.models.index(name) for name in names]
    return replace(matrix, values=matrix.values[:, places], models=list(names)).complete()


def lasting(check: Check, columns: Sequence[str] | None = None) -> Check:
    """Return a check of some columns whose answer does not change if any one row is left out.

    For descriptions, such as "has the best rank" or "is better on most data sets". Significance
    tests have their own rule for few data sets.
    """

    def lasts(matrix: ScoreMatrix) -> Finding:
        table = chosen(matrix, columns)
        if len(table) < FEWEST_ROWS:
            return too_few(table)
        found = check(table)
        if found.state not in ("yes", "no"):
            return found
        for place, name in enumerate(table.datasets):
            without = check(_without(table, place))
            if without.state != found.state:
                return Finding("one row", f"{found.why}; without {name}: {without.why}")
        return found

    return lasts


def too_few(matrix: ScoreMatrix) -> Finding:
    """Return the finding on a table with too few rows."""
    return Finding("too few rows", f"only {len(matrix)} data sets")


def _without(matrix: ScoreMatrix, place: int) -> ScoreMatrix:
    names = [name for i, name in enumerate(matrix.datasets) if i != place]
    return replace(matrix, values=np.delete(matrix.values, place, axis=0), datasets=names)


def joined(states: Sequence[State]) -> State:
    """Return the state of a conclusion that needs several answers: one "no" decides."""
    order: tuple[State, ...] = ("no", "too few rows", "tie", "one row")
    for state in order:
        if state in states:
            return state
    return "yes"


@dataclass(frozen=True)
class Conclusion:
    """Conclusion of a paper, and the function that checks it on a table."""

    text: str
    check: Check


@dataclass(frozen=True)
class Verdict:
    """A conclusion with its findings.

    Attributes
    ----------
    text : str
        Text of the conclusion.
    ours : Finding
        Finding on the reproduced table.
    printed, printed_here : Finding or None
        Findings on the printed table and on its available rows; None if nothing is printed.
    """

    text: str
    ours: Finding
    printed: Finding | None
    printed_here: Finding | None

    @property
    def word(self) -> str:
        """Return one of ``WORDS``."""
        printed, here = self.printed, self.printed_here
        if printed is not None and printed.holds and (here is None or not here.holds):
            return "cannot be judged"
        return {
            "yes": "holds",
            "no": "does not hold",
            "tie": "tie",
            "one row": "one row",
            "too few rows": "cannot be judged",
        }[self.ours.state]


def judge(
    conclusion: Conclusion, ours: ScoreMatrix, printed: ScoreMatrix, here: ScoreMatrix
) -> Verdict:
    """Judge a conclusion on the reproduced table, the printed table and its available rows."""
    return Verdict(
        conclusion.text,
        conclusion.check(ours),
        conclusion.check(printed) if len(printed) else None,
        conclusion.check(here) if len(printed) and len(here) else None,
    )
