"""Contributions of columns for classifiers of other packages.

Boosted trees of LightGBM, XGBoost and CatBoost, and all models of YDF, compute Shapley values
themselves; a logistic regression is a sum. All other classifiers get Shapley values from
permutations of the columns, relative to reference rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.special
from numpy.typing import NDArray

from rarewood._imports import require
from rarewood.evaluate._prepare import Preparation
from rarewood.foreign._adapters import (
    EncodedLabels,
    NativeCategories,
    YdfClassifier,
    columns_of,
    with_texts,
)
from rarewood.foreign._classifier import ForeignClassifier, as_frame
from rarewood.table._schema import Schema

Floats = NDArray[np.float64]
_ROUNDING = 1e-5  # of packages that compute with 32-bit floats
_MOST_ROWS = 1 << 17  # predicted at once


class Parts(NamedTuple):
    """Contributions of each column to each row, and the value from which they lead."""

    values: Floats
    base: float
    unit: str
    method: str


def foreign_contributions(model: ForeignClassifier, X: Any, number: int) -> Parts:
    """Return the contributions for the class of a number, natively if the classifier can."""
    matrix = model._encode(X)
    # Decided on the same rows for any X, so that a row always gets the same explanation.
    known, proba = _natively(model, model.reference_, number), model._proba_of_matrix
    if known is None or not _adds_up(known, proba(model.reference_)[:, number]):
        return _permuted(model, matrix, number)
    return _natively(model, matrix, number) or _permuted(model, matrix, number)


def _natively(model: ForeignClassifier, matrix: Any, number: int) -> Parts | None:
    """Return the contributions for encoded rows that the package computes, by feature."""
    table, inner = as_frame(matrix, model._schema), model.estimator_
    owners = np.arange(model.n_features_in_)  # the feature of each column of the table
    if hasattr(inner, "steps"):
        for _, step in inner.steps[:-1]:
            if isinstance(step, Preparation):
                owners = _sources(step, model._schema)
            table = step.transform(table)
        inner = inner.steps[-1][1]
    found = _native(inner, table, number, len(model.classes_))
    if found is None:
        return None
    values = np.zeros((len(matrix), model.n_features_in_))
    np.add.at(values.T, owners, found.values.T)
    return found._replace(values=values)


def _adds_up(found: Parts, proba: Floats) -> bool:
    """Whether contributions lead to the probabilities: those of YDF for oblique splits do not."""
    total = found.base + found.values.sum(axis=1)
    if found.unit == "log odds":
        total = scipy.special.expit(total)
    return found.unit == "score" or bool(np.allclose(total, proba, rtol=0.0, atol=_ROUNDING))


def _sources(step: Preparation, schema: Schema) -> NDArray[np.intp]:
    """Return the feature that each output column of a preparation comes from."""
    categorical = [j for j in range(schema.n_features) if j in schema.categories]
    numeric = [j for j in range(schema.n_features) if j not in schema.categories]
    widths = [len(own) for own in step.encoder_.categories_] if categorical else []
    return np.array([*np.repeat(categorical, widths), *numeric], dtype=np.intp)


# ---------------------------------------------------------------- by the package


def _native(model: Any, table: Any, number: int, n_classes: int) -> Parts | None:
    """Return what the package computes; None if it computes nothing."""
    if isinstance(model, EncodedLabels):
        return _native(model.estimator_, table, number, n_classes)
    if isinstance(model, YdfClassifier):
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
    """Return Shapley values of the probability relative to the reference rows.

    Each reference row takes part with one random order of the columns and with its reverse. Columns
    of the row to explain replace those of the reference row one after the other, and the changes of
    the probability are the contributions, so that they add up exactly. Columns in which both rows
    agree contribute nothing.
    """
    reference, n_features = model.reference_, matrix.shape[1]
    random = np.random.default_rng(0)
    orders = [random.permutation(n_features) for _ in reference]
    ranks = np.array([np.argsort(o) for order in orders for o in (order, order[::-1])])
    backgrounds = np.repeat(reference, 2, axis=0)
    steps = np.arange(n_features + 1)
    values = np.zeros((len(matrix), n_features))
    each = max(1, _MOST_ROWS // max(1, n_features + 1))
    for row, own in zip(values, np.asarray(matrix, dtype=np.float64), strict=True):
        for start in range(0, len(ranks), each):
            rank, below = ranks[start : start + each], backgrounds[start : start + each]
            is_own = rank[:, np.newaxis, :] < steps[:, np.newaxis]
            mixed = np.where(is_own, own, below[:, np.newaxis, :])
            proba = model._proba_of_matrix(mixed.reshape(-1, n_features))[:, number]
            changes = np.diff(proba.reshape(len(rank), -1), axis=1)
            row += np.take_along_axis(changes, rank, axis=1).sum(axis=0)
    base = float(model._proba_of_matrix(reference)[:, number].mean())
    method = f"Shapley values, estimated from {len(ranks)} orders of the columns"
    return Parts(values / len(ranks), base, "probability", method)
