"""Make a printed table again, and put it beside the printed one."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rarewood.evaluate import FriedmanResult, ScoreMatrix, compare, friedman, midranks
from rarewood.evaluate.comparison import DEFAULT_STORE
from rarewood.evaluate.score_matrix import as_frame
from rarewood.papers.conclusions import Verdict, judge
from rarewood.papers.experiment import Experiment, Measured, Run
from rarewood.papers.registry import find
from rarewood.papers.sources import at_hand
from rarewood.papers.tables import PrintedTable

__all__ = ["ReproducedCell", "Reproduction", "VariantCount", "reproduce"]


class ReproducedCell(NamedTuple):
    """A cell of the table: ours and the printed one; NaN where there is none."""

    row: str
    column: str
    ours: float
    our_sd: float
    printed: float
    printed_sd: float
    allowed: float

    @property
    def difference(self) -> float:
        """Ours minus the printed one."""
        return self.ours - self.printed

    @property
    def is_inside(self) -> bool | None:
        """Whether they agree; None where that is not counted."""
        if np.isnan(self.allowed) or np.isnan(self.difference):
            return None
        return abs(self.difference) <= self.allowed + 1e-9


class VariantCount(NamedTuple):
    """Another reading of a column: how many cells are inside, and how far off it is on average."""

    column: str
    label: str
    n_inside: int
    n_cells: int
    mean_difference: float


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A printed table, made again; printing it shows both.

    Attributes
    ----------
    experiment : Experiment
        How it was made.
    printed : PrintedTable
        What the paper prints.
    ours : ScoreMatrix
        Our table: the rows whose data sets are at hand.
    cells : list of ReproducedCell
        All cells of ours, with the printed ones.
    verdicts : list of Verdict
        The conclusions of the paper.
    missing, left_out : list of str
        Rows whose data sets are not at hand, and rows that were not asked for.
    protocol : str
        How the rows were split.
    failures : list of str
        Models that failed, and where.
    variants : list of VariantCount
        Other readings of the columns, if they were asked for.
    differences : dict of str to list of str
        Where a data set is not what the paper describes.
    """

    experiment: Experiment
    printed: PrintedTable
    ours: ScoreMatrix
    cells: list[ReproducedCell]
    verdicts: list[Verdict]
    missing: list[str]
    left_out: list[str]
    protocol: str
    failures: list[str] = field(default_factory=list)
    variants: list[VariantCount] = field(default_factory=list)
    differences: dict[str, list[str]] = field(default_factory=dict)

    def inside(self, columns: Sequence[str] | None = None) -> tuple[int, int]:
        """Return how many cells agree with the printed ones, and how many are counted.

        Parameters
        ----------
        columns : list of str, default=None
            Which columns to count; by default all.

        Returns
        -------
        n_inside, n_counted : int
            A cell agrees if it is within two printed standard deviations or, where none is
            printed, within the tolerance of the table.
        """
        states = [c.is_inside for c in self.cells if columns is None or c.column in columns]
        return sum(state is True for state in states), sum(state is not None for state in states)

    def average_ranks(self) -> dict[str, tuple[float, float]]:
        """Return our average rank of every column, and the printed one on the same rows."""
        ours, printed = self.ours.complete(), self.printed_here().complete()
        first = _ranks(ours)
        second = _ranks(printed)
        nan = float("nan")
        return {name: (first.get(name, nan), second.get(name, nan)) for name in self.ours.models}

    def printed_here(self) -> ScoreMatrix:
        """Return the printed cells of the rows that are at hand, in our columns."""
        table, rows = self.printed, self.ours.datasets
        values = np.array(
            [[table.cell(row, name)[0] for name in self.ours.models] for row in rows]
        ).reshape(len(rows), len(self.ours.models))
        return ScoreMatrix(
            values, list(rows), self.ours.models, table.title, table.higher_is_better
        )

    def friedman(self) -> FriedmanResult | None:
        """Return Friedman's test of our table; None if it has less than two complete rows."""
        complete = self.ours.complete()
        if len(complete) < 2 or len(complete.models) < 2:
            return None
        return friedman(complete, complete.higher_is_better)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the cells as a DataFrame, one row for each.

        Parameters
        ----------
        backend : str, default="pandas"
            A library that narwhals knows, such as "pandas", "polars" or "pyarrow".

        Returns
        -------
        frame : DataFrame
            Our value and deviation, the printed ones, the difference, and whether they agree.
        """
        names = ("row", "column", "ours", "our_sd", "printed", "printed_sd", "difference")
        columns = {name: [getattr(cell, name) for cell in self.cells] for name in names}
        return as_frame({**columns, "inside": [cell.is_inside for cell in self.cells]}, backend)

    def __str__(self) -> str:
        from rarewood.papers.text import describe

        return describe(self)


def _ranks(matrix: ScoreMatrix) -> dict[str, float]:
    if len(matrix) < 2 or len(matrix.models) < 2:
        return {}
    ranks = midranks(matrix, matrix.higher_is_better).mean(axis=0)
    return dict(zip(matrix.models, ranks.tolist(), strict=True))


def reproduce(
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    store: Any = DEFAULT_STORE,
    n_jobs: int | None = None,
    n_repeats: int | None = None,
    rows: Sequence[str] | None = None,
    variants: bool = False,
    show: bool = True,
    progress: bool | None = None,
) -> Reproduction:
    """Make a printed table again, and show it beside the printed one.

    Parameters
    ----------
    name : str
        A name of :func:`list`, such as "hddt-table2".
    folder : str or Path, default=None
        Where the data sets are; by default what the environment variable ``RAREWOOD_DATA`` names.
        Rows without a data set there are left out.
    store : str, Path, Store or None, default="rarewood-results.sqlite"
        File of finished cells, as in :func:`rarewood.evaluate.compare`: a run that was stopped goes
        on where it was, and tables of the same models share what they have.
    n_jobs : int, default=None
        Processes; None is 1, -1 all cores.
    n_repeats : int, default=None
        Fewer repeats of the cross-validation than the paper has.
    rows : list of str, default=None
        Rows to make, as printed; by default all that are at hand.
    variants : bool, default=False
        Whether to measure other readings of the columns too.
    show : bool, default=True
        Whether to print the result.
    progress : bool, default=None
        Tell how far it is; by default if the standard error stream is a terminal.

    Returns
    -------
    reproduction : Reproduction
        Both tables, cell by cell, ranks, the test, and the paper's conclusions.

    Examples
    --------
    >>> from rarewood import papers
    >>> papers.reproduce("hddt-table2", folder="data")  # doctest: +SKIP
    """
    experiment = find(name)
    found, missing = at_hand(experiment.sources, folder)
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
        variants=_variants(experiment, records, runs[0], options) if variants else [],
        differences=_differences(experiment, records),
    )
    result.verdicts.extend(_verdicts(result))
    if show:
        print(result)
    return result


def _chosen(experiment: Experiment, found: Any, rows: Sequence[str] | None) -> list[str]:
    if rows is None:
        return list(found)
    unknown = [row for row in rows if row not in experiment.sources]
    if unknown:
        raise ValueError(
            f"{experiment.name} has no row {unknown[0]!r}, but {', '.join(experiment.sources)}."
        )
    return [row for row in found if row in rows]


def _compare(run: Run, records: Any, options: dict[str, Any]) -> Any:
    from rarewood.evaluate import metric_names

    metrics = [*metric_names(), *run.metrics]
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


def _verdicts(result: Reproduction) -> list[Verdict]:
    ours = result.ours
    columns = [name for name in ours.models if name in result.printed.columns]
    printed = result.printed.matrix(columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            judge(conclusion, ours, printed, result.printed_here())
            for conclusion in result.experiment.conclusions
        ]


def _variants(
    experiment: Experiment, records: Any, run: Run, options: dict[str, Any]
) -> list[VariantCount]:
    if not experiment.variants:
        return []
    models = {f"{v.column}: {v.label}": v.model for v in experiment.variants}
    result = _compare(Run(models, run.protocol), records, options)
    means = result.matrix(experiment.metric)
    spread = result.deviations(experiment.metric).values
    printed, counts = experiment.printed(), []
    for j, variant in enumerate(experiment.variants):
        values = experiment.scale * means.values[:, [j]]
        column = ScoreMatrix(values, means.datasets, [variant.column], means.metric)
        cells = _cells(experiment, printed, column, spread[:, [j]])
        states = [cell.is_inside for cell in cells if cell.is_inside is not None]
        off = float(np.nanmean([cell.difference for cell in cells]))
        counts.append(VariantCount(variant.column, variant.label, sum(states), len(states), off))
    return counts


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
