"""Mean scores, data sets by models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ScoreMatrix", "as_frame"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores, one row for each data set and one column for each model.

    It can be given to the statistics, such as :func:`friedman`, and to NumPy as it is.

    Attributes
    ----------
    values : ndarray of shape (n_datasets, n_models)
        Means over the folds; NaN where a model failed or the metric is not defined.
    datasets, models : list of str
        Names of the rows and of the columns.
    metric : str
        What was measured.
    higher_is_better : bool
        Whether large values are good.
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
        """Return the data sets on which every model has a score."""
        kept = np.flatnonzero(~np.isnan(self.values).any(axis=1))
        names = [self.datasets[place] for place in kept]
        return ScoreMatrix(
            self.values[kept], names, self.models, self.metric, self.higher_is_better
        )

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the table as a DataFrame with the column "dataset" and one for each model.

        Parameters
        ----------
        backend : str, default="pandas"
            A library that narwhals knows, such as "pandas", "polars" or "pyarrow".

        Returns
        -------
        frame : DataFrame
            One row for each data set.
        """
        columns = {name: self.values[:, j] for j, name in enumerate(self.models)}
        return as_frame({"dataset": self.datasets, **columns}, backend)

    def __str__(self) -> str:
        rows = [["", *self.models]]
        for name, scores in zip(self.datasets, self.values, strict=True):
            rows.append([name, *(f"{score:.4f}" for score in scores)])
        left = max(len(row[0]) for row in rows)
        widths = [max(len(row[j]) for row in rows) for j in range(1, len(rows[0]))]
        lines = []
        for name, *cells in rows:
            texts = (text.rjust(width) for text, width in zip(cells, widths, strict=True))
            lines.append("  ".join([name.ljust(left), *texts]))
        return "\n".join(lines)


def as_frame(columns: dict[str, Any], backend: str) -> Any:
    """Return columns as a DataFrame of some library."""
    import narwhals.stable.v2 as nw

    chosen: Any = backend
    try:
        return nw.from_dict(columns, backend=chosen).to_native()
    except ImportError as error:
        raise ImportError(
            f"The table was asked for as a DataFrame of {backend}, which is not installed. "
            "Install it, or name another library: to_frame('polars')."
        ) from error
