"""Preparation of tables for models without support for categories or missing values."""

from __future__ import annotations

from typing import Any, Self

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from rarewood.table._frames import all_series

# Packages and modules whose models accept a DataFrame with categories as it is.
_TAKE_CATEGORIES = ("rarewood", "lightgbm", "sklearn.ensemble._hist_gradient_boosting")
# Modules whose models pass the table on to the inner model unchanged.
_PASS_ON = ("sklearn.calibration", "sklearn.model_selection", "rarewood.foreign._adapters")


class Preparation(TransformerMixin, BaseEstimator):
    """First step of :func:`prepared`; the categorical features come first."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the categories and medians of the training data; ``y`` is not used."""
        from sklearn.impute import SimpleImputer
        from sklearn.preprocessing import OneHotEncoder

        categorical, numeric = _parts(X)
        self.n_features_in_ = categorical.shape[1] + numeric.shape[1]
        self.encoder_ = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        self.imputer_ = SimpleImputer(strategy="median", keep_empty_features=True)
        if categorical.shape[1]:
            self.encoder_.fit(categorical)
        if numeric.shape[1]:
            self.imputer_.fit(numeric)
        return self

    def transform(self, X: Any) -> np.ndarray[Any, Any]:
        """Return the table as a matrix of numbers without missing values."""
        categorical, numeric = _parts(X)
        parts = []
        if categorical.shape[1]:
            parts.append(self.encoder_.transform(categorical))
        if numeric.shape[1]:
            parts.append(self.imputer_.transform(numeric))
        return np.hstack(parts)


def _parts(X: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Split a table into its categorical features, as objects, and its numbers."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        matrix = np.asarray(X)
        if matrix.dtype.kind in "iufb":
            return np.empty((len(matrix), 0), dtype=object), matrix.astype(np.float64)
        raise ValueError(
            "Numeric and categorical features cannot be distinguished in an object array. Pass a "
            "DataFrame."
        )
    categorical, numeric = [], []
    for series in all_series(frame):
        if series.dtype.is_numeric():
            numeric.append(np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64))
        else:
            values = [None if v is None or v != v else str(v) for v in series.to_list()]
            categorical.append(np.array(values, dtype=object))
    n_rows = len(frame)
    return (
        np.column_stack(categorical) if categorical else np.empty((n_rows, 0), dtype=object),
        np.column_stack(numeric) if numeric else np.empty((n_rows, 0)),
    )


def prepared(estimator: Any) -> Any:
    """Return a pipeline of one-hot coding, median imputation and a model.

    Parameters
    ----------
    estimator : estimator
        A classifier without support for categorical features or missing values.

    Returns
    -------
    pipeline : Pipeline
        A missing category is a category of its own, and an unknown one is all zeros; missing
        numbers become the median of the training data. Nothing is scaled.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.linear_model import LogisticRegression
    >>> from rarewood.evaluate import prepared
    >>> pipeline = prepared(LogisticRegression())
    >>> X = pd.DataFrame({"age": [20, None, 40], "sex": ["f", "m", "f"]})
    >>> pipeline["preparation"].fit_transform(X)
    array([[ 1.,  0., 20.],
           [ 0.,  1., 30.],
           [ 1.,  0., 40.]])
    """
    from sklearn.pipeline import Pipeline

    return Pipeline([("preparation", Preparation()), ("model", estimator)])


def needs_preparation(estimator: Any, has_categories: bool, has_missing: bool) -> bool:
    """Whether a model would fail on categorical features or missing values."""
    from sklearn.pipeline import Pipeline
    from sklearn.utils import get_tags

    if isinstance(estimator, Pipeline):
        return False  # it has its own preparation
    module = type(estimator).__module__
    if _is_in(module, _PASS_ON) and getattr(estimator, "estimator", None) is not None:
        return needs_preparation(estimator.estimator, has_categories, has_missing)
    if _is_in(module, _TAKE_CATEGORIES):
        return False
    try:
        takes_missing = bool(get_tags(estimator).input_tags.allow_nan)
    except (AttributeError, TypeError):
        takes_missing = False
    return has_categories or (has_missing and not takes_missing)


def _is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in packages)
