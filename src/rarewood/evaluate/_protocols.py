"""Protocols: which samples a model is trained on and which it is tested on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]


class Split(NamedTuple):
    """A split of :meth:`Protocol.splits`, which describes the fields."""

    repeat: int
    fold: int
    train: Rows
    test: Rows


@dataclass(frozen=True)
class Protocol:
    """Repeated stratified k-fold cross-validation, derived from one seed.

    Parameters
    ----------
    n_splits : int
        Number of folds; each is the test set once in every repeat.
    n_repeats : int, default=1
        Number of repeats, each with its own shuffle.
    seed : int, default=0
        Seed of the splits and of models without a ``random_state``.

    Notes
    -----
    The samples of each class are shuffled, one class after the other, and dealt to the folds in
    turn. So the folds differ by at most one sample in size, and by at most one sample of every
    class. The shuffle of a repeat is a function of the seed and the number of the repeat: the
    splits of a data set do not depend on the other data sets, on the models, on the number of
    processes or on the platform, and the first repeats of a longer protocol are those of a shorter
    one.

    Examples
    --------
    >>> from rarewood.evaluate import Protocol
    >>> for split in Protocol(n_splits=2, n_repeats=2).splits(["a", "a", "b", "b", "b", "b"]):
    ...     print(split.repeat, split.fold, split.train, split.test)
    0 0 [0 3 4] [1 2 5]
    0 1 [1 2 5] [0 3 4]
    1 0 [0 3 5] [1 2 4]
    1 1 [1 2 4] [0 3 5]
    """

    n_splits: int
    n_repeats: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("n_splits", 2), ("n_repeats", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name} must be an integer of at least {least}; got {value!r}.")
            object.__setattr__(self, name, int(value))

    def __len__(self) -> int:
        return self.n_splits * self.n_repeats

    def splits(self, y: Any) -> Iterator[Split]:
        """Yield the splits, repeat by repeat.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Labels.

        Yields
        ------
        split : Split
            Named tuple of ``repeat`` and ``fold``, and of the sorted indices of the ``train`` and
            ``test`` samples.
        """
        for repeat, fold in self.places():
            yield self.split(y, repeat, fold)

    def places(self) -> list[tuple[int, int]]:
        """Return the pairs (repeat, fold), in order."""
        return [(r, f) for r in range(self.n_repeats) for f in range(self.n_splits)]

    def split(self, y: Any, repeat: int, fold: int) -> Split:
        """Return a single split of :meth:`splits`."""
        encoded = np.unique(np.asarray(y), return_inverse=True)[1].ravel()
        if len(encoded) < self.n_splits:
            raise ValueError(
                f"{len(encoded)} samples cannot be split into {self.n_splits} folds: use fewer "
                "folds."
            )
        is_test = self._deal(encoded, repeat) == fold
        return Split(repeat, fold, np.flatnonzero(~is_test), np.flatnonzero(is_test))

    def _deal(self, encoded: NDArray[np.intp], repeat: int) -> NDArray[np.intp]:
        """Fold of every sample."""
        # NumPy has frozen the stream of RandomState; that of its successor may change.
        generator = np.random.RandomState(derived_seed(self.seed, "rows", repeat))
        order = np.lexsort([generator.random_sample(len(encoded)), encoded])
        folds = np.empty(len(encoded), dtype=np.intp)
        folds[order] = np.arange(len(encoded)) % self.n_splits
        return folds

    def model_seed(self, repeat: int, fold: int) -> int:
        """Return the seed for models without a ``random_state``, for one fold."""
        return derived_seed(self.seed, "model", repeat, fold)

    @property
    def key(self) -> str:
        """Text that identifies the splits, apart from the number of repeats."""
        return f"stratified:{self.n_splits}:{self.seed}"


def derived_seed(*parts: object) -> int:
    """Return a number below 2**31 that is a function of the parts only."""
    text = "|".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def five_by_two(seed: int = 0) -> Protocol:
    """5 x 2-fold cross-validation, the protocol of HDDT, CCPDT and HeDEx.

    Parameters
    ----------
    seed : int, default=0
        Seed of the splits.

    Returns
    -------
    protocol : Protocol
        Ten splits with half of the samples on each side.

    Examples
    --------
    >>> from rarewood.evaluate import five_by_two
    >>> five_by_two()
    Protocol(n_splits=2, n_repeats=5, seed=0)
    """
    return Protocol(2, 5, seed)
