"""From a name or an object to the criterion of the core, and its values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood import _core
from rarewood.criteria._criterion import Criterion, CriterionLike
from rarewood.criteria._custom import Custom
from rarewood.criteria._recipes import Recipe
from rarewood.criteria._registry import canonical, names


def resolve(criterion: CriterionLike) -> _core.Criterion:
    """Return the compiled criterion of a name or an object."""
    if isinstance(criterion, str):
        return _core.Criterion(canonical(criterion))
    if isinstance(criterion, Custom):
        return criterion.compile()
    if isinstance(criterion, Criterion):
        return _core.Criterion(criterion.name, **criterion.parameters)
    if isinstance(criterion, Recipe):
        raise TypeError(
            f"{criterion!r} draws a criterion for each tree and is supported by "
            "RareForestClassifier only. Pass a criterion such as Alpha(0.7)."
        )
    raise TypeError(
        "criterion must be a name or an object such as rarewood.criteria.Alpha(0.7) or "
        f"rarewood.criteria.custom(f); got {criterion!r}. The names are: {', '.join(names())}."
    )


def check_known(criterion: CriterionLike) -> None:
    """Raise unless a criterion of a saved model exists; functions are not saved."""
    if not isinstance(criterion, Custom):
        resolve(criterion)


def score(criterion: CriterionLike, children: ArrayLike) -> Any:
    """Compute the value of a criterion for the class counts of the children of a split.

    Parameters
    ----------
    criterion : str or Criterion
        Name from :func:`names`, or an object with parameters.
    children : array-like of shape (n_children, n_classes) or (n_splits, n_children, n_classes)
        Number or total weight of the samples of each class in each child. Empty children and absent
        classes have no effect.

    Returns
    -------
    value : float or ndarray of shape (n_splits,)
        Higher is better.

    Examples
    --------
    A split that separates two classes has the largest possible Hellinger distance, the square root
    of two, for any class frequency:

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
