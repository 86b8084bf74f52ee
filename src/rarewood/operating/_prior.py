"""Probabilities for another frequency of the classes than the one that was trained on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._validation import sample_weights
from rarewood.table._labels import encode_labels

__all__ = ["class_prior", "correct_prior", "read_prior"]

Floats = NDArray[np.float64]


def class_prior(y: Any, *, sample_weight: Any = None) -> Floats:
    """Estimate how frequent each class is.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels of rows as they come, not of rows that were balanced.
    sample_weight : array-like of shape (n_rows,), default=None
        How many rows each row counts for.

    Returns
    -------
    prior : ndarray of shape (n_classes,)
        Shares of the rows, in the order of the sorted labels.

    Examples
    --------
    >>> from rarewood.operating import class_prior
    >>> class_prior(["no", "no", "no", "yes"])
    array([0.75, 0.25])
    """
    classes, codes = encode_labels(y)
    weights = None if sample_weight is None else sample_weights(sample_weight, len(codes))
    totals = np.bincount(codes, weights, minlength=len(classes))
    prior: Floats = totals / totals.sum()
    return prior


def correct_prior(proba: Any, *, trained_prior: Any, true_prior: Any) -> Floats:
    """Turn probabilities learnt at one frequency of the classes into those at another.

    Parameters
    ----------
    proba : array-like of shape (n_rows, n_classes) or (n_rows,)
        Probabilities of all classes, or of one class against the rest.
    trained_prior : "balanced" or array-like of shape (n_classes,), or float
        How frequent the classes were for the model. "balanced": all equally, as for a forest with
        ``balance=True`` or a model with ``class_weight="balanced"``. With probabilities of one
        class, its frequency.
    true_prior : array-like of shape (n_classes,), or float
        How frequent they are where the probabilities are used; :func:`class_prior` estimates it.

    Returns
    -------
    proba : ndarray
        The corrected probabilities, in the shape that was given.

    Notes
    -----
    The probability of a class is multiplied by its true over its trained frequency, then each row
    is divided by its sum (Saerens et al. 2002; for two classes Elkan 2001, theorem 2). It rests on
    one assumption: that within a class the rows are alike in training and in use, only in other
    numbers. The order of rows by the probability of one class against another never changes, so
    ranking, AUC and what a threshold can achieve stay the same. Swapping the two priors undoes it.

    It corrects the frequency, nothing else: probabilities that were not calibrated for the trained
    frequency will not be calibrated for the true one.

    References
    ----------
    .. [1] M. Saerens, P. Latinne and C. Decaestecker, "Adjusting the outputs of a classifier to new
           a priori probabilities", Neural Computation 14, 2002.
    .. [2] C. Elkan, "The foundations of cost-sensitive learning", IJCAI 2001.

    Examples
    --------
    >>> from rarewood.operating import correct_prior
    >>> correct_prior([0.5, 0.9], trained_prior=0.5, true_prior=0.01).round(4)
    array([0.01  , 0.0833])
    >>> correct_prior([[0.5, 0.5]], trained_prior="balanced", true_prior=[0.99, 0.01])
    array([[0.99, 0.01]])
    """
    values = np.asarray(proba, dtype=np.float64)
    if values.ndim not in (1, 2):
        raise ValueError(f"proba has {values.ndim} dimensions; expected one or two.")
    is_one = values.ndim == 1
    table = np.column_stack((1 - values, values)) if is_one else values
    low, high = table.min(initial=0.0), table.max(initial=0.0)
    if not (low >= 0 and high <= 1 + 1e-9):  # NaN included
        raise ValueError(
            "proba must be probabilities between 0 and 1, without NaN. Scores of a "
            "decision_function are none: calibrate them first, with CalibratedClassifierCV."
        )
    n_classes = table.shape[1]
    trained = read_prior("trained_prior", trained_prior, n_classes, is_one)
    true = read_prior("true_prior", true_prior, n_classes, is_one)
    corrected = table * (true / trained)
    sums = corrected.sum(axis=1, keepdims=True)
    # A row that is sure of a class that never occurs is left with the frequencies.
    corrected = np.divide(corrected, sums, out=np.tile(true, (len(table), 1)), where=sums > 0)
    result: Floats = corrected[:, 1] if is_one else corrected
    return result


def read_prior(name: str, prior: Any, n_classes: int, is_one: bool) -> Floats:
    """Return frequencies that add up to one."""
    if isinstance(prior, str):
        if prior != "balanced":
            raise ValueError(f"{name}={prior!r} must be 'balanced' or frequencies.")
        return np.full(n_classes, 1 / n_classes)
    values = np.asarray(prior, dtype=np.float64)
    if is_one and values.ndim == 0:
        values = np.array([1 - values, values])
    if values.shape != (n_classes,):
        expected = "a number" if is_one else f"{n_classes} numbers, one for each class"
        raise ValueError(f"{name} has the shape {values.shape}; expected {expected}.")
    lowest = values.min()
    if not np.isclose(values.sum(), 1, atol=1e-6) or not lowest >= 0:
        raise ValueError(f"{name}={values.tolist()} must be frequencies that add up to 1.")
    if lowest == 0 and name == "trained_prior":
        raise ValueError(
            f"{name}={values.tolist()} must be above 0: a class that was never trained on cannot "
            "be corrected for."
        )
    prior_: Floats = values / values.sum()
    return prior_
