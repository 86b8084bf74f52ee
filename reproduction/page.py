"""The page docs/reproduction.md with all reproduced tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from rarewood import __version__
from rarewood.evaluate import Protocol, compare, friedman
from reproduction.discretised import leaves_reason, weka_reason
from reproduction.findings import CELLS, INTRODUCTION, REMARKS
from reproduction.markdown import section, summary
from reproduction.models import label
from reproduction.overview import computed_remarks, main_results
from reproduction.registry import find, names
from reproduction.result import Reproduction
from reproduction.roc_figure import draw_roc
from reproduction.run import reproduce
from reproduction.search_summary import search_summary
from reproduction.sources import available_sources

__all__ = ["PAGE", "ROOT", "write_page"]

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reproduction.md"
SHUFFLED = {"ihd-table3": "accuracy", "ihd-table4": "auc"}
PAPERS = {
    "hddt": "HDDT",
    "ccpdt": "CCPDT",
    "beat": "BEAT",
    "ihd": "iHD and iHDw",
    "hedex": "HeDEx",
}
LEFT_OUT: dict[str, set[str]] = {}  # rows omitted to save time, by table


def write_page(path: Path, **options: Any) -> None:
    """Reproduce all tables and write the page; options as in :func:`reproduce`."""
    results = {name: _reproduced(name, **options) for name in names()}
    about = f"rarewood {__version__}, {date.today().isoformat()}. {_cost(results.values())}"
    parts = ["# Reproduction of the papers", "", about, "", INTRODUCTION]
    parts += ["## Main results", "", main_results(results), ""]
    parts += ["## All tables", "", summary(list(results.values())), ""]
    parts += ["(wrapper-searches)=", "## The sampling wrapper under each search", ""]
    parts += [search_summary(results.values()), ""]
    for key, title in PAPERS.items():
        parts += [f"## {title}", ""]
        for name, result in results.items():
            if name.partition("-")[0] == key:
                remarks = [str(reason) for reason in REMARKS.get(name, ())]
                remarks[:0] = computed_remarks(result)
                if name in SHUFFLED:
                    remarks.insert(0, _other_shuffles(result, **options))
                if name == "ccpdt-table6":
                    remarks += [str(leaves_reason(result)), str(weka_reason(result))]
                figure = ""
                if name == "beat-figure2-roc":
                    figure = draw_roc(path.with_name("reproduction-roc.svg"), options["folder"])
                parts.append(section(result, CELLS.get(name, {}), remarks, figure))
    path.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


def _cost(results: Iterable[Reproduction]) -> str:
    """Return the time that the cells of all tables take, each once."""
    seconds = {key: time for result in results for key, time in result.seconds.items()}
    hours = sum(seconds.values()) / 3600
    return (
        f"{len(seconds):,} fits on training folds, with {hours:.1f} hours of wall time to fit and "
        f"predict; from an empty store `make reproduce`, with two processes, takes about "
        f"{hours / 2:.1f} hours on two cores."
    )


def _reproduced(name: str, **options: Any) -> Reproduction:
    found, _ = available_sources(find(name).sources, options["folder"])
    rows = [row for row in found if row not in LEFT_OUT.get(name, set())]
    return reproduce(name, rows=rows, readings=True, show=False, **options)


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
