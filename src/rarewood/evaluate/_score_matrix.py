"""Scores of models on data sets, as a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_DIGITS = 12  # means of the same folds differ in their last digits only


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores with one row per data set and one column per model.

    The statistics, such as :func:`friedman`, and NumPy accept it as an array.

    Attributes
    ----------
    values : ndarray of shape (n_datasets, n_models)
        Scores; NaN where a model failed or the metric is undefined.
    datasets, models : list of str
        Names of the rows and of the columns.
    metric : str
        Name of the metric.
    higher_is_better : bool
        Whether larger scores are better.
    """

    values: Floats
    datasets: list[str]
    models: list[str]
    metric: str
    higher_is_better: bool = True

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype)

    def __len__(self) -> int:
        return len(self.datasets)

    def __getitem__(self, place: tuple[str, str]) -> float:
        """Return the score of (data set, model)."""
        dataset, model = place
        return float(self.values[self.datasets.index(dataset), self.models.index(model)])

    def complete(self) -> ScoreMatrix:
        """Return the rows in which every model has a score."""
        kept = np.flatnonzero(~np.isnan(self.values).any(axis=1))
        names = [self.datasets[place] for place in kept]
        return ScoreMatrix(
            self.values[kept], names, self.models, self.metric, self.higher_is_better
        )

    def ranks(self) -> ScoreMatrix:
        """Return the ranks of the models on every data set.

        Returns
        -------
        ranks : ScoreMatrix
            1 for the best model; tied models share the mean of their ranks. Scores that agree to 12
            decimals are tied.

        Examples
        --------
        >>> from rarewood.evaluate import ScoreMatrix
        >>> scores = ScoreMatrix([[0.9, 0.8, 0.9], [0.7, 0.6, 0.5]], ["a", "b"], list("xyz"), "auc")
        >>> scores.ranks().values
        array([[1.5, 3. , 1.5],
               [1. , 2. , 3. ]])
        """
        ranks = midranks(self.values, self.higher_is_better)
        return ScoreMatrix(ranks, self.datasets, self.models, f"rank of {self.metric}", False)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the matrix as a DataFrame.

        Parameters
        ----------
        backend : str, default="pandas"
            A library supported by narwhals, such as "pandas", "polars" or "pyarrow".

        Returns
        -------
        frame : DataFrame
            The column "dataset" and one column per model.
        """
        columns = {name: self.values[:, j] for j, name in enumerate(self.models)}
        return as_frame({"dataset": self.datasets, **columns}, backend)

    def __str__(self) -> str:
        left = max(map(len, ["", *self.datasets]))
        rows = [[" " * left, *self.models]]
        for name, scores in zip(self.datasets, self.values, strict=True):
            rows.append([name.ljust(left), *(f"{score:.4f}" for score in scores)])
        return aligned(rows)


def aligned(rows: list[list[str]]) -> str:
    """Return rows of text as a table of right-aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def as_frame(columns: dict[str, Any], backend: str) -> Any:
    """Return columns as a DataFrame of the given library."""
    import narwhals.stable.v2 as nw

    chosen: Any = backend
    try:
        return nw.from_dict(columns, backend=chosen).to_native()
    except ImportError as error:
        raise ImportError(
            f"A DataFrame of {backend} was requested, but {backend} is not installed. Install it, "
            "or name another library: to_frame('polars')."
        ) from error


def check_scores(matrix: Any) -> Floats:
    """Return the scores as an array; raise an error if no statistic can be computed from them."""
    scores = np.asarray(matrix, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[0] < 2 or scores.shape[1] < 2:
        raise ValueError(
            "Scores must be a matrix with one row per data set and one column per model, at least "
            f"two of each; got shape {scores.shape}."
        )
    unknown = np.flatnonzero(np.isnan(scores).any(axis=1))
    if len(unknown):
        raise ValueError(
            f"Scores are missing in rows {unknown.tolist()[:10]}: a model failed there, or the "
            "metric is undefined. Leave out these rows (data sets) or the models concerned."
        )
    return scores


def midranks(matrix: Any, higher_is_better: bool = True) -> Floats:
    """Return ranks within each row, 1 for the best; ties share the mean of their ranks."""
    from scipy.stats import rankdata  # slow to import

    scores = np.round(check_scores(matrix), _DIGITS)
    ranks: Floats = rankdata(-scores if higher_is_better else scores, axis=1)
    return ranks
