"""Definition of the experiments that reproduce printed tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import (
    Metric,
    Protocol,
    Results,
    ScoreMatrix,
    corrected_resampled_ttest,
)
from reproduction.conclusions import Conclusion
from reproduction.printed_table import PrintedTable, read_columns
from reproduction.sources import Source

__all__ = ["Experiment", "Measured", "Run", "Variant", "scores_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """Models that are compared under one protocol."""

    models: Mapping[str, Any]
    protocol: Protocol
    metrics: tuple[Metric, ...] = ()  # in addition to the default metrics

    def shortened(self, n_repeats: int | None) -> Run:
        """Return the run with fewer repeats; their splits are the same."""
        if n_repeats is None or n_repeats >= self.protocol.n_repeats:
            return self
        return replace(self, protocol=replace(self.protocol, n_repeats=n_repeats))


@dataclass(frozen=True)
class Variant:
    """Alternative interpretation of a column: a model that the text does not describe."""

    column: str
    label: str
    model: Any


@dataclass(frozen=True)
class Measured:
    """Results of the runs of an experiment, all models side by side."""

    results: Sequence[Results]

    def matrix(self, metric: str) -> ScoreMatrix:
        """Return the means over the folds, data sets by all models of all runs."""
        parts = [result.matrix(metric) for result in self.results]
        values = np.hstack([part.values for part in parts])
        models = [name for part in parts for name in part.models]
        return ScoreMatrix(values, parts[0].datasets, models, metric, parts[0].higher_is_better)

    def deviations(self, metric: str) -> ScoreMatrix:
        """Return the standard deviations over the folds in the same layout."""
        parts = [result.deviations(metric) for result in self.results]
        values = np.hstack([part.values for part in parts])
        models = [name for part in parts for name in part.models]
        return ScoreMatrix(values, parts[0].datasets, models, metric, False)

    def pair(self, metric: str, one: str, other: str, alpha: float = 0.05) -> tuple[int, int, int]:
        """Return on how many data sets a model wins, draws and loses against another."""
        counts = [0, 0, 0]
        for mean, p in self.differences(metric, one, other).values():
            side = int(np.sign(mean)) if p < alpha else 0
            counts[1 - side] += 1
        return counts[0], counts[1], counts[2]

    def differences(self, metric: str, one: str, other: str) -> dict[str, tuple[float, float]]:
        """Return the mean difference of two models on each data set, and its p-value.

        By the corrected resampled t-test; data sets on which one of them failed are left out.
        """
        found = {}
        a, b = self._folds(metric, one), self._folds(metric, other)
        cells = self.results[0].cells
        for dataset, diffs in zip(self.results[0].datasets, a - b, strict=True):
            if np.isnan(diffs).any():
                continue
            cell = next(cell for cell in cells if cell.dataset == dataset)
            test = corrected_resampled_ttest(diffs, cell.n_train, cell.n_test)
            found[dataset] = float(diffs.mean()), float(test.pvalue)
        return found

    def _folds(self, metric: str, model: str) -> Floats:
        """Scores of a model, data sets by folds."""
        result = next(result for result in self.results if model in result.models)
        scores: Floats = result.scores(metric)[:, result.models.index(model)]
        return scores


Measure = Callable[[Measured], tuple[ScoreMatrix, Floats]]


def scores_of(
    metric: str,
    columns: Sequence[str],
    scale: float = 1.0,
    models: Mapping[str, str] | None = None,
) -> Measure:
    """Return the measure "means and deviations of a metric", times a scale.

    A column shows the model of its name, unless ``models`` names another.
    """
    names = dict(models or {})

    def measure(measured: Measured) -> tuple[ScoreMatrix, Floats]:
        means, spread = measured.matrix(metric), measured.deviations(metric)
        places = [means.models.index(names.get(column, column)) for column in columns]
        matrix = replace(means, values=scale * means.values[:, places], models=list(columns))
        return matrix, abs(scale) * spread.values[:, places]

    return measure


@dataclass(frozen=True)
class Experiment:
    """Definition of a reproduced table or figure, and the conclusions of its paper.

    Attributes
    ----------
    name, title, source, setup : str
        Name, content, place in print, and set-up in words.
    sources : dict of str to Source
        The data set of each printed row.
    runs : tuple of Run
        The comparisons to run.
    measure : callable
        Function of the results that returns the table and its standard deviations.
    columns : tuple of str
        Reproduced columns.
    tolerance : float or None
        Allowed difference of a cell without a printed deviation; None if cells are not counted.
    conclusions : tuple of Conclusion
        Conclusions of the paper.
    variants : tuple of Variant
        Alternative interpretations of the columns, evaluated on request.
    reading : dict of str to str
        Labels of the variants that fit the printed columns best; the conclusions are also judged
        with them.
    metric, scale : str, float
        Metric of the variants, and unit of the table.
    other_data : dict of str to (str, Source)
        Alternative data of a row, with a label: all columns are evaluated on them on request.
    rank_groups : tuple of tuple of str
        Columns that are ranked among each other; by default all.
    ranks, higher_is_better, misprints, notes
        As in :class:`PrintedTable`.
    derived : callable
        Function that returns the printed table if it has no file of its own.
    at_hand : callable
        Function of the names of data sets that returns the printed values for these alone. For
        tables whose rows are not data sets, such as counts of wins; None if it is not known.
    """

    name: str
    title: str
    source: str
    setup: str
    sources: Mapping[str, Source]
    runs: tuple[Run, ...]
    measure: Measure
    columns: tuple[str, ...]
    tolerance: float | None = None
    conclusions: tuple[Conclusion, ...] = ()
    variants: tuple[Variant, ...] = ()
    reading: Mapping[str, str] = field(default_factory=dict)
    metric: str = "auc"
    scale: float = 1.0
    other_data: Mapping[str, tuple[str, Source]] = field(default_factory=dict)
    rank_groups: tuple[tuple[str, ...], ...] = ()
    ranks: Mapping[str, float] = field(default_factory=dict)
    higher_is_better: bool = True
    misprints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    derived: Callable[[], tuple[list[str], list[str], Floats, Floats]] | None = None
    at_hand: Callable[[Sequence[str]], Floats] | None = None

    def printed(self) -> PrintedTable:
        """Return the table as printed."""
        rows, columns, values, deviations = (
            read_columns(self.name) if self.derived is None else self.derived()
        )
        return PrintedTable(
            name=self.name,
            title=self.title,
            source=self.source,
            rows=rows,
            columns=columns,
            values=values,
            deviations=deviations,
            ranks=dict(self.ranks),
            higher_is_better=self.higher_is_better,
            misprints=self.misprints,
            notes=self.notes,
        )
