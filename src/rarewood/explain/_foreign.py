"""Contributions of columns for classifiers of other packages.

Boosted trees of LightGBM, XGBoost and CatBoost, and all models of YDF, compute Shapley values
themselves; a logistic regression is a sum. All other classifiers get Shapley values from
permutations of the columns, relative to reference rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
import scipy.special
from numpy.typing import NDArray

from rarewood._imports import require
from rarewood.evaluate._prepare import Preparation
from rarewood.explain._permuted import permuted_values
from rarewood.foreign._adapters import (
    EncodedLabels,
    NativeCategories,
    YdfClassifier,
    columns_of,
    with_texts,
)
from rarewood.foreign._classifier import ForeignClassifier, as_frame, reference_rows
from rarewood.table._encode import encode

Floats = NDArray[np.float64]
_ROUNDING = 1e-5  # of packages that compute with 32-bit floats
_MOST_REFERENCE = 16  # rows, with two orders of the columns each


class Parts(NamedTuple):
    """Contributions of each column to each row, and the value from which they lead."""

    values: Floats
    base: float
    unit: str
    method: str


def foreign_contributions(model: ForeignClassifier, X: Any, number: int) -> Parts:
    """Return the contributions for the class of a number, natively if the classifier can."""
    matrix, n_classes = model._encode(X), len(model.classes_)
    known, table = as_frame(model.reference_, model._schema), as_frame(matrix, model._schema)
    # Decided on the same rows for any X, so that a row always gets the same explanation.
    if native_contributions(model.estimator_, known, number, n_classes) is None:
        return _permuted(model, matrix, number)
    return _by_feature(model.estimator_, table, number, n_classes) or _permuted(
        model, matrix, number
    )


def native_contributions(estimator: Any, table: Any, number: int, n_classes: int) -> Parts | None:
    """Return the contributions that the package of a fitted pipeline computes for a DataFrame.

    None if it computes none, or if they do not lead to the probabilities: those of YDF for oblique
    splits do not.
    """
    found = _by_feature(estimator, table, number, n_classes)
    if found is None or found.unit == "score":
        return found
    total = found.base + found.values.sum(axis=1)
    if found.unit == "log odds":
        total = scipy.special.expit(total)
    proba = np.asarray(estimator.predict_proba(table))[:, number]
    return found if np.allclose(total, proba, rtol=0.0, atol=_ROUNDING) else None


def _by_feature(estimator: Any, table: Any, number: int, n_classes: int) -> Parts | None:
    """Return what the package computes, with one column per feature of the table."""
    n_features = table.shape[1]
    owners = np.arange(n_features)  # the feature of each column after the preparation
    if hasattr(estimator, "steps"):
        for _, step in estimator.steps[:-1]:
            if isinstance(step, Preparation):
                owners = _sources(step, table)
            table = step.transform(table)
        estimator = estimator.steps[-1][1]
    found = _native(estimator, table, number, n_classes)
    if found is None:
        return None
    values = np.zeros((len(table), n_features))
    np.add.at(values.T, owners, found.values.T)
    return found._replace(values=values)


def _sources(step: Preparation, table: Any) -> NDArray[np.intp]:
    """Return the feature that each output column of a preparation comes from."""
    kinds = nw.from_native(table, eager_only=True).schema.dtypes()
    categorical = [j for j, kind in enumerate(kinds) if not kind.is_numeric()]
    numeric = [j for j, kind in enumerate(kinds) if kind.is_numeric()]
    widths = [len(own) for own in step.encoder_.categories_] if categorical else []
    return np.array([*np.repeat(categorical, widths), *numeric], dtype=np.intp)


# ---------------------------------------------------------------- by the package


def _native(model: Any, table: Any, number: int, n_classes: int) -> Parts | None:
    """Return what the package computes; None if it computes nothing."""
    if isinstance(model, EncodedLabels):
        return _native(model.estimator_, table, number, n_classes)
    if isinstance(model, YdfClassifier):
        if not hasattr(model.model_, "predict_shap"):  # of an older version
            return None
        return _of_ydf(model, table, number)
    if isinstance(model, NativeCategories):
        raw = _of_catboost(model, table)
    elif hasattr(model, "booster_"):
        raw = np.asarray(model.booster_.predict(table, pred_contrib=True))
        raw = raw.reshape(len(raw), -1, table.shape[1] + 1)
    elif type(model).__name__ == "XGBClassifier":
        raw = _of_xgboost(model, table)
    elif type(model).__name__ == "LogisticRegression":
        return _linear(model, table, number)
    else:
        return None
    return _of_class(raw, number, "SHAP values")


def _of_class(raw: Floats, number: int, method: str) -> Parts:
    """Choose a class of (rows, classes or 1, columns and base); one is that of the second class."""
    is_binary = raw.shape[1] == 1
    sign = -1.0 if is_binary and number == 0 else 1.0
    own = sign * np.asarray(raw[:, 0 if is_binary else number], dtype=np.float64)
    base = float(own[0, -1]) if len(own) else 0.0
    return Parts(own[:, :-1], base, "log odds" if is_binary else "score", method)


def _of_catboost(model: NativeCategories, table: Any) -> Floats:
    pool_of = require("catboost", "This explanation", "catboost").Pool

    texts, names = with_texts(table)
    pool = pool_of(texts, cat_features=names)
    raw = np.asarray(model.classifier_.get_feature_importance(pool, type="ShapValues"))
    return raw if raw.ndim == 3 else raw[:, np.newaxis]


def _of_xgboost(model: Any, table: Any) -> Floats:
    matrix_of = require("xgboost", "This explanation", "xgboost").DMatrix

    is_frame = hasattr(table, "columns")
    booster = model.get_booster()
    names = None if is_frame else booster.feature_names
    raw = np.asarray(booster.predict(matrix_of(table, feature_names=names), pred_contribs=True))
    return raw if raw.ndim == 3 else raw[:, np.newaxis]


def _of_ydf(model: YdfClassifier, table: Any, number: int) -> Parts:
    """Return Shapley values of probabilities for a forest, of log odds for boosted trees."""
    columns = columns_of(table)
    found, base = model.model_.predict_shap(columns)
    n_rows = len(table)
    empty = np.zeros_like(next(iter(found.values())))
    raw = np.stack([np.asarray(found.get(name, empty), dtype=np.float64) for name in columns], -1)
    base = np.atleast_1d(np.asarray(base, dtype=np.float64))
    raw = raw.reshape(n_rows, len(base), len(columns))
    bases = np.broadcast_to(base, (n_rows, len(base)))[:, :, np.newaxis]
    raw = np.concatenate([raw, bases], axis=2)
    if len(base) == 1:
        return _of_class(raw, number, "SHAP values")
    is_forest = type(model.model_).__name__ == "RandomForestModel"
    place = int(model._order()[number])
    unit = "probability" if is_forest else "score"
    return _of_class(raw, place, "SHAP values")._replace(unit=unit)


def _linear(model: Any, table: Any, number: int) -> Parts:
    """Return coefficient times value; values are standardized, so the base is the mean row."""
    terms = np.asarray(model.coef_)[np.newaxis] * np.asarray(table)[:, np.newaxis]
    bases = np.broadcast_to(model.intercept_, (len(terms), len(model.coef_)))[:, :, np.newaxis]
    raw = np.concatenate([terms, bases], axis=2)
    return _of_class(raw, number, "terms of the linear model")


# ---------------------------------------------------------------- by permutations


def _permuted(model: ForeignClassifier, matrix: Any, number: int) -> Parts:
    """Return Shapley values of the probability relative to the reference rows."""
    found = permuted_values(
        lambda rows: model._proba_of_matrix(rows)[:, number], model.reference_, matrix
    )
    return Parts(*found[:2], "probability", found[2])


def permuted_contributions(
    estimator: Any, X: Any, places: NDArray[np.intp], number: int, most_rows: int
) -> Parts | None:
    """Return Shapley values for some rows of a DataFrame, relative to rows made of its columns.

    At most ``most_rows`` rows are predicted, as far as two orders of the columns allow; None if
    they do not, or if the values do not lead to the probabilities, as for columns of a type that a
    matrix of numbers and categories does not keep.
    """
    n_reference = min(_MOST_REFERENCE, most_rows // (2 * len(places) * (X.shape[1] + 1)))
    if not n_reference:
        return None
    matrix, schema = encode(X)
    reference = reference_rows(matrix, n_reference)

    def proba(rows: Floats) -> Floats:
        found = estimator.predict_proba(as_frame(rows, schema))
        return np.asarray(found, dtype=np.float64)[:, number]

    values, base, method = permuted_values(proba, reference, matrix[places])
    rows = nw.from_native(X, eager_only=True)[places.tolist()].to_native()
    known = np.asarray(estimator.predict_proba(rows))[:, number]
    if not np.allclose(base + values.sum(axis=1), known, rtol=0.0, atol=_ROUNDING):
        return None
    return Parts(values, base, "probability", method)
