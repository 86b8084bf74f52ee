"""The size of a fitted model, measured where a comparison fits it."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewood.evaluate import Metric


class _Counter:
    """A file that only counts its bytes."""

    def __init__(self) -> None:
        self.n_bytes = 0

    def write(self, part: Any) -> int:
        n_bytes = memoryview(part).nbytes  # of bytes, or of the buffer of a large array
        self.n_bytes += n_bytes
        return n_bytes


def model_size(outcome: Any) -> float:
    """Return the number of bytes of a fitted model that is pickled; NaN if that is impossible."""
    if outcome.model is None:  # computed from stored predictions
        return float("nan")
    counter = _Counter()
    try:
        pickle.Pickler(counter, protocol=5).dump(outcome.model)
    except Exception:  # the objects of other packages raise anything
        return float("nan")
    return float(counter.n_bytes)


def size_metric() -> Metric:
    """Return the size as a metric of :func:`rarewood.evaluate.compare`."""
    from rarewood.evaluate import Metric

    return Metric("model_size", model_size, higher_is_better=False)
