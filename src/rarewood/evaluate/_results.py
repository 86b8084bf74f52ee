"""Results of a comparison, with their statistics."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate._cell import Task
from rarewood.evaluate._friedman_test import FriedmanResult, friedman
from rarewood.evaluate._metrics import Metric
from rarewood.evaluate._posthoc import (
    HolmResult,
    WilcoxonResult,
    holm_posthoc,
    nemenyi,
    wilcoxon,
)
from rarewood.evaluate._predictions import Predictions, unpack, unpack_notes
from rarewood.evaluate._resampled import WinDrawLoss, win_draw_loss
from rarewood.evaluate._score_matrix import ScoreMatrix, as_frame
from rarewood.evaluate._store import Cell

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """Results of :func:`compare`.

    Attributes
    ----------
    datasets, models : list of str
        Names, in the order given.
    metrics : dict of str to bool
        Names of the metrics, and whether higher is better.
    cells : list of Cell
        One per data set, repeat, fold and model, under the names of this comparison. Attributes:
        ``key``, a hash of the data, the model, the split and the versions; ``dataset`` and
        ``model``; ``repeat`` and ``fold``; ``n_train`` and ``n_test``, numbers of samples;
        ``scores``, metrics by name, empty if the model failed; ``error_type``, ``error`` and
        ``traceback`` of a model that failed, else None; ``warnings``, a list of texts; ``about``, a
        dict of versions and parameters; ``finished``, in seconds since 1970; ``has_predictions``,
        whether the store has the predictions.
    """

    datasets: list[str]
    models: list[str]
    metrics: dict[str, bool]
    cells: list[Cell]
    _labels: dict[str, tuple[NDArray[Any], int]] = field(default_factory=dict)
    _packed: Mapping[str, bytes | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        tasks: Sequence[Task],
        cells: Mapping[str, Cell],
        metrics: Mapping[str, Metric],
        packed: Mapping[str, bytes | None],
    ) -> Self:
        """Return the results of a run, with its names of data sets and models."""
        return cls(
            list(dict.fromkeys(task.table.name for task in tasks)),
            list(dict.fromkeys(task.name for task in tasks)),
            {name: metric.higher_is_better for name, metric in metrics.items()},
            [task.named(cells[task.key]) for task in tasks],
            {task.table.name: (task.table.classes, task.table.pos_index) for task in tasks},
            packed,
        )

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        n_failed = sum(cell.error_type is not None for cell in self.cells)
        failed = f", {n_failed} of them failed" if n_failed else ""
        return (
            f"Results({len(self.datasets)} data sets, {len(self.models)} models, "
            f"{len(self)} cells{failed})"
        )

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a DataFrame with one row per cell.

        Parameters
        ----------
        backend : str, default="pandas"
            A library supported by narwhals, such as "pandas", "polars" or "pyarrow".

        Returns
        -------
        frame : DataFrame
            The columns "dataset", "model", "repeat", "fold", "n_train", "n_test", one column per
            metric, and "error", which is missing for models that succeeded.
        """
        names = ("dataset", "model", "repeat", "fold", "n_train", "n_test")
        columns: dict[str, Any] = {n: [getattr(cell, n) for cell in self.cells] for n in names}
        for name in self.metrics:
            columns[name] = [cell.scores.get(name, float("nan")) for cell in self.cells]
        columns["error"] = [
            None if cell.error_type is None else f"{cell.error_type}: {cell.error}"
            for cell in self.cells
        ]
        return as_frame(columns, backend)

    def failures(self) -> list[Cell]:
        """Return the cells of models that failed, with error and traceback."""
        return [cell for cell in self.cells if cell.error_type is not None]

    def scores(self, metric: str) -> Floats:
        """Return the scores of every fold.

        Parameters
        ----------
        metric : str
            Name of the metric.

        Returns
        -------
        scores : ndarray of shape (n_datasets, n_models, n_splits)
            NaN where a model failed.
        """
        if metric not in self.metrics:
            raise ValueError(f"Unknown metric {metric!r}. Metrics: {', '.join(self.metrics)}.")
        splits = sorted({(cell.repeat, cell.fold) for cell in self.cells})
        axes: tuple[Sequence[Any], ...] = (self.datasets, self.models, splits)
        places = [{name: place for place, name in enumerate(axis)} for axis in axes]
        scores = np.full([len(axis) for axis in axes], np.nan)
        for cell in self.cells:
            names = (cell.dataset, cell.model, (cell.repeat, cell.fold))
            where = tuple(axis[name] for axis, name in zip(places, names, strict=True))
            scores[where] = cell.scores.get(metric, np.nan)
        return scores

    def matrix(self, metric: str = "auc") -> ScoreMatrix:
        """Return the means over the folds, data sets by models.

        Parameters
        ----------
        metric : str, default="auc"
            Name of the metric.

        Returns
        -------
        matrix : ScoreMatrix
            NaN where a model failed on a fold.
        """
        means = self.scores(metric).mean(axis=2)
        return ScoreMatrix(means, self.datasets, self.models, metric, self.metrics[metric])

    def deviations(self, metric: str = "auc") -> ScoreMatrix:
        """Return the sample standard deviations over the folds, laid out as :meth:`matrix`."""
        spread = self.scores(metric).std(axis=2, ddof=1)
        return ScoreMatrix(spread, self.datasets, self.models, metric, False)

    def means(self, backend: str = "pandas") -> Any:
        """Return the mean of every metric over the data sets.

        Parameters
        ----------
        backend : str, default="pandas"
            As in :meth:`to_frame`.

        Returns
        -------
        frame : DataFrame
            One row per model. Data sets on which a model failed are left out for all models. A
            metric that a model never has, such as the leaves of a linear model, is missing.
        """
        columns: dict[str, Any] = {"model": self.models}
        for name in self.metrics:
            values = self.matrix(name).values
            has_any = ~np.isnan(values).all(axis=0)
            common = values[:, has_any]
            common = common[~np.isnan(common).any(axis=1)]
            means = np.full(len(self.models), np.nan)
            if len(common):
                means[has_any] = common.mean(axis=0)
            columns[name] = means
        return as_frame(columns, backend)

    def ranks(self, metric: str = "auc") -> ScoreMatrix:
        """Return the ranks of the models, without data sets on which a model failed.

        See :meth:`ScoreMatrix.ranks`.
        """
        return self._complete(metric).ranks()

    def _complete(self, metric: str) -> ScoreMatrix:
        """Data sets on which every model has a score, with a warning about the others."""
        matrix = self.matrix(metric)
        complete = matrix.complete()
        left_out = [name for name in matrix.datasets if name not in complete.datasets]
        if left_out:
            warnings.warn(
                f"Data sets on which a model has no {metric} are left out of the statistics: "
                f"{', '.join(left_out)}. See failures().",
                stacklevel=3,
            )
        return complete

    def friedman(self, metric: str = "auc") -> FriedmanResult:
        """Test whether the models differ; see :func:`friedman`."""
        matrix = self._complete(metric)
        return friedman(matrix, matrix.higher_is_better)

    def nemenyi(self, metric: str = "auc") -> ScoreMatrix:
        """Return the p-values of all pairs of models; see :func:`nemenyi`."""
        matrix = self._complete(metric)
        values = nemenyi(matrix, matrix.higher_is_better)
        return ScoreMatrix(values, self.models, self.models, f"p-value of {metric}", False)

    def wilcoxon(self, metric: str = "auc", control: str | None = None) -> WilcoxonResult:
        """Compare pairs of models over the data sets; see :func:`wilcoxon`."""
        return wilcoxon(self._complete(metric), None if control is None else self._place(control))

    def holm(self, control: str, metric: str = "auc") -> HolmResult:
        """Compare the average rank of one model with the others; see :func:`holm_posthoc`."""
        matrix = self._complete(metric)
        return holm_posthoc(matrix, self._place(control), matrix.higher_is_better)

    def _place(self, model: str) -> int:
        if model not in self.models:
            raise ValueError(f"Unknown model {model!r}. Models: {', '.join(self.models)}.")
        return self.models.index(model)

    def win_draw_loss(self, metric: str = "auc", alpha: float = 0.05) -> WinDrawLoss:
        """Count significant wins and losses; see :func:`win_draw_loss`."""
        sizes = [self._sizes(name) for name in self.datasets]
        is_better = self.metrics.get(metric, True)
        return win_draw_loss(
            self.scores(metric), sizes, self.models, alpha=alpha, higher_is_better=is_better
        )

    def _sizes(self, dataset: str) -> tuple[float, float]:
        cells = [cell for cell in self.cells if cell.dataset == dataset]
        return (
            float(np.mean([cell.n_train for cell in cells])),
            float(np.mean([cell.n_test for cell in cells])),
        )

    def classes(self, dataset: str) -> tuple[NDArray[Any], int]:
        """Return the sorted labels of a data set, and the index of its class of interest."""
        if dataset not in self._labels:
            raise ValueError(
                f"Unknown data set {dataset!r}. Data sets: {', '.join(self.datasets)}."
            )
        return self._labels[dataset]

    def predictions(self, dataset: str, model: str) -> Predictions:
        """Return the predictions of a model for the test samples of all folds.

        Parameters
        ----------
        dataset, model : str
            Names.

        Returns
        -------
        predictions : Predictions
            Fold after fold, every sample once in each repeat. Attributes of shape (n,): ``rows``,
            the indices of the samples; ``repeat`` and ``fold``; ``y`` and ``predicted``, encoded
            labels. ``scores`` has shape (n, n_classes) or is None; ``classes`` are the sorted
            labels, ``pos_index`` the index of the class of interest among them, and
            ``is_probability``: whether the scores of all folds are probabilities.
        """
        cells = [c for c in self.cells if c.dataset == dataset and c.model == model]
        found = [(cell, self._packed.get(cell.key)) for cell in cells]
        data = [(cell, unpack(packed)) for cell, packed in found if packed is not None]
        if not data:
            raise ValueError(
                f"There are no predictions of {model!r} on {dataset!r}. They need "
                "compare(..., keep_predictions=True), the names of the results, and a model that "
                "did not fail."
            )
        outcomes = [outcome for _, (outcome, _) in data]
        scores = [o.scores for o in outcomes if o.scores is not None]
        classes, pos_index = self._labels[dataset]
        return Predictions(
            rows=np.concatenate([rows for _, (_, rows) in data]),
            repeat=np.repeat([cell.repeat for cell, _ in data], [len(o.y) for o in outcomes]),
            fold=np.repeat([cell.fold for cell, _ in data], [len(o.y) for o in outcomes]),
            y=np.concatenate([o.y for o in outcomes]),
            predicted=np.concatenate([o.predicted for o in outcomes]),
            scores=np.concatenate(scores) if len(scores) == len(outcomes) else None,
            classes=classes,
            pos_index=pos_index,
            is_probability=all(o.is_probability for o in outcomes),
        )

    def annotations(self, dataset: str, model: str) -> list[dict[str, NDArray[Any]]]:
        """Return the arrays of ``annotate`` of :func:`compare`, a dict for each fold that has any.

        "rows" are the indices of the test samples of the fold, which is one of the first repeat.
        """
        names = (dataset, model, 0)
        cells = [cell for cell in self.cells if (cell.dataset, cell.model, cell.repeat) == names]
        packed = [data for cell in cells if (data := self._packed.get(cell.key)) is not None]
        return [unpack_notes(data) for data in packed]
