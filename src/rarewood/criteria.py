"""The split criteria: their names, their parameters, and their value for a table of counts.

A criterion is given by its name, such as ``"hellinger"``, or by a small object where it has
parameters, such as ``Alpha(0.7, reference="uniform")``. What they compute is written in C++, one
file each; this module only names them. A recipe, such as ``BetaAlpha(1, 3)``, gives every tree of a
forest a criterion of its own.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood import _core

__all__ = [
    "Alpha",
    "BetaAlpha",
    "Criterion",
    "CriterionTable",
    "Description",
    "Recipe",
    "for_trees",
    "names",
    "resolve",
    "score",
]

_REFERENCES = ("prior", "uniform", "complement")


class Description(NamedTuple):
    """What a criterion is, in a sentence, and where it comes from."""

    summary: str
    reference: str


class CriterionTable(dict[str, Description]):
    """Names of the criteria with their descriptions; prints as a table."""

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        lines = (
            f"{name:<{width}}  {about.summary}\n{'':<{width}}  [{about.reference}]"
            for name, about in self.items()
        )
        return "\n".join(lines)


@dataclass(frozen=True)
class Alpha:
    """Alpha-divergence of the children's class shares from a reference.

    Parameters
    ----------
    alpha : float, default=0.5
        The order of the divergence, between 0 and 2. With the reference ``"prior"``, 1 is the
        information gain and 1/2 is four times ``"ihd"``.
    reference : {"prior", "uniform", "complement"}, default="prior"
        What a child is compared with: the class shares of its parent, equal shares of the classes
        present in the parent, or what the child's own shares leave to one, spread evenly.

    Notes
    -----
    At ``alpha=0``, and with ``"complement"`` from ``alpha=1`` on, a child of one class makes the
    value infinite. The criterion is not invariant to the skew of the classes.

    Examples
    --------
    >>> from rarewood import criteria
    >>> table = [[8, 2], [2, 88]]
    >>> criteria.score(criteria.Alpha(1.0), table) == criteria.score("entropy", table)
    True
    """

    alpha: float = 0.5
    reference: str = "prior"

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, Real) or isinstance(self.alpha, bool):
            raise TypeError(f"alpha must be a number between 0 and 2, got {self.alpha!r}.")
        if not 0 <= self.alpha <= 2:
            raise ValueError(f"alpha must be between 0 and 2, got {self.alpha!r}.")
        _check_reference(self.reference)
        object.__setattr__(self, "alpha", float(self.alpha))


def _check_reference(reference: str) -> None:
    if reference not in _REFERENCES:
        raise ValueError(
            f"reference must be one of {', '.join(map(repr, _REFERENCES))}; got {reference!r}."
        )


Criterion = str | Alpha


@runtime_checkable
class Recipe(Protocol):
    """What gives every tree of a forest a criterion of its own."""

    def draw(self, seed: int, tree: int) -> Criterion:
        """Return the criterion of a tree: a function of the forest's seed and the tree's number."""


@dataclass(frozen=True)
class BetaAlpha:
    """Recipe for forests: ``Alpha`` with an order drawn for every tree, 2 * Beta(a, b).

    Parameters
    ----------
    a, b : float, default=1.0
        Parameters of the beta distribution, above zero. (1, 1) draws orders evenly between 0 and
        2; (1, 3) prefers small ones, (3, 1) large ones.
    reference : {"prior", "uniform", "complement"}, default="prior"
        See :class:`Alpha`.

    References
    ----------
    .. [1] Y. Park and J. Ghosh, "Compact ensemble trees for imbalanced data", Multiple Classifier
           Systems, 2011.

    Examples
    --------
    The order of a tree depends on the seed of the forest and the number of the tree, not on the
    size of the forest:

    >>> from rarewood.criteria import BetaAlpha
    >>> recipe = BetaAlpha(1, 3)
    >>> recipe.draw(seed=0, tree=7) == recipe.draw(seed=0, tree=7)
    True
    >>> 0 <= recipe.draw(seed=0, tree=8).alpha <= 2
    True
    """

    a: float = 1.0
    b: float = 1.0
    reference: str = "prior"

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            value = getattr(self, name)
            if not isinstance(value, Real) or isinstance(value, bool):
                raise TypeError(f"{name} must be a number above zero, got {value!r}.")
            if not 0 < float(value) < float("inf"):
                raise ValueError(f"{name} must be above zero and finite, got {value!r}.")
            object.__setattr__(self, name, float(value))
        _check_reference(self.reference)

    def draw(self, seed: int, tree: int) -> Alpha:
        """Return the criterion of a tree.

        Parameters
        ----------
        seed : int
            Seed of the forest.
        tree : int
            Number of the tree.

        Returns
        -------
        criterion : Alpha
            With the quantile of the beta distribution at a number drawn evenly from [0, 1).
        """
        from scipy.special import betaincinv  # not needed by anything else

        quantile = float(betaincinv(self.a, self.b, _core.uniform(seed, tree)))
        return Alpha(min(2.0 * quantile, 2.0), self.reference)


def for_trees(criterion: Criterion | Recipe, seed: int, trees: range) -> list[Criterion]:
    """Return the criterion of each of some trees of a forest.

    Parameters
    ----------
    criterion : str, Alpha or recipe
        A criterion serves all trees; a recipe draws one for each.
    seed : int
        Seed of the forest.
    trees : range
        Numbers of the trees.

    Returns
    -------
    criteria : list of str or Alpha
        One for every tree.
    """
    if isinstance(criterion, Recipe):
        return [criterion.draw(seed, tree) for tree in trees]
    return [criterion] * len(trees)


def names() -> CriterionTable:
    """List the criteria, with a sentence and a reference each.

    Returns
    -------
    table : dict of str to Description
        Iterating gives the names; ``print`` shows the whole table.

    Examples
    --------
    >>> from rarewood import criteria
    >>> "hellinger" in criteria.names()
    True
    """
    return CriterionTable(
        (entry["name"], Description(entry["summary"], entry["reference"]))
        for entry in _core.criterion_entries()
    )


def resolve(criterion: Criterion) -> _core.Criterion:
    """Return the compiled criterion behind a name or an object with parameters.

    Parameters
    ----------
    criterion : str or Alpha
        ``"alpha"`` as a plain name means ``Alpha()``.

    Returns
    -------
    criterion : _core.Criterion
        The criterion as the core takes it.
    """
    if isinstance(criterion, str):
        criterion = str(criterion)
        if criterion == "alpha":
            criterion = Alpha()
        elif criterion not in (known := names()):
            close = difflib.get_close_matches(criterion, known, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise ValueError(
                f"Unknown criterion {criterion!r}.{hint} The criteria are: {', '.join(known)}."
            )
        else:
            return _core.Criterion(criterion)
    if isinstance(criterion, Alpha):
        return _core.Criterion("alpha", alpha=criterion.alpha, reference=criterion.reference)
    if isinstance(criterion, Recipe):
        raise TypeError(
            f"{criterion!r} is a recipe that draws a criterion for every tree of a forest. Use it "
            "with RareForestClassifier; a single tree needs a criterion such as Alpha(0.7)."
        )
    raise TypeError(
        "criterion must be a name or an object such as rarewood.criteria.Alpha(0.7); got "
        f"{criterion!r}. The names are: {', '.join(names())}."
    )


def score(criterion: Criterion, children: ArrayLike) -> Any:
    """Value of a criterion for the class counts of the children of a split.

    Parameters
    ----------
    criterion : str or Alpha
        See :func:`names`.
    children : array-like of shape (n_children, n_classes) or (n_splits, n_children, n_classes)
        Rows, or weights, of every class in every child. Empty children and absent classes change
        nothing.

    Returns
    -------
    value : float or ndarray of shape (n_splits,)
        Higher is better.

    Examples
    --------
    A split that separates the classes has the largest Hellinger distance there is, the square root
    of two, however rare one of them is:

    >>> from rarewood import criteria
    >>> round(criteria.score("hellinger", [[3, 0], [0, 9997]]), 4)
    1.4142
    """
    tables: NDArray[np.float64] = np.array(children, dtype=np.float64, order="C", ndmin=2)
    if tables.ndim not in (2, 3):
        raise ValueError(
            "children must have one row per child and one column per class, or be a stack of such "
            f"tables; got an array with {tables.ndim} dimensions."
        )
    if not np.isfinite(tables).all() or (tables < 0).any():
        raise ValueError("children holds counts, which must be finite and not negative.")
    compiled = resolve(criterion)
    if tables.ndim == 3:
        return compiled.score(tables)
    return float(compiled.score(tables[np.newaxis])[0])
