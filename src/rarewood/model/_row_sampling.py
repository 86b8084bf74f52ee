"""Row sampling: the samples that each tree of a forest is grown on."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import _core
from rarewood.model._sampling_schemes import as_scheme
from rarewood.model._training_data import TrainingData
from rarewood.table._memory import available_memory, spell_bytes

Counts = NDArray[np.int64]
_MOST_ROWS = 2**31 - 1  # of a tree
_ROW_BYTES = 12  # of a drawn row: its number, twice while rows are divided, and its place
_CHECKED_ROWS = 2**24  # fewer rows need little memory


@dataclass(frozen=True, eq=False)
class RowSampling:
    """Row sampling of a forest; the rows of a tree follow from the seed and the tree's number.

    If neither ``total`` nor ``per_class`` is set, every row is used once.
    """

    with_replacement: bool
    total: int  # number of rows to draw from all rows
    per_class: tuple[int, ...]  # number of rows to draw from each class; empty if from all rows
    n_rows: int  # number of rows to draw from, those of nonzero weight
    y: NDArray[np.int32] | None
    """Class number of each of these rows, if they are drawn by class."""
    kept: NDArray[np.intp] | None
    """Their positions in the training table; None if they are all of it. Both arrays are empty if
    they are not known: in a model from a file without rows, or from a fit on a cluster."""
    class_counts: tuple[int, ...] = ()  # number of these rows of each class

    @property
    def core_arguments(self) -> dict[str, Any]:
        """Arguments of ``_core.RowSampling``."""
        return {name: getattr(self, name) for name in ("with_replacement", "total", "per_class")}

    @property
    def compiled(self) -> _core.RowSampling:
        """Row sampling of the core."""
        return _core.RowSampling(**self.core_arguments)

    @property
    def is_random(self) -> bool:
        """Whether trees differ in their rows, so that some are out of bag."""
        return self.total > 0 or bool(self.per_class)

    def agrees_with(self, other: RowSampling) -> bool:
        """Whether both draw the same rows for the same tree."""
        if not (self.is_random or other.is_random):
            return True
        if self.core_arguments != other.core_arguments or self.n_rows != other.n_rows:
            return False
        return not self.per_class or np.array_equal(self.y, other.y)  # type: ignore[arg-type]

    def indices(self, seed: int, tree: int) -> NDArray[np.int32]:
        """Return the rows of a tree in the training table, repeated as often as they were drawn."""
        per_row = [known for known in (self.y, self.kept) if known is not None]
        if any(len(known) != self.n_rows for known in per_row):
            raise ValueError(
                "The rows of the trees are not known, because the model does not hold the classes "
                "of the training rows. rarewood.save(..., keep_rows=True) stores them in a model "
                "file; after a fit on a cluster they are not available."
            )
        y = np.zeros(self.n_rows, dtype=np.int32) if self.y is None else self.y
        copies = self.compiled.copies(y, len(self.per_class) or 1, seed, tree)
        rows = np.arange(self.n_rows) if self.kept is None else self.kept
        return np.repeat(rows, copies).astype(np.int32)


def row_sampling(forest: Any, data: TrainingData) -> RowSampling:
    """Return the row sampling of a forest with given parameters on a training table."""
    counts, scheme = data.class_counts, as_scheme(forest.balance)
    total, per_class = 0, np.empty(0, dtype=np.int64)
    if scheme is not None:
        per_class = _reduced(_class_sizes(scheme, counts), forest.max_samples)
        _check_size(forest, int(per_class.sum()), data.n_rows)
        _check_available(forest, per_class, counts)
    elif forest.bootstrap or forest.max_samples is not None:
        all_rows = np.array([data.n_rows])
        total = int(_reduced(all_rows, forest.max_samples)[0])
        _check_size(forest, total, data.n_rows)
        _check_available(forest, np.array([total]), all_rows)
    return RowSampling(
        with_replacement=bool(forest.bootstrap),
        total=total,
        per_class=tuple(per_class.tolist()),
        n_rows=data.n_rows,
        y=None if scheme is None else data.y,
        kept=data.rows,
        class_counts=tuple(counts.tolist()),
    )


def _class_sizes(scheme: Any, counts: Counts) -> Counts:
    """Return the number of rows of each class by a scheme, which may be written by a user."""
    sizes = np.asarray(scheme.class_sizes(counts.copy()))
    if sizes.shape != counts.shape or sizes.dtype.kind not in "iu" or (sizes < 0).any():
        raise ValueError(
            f"class_sizes of {scheme!r} must return one integer, at least 0, for each of "
            f"{len(counts)} classes; got {sizes!r}."
        )
    sizes = np.where(counts > 0, sizes, 0).astype(np.int64)
    if not sizes.any():
        raise ValueError(f"class_sizes of {scheme!r} draws no samples at all.")
    return sizes


def _reduced(sizes: Counts, max_samples: float | None) -> Counts:
    """Return the numbers of rows with ``max_samples``, a fraction of them or their sum."""
    if max_samples is None:
        return sizes
    wanted = int(max_samples) if isinstance(max_samples, Integral) else max_samples * sizes.sum()
    if wanted > _MOST_ROWS:
        raise ValueError(
            f"max_samples={max_samples!r} would draw more than {_MOST_ROWS} samples for a tree, "
            "the most that a tree can have. Set a smaller max_samples."
        )
    if isinstance(max_samples, Integral):
        reduced = np.array([size * int(max_samples) // int(sizes.sum()) for size in sizes.tolist()])
    else:
        reduced = (float(max_samples) * sizes).astype(np.int64)
    return np.where(sizes > 0, np.maximum(reduced, 1), 0)


def _check_size(forest: Any, n_drawn: int, n_rows: int) -> None:
    """Raise an error if the samples of a tree are too many, or do not fit into memory."""
    source = f"max_samples={forest.max_samples!r} and balance={forest.balance!r}"
    if n_drawn > _MOST_ROWS:
        raise ValueError(
            f"{source} would draw {n_drawn} samples for a tree, which can have at most "
            f"{_MOST_ROWS}. Set a smaller max_samples."
        )
    if n_drawn <= max(n_rows, _CHECKED_ROWS):
        return
    free = available_memory()
    if free is not None and _ROW_BYTES * n_drawn > free:
        raise MemoryError(
            f"{source} draw {n_drawn} samples for each tree from {n_rows}, which need about "
            f"{spell_bytes(_ROW_BYTES * n_drawn)} of memory, but only {spell_bytes(free)} are "
            "available. Set a smaller max_samples."
        )


def _check_available(forest: Any, sizes: Counts, counts: Counts) -> None:
    """Raise an error if more rows are drawn without replacement than there are."""
    if forest.bootstrap or (sizes <= counts).all():
        return
    k = int(np.argmax(sizes > counts))
    source = "" if len(counts) == 1 else " of a class"
    raise ValueError(
        f"max_samples={forest.max_samples!r} and balance={forest.balance!r} would draw {sizes[k]} "
        f"samples without replacement from {counts[k]}{source}. Set bootstrap=True to draw with "
        "replacement, or a smaller max_samples."
    )


def expected_size(sampling: RowSampling, data: TrainingData) -> tuple[int, float]:
    """Return the number of rows of a tree, and their mean total weight."""
    totals = data.class_totals()
    if not sampling.is_random:
        return data.n_rows, totals.total
    # Near one, where no product overflows or loses bits.
    exponent = int(np.frexp(totals.total)[1])
    if not sampling.per_class:
        total = np.ldexp(totals.total, -exponent) * sampling.total / data.n_rows
        return sampling.total, _scaled(total, exponent)
    counts = data.class_counts
    is_present = counts > 0
    sizes = np.array(sampling.per_class)[is_present]
    means = np.ldexp(totals.values, -exponent)[is_present] / counts[is_present]
    # The largest number last: with equal numbers the ratios are exactly one.
    most = int(sizes.max())
    return int(sizes.sum()), _scaled((means * (sizes / most)).sum() * most, exponent)


def _scaled(number: float, exponent: int) -> float:
    with np.errstate(over="ignore"):
        return float(np.ldexp(number, exponent))
