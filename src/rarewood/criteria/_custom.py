"""Criteria that call a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood import _core
from rarewood.criteria._call import compile_function
from rarewood.criteria._criterion import Criterion
from rarewood.criteria._laws import check_laws
from rarewood.criteria._registry import ALIASES, names


@dataclass(frozen=True, eq=False, repr=False)
class Custom(Criterion):
    """Criterion that calls a function; see :func:`custom`, which makes it.

    Parameters
    ----------
    function : callable or None
        The function; None in a model that was read from a model file.
    name : str
        Name in texts and in model files.
    convex : bool, default=False
        Whether the value is convex in the counts of a child.
    """

    function: Any
    name: str
    convex: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "_parameters", {})

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.name, self.convex, self.function

    def __hash__(self) -> int:
        return hash((self.name, self.convex))

    def __copy__(self) -> Custom:
        return self

    def __deepcopy__(self, memo: Any) -> Custom:
        return self  # compiled functions cannot be copied

    def __reduce__(self) -> tuple[Any, ...]:
        return Custom, (self.function, self.name, self.convex)

    def compile(self) -> _core.Criterion:
        """Return the criterion of the core that calls the function."""
        return compile_function(self.function, self.name, self.convex)

    def __repr__(self) -> str:
        function = getattr(self.function, "__qualname__", self.function)
        return f"custom({function}, name={self.name!r}, convex={self.convex})"


def custom(
    function: Callable[[NDArray[np.float64]], ArrayLike] | Any,
    *,
    name: str | None = None,
    convex: bool = False,
) -> Custom:
    """Make a criterion of a function.

    Parameters
    ----------
    function : callable
        Function of an array of shape (n_candidates, n_children, n_classes), the number or total
        weight of the samples of each class in each child, that returns one finite value per
        candidate; higher is better. Children are not empty, and every class is present. A node
        that is not split is a table of one child; multiway splits have more than two. The function
        may be called by several threads.

        Or a compiled function, which is called without the GIL: a ``scipy.LowLevelCallable``, a
        numba ``cfunc`` or a function of ctypes with the signature ``void (const double *tables,
        int64_t n_candidates, int64_t n_children, int64_t n_classes, double *values)``, and
        optionally ``void *`` for user data at the end.
    name : str, optional
        Name in texts and in model files; that of the function by default.
    convex : bool, default=False
        Whether the value is convex, or quasi-convex, in the counts of a child, as all built-in
        criteria but "ihdw" and "ccp_counts_*" are. Parts of the exact search are then skipped. If
        False, every cut is scored, which is right for any function.

    Returns
    -------
    criterion : Custom
        Value for the parameter ``criterion`` of the estimators. It can be pickled if the function
        can be.

    Raises
    ------
    ValueError
        If the values are not finite, change with the order of the children or with the other
        candidates of the call, prefer no information to a separation of the classes, or, with
        ``convex=True``, are not convex; a few tables are tried.

    Examples
    --------
    >>> from rarewood import RareTreeClassifier, criteria
    >>> def gini(children):
    ...     totals = children.sum(axis=2)
    ...     purity = (children**2).sum(axis=2) / totals
    ...     return purity.sum(axis=1) / totals.sum(axis=1)
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 0, 1]
    >>> RareTreeClassifier(criteria.custom(gini)).fit(X, y).get_n_leaves()
    2
    """
    known = [*names(), *ALIASES]
    if name is None:
        found = getattr(function, "__name__", "")
        name = found if found.isidentifier() else "custom"
        name = f"custom_{name}" if name in known else name
    if not isinstance(name, str) or name in known:
        raise ValueError(f"name must be text and not that of another criterion; got {name!r}.")
    if not isinstance(convex, bool):
        raise TypeError(f"convex must be True or False, got {convex!r}.")
    made = Custom(function, name, convex)
    check_laws(made.compile(), name, convex)
    return made
