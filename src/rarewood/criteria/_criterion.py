"""Criteria with parameters."""

from __future__ import annotations

from numbers import Real
from typing import Any, Literal

from rarewood import _core
from rarewood.criteria._registry import canonical, registry

Reference = Literal["prior", "uniform", "complement"]


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
        name = canonical(name)
        for declared in registry()[name].parameters:
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


CriterionLike = str | Criterion
