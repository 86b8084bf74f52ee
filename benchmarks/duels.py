"""Helpers of the forest benchmarks: pairs of models, measurements and the page."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

from common import BUILD, DOCS, Measured, Table, Timing, machine, render, rounds
from forests import PACKAGES

QUICK_ROWS, QUICK_TREES = 2_000, 5


@dataclass(frozen=True)
class Duel:
    """Two models and the required ratio: at least a floor, or at most a limit."""

    ours: str
    peer: str
    goal: float | None = None
    floor: float | None = None
    limit: float | None = None

    @property
    def target(self) -> str:
        """Requirement as text."""
        named = (("goal", self.goal), ("floor", self.floor), ("at most", self.limit))
        return ", ".join(f"{name} {value:g}" for name, value in named if value is not None) or "-"

    def reached(self, ratio: float) -> str:
        """Return the part of the requirement that is met."""
        if self.limit is not None:
            return "yes" if ratio <= self.limit else "no"
        if self.floor is None:
            return "-"
        if self.goal is not None and ratio >= self.goal:
            return "goal"
        return "floor" if ratio >= self.floor else "no"


@dataclass(frozen=True)
class Case:
    """Duels on one table. Models in several duels run once per round."""

    name: str
    heading: str
    table: Table
    duels: tuple[Duel, ...]
    n_trees: int = 100
    repeats: int | None = None  # None: the option --repeats
    fewest_trees: int = 1  # whatever the option --trees-at-1m

    @property
    def contenders(self) -> list[str]:
        """Names of all models, in the order in which they run."""
        return list(dict.fromkeys(name for duel in self.duels for name in (duel.ours, duel.peer)))

    def shrunk(self) -> Case:
        """Return a small version of the case."""
        n_rows = min(self.table.n_rows, QUICK_ROWS)
        table = replace(self.table, name=f"{self.table.name}, cut to {n_rows:,}", n_rows=n_rows)
        return replace(self, table=table, n_trees=QUICK_TREES, repeats=1)


def options(description: str, names: Iterable[str]) -> argparse.Namespace:
    """Parse the options of the benchmarks of forests."""
    known = list(names)
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", default=",".join(known), help="names, separated by commas")
    parser.add_argument("--repeats", type=int, default=3, help="number of rounds (1M rows: one)")
    parser.add_argument("--trees-at-1m", type=int, default=10, help="number of trees for 1M rows")
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"smoke test with {QUICK_ROWS} rows and {QUICK_TREES} trees; page in build/",
    )
    chosen = parser.parse_args()
    chosen.cases = chosen.cases.split(",")
    unknown = [name for name in chosen.cases if name not in known]
    if unknown:
        parser.error(f"Unknown case: {', '.join(unknown)}. Cases: {', '.join(known)}")
    return chosen


def key_of(case: Case, duel: Duel) -> str:
    """Return the key of a duel."""
    return f"{case.name}: {duel.ours} / {duel.peer}"


def run_rounds(case: Case, runners: dict[str, Callable[[], Any]], repeats: int) -> dict[str, list]:
    """Run the models of a case in turn."""
    return rounds(runners, case.repeats or repeats, pause=0.1)


def entry_of(
    case: Case, duel: Duel, times: dict[str, list[Timing]], about: dict[str, dict], where: str
) -> dict[str, Any]:
    """Return the times of a duel and the properties of both models."""
    return {
        "table": case.table.name,
        "trees": case.n_trees,
        "times": {
            side: [asdict(timing) for timing in times[name]]
            for side, name in (("ours", duel.ours), ("peer", duel.peer))
        },
        "about": {"ours": about[duel.ours], "peer": about[duel.peer]},
        "where": where,
    }


def row_of(duel: Duel, entry: dict[str, Any]) -> dict[str, str]:
    """Return a duel as a row of the page."""
    ours, peer = entry["times"]["ours"], entry["times"]["peer"]
    cpu, wall = (
        median(p[kind] / o[kind] for o, p in zip(ours, peer, strict=True))
        for kind in ("cpu", "wall")
    )
    own, other = entry["about"]["ours"], entry["about"]["peer"]
    facts = {f"{name} (rarewood / peer)": f"{own[name]} / {other[name]}" for name in own}
    return {
        "table": entry["table"],
        "trees": entry["trees"],
        "rarewood": duel.ours,
        "peer": duel.peer,
        "rarewood, s": f"{median(t['cpu'] for t in ours):.3g}",
        "peer, s": f"{median(t['cpu'] for t in peer):.3g}",
        "CPU ratio": f"{cpu:.1f}",
        "wall ratio": f"{wall:.1f}",
        "target": duel.target,
        "reached": duel.reached(cpu),
        **facts,
    }


class Page:
    """Page of the documentation that is written as results arrive."""

    def __init__(self, name: str, title: str, notes: Sequence[str], is_quick: bool) -> None:
        self._name = f"{name}_quick" if is_quick else name
        self._folder = BUILD if is_quick else DOCS
        self._title, self._notes = title, notes
        self.measured = Measured(self._name)
        self.where = machine(PACKAGES)

    def write(
        self, cases: Iterable[Case], more: Callable[[dict], dict[str, list]] = lambda _: {}
    ) -> None:
        """Write all stored results."""
        entries = self.measured.entries
        tables: dict[str, list[dict]] = {}
        for case in cases:
            for duel in case.duels:
                if key_of(case, duel) in entries:
                    row = row_of(duel, entries[key_of(case, duel)])
                    tables.setdefault(case.heading, []).append(row)
        places = list(dict.fromkeys(entry["where"] for entry in entries.values()))
        text = render(self._title, [*places, *self._notes], tables | more(entries))
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{self._name}.md").write_text(text)

    def add(self, case: Case, times: dict[str, list[Timing]], about: dict[str, dict]) -> None:
        """Store and print the duels of a case."""
        for duel in case.duels:
            entry = entry_of(case, duel, times, about, self.where)
            self.measured.add(key_of(case, duel), entry)
            row = row_of(duel, entry)
            print(" | ".join(str(value) for value in row.values()), flush=True)
