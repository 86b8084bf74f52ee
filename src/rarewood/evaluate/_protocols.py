"""Protocols: which rows a model is trained on, and on which it is tested."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Protocol", "Split", "five_by_two", "repeated_stratified", "stratified"]

Rows = NDArray[np.intp]


class Split(NamedTuple):
    """One split: the number of its repeat and fold, and the rows on both sides."""

    repeat: int
    fold: int
    train: Rows
    test: Rows


@dataclass(frozen=True)
class Protocol:
    """Repeated stratified cross-validation, all of it derived from a seed.

    Parameters
    ----------
    n_splits : int
        Number of folds; each is the test set once in every repeat.
    n_repeats : int, default=1
        How often the rows are dealt anew.
    seed : int, default=0
        What the splits, and the seeds of the models, are derived from.

    Notes
    -----
    The rows of each class are put into a random order, one class after the other, and dealt to the
    folds like cards. So the folds differ by at most one row in size, and by at most one row of
    every class. The order of a repeat is a function of the seed and its number: the splits of a
    data set do not depend on the other data sets, on the models, on the number of processes or on
    the platform, and the first repeats of a longer protocol are those of a shorter one.

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
                raise ValueError(f"{name} must be a whole number from {least} on; got {value!r}.")
            object.__setattr__(self, name, int(value))

    def __len__(self) -> int:
        return self.n_splits * self.n_repeats

    def splits(self, y: Any) -> Iterator[Split]:
        """Yield the splits of some labels, repeat by repeat.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Labels.

        Yields
        ------
        split : Split
            The numbers of repeat and fold, and the rows for training and testing, in order.
        """
        for repeat, fold in self.places():
            yield self.split(y, repeat, fold)

    def places(self) -> list[tuple[int, int]]:
        """Return the numbers of the repeats and folds, in order."""
        return [(r, f) for r in range(self.n_repeats) for f in range(self.n_splits)]

    def split(self, y: Any, repeat: int, fold: int) -> Split:
        """Return a single split.

        Parameters
        ----------
        y : array-like of shape (n_rows,)
            Labels.
        repeat, fold : int
            Which one.

        Returns
        -------
        split : Split
            The rows for training and testing, in order.
        """
        codes = np.unique(np.asarray(y), return_inverse=True)[1].ravel()
        if len(codes) < self.n_splits:
            raise ValueError(
                f"{len(codes)} rows cannot be dealt to {self.n_splits} folds: take fewer folds."
            )
        is_test = self._deal(codes, repeat) == fold
        return Split(repeat, fold, np.flatnonzero(~is_test), np.flatnonzero(is_test))

    def _deal(self, codes: NDArray[np.intp], repeat: int) -> NDArray[np.intp]:
        """Fold of every row."""
        # NumPy has frozen the stream of RandomState; that of its successor may change.
        generator = np.random.RandomState(derived_seed(self.seed, "rows", repeat))
        order = np.lexsort([generator.random_sample(len(codes)), codes])
        folds = np.empty(len(codes), dtype=np.intp)
        folds[order] = np.arange(len(codes)) % self.n_splits
        return folds

    def model_seed(self, repeat: int, fold: int) -> int:
        """Return the seed of models that were given none, for one fold."""
        return derived_seed(self.seed, "model", repeat, fold)

    @property
    def key(self) -> str:
        """What decides the splits, apart from the number of repeats, as text."""
        return f"stratified:{self.n_splits}:{self.seed}"


def derived_seed(*parts: object) -> int:
    """Return a number below 2**31 that is a function of the parts only."""
    text = "|".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def five_by_two(seed: int = 0) -> Protocol:
    """Five times two-fold cross-validation, the protocol of HDDT, CCPDT and HeDEx.

    Parameters
    ----------
    seed : int, default=0
        What the splits are derived from.

    Returns
    -------
    protocol : Protocol
        Ten splits; half of the rows on each side.

    Examples
    --------
    >>> from rarewood.evaluate import five_by_two
    >>> five_by_two()
    Protocol(n_splits=2, n_repeats=5, seed=0)
    """
    return Protocol(2, 5, seed)


def stratified(n_splits: int = 10, seed: int = 0) -> Protocol:
    """Stratified k-fold cross-validation.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds.
    seed : int, default=0
        What the splits are derived from.

    Returns
    -------
    protocol : Protocol
        As many splits as folds.
    """
    return Protocol(n_splits, 1, seed)


def repeated_stratified(n_splits: int = 10, n_repeats: int = 10, seed: int = 0) -> Protocol:
    """Repeated stratified k-fold cross-validation.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds.
    n_repeats : int, default=10
        Number of repeats.
    seed : int, default=0
        What the splits are derived from.

    Returns
    -------
    protocol : Protocol
        ``n_splits * n_repeats`` splits.
    """
    return Protocol(n_splits, n_repeats, seed)
