"""The tables of the papers made again: docs/reproduction.md.

``python reproduction/page.py run --folder FOLDER --store FILE`` fits, and may be stopped and
run again; ``... report`` writes the page. FOLDER (or RAREWOOD_DATA) holds the data sets.
"""

from __future__ import annotations

import argparse
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import reproduction
from rarewood import __version__
from rarewood.evaluate import compare, friedman, stratified
from reproduction.findings import CELLS, INTRODUCTION, REMARKS
from reproduction.markdown import section, summary
from reproduction.models import label
from reproduction.registry import find
from reproduction.sources import at_hand

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reproduction.md"
READINGS = {
    "hddt-table2", "ccpdt-table4", "ihd-table4", "beat-table1", "hedex-table7", "hedex-table8",
}  # fmt: skip
SHUFFLED = {"ihd-table3": "accuracy", "ihd-table4": "auc"}
PAPERS = {
    "hddt": "HDDT",
    "ccpdt": "CCPDT",
    "beat": "BEAT",
    "ihd": "iHD and iHDw",
    "hedex": "HeDEx",
}
# Smaller protocols than the papers': repeats of the cross-validation, and rows that are left out.
WRAPPED = ("hddt-table3", "hddt-table4", "hddt-table5", "hddt-figure6", "ccpdt-table7")
FORESTS = tuple(name for name in reproduction.list() if name.startswith("hedex"))
REPEATS: dict[str, int] = {}
SLOW = {
    "boundary", "covtype", "letter", "nursery", "page-blocks-5", "pendigits", "sat", "satimage",
}  # fmt: skip
LEFT_OUT: dict[str, set[str]] = {
    **{name: {"Boundary"} for name in WRAPPED},
    **dict.fromkeys(FORESTS, SLOW),
}


def make(name: str, options: argparse.Namespace, show: bool) -> reproduction.Reproduction:
    """Return the reproduction of a table with the protocol of the page."""
    found, _ = at_hand(find(name).sources, options.folder)
    skipped = LEFT_OUT.get(name, set())
    return reproduction.reproduce(
        name,
        folder=options.folder,
        store=options.store,
        n_jobs=options.n_jobs,
        n_repeats=options.n_repeats or REPEATS.get(name),
        rows=options.rows.split(",")
        if options.rows
        else [row for row in found if row not in skipped],
        readings=name in READINGS,
        show=show,
    )


def other_shuffles(result: reproduction.Reproduction, options: argparse.Namespace) -> str:
    """How much the cells of a single cross-validation owe to the order of the rows."""
    experiment = result.experiment
    found, _ = at_hand(experiment.sources, options.folder)
    records = {row: source.load(options.folder) for row, source in found.items()}
    tables = [result.ours.values]
    for seed in (1, 2):
        other = compare(
            dict(experiment.runs[0].models),
            records,
            protocol=stratified(10, seed),
            store=options.store,
            n_jobs=options.n_jobs,
        )
        tables.append(100 * other.matrix(SHUFFLED[experiment.name]).values)
    moved = np.mean([np.abs(a - b).mean() for a, b in combinations(tables, 2)])
    off = np.nanmean([abs(cell.difference) for cell in result.cells])
    test = friedman(np.mean(tables, axis=0))
    ranks = zip(map(label, experiment.columns), test.average_ranks, strict=True)
    return (
        f"Another shuffle of the rows moves a cell by {moved:.1f} points on average; the printed "
        f"cells are {off:.1f} points away from ours. Means over three shuffles have the average "
        f"ranks {', '.join(f'{name} {rank:.2f}' for name, rank in ranks)} (Friedman's p = "
        f"{test.pvalue:.2g})."
    )


def write(results: list[reproduction.Reproduction], options: argparse.Namespace) -> None:
    """Write the page."""
    about = f"rarewood {__version__}, {date.today().isoformat()}."
    parts: list[Any] = ["# The papers' tables made again", "", about, "", INTRODUCTION]
    parts += ["## All tables", "", summary(results), ""]
    for key, title in PAPERS.items():
        parts += [f"## {title}", ""]
        for result in results:
            name = result.experiment.name
            if name.partition("-")[0] == key:
                remarks = list(REMARKS.get(name, ()))
                if name in SHUFFLED:
                    remarks.insert(0, other_shuffles(result, options))
                parts.append(section(result, CELLS.get(name, {}), remarks))
    text = "\n".join(parts).rstrip() + "\n"
    options.page.write_text(text, encoding="utf-8")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["run", "report"])
    parser.add_argument("names", nargs="*", help="tables; by default all")
    parser.add_argument("--folder", help="folder of the data sets; by default RAREWOOD_DATA")
    parser.add_argument("--store", type=Path, default=ROOT / "build" / "papers.sqlite")
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument("--n-repeats", type=int)
    parser.add_argument("--rows", help="rows of the tables, separated by commas")
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    names = options.names or reproduction.list()
    results = [make(name, options, show=options.command == "run") for name in names]
    if options.command == "report":
        write(results, options)


if __name__ == "__main__":
    main()
