"""Contributions of the columns to what a model of a file predicts, for any model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rarewood.workflow._model_file import LoadedModel


@dataclass(frozen=True, eq=False)
class RowContributions:
    """What each column adds to the prediction of each row, for the rare class.

    Attributes
    ----------
    columns : list of str
        Names of the columns.
    values : ndarray of shape (n_rows, n_columns)
        Contributions, which lead from the base to the total.
    base : float
        The value without any information on a row.
    unit : {"probability", "log odds", "score"}
        Unit of values and base; a probability is that before a correction of the prior.
    method : str
        How the contributions were computed, such as "SHAP values".
    """

    columns: list[str]
    values: NDArray[np.float64]
    base: float
    unit: str
    method: str

    @property
    def total(self) -> NDArray[np.float64]:
        """What the model predicts for each row, in the same unit."""
        total: NDArray[np.float64] = self.base + self.values.sum(axis=1)
        return total

    def strongest(self, row: int, n_columns: int | None = None) -> list[int]:
        """Return the columns with the largest contributions to a row, largest first, without 0."""
        values = self.values[row]
        order = sorted(range(len(values)), key=lambda k: -abs(values[k]))
        return [k for k in order if values[k] != 0][:n_columns]


def contributions_of_rows(loaded: LoadedModel, features: Any) -> RowContributions:
    """Return the contributions of the columns for rows that ``FeatureMaker.make`` has made."""
    names = [column["name"] for column in loaded.facts["columns"]]
    names = [f"column {k}" if name is None else name for k, name in enumerate(names)]
    if loaded.is_foreign:
        from rarewood.explain._foreign import foreign_contributions

        found = foreign_contributions(loaded.classifier, features, loaded.pos_number)
        return RowContributions(names, *found)
    from rarewood.explain import shap_values

    explained = shap_values(loaded.classifier, features)
    values, base = explained.of_class(loaded.pos_label), explained.base_values[loaded.pos_number]
    return RowContributions(names, values, float(base), "probability", "SHAP values")
