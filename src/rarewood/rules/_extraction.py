"""Extraction of the rules of a fitted tree or forest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._wording import Wording
from rarewood.model._base import check_fitted_model
from rarewood.model._fitted_tree import FittedTree
from rarewood.rules._conditions import Condition, leaf_paths
from rarewood.rules._ruleset import RuleSet, measure
from rarewood.table._labels import class_number


def extract(
    estimator: Any,
    *,
    pos_label: Any = None,
    feature_names: Sequence[str] | None = None,
    decimals: int = 3,
    backend: str = "pandas",
    max_depth: int | None = None,
) -> RuleSet:
    """Return the rules of a fitted tree or forest, one for every leaf.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        A fitted estimator. A rule that occurs in several trees of a forest is listed once; if the
        trees drew samples, its counts are those of the first of these trees.
    pos_label : label, default=None
        The class that all rules are measured for. By default each rule is measured for the class
        that its leaf predicts, which can hide rules that find many samples of a rare class.
    feature_names : sequence of str, default=None
        Names of the features; by default those of the training data, or ``feature_0`` and so on.
    decimals : int, default=3
        Digits after the decimal point in the text of rules. Rules are applied at full precision.
    backend : str, default="pandas"
        Library of the DataFrame, such as "pandas", "polars" or "pyarrow".
    max_depth : int, default=None
        Depth at which nodes are treated as leaves. It gives shorter rules with more samples, but
        fewer details than the model; fully grown forests have long rules of a few samples.

    Returns
    -------
    rules : RuleSet
        The rules in ascending order of p-value. ``rules.to_frame()`` is the table.

    Notes
    -----
    The rules were chosen among very many on the samples on which they are tested, so their p-values
    are too small, and adjusting for the number of rules does not compensate for that. To test them,
    use :meth:`RuleSet.validate` with held-out samples.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, rules
    >>> data = load_breast_cancer(as_frame=True)
    >>> tree = presets.ccpdt(max_depth=2).fit(data.data, data.target)
    >>> found = rules.extract(tree, pos_label=0)
    >>> found["rule"][0]
    'worst perimeter > 120.350'
    >>> found["support_0"].sum(), found["support_1"].sum()
    (np.int64(212), np.int64(357))
    """
    check_fitted_model(estimator)
    if max_depth is not None and (not isinstance(max_depth, Integral) or max_depth < 1):
        raise ValueError(f"max_depth must be an integer of at least 1, got {max_depth!r}.")
    rules = rules_of(estimator, pos_label, feature_names, decimals, backend, max_depth=max_depth)
    return rules.sort("p_value")


def rules_of(
    estimator: Any,
    pos_label: Any = None,
    feature_names: Sequence[str] | None = None,
    decimals: int = 3,
    backend: str = "pandas",
    chosen: Callable[[FittedTree], NDArray[np.bool_]] | None = None,
    max_depth: int | None = None,
) -> RuleSet:
    """Return rules as :func:`extract` does, in the order of the trees.

    ``chosen`` returns for each node of a tree whether it is a leaf to extract; by default all are.
    """
    views = fitted_trees(estimator)
    first = views[0]
    # The same conditions in another order are the same rule.
    found: dict[frozenset[Condition], list[tuple[FittedTree, int, tuple[Condition, ...]]]] = {}
    for view in views:
        for leaf, path in leaf_paths(view, None if chosen is None else chosen(view), max_depth):
            conditions = tuple(path.values())
            found.setdefault(frozenset(conditions), []).append((view, leaf, conditions))
    places = list(found.values())
    shape = len(places), first.n_classes
    means = np.array(
        [np.mean([view.probabilities[leaf] for view, leaf, _ in rule], axis=0) for rule in places]
    ).reshape(shape)
    counts = np.array([view.counts[leaf] for (view, leaf, _), *_ in places], dtype=np.int64)
    totals = np.array([view.counts[0] for (view, _, _), *_ in places], dtype=np.int64)
    counts, totals = counts.reshape(shape), totals.reshape(shape)
    about = means.argmax(axis=1)
    if pos_label is not None:
        about = np.full(len(places), class_number(first.classes, pos_label))
    depth = [min(int(view.depth[leaf]) for view, leaf, _ in rule) for rule in places]
    return RuleSet(
        conditions=[conditions for (_, _, conditions), *_ in places],
        counts=counts,
        totals=totals,
        about=about,
        probabilities=means,
        depth=np.array(depth, dtype=np.int64),
        n_trees=np.array([len(rule) for rule in places], dtype=np.int64),
        measures=measure(counts, totals, about),
        schema=first.schema,
        classes=first.classes,
        prior=np.mean([view.probabilities[0] for view in views], axis=0),
        wording=Wording.of(first, feature_names, decimals),
        backend=backend,
        is_forest=len(views) > 1,
    )


def fitted_trees(estimator: Any) -> list[FittedTree]:
    """Return the trees of a fitted tree or forest."""
    trees: list[FittedTree] = (
        [estimator.tree_] if hasattr(estimator, "tree_") else estimator.forest_.trees
    )
    return trees
