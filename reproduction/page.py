"""The page docs/reproduction.md with all reproduced tables."""

from __future__ import annotations

from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from rarewood import __version__
from rarewood.evaluate import Protocol, compare, friedman
from reproduction.findings import CELLS, INTRODUCTION, REMARKS
from reproduction.markdown import section, summary
from reproduction.models import label
from reproduction.registry import find, names
from reproduction.result import Reproduction
from reproduction.run import reproduce
from reproduction.sources import available_sources

__all__ = ["PAGE", "ROOT", "write_page"]

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
# Rows omitted to save time: the slow ones of tables with the sampling wrapper and of forests.
WRAPPED = ("hddt-table3", "hddt-table4", "hddt-table5", "hddt-figure6", "ccpdt-table7")
SLOW = {
    "boundary", "covtype", "letter", "nursery", "page-blocks-5", "pendigits", "sat", "satimage",
}  # fmt: skip
LEFT_OUT: dict[str, set[str]] = {
    **{name: {"Boundary"} for name in WRAPPED},
    **{name: SLOW for name in names() if name.startswith("hedex")},
}


def write_page(path: Path, **options: Any) -> None:
    """Reproduce all tables and write the page; options as in :func:`reproduce`."""
    results = [_reproduced(name, **options) for name in names()]
    about = f"rarewood {__version__}, {date.today().isoformat()}."
    parts = ["# Reproduction of the papers", "", about, "", INTRODUCTION]
    parts += ["## All tables", "", summary(results), ""]
    for key, title in PAPERS.items():
        parts += [f"## {title}", ""]
        for result in results:
            name = result.experiment.name
            if name.partition("-")[0] == key:
                remarks = list(REMARKS.get(name, ()))
                if name in SHUFFLED:
                    remarks.insert(0, _other_shuffles(result, **options))
                parts.append(section(result, CELLS.get(name, {}), remarks))
    path.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


def _reproduced(name: str, **options: Any) -> Reproduction:
    found, _ = available_sources(find(name).sources, options["folder"])
    rows = [row for row in found if row not in LEFT_OUT.get(name, set())]
    return reproduce(name, rows=rows, readings=name in READINGS, show=False, **options)


def _other_shuffles(result: Reproduction, **options: Any) -> str:
    """Describe the effect of the shuffle on the cells of a single cross-validation."""
    experiment, folder = result.experiment, options.pop("folder")
    found, _ = available_sources(experiment.sources, folder)
    records = {row: source.load(folder) for row, source in found.items()}
    tables = [result.ours.values]
    for seed in (1, 2):
        protocol = Protocol(10, seed=seed)
        other = compare(dict(experiment.runs[0].models), records, protocol=protocol, **options)
        tables.append(100 * other.matrix(SHUFFLED[experiment.name]).values)
    moved = np.mean([np.abs(a - b).mean() for a, b in combinations(tables, 2)])
    off = np.nanmean([abs(cell.difference) for cell in result.cells])
    test = friedman(np.mean(tables, axis=0))
    ranks = zip(map(label, experiment.columns), test.average_ranks, strict=True)
    named = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks)
    return (
        f"Another shuffle changes a cell by {moved:.1f} points on average; the mean difference "
        f"between printed and reproduced cells is {off:.1f} points. Average ranks of the means "
        f"over three shuffles: {named} (Friedman test: p = {test.pvalue:.2g})."
    )
