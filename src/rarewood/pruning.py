"""Pruning of grown trees, from the class counts of their nodes.

The ``pruning`` parameter of the estimators and :func:`prune` take the name of a method, "fisher",
"error" or "cost_complexity", or an object that sets its strength: :class:`Fisher`, :class:`Error`
or :class:`CostComplexity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood import _core
from rarewood.export._wording import tree_view
from rarewood.model._base import check_fitted_model
from rarewood.model._pruning import CostComplexity, Error, Fisher, as_method
from rarewood.model._types import Pruning

__all__ = [
    "CostComplexity",
    "Error",
    "Fisher",
    "PruningPath",
    "fisher_p_value",
    "fisher_pruning_path",
    "prune",
]

Estimator = TypeVar("Estimator")


def fisher_p_value(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> Any:
    """Compute the one-sided p-value of Fisher's exact test for a rule and a class.

    It is the probability that a rule that covers ``a + c`` samples drawn at random covers at least
    ``a`` samples of the class: ``alternative="greater"`` in SciPy.

    Parameters
    ----------
    a : int or array-like of int
        Number of samples of the class that the rule covers.
    b : int or array-like of int
        Number of samples of the class that it does not cover.
    c : int or array-like of int
        Number of other samples that it covers.
    d : int or array-like of int
        Number of other samples that it does not cover.

    Returns
    -------
    p_value : float or ndarray
        Between 0 and 1; 1 where all counts are zero. The relative error is below 1e-9 for counts
        up to 1e9 and p-values down to 1e-300.

    Examples
    --------
    A rule covers 3 of 4 rare samples and 10 of 996 others:

    >>> from rarewood.pruning import fisher_p_value
    >>> f"{fisher_p_value(3, 1, 10, 986):.2g}"
    '6.8e-06'
    """
    cells = np.broadcast_arrays(*map(np.asarray, (a, b, c, d)))
    tables = np.stack(cells, axis=-1)
    is_number = tables.dtype.kind in "iufb"
    if not is_number or not (np.isfinite(tables) & (tables == np.floor(tables))).all():
        raise ValueError("a, b, c and d are numbers of samples: they must be integers.")
    p_values = _core.fisher_p_values(np.ascontiguousarray(tables.reshape(-1, 4), dtype=np.int64))
    return p_values.reshape(tables.shape[:-1]) if tables.ndim > 1 else float(p_values[0])


def prune(estimator: Estimator, method: Pruning = "fisher") -> Estimator:
    """Prune a fitted estimator, without fitting it again.

    The result is that of a fit with ``pruning=method``, unless the estimator was pruned before.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        Fitted estimator; it is not changed.
    method : {"fisher", "error", "cost_complexity"} or pruning object, default="fisher"
        Method of pruning, such as ``Fisher(p_value=0.001)``.

    Returns
    -------
    pruned : RareTreeClassifier or RareForestClassifier
        Copy with smaller trees and the parameter ``pruning=method``. A forest loses its out-of-bag
        scores.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, pruning
    >>> tree = presets.hddt().fit(*load_breast_cancer(return_X_y=True))
    >>> tree.get_n_leaves(), pruning.prune(tree, pruning.Fisher(1e-6)).get_n_leaves()
    (17, 10)
    """
    check_fitted_model(estimator)
    as_method(method)
    model: Any = estimator
    pruned: Estimator = model._prune(method)
    return pruned


@dataclass(frozen=True, eq=False)
class PruningPath(Sequence[Any]):
    """Trees of Fisher pruning at all p-values; see :func:`fisher_pruning_path`.

    It is a sequence of estimators, which are created on access.

    Parameters
    ----------
    estimator : RareTreeClassifier
        Tree to be pruned.
    p_values : ndarray of shape (n_trees,)
        Significance level of each tree, ascending.
    n_leaves : ndarray of shape (n_trees,)
        Number of leaves of each tree.
    test_leaves : bool
        Whether leaves are tested, too.
    """

    estimator: Any
    p_values: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    test_leaves: bool = False

    def __len__(self) -> int:
        return len(self.p_values)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return prune(self.estimator, Fisher(float(self.p_values[index]), self.test_leaves))

    def __repr__(self) -> str:
        return (
            f"PruningPath({len(self)} trees, {self.n_leaves[0]} to {self.n_leaves[-1]} leaves, "
            f"p-values {self.p_values[0]:.3g} to {self.p_values[-1]:.3g})"
        )


def fisher_pruning_path(estimator: Any, *, test_leaves: bool = False) -> PruningPath:
    """Compute the significance levels at which Fisher pruning changes the tree.

    Parameters
    ----------
    estimator : RareTreeClassifier
        Fitted tree, usually grown without pruning.
    test_leaves : bool, default=False
        Whether a significant leaf keeps a branch, too.

    Returns
    -------
    path : PruningPath
        ``p_values``, ascending up to 1, and ``n_leaves``; ``path[i]`` is the estimator pruned at
        ``p_values[i]``. A branch is kept if its p-value is below the level, so a level gives the
        same tree as all others above the previous one. The first tree has the split of the root
        alone.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, pruning
    >>> tree = presets.hddt(max_depth=3).fit(*load_breast_cancer(return_X_y=True))
    >>> path = pruning.fisher_pruning_path(tree)
    >>> path.n_leaves
    array([2, 4, 5, 6, 7])
    >>> path[1].get_n_leaves()
    4
    """
    check_fitted_model(estimator)
    view = tree_view(estimator, "fisher_pruning_path")
    level = _core.fisher_levels(view.compiled, tests_leaves=test_leaves)
    is_inner = view.n_children > 0
    of_parent = np.sort(level[view.parent[1:]])
    of_branch = np.sort(level[1:][is_inner[1:]])
    p_values = np.unique(np.append(of_branch[of_branch <= 1], 1.0))
    # A node is a leaf of the pruned tree if its parent stays and it does not stay a branch.
    n_leaves = np.searchsorted(of_parent, p_values) - np.searchsorted(of_branch, p_values)
    return PruningPath(estimator, p_values, np.maximum(n_leaves, 1), test_leaves)
