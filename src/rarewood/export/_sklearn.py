"""Fitted trees as trees of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_NONE = -2  # feature and threshold of a leaf in scikit-learn


def to_sklearn(view: Any, *, criterion: str = "gini", smoothed: bool = True) -> Any:
    """Return a DecisionTreeClassifier with the nodes of a fitted tree.

    ``criterion`` is that of the impurities of the nodes. See ``RareTreeClassifier.to_sklearn``.
    """
    from sklearn.tree import DecisionTreeClassifier

    _check(view)
    model = DecisionTreeClassifier(criterion=criterion)
    # The class of trees and the type of their nodes are not public: taken from a fitted tree.
    stub = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [0, 1]).tree_
    tree = type(stub)(view.n_features, np.array([view.n_classes], dtype=np.intp), 1)
    fractions = view.value[:, 0, :]
    values = view.probabilities if smoothed else fractions
    tree.__setstate__(
        {
            "max_depth": view.max_depth,
            "node_count": view.n_nodes,
            "nodes": _nodes(
                view, _impurity(fractions, criterion), stub.__getstate__()["nodes"].dtype
            ),
            "values": np.ascontiguousarray(values[:, np.newaxis, :]),
        }
    )
    model.n_features_in_ = view.n_features
    if view.schema.names is not None:
        model.feature_names_in_ = view.schema.names
    model.n_outputs_ = 1
    model.classes_ = view.classes
    model.n_classes_ = view.n_classes
    model.max_features_ = view.n_features
    model.tree_ = tree
    return model


def _check(view: Any) -> None:
    reason = None
    if view.schema.categories:
        index = min(view.schema.categories)
        name = f"column {index}" if view.schema.names is None else repr(view.schema.names[index])
        reason = (
            f"the feature {name} is categorical. Fit on numbers, such as those of a OneHotEncoder"
        )
    elif view.plane_feature.size:
        reason = "the tree splits by hyperplanes. Fit with splitter='best' or 'random'"
    elif view.schema.bins is not None:
        reason = "the tree compares coordinates of bins. Fit with max_bins=None"
    elif view.divides_missing:
        reason = "C4.5 divides samples with missing values. Fit a RareTreeClassifier"
    if reason is not None:
        raise TypeError(
            "A tree of scikit-learn compares one number per node and has two children, but "
            f"{reason}."
        )


def _nodes(view: Any, impurity: NDArray[np.float64], dtype: np.dtype[Any]) -> NDArray[Any]:
    is_leaf = view.n_children == 0
    nodes = np.zeros(view.n_nodes, dtype=dtype)
    nodes["left_child"], nodes["right_child"] = view.children_left, view.children_right
    nodes["feature"] = np.where(is_leaf, _NONE, view.feature)
    nodes["threshold"] = np.where(is_leaf, _NONE, view.threshold)
    nodes["impurity"] = impurity
    nodes["n_node_samples"] = view.n_node_samples
    nodes["weighted_n_node_samples"] = view.weighted_n_node_samples
    nodes["missing_go_to_left"] = view.missing_child == 0
    return nodes


def _impurity(fractions: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    if criterion == "gini":
        return np.asarray(1 - np.square(fractions).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(fractions > 0, fractions * np.log2(fractions), 0.0)
    return np.asarray(-terms.sum(axis=1))
