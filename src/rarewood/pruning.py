"""Pruning: making a grown tree smaller, from the class counts of its nodes alone.

Three ways are offered, to the ``pruning`` parameter of the estimators and to :func:`prune`:

"fisher"
    CCPDT's. Every inner node below the root is a rule, "the row reaches this node", for the class
    of which the largest share reaches it. A branch stays if Fisher's exact test finds its rule, or
    that of an inner node in it, significant; otherwise it becomes a leaf. It does not matter how
    rare the class is.
"error"
    C4.5's. A branch becomes a leaf where the leaf is not expected to make more errors than the
    branch, by an estimate that is the more pessimistic the fewer rows there are. With a rare class
    this often leaves nothing but the root.
"cost_complexity"
    CART's, which scikit-learn users know as ``ccp_alpha``. A branch becomes a leaf where its splits
    lower the impurity by no more than the threshold for each leaf that they add.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood import _core
from rarewood.export._wording import tree_view
from rarewood.model._base import check_fitted_model

__all__ = ["PruningPath", "fisher_p_value", "fisher_pruning_path", "prune"]

Estimator = TypeVar("Estimator")
_METHODS = ("fisher", "error", "cost_complexity")


def fisher_p_value(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> Any:
    """One-sided p-value of Fisher's exact test, for a rule and a class.

    The probability that a rule which covers ``a + c`` rows drawn at random covers at least ``a`` of
    the class. SciPy calls this ``alternative="greater"``.

    Parameters
    ----------
    a : int or array-like of int
        Rows of the class that the rule covers.
    b : int or array-like of int
        Rows of the class that it does not cover.
    c : int or array-like of int
        Other rows that it covers.
    d : int or array-like of int
        Other rows that it does not cover.

    Returns
    -------
    p_value : float or ndarray
        Between 0 and 1; 1 where all counts are zero. The relative error is below 1e-9 for counts
        up to 1e9 and p-values down to 1e-300.

    Examples
    --------
    A rule covers 3 of 4 rare rows and 10 of 996 others:

    >>> from rarewood.pruning import fisher_p_value
    >>> f"{fisher_p_value(3, 1, 10, 986):.2g}"
    '6.8e-06'
    """
    cells = np.broadcast_arrays(*map(np.asarray, (a, b, c, d)))
    tables = np.stack(cells, axis=-1)
    is_number = tables.dtype.kind in "iufb"
    if not is_number or not (np.isfinite(tables) & (tables == np.floor(tables))).all():
        raise ValueError("a, b, c and d count rows: they must be whole numbers.")
    p_values = _core.fisher_p_values(np.ascontiguousarray(tables.reshape(-1, 4), dtype=np.int64))
    return p_values.reshape(tables.shape[:-1]) if tables.ndim > 1 else float(p_values[0])


def prune(
    estimator: Estimator,
    method: str = "fisher",
    threshold: float | None = None,
    *,
    test_leaves: bool = False,
) -> Estimator:
    """Prune a fitted estimator, without fitting it again.

    The result is what fitting with ``pruning=method`` would give, unless leaves are tested or the
    estimator was pruned before.

    Parameters
    ----------
    estimator : RareTreeClassifier or RareForestClassifier
        A fitted estimator; it is not changed.
    method : {"fisher", "error", "cost_complexity"}, default="fisher"
        How to prune.
    threshold : float, default=None
        How strongly: by default 0.01 for "fisher", 0.25 for "error" and 0.0 for
        "cost_complexity". See ``pruning_threshold`` of the estimators.
    test_leaves : bool, default=False
        For "fisher": a branch stays for a significant leaf too. The papers test branches only.

    Returns
    -------
    pruned : RareTreeClassifier or RareForestClassifier
        A copy with smaller trees, which remembers the method and the threshold as parameters. A
        forest loses its out-of-bag scores.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, pruning
    >>> tree = presets.hddt().fit(*load_breast_cancer(return_X_y=True))
    >>> tree.get_n_leaves(), pruning.prune(tree, threshold=1e-6).get_n_leaves()
    (17, 10)
    """
    check_fitted_model(estimator)
    if method not in _METHODS:
        known = ", ".join(map(repr, _METHODS))
        raise ValueError(f"method must be one of {known}; got {method!r}.")
    if not isinstance(test_leaves, bool):
        raise TypeError(f"test_leaves must be True or False, got {test_leaves!r}.")
    model: Any = estimator
    pruned: Estimator = model._prune(method, threshold, test_leaves)
    return pruned


@dataclass(frozen=True, eq=False)
class PruningPath(Sequence[Any]):
    """The trees that pruning at every possible threshold gives; see :func:`fisher_pruning_path`.

    As a sequence it holds the trees, as estimators, made when they are asked for.

    Parameters
    ----------
    estimator : RareTreeClassifier
        The tree to be pruned.
    thresholds : ndarray of shape (n_trees,)
        One threshold for every tree, ascending.
    n_leaves : ndarray of shape (n_trees,)
        The number of leaves of each tree.
    test_leaves : bool
        Whether leaves are tested, too.
    """

    estimator: Any
    thresholds: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    test_leaves: bool = False

    def __len__(self) -> int:
        return len(self.thresholds)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        threshold = float(self.thresholds[index])
        return prune(self.estimator, "fisher", threshold, test_leaves=self.test_leaves)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return (
            f"PruningPath({len(self)} trees, {self.n_leaves[0]} to {self.n_leaves[-1]} leaves, "
            f"thresholds {self.thresholds[0]:.3g} to {self.thresholds[-1]:.3g})"
        )


def fisher_pruning_path(estimator: Any, *, test_leaves: bool = False) -> PruningPath:
    """Find the thresholds at which Fisher pruning gives different trees.

    Parameters
    ----------
    estimator : RareTreeClassifier
        A fitted tree, best grown without pruning.
    test_leaves : bool, default=False
        Whether a branch stays for a significant leaf, too.

    Returns
    -------
    path : PruningPath
        ``thresholds``, ascending up to 1, and ``n_leaves``; ``path[i]`` is the estimator pruned at
        ``thresholds[i]``. A branch stays if its p-value is below the threshold, so a threshold
        gives the same tree as all others above the one before it. The first tree has the root's
        split alone.

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
    thresholds = np.unique(np.append(of_branch[of_branch <= 1], 1.0))
    # A node is a leaf of the pruned tree if its parent stays and it does not stay a branch.
    n_leaves = np.searchsorted(of_parent, thresholds) - np.searchsorted(of_branch, thresholds)
    return PruningPath(estimator, thresholds, np.maximum(n_leaves, 1), test_leaves)
