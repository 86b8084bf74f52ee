"""From a fitted tree or forest to its rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._wording import Wording
from rarewood.model._base import check_fitted_model
from rarewood.model._fitted_tree import FittedTree
from rarewood.rules._conditions import Condition
from rarewood.rules._measures import measure
from rarewood.rules._paths import leaf_paths
from rarewood.rules._ruleset import RuleSet

__all__ = ["extract", "rules_of"]


def extract(
    estimator: Any,
    *,
    target: Any = None,
    feature_names: Sequence[str] | None = None,
    decimals: int = 3,
    backend: str = "pandas",
    max_depth: int | None = None,
) -> RuleSet:
    """Return the rules of a fitted tree or forest: one for every leaf.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        A fitted estimator. Rules that several trees of a forest hold are listed once; where the
        trees drew rows, the counts are those of the first of them.
    target : label, default=None
        The class that all rules are measured for. By default each is measured for the class that
        its leaf predicts, which with a rare class may hide a rule that finds many of its rows.
    feature_names : sequence of str, default=None
        Names of the columns; by default those of the training table, or ``feature_0`` and so on.
    decimals : int, default=3
        Digits after the point in the words of the rules. Applying them uses all digits.
    backend : str, default="pandas"
        The library that makes the table, such as "pandas", "polars" or "pyarrow".
    max_depth : int, default=None
        Take nodes at this depth for leaves: shorter rules of more rows, which together say less
        than the model. Fully grown forests have long rules of a few rows otherwise.

    Returns
    -------
    rules : RuleSet
        Ordered by p-value, the smallest first. ``rules.to_frame()`` is the table.

    Notes
    -----
    The tree has chosen its rules as the best of very many on the rows on which they are tested, so
    their p-values are too small, and adjusting them for the number of rules does not make up for
    it. To test them, hold rows out and use :meth:`RuleSet.validate`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, rules
    >>> data = load_breast_cancer(as_frame=True)
    >>> tree = presets.ccpdt(max_depth=2).fit(data.data, data.target)
    >>> found = rules.extract(tree, target=0)
    >>> found["rule"][0]
    'worst perimeter > 120.350'
    >>> found["support_0"].sum(), found["support_1"].sum()
    (np.int64(212), np.int64(357))
    """
    check_fitted_model(estimator)
    if max_depth is not None and (not isinstance(max_depth, Integral) or max_depth < 1):
        raise ValueError(f"max_depth must be a whole number of 1 or more, got {max_depth!r}.")
    rules = rules_of(estimator, target, feature_names, decimals, backend, max_depth=max_depth)
    return rules.sort("p_value")


def rules_of(
    estimator: Any,
    target: Any = None,
    feature_names: Sequence[str] | None = None,
    decimals: int = 3,
    backend: str = "pandas",
    chosen: Callable[[FittedTree], NDArray[np.bool_]] | None = None,
    max_depth: int | None = None,
) -> RuleSet:
    """Return rules as :func:`extract` does, in the order of the trees.

    Parameters
    ----------
    estimator, target, feature_names, decimals, backend, max_depth
        See :func:`extract`.
    chosen : callable, default=None
        Says for each node of a tree whether it is a leaf to extract. By default all leaves are.

    Returns
    -------
    rules : RuleSet
        One rule for every chosen leaf.
    """
    trees = estimator.estimators_ if hasattr(estimator, "estimators_") else [estimator]
    views: list[FittedTree] = [tree.tree_ for tree in trees]
    first = views[0]
    found = _distinct(views, chosen, max_depth)
    shape = len(found), first.n_classes
    probabilities = [np.mean(rule.probabilities, axis=0) for rule in found.values()]
    shares = np.array(probabilities, dtype=np.float64).reshape(shape)
    counts = np.array([rule.counts for rule in found.values()], dtype=np.int64).reshape(shape)
    totals = np.array([rule.totals for rule in found.values()], dtype=np.int64).reshape(shape)
    about = _about(target, first.classes, shares)
    return RuleSet(
        conditions=list(found),
        counts=counts,
        totals=totals,
        about=about,
        probabilities=shares,
        depth=np.array([rule.depth for rule in found.values()], dtype=np.int64),
        n_trees=np.array([len(rule.probabilities) for rule in found.values()], dtype=np.int64),
        measures=measure(counts, totals, about),
        schema=first.schema,
        classes=first.classes,
        prior=np.mean([view.probabilities[0] for view in views], axis=0),
        wording=Wording.of(first, feature_names, decimals),
        backend=backend,
        is_forest=len(views) > 1,
    )


class _Found:
    """A rule, as it was found first, and what the trees that hold it predict."""

    def __init__(self, view: FittedTree, leaf: int) -> None:
        self.counts, self.totals = view.counts[leaf], view.counts[0]
        self.depth = int(view.depth[leaf])
        self.probabilities: list[NDArray[np.float64]] = []

    def add(self, view: FittedTree, leaf: int) -> None:
        self.depth = min(self.depth, int(view.depth[leaf]))
        self.probabilities.append(view.probabilities[leaf])


def _distinct(
    views: list[FittedTree],
    chosen: Callable[[FittedTree], NDArray[np.bool_]] | None,
    max_depth: int | None,
) -> dict[tuple[Condition, ...], _Found]:
    """Return the rules of some trees; the order in which a path asks makes no difference."""
    found: dict[frozenset[Condition], tuple[tuple[Condition, ...], _Found]] = {}
    for view in views:
        for leaf, path in leaf_paths(view, None if chosen is None else chosen(view), max_depth):
            conditions = tuple(path.values())
            _, rule = found.setdefault(frozenset(conditions), (conditions, _Found(view, leaf)))
            rule.add(view, leaf)
    return dict(found.values())


def _about(
    target: Any, classes: NDArray[Any], probabilities: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return the number of the class that each rule is measured for."""
    if target is None:
        return np.asarray(probabilities.argmax(axis=1))
    is_label = np.ndim(target) == 0
    place = np.flatnonzero(classes == target) if is_label else np.zeros(0, dtype=np.intp)
    if not len(place):
        raise ValueError(
            f"target={target!r} is not a class of the estimator, which are {classes.tolist()}."
        )
    return np.full(len(probabilities), place[0])
