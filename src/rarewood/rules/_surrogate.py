"""Axis-parallel trees that stand for another model, so that its decisions can be read.

A surrogate learns which samples a model alerts, from decisions of models that were not trained on
these samples: on training samples a fully grown forest repeats the labels. Its fidelity is the
agreement on samples that neither it nor the model has seen. Its rules are counted with the true
labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rarewood.rules import RuleSet

# A tree without these limits has 40 to 60 leaves, and repeats hardly more of the decisions.
_MAX_DEPTH, _MAX_LEAVES, _LEAST_LEAF, _LEAF_FRACTION = 8, 24, 5, 0.001


def blank_surrogate(n_samples: int, seed: int) -> Any:
    """Return an unfitted tree for a number of samples."""
    from rarewood.tree import RareTreeClassifier

    return RareTreeClassifier(
        "gini",
        max_depth=_MAX_DEPTH,
        max_leaf_nodes=_MAX_LEAVES,
        min_samples_leaf=max(_LEAST_LEAF, int(_LEAF_FRACTION * n_samples)),
        random_state=seed,
    )


def count_labels(tree: Any, X: Any, y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the numbers of samples of each class in the nodes of a tree."""
    paths = tree.decision_path(X).astype(np.int64)
    return np.asarray(paths.T @ (y[:, np.newaxis] == classes).astype(np.int64))


def held_out_fidelity(
    rows: Callable[[NDArray[np.intp]], Any],
    decided: NDArray[Any],
    splits: Iterable[Any],
    pos_label: Any,
    seed: int,
) -> dict[str, Any] | None:
    """Return the agreement on the test samples of splits of surrogates fitted on the others.

    ``rows`` returns the features of samples by their numbers. The fidelity is None if the model
    decides the same for all samples but one.
    """
    if min(np.unique(decided, return_counts=True)[1]) < 2:
        return None
    predicted = decided.copy()
    for split in splits:
        tree = blank_surrogate(len(split.train), seed).fit(rows(split.train), decided[split.train])
        predicted[split.test] = tree.predict(rows(split.test))
    return fidelity_of(decided, predicted, pos_label)


def fidelity_of(
    decided: NDArray[Any], predicted: NDArray[Any], pos_label: Any
) -> dict[str, Any] | None:
    """Return how well predictions of a surrogate agree with those of its model."""
    alerts, found = decided == pos_label, predicted == pos_label
    both = int((alerts & found).sum())
    return {
        "n_rows": len(decided),
        "agreement": float((decided == predicted).mean()),
        "n_alerts": int(alerts.sum()),
        "alerts_reproduced": both / int(alerts.sum()) if alerts.any() else None,
        "alerts_shared": both / int(found.sum()) if found.any() else None,
    }


def surrogate_rules(
    tree: Any, counts: NDArray[np.int64], pos_label: Any, max_depth: int | None
) -> RuleSet:
    """Return the rules of a surrogate by p-value, counted with the labels of the training rows."""
    return _leaf_rules(tree, counts, pos_label, max_depth)[0].sort("p_value")


def rule_of_row(tree: Any, counts: NDArray[np.int64], pos_label: Any, features: Any) -> RuleSet:
    """Return the rule of the leaf of one row."""
    rules, leaves = _leaf_rules(tree, counts, pos_label, None)
    place = leaves.index(int(tree.apply(features)[0]))
    found: RuleSet = rules[place : place + 1]
    return found


def _leaf_rules(
    tree: Any, counts: NDArray[np.int64], pos_label: Any, max_depth: int | None
) -> tuple[RuleSet, list[int]]:
    """Return the rules of the leaves with the counts of the labels, and the leaves."""
    from rarewood.rules._conditions import leaf_paths
    from rarewood.rules._extraction import rules_of
    from rarewood.rules._ruleset import measure

    rules = rules_of(tree, pos_label, max_depth=max_depth)
    leaves = [leaf for leaf, _ in leaf_paths(tree.tree_, None, max_depth)]
    own, totals = counts[leaves], np.tile(counts[0], (len(leaves), 1))
    own_fractions = own / np.maximum(own.sum(axis=1, keepdims=True), 1)
    counted = replace(
        rules,
        counts=own,
        totals=totals,
        probabilities=own_fractions,
        prior=counts[0] / counts[0].sum(),
        measures=measure(own, totals, rules.about),
    )
    return counted, leaves
