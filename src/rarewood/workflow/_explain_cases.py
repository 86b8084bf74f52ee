"""Contributions of the cases of a fold, kept with its predictions for the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rarewood.evaluate import Outcome
    from rarewood.workflow._contributions import RowContributions

_MOST_PREDICTED = 20_000  # rows, to explain the cases of a fold
_MOST_OTHERS = 2000  # rows whose columns stand for those of the fold


def explain_cases(model: Any, X: Any, outcome: Outcome) -> dict[str, NDArray[Any]]:
    """Compute the contributions of the features for the cases among the samples of a fold.

    It is the ``annotate`` of :func:`rarewood.evaluate.compare` with which
    :func:`rarewood.report.summarize` shows why a row got its score; :func:`compare` uses it.

    Parameters
    ----------
    model : classifier
        The model that was fitted on the other folds.
    X : DataFrame or ndarray of shape (n_samples, n_features)
        The samples of the fold.
    outcome : Outcome
        The predictions for them.

    Returns
    -------
    arrays : dict of ndarray
        "case_places" of the samples with the highest and lowest scores, "case_values" of shape
        (n_cases, n_features), "case_base", "case_unit" and "case_method". Empty for a model that
        predicts only labels, and for one of a package that computes no contributions, if the table
        has too many columns to estimate them from 20,000 predictions.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, report, workflow
    >>> from rarewood.evaluate import compare
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> results = compare(
    ...     {"hddt": presets.hddt}, {"cancer": (X, y)}, store=None, keep_predictions=True,
    ...     annotate=workflow.explain_cases,
    ... )
    >>> summary = report.summarize(results, X, y)
    >>> case = summary["cases"]["models"][0]["misses"][0]
    >>> case["reasons"][0]["text"]
    'worst radius = 15.93 lowers the score by 0.26'
    """
    import numpy as np

    from rarewood.report._case_rows import choose_cases
    from rarewood.report._pooled import finite

    if outcome.scores is None:
        return {}
    score = finite(outcome.scores[:, outcome.pos_index])
    chosen = choose_cases(outcome.y == outcome.pos_index, score)
    places = np.unique(np.concatenate(list(chosen.values())))
    found = _contributions(model, X, places, outcome)
    if found is None:
        return {}
    return {
        "case_places": places,
        "case_values": found.values,
        "case_base": np.array(found.base),
        "case_unit": np.array(found.unit),
        "case_method": np.array(found.method),
    }


def _rows(X: Any, places: NDArray[Any]) -> Any:
    """Return samples in the container of X."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return frame[places.tolist()].to_native() if isinstance(frame, nw.DataFrame) else X[places]


def _contributions(
    model: Any, X: Any, places: NDArray[np.intp], outcome: Outcome
) -> RowContributions | None:
    from rarewood.explain import shap_values
    from rarewood.workflow._contributions import RowContributions

    if len(model.classes_) != outcome.n_classes:
        return None
    if not hasattr(model, "_encode"):
        return _of_another_package(model, X, places, outcome)
    found = shap_values(model, _rows(X, places), n_jobs=1)
    values, base = found.values[..., outcome.pos_index], found.base_values[outcome.pos_index]
    return RowContributions(found.feature_names, values, float(base), "probability", "SHAP values")


def _of_another_package(
    model: Any, X: Any, places: NDArray[np.intp], outcome: Outcome
) -> RowContributions | None:
    """Return contributions of the package, else an estimate from a bounded number of predictions.

    The estimate depends on the columns of a part of the samples.
    """
    import numpy as np

    from rarewood.explain._foreign import native_contributions, permuted_contributions
    from rarewood.workflow._contributions import RowContributions

    if not hasattr(X, "columns") or not hasattr(model, "predict_proba"):
        return None
    number = outcome.pos_index
    found = native_contributions(model, _rows(X, places), number, outcome.n_classes)
    if found is None:
        others = np.setdiff1d(np.arange(len(X)), places)
        others = others[:: max(1, len(others) // _MOST_OTHERS)]
        part, own = _rows(X, np.concatenate([places, others])), np.arange(len(places))
        found = permuted_contributions(model, part, own, number, _MOST_PREDICTED)
    return None if found is None else RowContributions(list(map(str, X.columns)), *found)
