"""Cross-validation folds with every class on both sides."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, check_cv


def make_folds(
    cv: Any, X: Any, y: NDArray[Any], seed: int, *, scores_every_class: bool = True
) -> list[Any]:
    """Return folds as pairs of training and test indices, with every class in each part.

    An integer ``cv`` means shuffled stratified folds: fewer of them, with a warning, if a class has
    fewer samples, and none if it has one. Every class must be in the training part, and in the
    test part too unless ``scores_every_class`` is False.
    """
    labels, counts = np.unique(y, return_counts=True)
    label, n_rare = labels[counts.argmin()], int(counts.min())
    if isinstance(cv, Integral):
        if n_rare < 2:
            warnings.warn(
                f"Class {label} has a single sample, so cross-validation is not possible: the "
                "classifier is fitted without sampling.",
                stacklevel=3,
            )
            return []
        if n_rare < int(cv):
            warnings.warn(
                f"Class {label} has {n_rare} samples, too few for cv={cv}: {n_rare} folds are "
                "used.",
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
                    f"Class {sorted(absent)[0]} is absent from the {name} samples of fold "
                    f"{number}. Use stratified folds, or fewer: cv={max(2, n_rare)} at most."
                )
    return folds
