"""Cross-validation folds with every class on both sides."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv
from sklearn.utils import check_consistent_length, column_or_1d


def make_folds(
    cv: Any,
    X: Any,
    y: NDArray[Any],
    seed: int,
    groups: Any = None,
    *,
    scores_every_class: bool = True,
) -> list[Any]:
    """Return folds as pairs of training and test indices, with every class in each part.

    An integer ``cv`` means shuffled stratified folds: fewer of them, with a warning, if a class has
    fewer samples, and none if it has one. Every class must be in the training part, and in the
    test part too unless ``scores_every_class`` is False. The samples of a group must be in one
    part; a class is then counted by its groups.
    """
    if groups is not None:
        groups = column_or_1d(groups)
        check_consistent_length(y, groups)
    labels, counts = np.unique(y, return_counts=True)
    if groups is not None:
        counts = np.array([len(np.unique(groups[y == label])) for label in labels])
    label, n_rare = labels[counts.argmin()], int(counts.min())
    if isinstance(cv, Integral):
        units = "samples" if groups is None else "groups"
        if n_rare < 2:
            warnings.warn(
                f"Class {label} has a single {units[:-1]}, so cross-validation is not possible: "
                "the classifier is fitted without sampling.",
                stacklevel=3,
            )
            return []
        if n_rare < int(cv):
            warnings.warn(
                f"Class {label} has {n_rare} {units}, too few for cv={cv}: {n_rare} folds are "
                "used.",
                stacklevel=3,
            )
        state = int(np.random.SeedSequence(seed).generate_state(1)[0])
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        cv = kind(min(int(cv), n_rare), shuffle=True, random_state=state)
    folds = _split(cv, X, y, groups)
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


def _split(cv: Any, X: Any, y: NDArray[Any], groups: NDArray[Any] | None) -> list[Any]:
    """Return the folds of a splitter, which keep groups together."""
    with warnings.catch_warnings():  # a splitter that ignores groups is refused below
        warnings.filterwarnings("ignore", "The groups parameter is ignored", UserWarning)
        folds = list(check_cv(cv, y, classifier=True).split(X, y, groups))
    for number, (train, test) in enumerate(folds if groups is not None else []):
        divided = np.intersect1d(groups[train], groups[test])  # type: ignore[index]
        if len(divided):
            raise ValueError(
                f"Fold {number} of cv={cv!r} has samples of the group {divided[0]!r} on both "
                "sides: models would be scored on groups that they were fitted on. Set cv to a "
                "number, or to a splitter such as GroupKFold."
            )
    return folds
