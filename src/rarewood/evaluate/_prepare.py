"""Help for models that cannot take nominal columns or missing values."""

from __future__ import annotations

from typing import Any, Self

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from rarewood.table._frames import all_series

__all__ = ["Preparation", "needs_preparation", "prepared"]

# Packages and modules whose models take a DataFrame with categories as it is.
_TAKE_CATEGORIES = ("rarewood", "lightgbm", "sklearn.ensemble._hist_gradient_boosting")
# Modules whose models hand the table to the one inside without looking at it.
_PASS_ON = ("sklearn.calibration", "sklearn.model_selection", "rarewood.workflow._adapters")


class Preparation(TransformerMixin, BaseEstimator):
    """Makes a table of numbers without gaps of any table.

    Nominal columns (categories, text, true or false) become one column for each category, where a
    missing value is a category of its own, and categories that training did not have are all zeros.
    Missing numbers become the median of the training rows. Nothing is scaled.

    Examples
    --------
    >>> import pandas as pd
    >>> from rarewood.evaluate import Preparation
    >>> X = pd.DataFrame({"age": [20, None, 40], "sex": ["f", "m", "f"]})
    >>> Preparation().fit_transform(X)
    array([[ 1.,  0., 20.],
           [ 0.,  1., 30.],
           [ 1.,  0., 40.]])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the categories and medians.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The training table.
        y : ignored
            Not used.

        Returns
        -------
        self : Preparation
            The fitted transformer.
        """
        from sklearn.impute import SimpleImputer
        from sklearn.preprocessing import OneHotEncoder

        nominal, numeric = _parts(X)
        self.n_features_in_ = nominal.shape[1] + numeric.shape[1]
        self.encoder_ = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        self.imputer_ = SimpleImputer(strategy="median", keep_empty_features=True)
        if nominal.shape[1]:
            self.encoder_.fit(nominal)
        if numeric.shape[1]:
            self.imputer_.fit(numeric)
        return self

    def transform(self, X: Any) -> np.ndarray[Any, Any]:
        """Return the table as numbers, nominal columns first.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        matrix : ndarray of shape (n_samples, n_columns)
            Numbers without gaps.
        """
        nominal, numeric = _parts(X)
        parts = []
        if nominal.shape[1]:
            parts.append(self.encoder_.transform(nominal))
        if numeric.shape[1]:
            parts.append(self.imputer_.transform(numeric))
        return np.hstack(parts)


def _parts(X: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Split a table into its nominal columns, as objects, and its numbers."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        matrix = np.asarray(X)
        if matrix.dtype.kind in "iufb":
            return np.empty((len(matrix), 0), dtype=object), matrix.astype(np.float64)
        raise ValueError(
            "An array of objects does not say which columns are nominal: give a DataFrame."
        )
    nominal, numeric = [], []
    for series in all_series(frame):
        if series.dtype.is_numeric():
            numeric.append(np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64))
        else:
            values = [None if v is None or v != v else str(v) for v in series.to_list()]
            nominal.append(np.array(values, dtype=object))
    n_rows = len(frame)
    return (
        np.column_stack(nominal) if nominal else np.empty((n_rows, 0), dtype=object),
        np.column_stack(numeric) if numeric else np.empty((n_rows, 0)),
    )


def prepared(estimator: Any) -> Any:
    """Put a :class:`Preparation` before a model.

    Parameters
    ----------
    estimator : estimator
        A classifier that needs numbers without gaps.

    Returns
    -------
    pipeline : Pipeline
        One-hot coding and imputation, then the model.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from rarewood.evaluate import prepared
    >>> [name for name, step in prepared(LogisticRegression()).steps]
    ['preparation', 'model']
    """
    from sklearn.pipeline import Pipeline

    return Pipeline([("preparation", Preparation()), ("model", estimator)])


def needs_preparation(estimator: Any, has_nominal: bool, has_missing: bool) -> bool:
    """Whether a model would fail on a table with nominal columns or missing values."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils import get_tags

    if isinstance(estimator, Pipeline):
        return False  # what to do with columns is its own business
    module = type(estimator).__module__
    if _is_in(module, _PASS_ON) and getattr(estimator, "estimator", None) is not None:
        return needs_preparation(estimator.estimator, has_nominal, has_missing)
    if _is_in(module, _TAKE_CATEGORIES):
        return False
    try:
        takes_missing = bool(get_tags(estimator).input_tags.allow_nan)
    except (AttributeError, TypeError):
        takes_missing = False
    return has_nominal or (has_missing and not takes_missing)


def _is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in packages)
