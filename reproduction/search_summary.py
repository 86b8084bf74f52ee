"""Summary of the tables with the sampling wrapper: one column for each search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from reproduction.experiments.hddt_runs import TREES
from reproduction.models import label
from reproduction.result import Reproduction
from reproduction.searches import OTHER_SEARCHES, named

__all__ = ["search_summary"]

LEVELS, GAINS, SCORES = "hddt-table5", "hddt-figure6", "hddt-table3"


def search_summary(results: Iterable[Reproduction]) -> str:
    """Return a Markdown table: levels, gains and verdicts, printed and under each search."""
    found = {result.experiment.name: result for result in results}
    columns = ["printed", "greedy", *OTHER_SEARCHES]
    lines = [f"| | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
    lines += [f"| {' | '.join(row)} |" for row in _rows(found)]
    lines += [
        "",
        f"Trees in the order {', '.join(map(label, TREES))}; means over the available data sets, "
        "for the printed tables too. A data set on which the AUC does not change is no loss.",
    ]
    return "\n".join(lines)


def _rows(found: Mapping[str, Reproduction]) -> Iterator[list[str]]:
    for what, words in (("undersample", "undersampling %"), ("smote", "SMOTE %")):
        columns = [f"{tree}_{what}" for tree in TREES]
        yield [
            f"mean level of {words}",
            *(_means(m, columns, "{:.0f}") for m in _both(found, LEVELS)),
        ]
    gains = list(_both(found, GAINS))
    yield ["mean gain in AUC, %", *(_means(matrix, TREES, "{:+.2f}") for matrix in gains)]
    yield ["data sets with a loss of AUC", *map(_losses, gains)]
    scores = _readings(found, SCORES)
    yield [
        "cells of table 3 that agree",
        "",
        *(f"{a} of {n}" for a, n in (r.inside() for r in scores)),
    ]
    for name, result in found.items():
        if named(name, next(iter(OTHER_SEARCHES))) not in found:
            continue
        for i, verdict in enumerate(result.verdicts):
            judged = [reading.verdicts[i].word for reading in _readings(found, name)]
            here = verdict.printed_here
            printed = "" if here is None else "supported" if here.holds else "not supported"
            yield [f"{name}: {verdict.text}", printed, *judged]


def _readings(found: Mapping[str, Reproduction], name: str) -> list[Reproduction]:
    return [found[name], *(found[named(name, search)] for search in OTHER_SEARCHES)]


def _both(found: Mapping[str, Reproduction], name: str) -> Iterator[Mapping[str, list[float]]]:
    """Yield the columns of a table: printed, then under each search."""
    readings = _readings(found, name)
    for matrix in (readings[0].printed_here(), *(reading.ours for reading in readings)):
        yield dict(zip(matrix.models, matrix.values.T.tolist(), strict=True))


def _means(columns: Mapping[str, list[float]], names: Sequence[str], form: str) -> str:
    return ", ".join(form.format(np.nanmean(columns[name])) for name in names)


def _losses(columns: Mapping[str, list[float]]) -> str:
    n = len(columns[TREES[0]])
    return ", ".join(str(sum(value < -1e-9 for value in columns[t])) for t in TREES) + f" of {n}"
