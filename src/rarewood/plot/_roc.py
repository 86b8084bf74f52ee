"""Values of a criterion over ROC space: all splits of two classes into two children."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarewood import criteria
from rarewood.criteria import Alpha, CriterionLike

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RocValues:
    """Values of a criterion, with a row per true and a column per false positive rate.

    ``at_rest`` is the value of a split without information, on the diagonal.
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
        """The values, with infinities replaced by the largest finite one."""
        return np.minimum(self.values, self.top)

    @property
    def relative(self) -> Floats:
        """The gain over a split without information, as a fraction of the largest."""
        return (self.finite - self.at_rest) / (self.top - self.at_rest)


def roc_values(criterion: CriterionLike, skew: Sequence[float], resolution: int) -> RocValues:
    """Compute a criterion on a grid of rates, for given sizes of the two classes."""
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


def criterion_label(criterion: CriterionLike) -> str:
    """Return the name of a criterion in titles."""
    if criterion == "alpha":
        criterion = Alpha()
    if isinstance(criterion, Alpha):
        return f"alpha {criterion.alpha:g}, {criterion.reference}"
    return str(criterion)


def skew_label(skew: Sequence[float]) -> str:
    """Return the sizes of the classes as a ratio."""
    return ":".join(f"{size:g}" for size in skew)
