"""Recipes, which draw a criterion for every tree of a forest."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Protocol, runtime_checkable

from rarewood import _core
from rarewood.criteria._criterion import Alpha, CriterionLike, Reference


@runtime_checkable
class Recipe(Protocol):
    """Object that draws a criterion for every tree of a forest."""

    def draw(self, seed: int, tree: int) -> CriterionLike:
        """Return the criterion of a tree, a function of the seed and the number of the tree."""


@dataclass(frozen=True)
class BetaAlpha:
    """Distribution of ``Alpha`` criteria: the order of each tree is drawn from 2 * Beta(a, b).

    Parameters
    ----------
    a, b : float, default=1.0
        Parameters of the beta distribution, above zero. (1, 1) draws orders uniformly between 0
        and 2; (1, 3) prefers small ones, (3, 1) large ones.
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
    reference: Reference = "prior"

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            value = getattr(self, name)
            if not isinstance(value, Real) or isinstance(value, bool):
                raise TypeError(f"{name} must be a number above zero, got {value!r}.")
            if not 0 < float(value) < float("inf"):
                raise ValueError(f"{name} must be above zero and finite, got {value!r}.")
            object.__setattr__(self, name, float(value))
        Alpha(reference=self.reference)

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
            Order at the quantile of the beta distribution for a number drawn uniformly from [0, 1).
        """
        from scipy.special import betaincinv  # not needed by anything else

        quantile = float(betaincinv(self.a, self.b, _core.uniform(seed, tree)))
        return Alpha(min(2.0 * quantile, 2.0), self.reference)


def for_trees(criterion: CriterionLike | Recipe, seed: int, trees: range) -> list[CriterionLike]:
    """Return the criterion of each of some trees of a forest."""
    if isinstance(criterion, Recipe):
        return [criterion.draw(seed, tree) for tree in trees]
    return [criterion] * len(trees)
