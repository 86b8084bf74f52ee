"""Folds in which every class can be trained on and scored."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv

__all__ = ["make_folds"]


def make_folds(
    cv: Any, X: Any, y: NDArray[Any], seed: int, *, scores_every_class: bool = True
) -> list[Any]:
    """Return folds, with every class in every part of them.

    Parameters
    ----------
    cv : int, cross-validation generator or iterable
        A number means so many shuffled stratified folds; fewer, with a warning, where a class has
        fewer rows, and none where it has one.
    X, y : table and labels
        The rows.
    seed : int
        What shuffled folds are made of.
    scores_every_class : bool, default=True
        Whether the rows to score on need every class; those to train on always do.

    Returns
    -------
    folds : list of (ndarray, ndarray)
        Rows to train on and rows to score on.
    """
    labels, counts = np.unique(y, return_counts=True)
    label, n_rare = labels[counts.argmin()], int(counts.min())
    if isinstance(cv, Integral):
        if n_rare < 2:
            warnings.warn(
                f"Class {label} has one row only, so nothing can be cross-validated: the "
                "classifier is fitted without sampling.",
                stacklevel=3,
            )
            return []
        if n_rare < int(cv):
            warnings.warn(
                f"Class {label} has {n_rare} rows, too few for cv={cv}: there are {n_rare} folds.",
                stacklevel=3,
            )
        state = int(np.random.SeedSequence(seed).generate_state(1)[0])
        cv = StratifiedKFold(min(int(cv), n_rare), shuffle=True, random_state=state)
    folds = list(check_cv(cv, y, classifier=True).split(X, y))
    for number, parts in enumerate(folds):
        for name, part in zip(("training", "test"), parts, strict=True):
            if name == "test" and not scores_every_class:
                continue
            absent = set(labels) - set(y[part])
            if absent:
                raise ValueError(
                    f"Class {sorted(absent)[0]} is absent from the {name} rows of fold "
                    f"{number}. Use stratified folds, or fewer: cv={max(2, n_rare)} at most."
                )
    return folds
