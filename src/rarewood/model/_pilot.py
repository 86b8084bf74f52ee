"""Pilot: the leaf strength and the collapse of least log loss on held-out samples.

Neither changes the splits of a tree, so a few trees on each of three folds serve all values; of
many samples one fold is enough. Folds follow from the values of a row, never from its position:
equal rows share a fold, also if their classes differ (training rows that equal a held-out row, all
of the other class, would call for too much smoothing), and the order of rows has no effect.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood._validation import number_of_threads
from rarewood.model._held_out import HeldOut
from rarewood.model._make_growth import LeafSettings, class_factors, make_growth, sampling_of
from rarewood.model._parameters import is_piloted, leaf_strength
from rarewood.model._training_data import TrainingData

Floats = NDArray[np.float64]

N_FOLDS = 3
ONE_FOLD = 4_000  # distinct samples, of which more are divided once only
N_TREES, N_TREES_OF_ONE = 20, 15  # of three folds, and of one
# Strengths in units of the default of the leaf estimator.
FACTORS = (0.2, 0.4, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0)
COLLAPSES = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
# The cost of the pilot grows with nodes x classes x pairs: with more classes than these it varies
# the strength only, or is left out.
MOST_CLASSES_COLLAPSED, MOST_CLASSES = 10, 100
# A stronger collapse must reduce the loss by two standard errors: on small tables it costs
# accuracy if it is chosen by chance.
FREE_COLLAPSE = 0.1
# Of many samples the strongest collapse is taken whose loss is at most this fraction larger.
TOLERANCE = 0.001
_ROUNDING = 1e-12  # relative error of a mean of losses


@dataclass(frozen=True, eq=False)
class Pilot:
    """Held-out log loss by leaf strength and collapse, from which a fit chose.

    It is the ``pilot_`` attribute of a model that was fitted with ``leaf_strength="auto"`` or
    ``collapse="auto"``; :func:`rarewood.plot.pilot` draws it.

    Parameters
    ----------
    leaf_strengths : ndarray of shape (n_strengths,)
        Leaf strengths.
    collapses : ndarray of shape (n_collapses,)
        Collapses.
    log_loss : ndarray of shape (n_strengths, n_collapses)
        Mean log loss of the held-out samples.
    leaf_strength : float
        Chosen leaf strength.
    collapse : float
        Chosen collapse.
    n_samples : int
        Number of samples.
    n_folds : int
        Number of folds that were held out: three, or one of more than 4,000 distinct samples.
    n_trees : int
        Number of trees of each fold.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import RareForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RareForestClassifier(leaf_strength="auto", collapse="auto", random_state=0)
    >>> pilot = model.fit(X, y).pilot_
    >>> pilot.log_loss.shape, pilot.n_samples, pilot.leaf_strength == model.leaf_strength_
    ((8, 9), 569, True)
    """

    leaf_strengths: Floats
    collapses: Floats
    log_loss: Floats
    leaf_strength: float
    collapse: float
    n_samples: int
    n_folds: int
    n_trees: int


def fit_leaves(
    estimator: Any, data: TrainingData, seed: int, groups: NDArray[Any] | None
) -> tuple[LeafSettings, Pilot | None]:
    """Return the leaf settings of an estimator, from a pilot if any of them is "auto".

    ``groups`` are those of all samples, as given.
    """
    pilot = _run(estimator, data, seed, groups) if is_piloted(estimator) else None
    if pilot is not None:
        return LeafSettings(estimator.leaf, pilot.leaf_strength, pilot.collapse), pilot
    collapse = 0.0 if estimator.collapse == "auto" else float(estimator.collapse)
    return LeafSettings(estimator.leaf, leaf_strength(estimator, len(data.classes)), collapse), None


def _run(
    estimator: Any, table: TrainingData, seed: int, groups: NDArray[Any] | None
) -> Pilot | None:
    """Grow trees on folds and choose; None if samples are too few, or classes too many."""
    n_threads, n_classes = number_of_threads(estimator.n_jobs), len(table.classes)
    if n_classes > MOST_CLASSES:
        return None
    found = table.pilot_sample(n_threads)
    if not found.is_sufficient:
        return None
    sample, hashes, rows = found
    folds = deal_folds(sample.y, hashes, None if groups is None else groups[rows])
    strengths, collapses = _grid(estimator, n_classes)
    is_many = len(np.unique(hashes)) > ONE_FOLD
    n_folds = 1 if is_many else N_FOLDS
    # Not the number of the forest, so that a small forest is the beginning of a large one.
    n_trees = (N_TREES_OF_ONE if is_many else N_TREES) if hasattr(estimator, "n_estimators") else 1
    estimator = for_parts(estimator, table.n_rows)
    factors = class_factors(estimator, sample, sampling_of(estimator, sample))
    held_out, weights = [], []
    for fold in range(n_folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if not len(train) or not len(test):
            return None
        data, y = sample.take(train), sample.y[test]
        numbers = range(fold * n_trees, (fold + 1) * n_trees)
        plain = LeafSettings(estimator.leaf, 0.0, 0.0)
        growth = make_growth(estimator, data, sampling_of(estimator, data), seed, numbers, plain)
        leaves = estimator.leaf, strengths, collapses
        held_out.append(HeldOut(data, growth, leaves, sample.values(test), y))
        weights.append(factors[y] * (1.0 if sample.weights is None else sample.weights[test]))
    losses = table.run_all([fold.losses for fold in held_out], n_threads)
    loss = losses[0] if n_folds == 1 else np.concatenate(losses, axis=2)
    weight = np.concatenate(weights)
    mean = loss @ weight / weight.sum()
    plain_strength = strengths.index(leaf_strength(estimator, n_classes))
    if is_many:
        s, c = choose_strongest(mean, plain_strength)
    else:
        s, c = choose(loss, mean, weight, np.array(collapses), plain_strength)
    return Pilot(
        np.array(strengths), np.array(collapses), mean,
        strengths[s], collapses[c], len(sample.y), n_folds, n_trees,
    )  # fmt: skip


def for_parts(estimator: Any, n_rows: int) -> Any:
    """Return the estimator for parts of a table: ``max_samples`` becomes a fraction."""
    if not isinstance(getattr(estimator, "max_samples", None), Integral):
        return estimator
    estimator = copy(estimator)
    estimator.max_samples = min(1.0, estimator.max_samples / n_rows)
    return estimator


def choose(
    loss: Floats, mean: Floats, weight: Floats, collapses: Floats, plain: int
) -> tuple[int, int]:
    """Return the indices of a strength and a collapse, given the loss of each sample.

    The least mean loss counts, of equal ones that of the plain strength. A collapse above
    ``FREE_COLLAPSE`` must be better than the others by two standard errors.
    """
    is_free = collapses <= max(FREE_COLLAPSE, collapses[0])
    best = _least(np.where(is_free, mean, np.inf), plain)
    strong = _least(mean, plain)
    if strong == best:
        return best
    gain = loss[best] - loss[strong]
    difference = mean[best] - mean[strong]
    variance = ((gain - difference) ** 2) @ weight / weight.sum() ** 2
    return strong if difference > 2 * np.sqrt(variance) else best


def choose_strongest(mean: Floats, plain: int) -> tuple[int, int]:
    """Return the indices of the strongest collapse of nearly the least loss, and its strength."""
    limit = mean.min() * (1 + TOLERANCE)
    strongest = int(np.flatnonzero((mean <= limit).any(axis=0))[-1])
    return _least(mean[:, [strongest]], plain)[0], strongest


def _least(mean: Floats, plain: int) -> tuple[int, int]:
    """Return the indices of the least loss, of equal ones those of the plain strength.

    Losses that differ by rounding are equal, so that the order of samples has no effect.
    """
    least = mean.min()
    is_least = mean <= least + _ROUNDING * abs(least)
    is_plain = is_least[plain].nonzero()[0]
    if len(is_plain):
        return plain, int(is_plain[0])
    s, c = np.argwhere(is_least)[0]
    return int(s), int(c)


def _grid(estimator: Any, n_classes: int) -> tuple[list[float], list[float]]:
    """Return the strengths and collapses to compare; one value of a parameter that is set."""
    default = _core.default_leaf_strength(estimator.leaf, n_classes)
    strengths = sorted({factor * default for factor in FACTORS})
    if estimator.leaf_strength != "auto":
        strengths = [leaf_strength(estimator, n_classes)]
    collapses = list(COLLAPSES) if n_classes <= MOST_CLASSES_COLLAPSED else [0.0]
    if estimator.collapse != "auto":
        collapses = [float(estimator.collapse)]
    return strengths, collapses


def deal_folds(
    y: NDArray[np.int32], hashes: NDArray[np.uint64], groups: NDArray[Any] | None
) -> NDArray[np.intp]:
    """Return the fold of each sample: distinct rows, or groups, are dealt in turn.

    They are dealt class by class, in order of their hashes; the class of several samples is the
    rarest of them. Copies of a row count once, so weights may take the place of copies.
    """
    keys, group = np.unique(hashes, return_inverse=True)
    n_distinct = np.bincount(_distinct(y, group)[0])
    if groups is not None:
        of_given = np.unique(groups, return_inverse=True)[1]
        members, rows = _distinct(of_given, group)
        sums = np.zeros(int(of_given.max()) + 1, dtype=np.uint64)
        np.add.at(sums, members, keys[rows])  # modulo 2**64, in any order
        keys, group = sums, of_given
    rarity = np.argsort(np.argsort(-n_distinct, kind="stable"))  # of classes; the rarest is last
    rarest = np.zeros(len(keys), dtype=np.intp)
    np.maximum.at(rarest, group, rarity[y])
    folds = np.empty(len(keys), dtype=np.intp)
    for of_class in np.unique(rarest):
        here = np.flatnonzero(rarest == of_class)
        folds[here[np.argsort(keys[here], kind="stable")]] = np.arange(len(here)) % N_FOLDS
    return folds[group]


def _distinct(a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the distinct pairs of numbers."""
    order = np.lexsort((b, a))
    a, b = a[order], b[order]
    is_new = np.append(True, (a[1:] != a[:-1]) | (b[1:] != b[:-1]))
    return a[is_new], b[is_new]
