"""Schemes of row sampling: how many samples of each class a tree of a forest draws.

To add a scheme, write a class as below and add it to ``SCHEMES``. Validation, model files and the
documentation read the registry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class SamplingScheme(ABC):
    """Scheme of row sampling; its fields are its parameters."""

    name: ClassVar[str]
    """Value of the parameter ``balance``."""
    summary: ClassVar[str]
    """One sentence."""
    reference: ClassVar[str] = ""
    """Paper, if there is one."""
    ranges: ClassVar[dict[str, tuple[float, float]]] = {}
    """Lowest and highest value of each parameter."""

    def __post_init__(self) -> None:
        for name, (low, high) in self.ranges.items():
            value = getattr(self, name)
            if not isinstance(value, Real) or isinstance(value, bool):
                raise TypeError(f"{name} must be a number from {low:g} to {high:g}; got {value!r}.")
            if not low <= float(value) <= high or not np.isfinite(float(value)):
                raise ValueError(f"{name}={value!r} must be from {low:g} to {high:g}.")
            object.__setattr__(self, name, float(value))

    @abstractmethod
    def class_sizes(self, counts: Counts) -> Counts:
        """Return the number of samples of each class to draw, given their numbers in the table."""


@dataclass(frozen=True)
class Balanced(SamplingScheme):
    """At most ``ratio`` samples of every other class for each sample of the rarest class."""

    name: ClassVar[str] = "balanced"
    summary: ClassVar[str] = "At most `ratio` samples of each class per sample of the rarest class."
    reference: ClassVar[str] = "Chen, Liaw & Breiman, University of California, Berkeley, 2004"
    ranges: ClassVar[dict[str, tuple[float, float]]] = {"ratio": (1.0, float("inf"))}

    ratio: float = 1.0

    def class_sizes(self, counts: Counts) -> Counts:
        rarest = counts[counts > 0].min()
        sizes: Counts = np.minimum(counts, np.floor(self.ratio * rarest)).astype(np.int64)
        return sizes


SCHEMES: dict[str, type[SamplingScheme]] = {scheme.name: scheme for scheme in (Balanced,)}


def as_scheme(balance: Any) -> Any:
    """Return the scheme of a value of ``balance``; None for False."""
    if isinstance(balance, (bool, np.bool_)):
        return Balanced() if balance else None
    if isinstance(balance, str):
        if balance in SCHEMES:
            return SCHEMES[balance]()
    elif isinstance(balance, Real):
        if 1 <= float(balance) < float("inf"):
            return Balanced(float(balance))
    elif callable(getattr(balance, "class_sizes", None)) and not isinstance(balance, type):
        return balance
    raise ValueError(
        f"balance={balance!r} must be False, True, a ratio of at least 1, one of the names "
        f"{', '.join(map(repr, SCHEMES))}, or a scheme object with a method class_sizes(counts)."
    )
