"""The values of a criterion over ROC space: all splits into two children, for two classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarewood import criteria
from rarewood.criteria import Alpha, Criterion

__all__ = ["RocValues", "criterion_label", "roc_values", "skew_label"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RocValues:
    """A criterion at every pair of rates.

    Parameters
    ----------
    rates : ndarray of shape (resolution,)
        The rates, from 0 to 1.
    values : ndarray of shape (resolution, resolution)
        The criterion, with a row for each true positive rate and a column for each false positive
        rate. May hold infinities.
    at_rest : float
        The value of a split that tells nothing: that of the diagonal.
    """

    rates: Floats
    values: Floats
    at_rest: float

    @property
    def top(self) -> float:
        """The largest finite value."""
        return float(self.values[np.isfinite(self.values)].max())

    @property
    def has_infinite(self) -> bool:
        """Whether a value is infinite."""
        return not bool(np.isfinite(self.values).all())

    @property
    def finite(self) -> Floats:
        """The values, with the largest finite one for infinities."""
        return np.minimum(self.values, self.top)

    @property
    def relative(self) -> Floats:
        """The gain over a split that tells nothing, as a share of the largest finite one."""
        return (self.finite - self.at_rest) / (self.top - self.at_rest)


def roc_values(criterion: Criterion, skew: Sequence[float], resolution: int) -> RocValues:
    """Score a criterion on a square of rates.

    Parameters
    ----------
    criterion : str or Alpha
        The criterion.
    skew : (float, float)
        Sizes of the positive and of the negative class.
    resolution : int
        Number of rates along each side.

    Returns
    -------
    values : RocValues
        The values, computed by the core.
    """
    positive, negative = _sizes(skew)
    if resolution < 3:
        raise ValueError(f"resolution must be at least 3, got {resolution}.")
    rates = np.linspace(0.0, 1.0, resolution)
    tpr, fpr = (rate.ravel() for rate in np.meshgrid(rates, rates, indexing="ij"))
    left = np.stack([positive * tpr, negative * fpr], axis=1)
    right = np.stack([positive * (1 - tpr), negative * (1 - fpr)], axis=1)
    values = criteria.score(criterion, np.stack([left, right], axis=1))
    at_rest = criteria.score(criterion, [[positive, negative], [0.0, 0.0]])
    return RocValues(rates, values.reshape(resolution, resolution), at_rest)


def _sizes(skew: Sequence[float]) -> tuple[float, float]:
    sizes = np.asarray(skew, dtype=float)
    if sizes.shape != (2,) or not (np.isfinite(sizes) & (sizes > 0)).all():
        raise ValueError(
            "skew must be two numbers above zero, the sizes of the positive and of the negative "
            f"class, such as (1, 10); got {skew!r}."
        )
    return float(sizes[0]), float(sizes[1])


def criterion_label(criterion: Criterion) -> str:
    """Return what titles call a criterion."""
    if criterion == "alpha":
        criterion = Alpha()
    if isinstance(criterion, Alpha):
        return f"alpha {criterion.alpha:g}, {criterion.reference}"
    return str(criterion)


def skew_label(skew: Sequence[float]) -> str:
    """Return the sizes of the classes as a ratio."""
    return ":".join(f"{size:g}" for size in skew)
