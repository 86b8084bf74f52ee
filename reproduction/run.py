"""Reproduction of a printed table."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rarewood.evaluate import Metric, Results, ScoreMatrix, compare, metric_names
from reproduction.conclusions import Verdict, judge
from reproduction.experiment import Experiment, Measured, Run
from reproduction.printed_table import PrintedTable
from reproduction.registry import find
from reproduction.result import OtherData, OtherReading, ReproducedCell, Reproduction
from reproduction.sources import available_sources

__all__ = ["reproduce"]


def reproduce(
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    store: Any = "rarewood-results.sqlite",
    n_jobs: int | None = None,
    n_repeats: int | None = None,
    rows: Sequence[str] | None = None,
    readings: bool = False,
    show: bool = True,
    progress: bool | None = None,
) -> Reproduction:
    """Reproduce a table and compare it with the printed one.

    Parameters
    ----------
    name : str
        A name of :func:`names`, such as "hddt-table2".
    folder : str or Path, default=None
        Folder of the data sets; by default that of the environment variable ``RAREWOOD_DATA``.
        Rows without a data set are left out.
    store : str, Path, Store or None, default="rarewood-results.sqlite"
        File of finished cells, as in :func:`rarewood.evaluate.compare`: an interrupted run resumes,
        and tables of the same models share their cells.
    n_jobs : int, default=None
        Number of processes; None means 1, -1 all cores.
    n_repeats : int, default=None
        Number of repeats of the cross-validation, if fewer than in the paper.
    rows : list of str, default=None
        Rows to reproduce, as printed; by default all with a data set.
    readings : bool, default=False
        Whether to evaluate alternative interpretations of columns whose printed numbers contradict
        the text.
    show : bool, default=True
        Whether to print the result.
    progress : bool, default=None
        Whether to show progress; by default if the standard error stream is a terminal.

    Returns
    -------
    reproduction : Reproduction
        Cells of both tables, ranks, the Friedman test, and the conclusions of the paper.

    Examples
    --------
    >>> import reproduction
    >>> reproduction.reproduce("hddt-table2", folder="data")  # doctest: +SKIP
    """
    experiment = find(name)
    found, missing = available_sources(experiment.sources, folder)
    chosen = _chosen(experiment, found, rows)
    left_out = [row for row in found if row not in chosen]
    if not chosen:
        raise ValueError(
            f"None of the data sets of {name} is in the folder: {', '.join(experiment.sources)}."
        )
    records = {row: found[row].load(folder) for row in chosen}
    runs = [run.shortened(n_repeats) for run in experiment.runs]
    options = {"store": store, "n_jobs": n_jobs, "progress": progress}
    measured = Measured([_compare(run, records, options) for run in runs])
    ours, spread = experiment.measure(measured)
    printed = experiment.printed()
    result = Reproduction(
        experiment=experiment,
        printed=printed,
        ours=ours,
        cells=_cells(experiment, printed, ours, spread),
        verdicts=[],
        missing=missing,
        left_out=left_out,
        protocol=_protocol(runs),
        failures=_failures(measured),
        differences=_differences(experiment, records),
        seconds=_seconds(measured.results),
    )
    if readings:
        result.readings.extend(_readings(result, records, runs[0], options))
        result.other_data.extend(_other_data(result, chosen, folder, runs, options))
    result.verdicts.extend(_verdicts(result, ours))
    if readings and experiment.reading:
        result.other_verdicts.extend(_verdicts(result, result.other_table()))
    if show:
        print(result)
    return result


def _chosen(experiment: Experiment, found: Any, rows: Sequence[str] | None) -> list[str]:
    if rows is None:
        return list(found)
    unknown = [row for row in rows if row not in experiment.sources]
    if unknown:
        raise ValueError(
            f"{experiment.name} has no row {unknown[0]!r}. Rows: {', '.join(experiment.sources)}."
        )
    return [row for row in found if row in rows]


def _compare(run: Run, records: Any, options: dict[str, Any]) -> Results:
    metrics: list[str | Metric] = [*metric_names(), *run.metrics]
    return compare(dict(run.models), records, protocol=run.protocol, metrics=metrics, **options)


def _cells(
    experiment: Experiment, printed: PrintedTable, ours: ScoreMatrix, spread: Any
) -> list[ReproducedCell]:
    cells = []
    for i, row in enumerate(ours.datasets):
        for j, column in enumerate(ours.models):
            value, deviation = printed.cell(row, column)
            allowed = float("nan") if experiment.tolerance is None else experiment.tolerance
            if not np.isnan(deviation):
                allowed = 2 * deviation
            pair = float(ours.values[i, j]), float(spread[i, j])
            cells.append(ReproducedCell(row, column, *pair, value, deviation, allowed))
    return cells


def _verdicts(result: Reproduction, ours: ScoreMatrix) -> list[Verdict]:
    columns = [name for name in ours.models if name in result.printed.columns]
    printed = result.printed.matrix(columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            judge(conclusion, ours, printed, result.printed_here())
            for conclusion in result.experiment.conclusions
        ]


def _readings(
    result: Reproduction, records: Any, run: Run, options: dict[str, Any]
) -> Iterator[OtherReading]:
    experiment = result.experiment
    if not experiment.variants:
        return
    models = {f"{v.column}: {v.label}": v.model for v in experiment.variants}
    results = _compare(Run(models, run.protocol), records, options)
    result.seconds.update(_seconds([results]))
    means = results.matrix(experiment.metric)
    spread = experiment.scale * results.deviations(experiment.metric).values
    for j, variant in enumerate(experiment.variants):
        values = experiment.scale * means.values[:, [j]]
        column = ScoreMatrix(values, means.datasets, [variant.column], means.metric)
        cells = _cells(experiment, result.printed, column, spread[:, [j]])
        yield OtherReading(variant.column, variant.label, cells)


def _other_data(
    result: Reproduction, rows: Sequence[str], folder: Any, runs: list[Run], options: dict[str, Any]
) -> Iterator[OtherData]:
    experiment = result.experiment
    for row, (label, source) in experiment.other_data.items():
        if row not in rows:
            continue
        records = {row: source.load(folder)}
        measured = Measured([_compare(run, records, options) for run in runs])
        result.seconds.update(_seconds(measured.results))
        cells = _cells(experiment, result.printed, *experiment.measure(measured))
        yield OtherData(row, label, cells)


def _seconds(results: Sequence[Results]) -> dict[str, float]:
    return {
        cell.key: cell.scores.get("fit_time", 0.0) + cell.scores.get("predict_time", 0.0)
        for result in results
        for cell in result.cells
    }


def _protocol(runs: list[Run]) -> str:
    plan = runs[0].protocol
    times = f"{plan.n_repeats} x " if plan.n_repeats > 1 else ""
    return f"{times}{plan.n_splits}-fold cross-validation"


def _failures(measured: Measured) -> list[str]:
    found = (cell for result in measured.results for cell in result.failures())
    return list(dict.fromkeys(f"{c.model} on {c.dataset}: {c.error_type}" for c in found))


def _differences(experiment: Experiment, records: Any) -> dict[str, list[str]]:
    paper = experiment.name.partition("-")[0]
    return {
        row: found
        for row, record in records.items()
        if (found := [text for text in record.differences if text.startswith(paper)])
    }
