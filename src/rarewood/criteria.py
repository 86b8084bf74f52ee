"""Split criteria: their names, their parameters, and their value for a table of counts.

A criterion is a name, such as ``"hellinger"``, or an object with parameters, such as
``Alpha(0.7, reference="uniform")``. A recipe, such as ``BetaAlpha(1, 3)``, draws a criterion for
every tree of a forest. The criteria are written in C++, one file each; this module reads their
registry. :func:`custom` turns a function into a criterion.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from numbers import Real
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rarewood import _core
from rarewood._custom_criterion import check_laws, compile_custom

__all__ = ["Alpha", "BetaAlpha", "Criterion", "Custom", "custom", "describe", "names", "score"]

ALIASES = {"log_loss": "entropy"}
"""Other names of criteria."""

Reference = Literal["prior", "uniform", "complement"]


class Description(NamedTuple):
    """Sentence, reference and parameters of a criterion."""

    summary: str
    reference: str
    parameters: tuple[dict[str, Any], ...]


class CriterionTable(dict[str, Description]):
    """Names of the criteria with their descriptions; prints as a table."""

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        lines = []
        for name, (summary, reference, parameters) in self.items():
            texts = [summary, *map(_in_words, parameters), f"[{reference}]"]
            labels = [name, *[""] * (len(texts) - 1)]
            lines += [f"{a:<{width}}  {b}" for a, b in zip(labels, texts, strict=True)]
        return "\n".join(lines)


def _in_words(parameter: dict[str, Any]) -> str:
    choices = parameter.get("choices")
    values = ", ".join(choices) if choices else f"{parameter['low']:g} to {parameter['high']:g}"
    return f"{parameter['name']} ({values}; {parameter['default']}): {parameter['summary']}"


@cache
def _registry() -> CriterionTable:
    return CriterionTable(
        (entry["name"], Description(entry["summary"], entry["reference"], (*entry["parameters"],)))
        for entry in _core.criterion_entries()
    )


def names() -> list[str]:
    """Return the names of the criteria.

    Returns
    -------
    names : list of str
        Names that the parameter ``criterion`` of the estimators takes.

    Examples
    --------
    >>> from rarewood import criteria
    >>> "hellinger" in criteria.names()
    True
    """
    return list(_registry())


def describe() -> CriterionTable:
    """Describe the criteria.

    Returns
    -------
    table : dict of str to Description
        ``summary``, ``reference`` and ``parameters`` of each criterion by name; ``print`` shows the
        whole table.

    Examples
    --------
    >>> from rarewood import criteria
    >>> criteria.describe()["alpha"].parameters[0]["high"]
    2.0
    """
    return CriterionTable(_registry())


class Criterion:
    """Criterion with parameters.

    Parameters
    ----------
    name : str
        Name from :func:`names`.
    **parameters
        Values of its parameters, see :func:`describe`; the others have their defaults.

    Examples
    --------
    >>> from rarewood import criteria
    >>> criteria.Criterion("alpha", alpha=0.7)
    Criterion('alpha', alpha=0.7, reference='prior')
    """

    __slots__ = ("_parameters", "name")

    name: str
    _parameters: dict[str, float | str]

    def __init__(self, name: str, **parameters: float | str) -> None:
        name = _canonical(name)
        for declared in _registry()[name].parameters:
            value = parameters.get(declared["name"], declared["default"])
            if "choices" not in declared and (
                isinstance(value, bool) or not isinstance(value, Real)
            ):
                raise TypeError(
                    f"{declared['name']} must be a number between {declared['low']:g} and "
                    f"{declared['high']:g}; got {value!r}."
                )
        object.__setattr__(self, "name", name)
        values = _core.Criterion(name, **parameters).parameters
        object.__setattr__(self, "_parameters", values)

    @property
    def parameters(self) -> dict[str, float | str]:
        """Values of all parameters by name."""
        return dict(self._parameters)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._parameters:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self._parameters[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to {name!r}: a criterion is immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Criterion) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.name, *sorted(self._parameters.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (type(self), self.name, self._parameters)

    def __getstate__(self) -> dict[str, Any]:
        """Return plain data, for skops."""
        return {"name": self.name, "parameters": self.parameters}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Criterion.__init__(self, state["name"], **state["parameters"])

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self._parameters.items()]
        if type(self) is Criterion:
            given.insert(0, repr(self.name))
        return f"{type(self).__name__}({', '.join(given)})"


def _make(kind: type[Criterion], name: str, parameters: dict[str, Any]) -> Criterion:
    """Return a criterion from its parts, for pickles."""
    return Criterion(name, **parameters) if kind is Criterion else kind(**parameters)


class Alpha(Criterion):
    """Alpha divergence of the class fractions of the children from a reference.

    Parameters
    ----------
    alpha : float, default=0.5
        Order of the divergence, between 0 and 2. With the reference "prior", 1 is the information
        gain and 1/2 is four times "ihd".
    reference : {"prior", "uniform", "complement"}, default="prior"
        Distribution that a child is compared with: the class fractions of its parent, equal
        fractions of the classes present in the parent, or the complement of the fractions of the
        child, normalised.

    Notes
    -----
    A pure child makes the value infinite for ``alpha=0``, and for ``alpha >= 1`` with "complement".
    The criterion is not invariant to the skew of the classes.

    Examples
    --------
    >>> from rarewood import criteria
    >>> table = [[8, 2], [2, 88]]
    >>> criteria.score(criteria.Alpha(1.0), table) == criteria.score("entropy", table)
    True
    """

    __slots__ = ()

    alpha: float
    reference: Reference

    def __init__(self, alpha: float = 0.5, reference: Reference = "prior") -> None:
        super().__init__("alpha", alpha=alpha, reference=reference)


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
    check_laws(resolve(made), name, convex)
    return made


CriterionLike = str | Criterion


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


def resolve(criterion: CriterionLike) -> _core.Criterion:
    """Return the compiled criterion of a name or an object."""
    if isinstance(criterion, str):
        return _core.Criterion(_canonical(criterion))
    if isinstance(criterion, Custom):
        return compile_custom(criterion.function, criterion.name, criterion.convex)
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


def _canonical(name: str) -> str:
    """Return the name in the registry of a criterion; an error if there is none."""
    name, known = ALIASES.get(name, str(name)), names()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"Unknown criterion {name!r}.{hint} The criteria are: {', '.join(known)}.")
    return name


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
