"""Fitted trees and forests as plain data, for JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.export._wording import Wording


def to_dict(model: Any) -> dict[str, Any]:
    """Export a tree or forest as a dict of lists, text and numbers.

    ``json.dumps`` writes it without further arguments. It is for programs that read trees; a file
    of :func:`rarewood.save` can be loaded again.

    Parameters
    ----------
    model : RareTreeClassifier or RareForestClassifier
        A fitted estimator.

    Returns
    -------
    model : dict
        - ``"classes"``: the labels.
        - ``"features"``: for each feature its ``"name"``; the ``"categories"`` of a categorical
          one; the ``"edges"`` and ``"coordinates"`` of bins if trees compare coordinates: a value
          is replaced by the coordinate whose index is the number of edges below the value.
        - ``"trees"``: for each tree the list of its nodes, the root first. The probability of the
          model is the mean of the trees' leaves.

        Each node has the ``"counts"`` of its training samples by class, and its
        ``"probabilities"``. An inner node has its ``"gain"``, the numbers of its ``"children"``,
        which of them (0, 1, ...) is the ``"missing_child"`` for missing values and categories that
        are not listed, and one of

        - ``"feature"`` and ``"threshold"``: up to the threshold, the first child;
        - ``"terms"``, pairs of feature and weight, and ``"threshold"``: the same for the sum of
          weight times value, added in this order. A sum with a missing value is missing;
        - ``"feature"`` and ``"categories"``: a list for each child;
        - ``"feature"`` alone: the first child if a value is present.

    Examples
    --------
    >>> from rarewood import RareTreeClassifier, export
    >>> tree = RareTreeClassifier().fit([[20.0], [30.0], [40.0], [50.0]], ["a", "a", "b", "b"])
    >>> made = export.to_dict(tree)
    >>> made["classes"], made["features"]
    (['a', 'b'], [{'name': 'feature_0'}])
    >>> root = made["trees"][0][0]
    >>> root["feature"], root["threshold"], root["children"], root["counts"]
    (0, 35.0, [1, 2], [2, 2])
    """
    trees = _trees(model)
    schema = trees[0].schema
    names = Wording.of_table(schema).feature_names
    return {
        "classes": [_plain(label) for label in model.classes_],
        "features": [_feature(schema, j, name) for j, name in enumerate(names)],
        "trees": [[_node(tree, node) for node in range(tree.n_nodes)] for tree in trees],
    }


def _trees(model: Any) -> list[Any]:
    if hasattr(model, "forest_"):
        return list(model.forest_.trees)
    tree: Any = getattr(model, "tree_", None)
    if not hasattr(tree, "first_child") or tree.divides_missing:
        raise TypeError(
            "Expected a fitted RareTreeClassifier or RareForestClassifier, got "
            f"{type(model).__name__}. Pass the tree or forest inside of it, such as pipeline[-1]; "
            "for other models, use to_onnx or to_c."
        )
    return [tree]


def _feature(schema: Any, index: int, name: str) -> dict[str, Any]:
    feature: dict[str, Any] = {"name": name}
    if index in schema.categories:
        feature["categories"] = [_plain(value) for value in schema.categories[index].values]
    elif schema.bins is not None:
        feature["edges"] = schema.bins.edges[index].tolist()
        feature["coordinates"] = schema.bins.coordinates[index].tolist()
    return feature


def _node(tree: Any, node: int) -> dict[str, Any]:
    made = {
        "counts": tree.counts[node].tolist(),
        "probabilities": tree.probabilities[node].tolist(),
    }
    n_children = int(tree.n_children[node])
    if not n_children:
        return made
    first, threshold = int(tree.first_child[node]), float(tree.threshold[node])
    made |= {
        "gain": _plain(tree.gain[node]),
        "children": list(range(first, first + n_children)),
        "missing_child": int(tree.missing_child[node]),
    }
    terms = tree.plane_terms(node)
    if terms:
        return made | {"terms": [list(term) for term in terms], "threshold": threshold}
    made["feature"] = int(tree.feature[node])
    if np.isnan(threshold):
        return made | {
            "categories": [[_plain(value) for value in part] for part in tree.category_sets(node)]
        }
    return made | ({} if np.isposinf(threshold) else {"threshold": threshold})


def _plain(value: Any) -> Any:
    """Return a value that JSON has; others as text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
