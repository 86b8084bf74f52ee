"""Trees as arrays, concatenated over all trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._fitted_tree import tree_from_state
from rarewood.modelfile._archive import ModelFileError
from rarewood.table._schema import Schema

Arrays = dict[str, NDArray[Any]]

_PER_NODE = ("feature", "first_child", "n_children", "missing_child")
_FLOATS = ("threshold", "gain")


def pack_trees(trees: Sequence[_core.Tree]) -> Arrays:
    """Return the concatenated arrays of trees, with integers in the smallest type."""
    states = [tree.state() for tree in trees]

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([state[name] for state in states])

    def sizes(name: str) -> NDArray[Any]:
        """Return the number of entries of each node, instead of offsets."""
        return np.concatenate(
            [
                np.diff(state[name]) if state[name].size else np.zeros(len(state["feature"]), int)
                for state in states
            ]
        )

    is_weighted = np.array([state["weighted_counts"].size > 0 for state in states], dtype=int)
    arrays = {
        "n_nodes": np.array([len(state["feature"]) for state in states]),
        "is_weighted": is_weighted,
        **{name: joined(name) for name in (*_PER_NODE, *_FLOATS)},
        "counts": joined("counts").reshape(-1, trees[0].n_classes),
        "n_categories": sizes("category_offset"),
        "category": joined("category"),
        "category_child": joined("category_child"),
        "n_terms": sizes("plane_offset"),
        "plane_feature": joined("plane_feature"),
        "plane_weight": joined("plane_weight"),
    }
    if is_weighted.any():
        arrays["weighted_counts"] = joined("weighted_counts").reshape(-1, trees[0].n_classes)
    if trees[0].monotonic.size:  # the same for all trees
        arrays["monotonic"] = trees[0].monotonic
    return {name: smallest(array) for name, array in arrays.items()}


def smallest(array: NDArray[Any]) -> NDArray[Any]:
    """Return integers in the smallest type that fits; other arrays unchanged."""
    if array.dtype.kind not in "iu":
        return array
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    return array.astype(np.result_type(np.min_scalar_type(low), np.min_scalar_type(high)))


def whole_numbers(array: NDArray[Any], dtype: Any, name: str, *, low: int = 0) -> NDArray[Any]:
    """Return an array of a file in the required integer type."""
    if array.dtype.kind not in "iu":
        raise ModelFileError(f"Its array {name!r} must contain integers.")
    if array.size and (int(array.min()) < low or int(array.max()) > np.iinfo(dtype).max):
        raise ModelFileError(f"Its array {name!r} has a number out of range.")
    return array.astype(dtype)


def unpack_trees(arrays: Mapping[str, NDArray[Any]], schema: Schema, n_classes: int) -> list[Any]:
    """Invert :func:`pack_trees`. Lengths are checked here, and every tree by the core."""
    whole = _checked(arrays, n_classes)
    n_nodes, is_weighted = whole["n_nodes"], whole["is_weighted"]
    starts = _starts(n_nodes)
    categories = _starts(whole["n_categories"])
    terms = _starts(whole["n_terms"])
    weighted_rows = _starts(np.where(is_weighted > 0, n_nodes, 0))
    trees = []
    for tree, (begin, end) in enumerate(pairwise(starts)):
        of_categories = slice(categories[begin], categories[end])
        of_terms = slice(terms[begin], terms[end])
        has_planes = of_terms.stop > of_terms.start
        rows = slice(weighted_rows[tree], weighted_rows[tree + 1])
        state = {
            "n_classes": n_classes,
            "n_features": schema.n_features,
            **{name: whole[name][begin:end] for name in (*_PER_NODE, *_FLOATS)},
            "counts": whole["counts"][begin:end].reshape(-1),
            "weighted_counts": whole["weighted_counts"][rows].reshape(-1),
            "category_offset": categories[begin : end + 1] - categories[begin],
            "category": whole["category"][of_categories],
            "category_child": whole["category_child"][of_categories],
            "plane_offset": (terms[begin : end + 1] - terms[begin])[: None if has_planes else 0],
            "plane_feature": whole["plane_feature"][of_terms],
            "plane_weight": whole["plane_weight"][of_terms],
            **({"monotonic": whole["monotonic"]} if "monotonic" in whole else {}),
        }
        trees.append(tree_from_state(state))
    _check_categories(whole, schema)
    return trees


def _starts(sizes: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def _checked(arrays: Mapping[str, NDArray[Any]], n_classes: int) -> Arrays:
    """Return the arrays in their types, with consistent lengths, which are checked first."""
    given = {"weighted_counts": np.empty((0, n_classes)), **arrays}
    sizes = ("n_nodes", "is_weighted", "n_categories", "n_terms")
    whole = {name: whole_numbers(given[name], np.int32, name) for name in sizes}
    for name, shape in _shapes(whole, n_classes).items():
        if given[name].shape != shape:
            raise ModelFileError(
                f"Its array {name!r} has the shape {given[name].shape}, but {shape} is expected."
            )
    if not whole["n_nodes"].size or whole["n_nodes"].min() < 1:
        raise ModelFileError("It has no trees, or a tree without nodes.")
    for name in _PER_NODE:
        whole[name] = whole_numbers(given[name], np.int32, name, low=-1)
    for name in ("category", "category_child", "plane_feature"):
        whole[name] = whole_numbers(given[name], np.int32, name)
    whole["counts"] = whole_numbers(given["counts"], np.int64, "counts")
    for name in (*_FLOATS, "plane_weight", "weighted_counts"):
        whole[name] = _floats(given[name], name)
    if "monotonic" in given:
        whole["monotonic"] = whole_numbers(
            given["monotonic"].reshape(-1), np.int32, "monotonic", low=-1
        )
    return whole


def _shapes(whole: Arrays, n_classes: int) -> dict[str, tuple[int, ...]]:
    """Return the expected shapes of the arrays."""
    n_nodes, n_categories, n_terms = (
        int(whole[name].sum(dtype=np.int64)) for name in ("n_nodes", "n_categories", "n_terms")
    )
    n_trees = whole["n_nodes"].size
    is_weighted = np.resize(whole["is_weighted"] > 0, n_trees)
    n_weighted = int(whole["n_nodes"].reshape(-1)[is_weighted].sum(dtype=np.int64))
    return {
        "n_nodes": (n_trees,),
        "is_weighted": (n_trees,),
        **dict.fromkeys((*_PER_NODE, *_FLOATS, "n_categories", "n_terms"), (n_nodes,)),
        "counts": (n_nodes, n_classes),
        "weighted_counts": (n_weighted, n_classes),
        **dict.fromkeys(("category", "category_child"), (n_categories,)),
        **dict.fromkeys(("plane_feature", "plane_weight"), (n_terms,)),
    }


def _floats(array: NDArray[Any], name: str) -> NDArray[np.float64]:
    if array.dtype != np.float64:
        raise ModelFileError(f"Its array {name!r} must contain 64-bit floats.")
    return array


def _check_categories(whole: Arrays, schema: Schema) -> None:
    """Check that nodes and features agree on what is categorical, which the core does not."""
    inner = whole["feature"] >= 0
    is_categorical = schema.n_categories > 0
    has_categories = whole["n_categories"][inner] > 0
    if (is_categorical[whole["feature"][inner]] != has_categories).any() or (
        is_categorical[whole["plane_feature"]].any()
    ):
        raise ModelFileError("The type of a split does not match the type of its feature.")
    if not np.isnan(whole["threshold"][whole["n_categories"] > 0]).all():
        raise ModelFileError("A categorical split has a threshold.")
    n_known = schema.n_categories[np.repeat(whole["feature"], whole["n_categories"])]
    if (whole["category"] >= n_known).any():
        raise ModelFileError("A split has categories that its feature does not have.")
