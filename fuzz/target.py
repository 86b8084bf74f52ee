"""What is searched: a generator of cases, their check, and how to make a case smaller."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.draw import Draw

Case = dict[str, Any]  # plain data, which JSON can hold; NaN and infinities are allowed

ROOT = Path(__file__).parents[1]


class Refused(Exception):
    """The input is not valid and was refused with a clear error, which is what should happen."""


@dataclass(frozen=True)
class Target:
    """A part of the library under search.

    ``draw`` makes a case of random numbers, ``check`` raises unless the library behaves, and
    ``smaller`` yields smaller variants of a case, the smallest first.
    """

    name: str
    summary: str
    draw: Callable[[Draw], Case]
    check: Callable[[Case], None]
    smaller: Callable[[Case], Iterator[Case]]
    share: float
    """Fraction of the time of a run."""

    def case(self, seed: int, number: int) -> Case:
        """The case with a number, of a run with a seed."""
        return self.draw(Draw(f"{self.name}/{seed}/{number}"))


@dataclass(frozen=True)
class Failure:
    """Why a case failed: ``signature`` is the same for failures at the same place."""

    signature: str
    message: str


def outcome(target: Target, case: Case) -> Failure | str:
    """Check a case: "passed", "refused", or the failure."""
    try:
        target.check(case)
    except Refused:
        return "refused"
    except Exception as error:
        return failure_of(error)
    return "passed"


def failure_of(error: Exception) -> Failure:
    """Name the place of an exception: the last lines of rarewood and of the harness."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [
        f"{Path(frame.filename).name}:{frame.name}"
        for frame in frames
        if "rarewood" in frame.filename.rpartition("site-packages")[2] or "fuzz" in frame.filename
    ]
    place = " < ".join(reversed(places[-3:]))
    text = f"{type(error).__name__}: {error}"[:2000]
    return Failure(f"{type(error).__name__} at {place}", text)
