"""
The compiled core of rarewood: coded columns, criteria, growth and prediction.
"""

from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


MAX_ROWS: int = 2147483646

MAX_CATEGORIES: int = 16777216

MAX_BINS: int = 255

def criteria() -> list[tuple[str, str, str]]:
    """Name, sentence and reference of every criterion."""

class Criterion:
    """A split criterion."""

    def __init__(self, name: str, alpha: float = 0.5, reference: str = 'prior') -> None: ...

    @property
    def name(self) -> str: ...

    def score(self, tables: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """Values of (tables x children x classes) counts."""

class Columns:
    """A table as coarse codes, with its raw values beside them."""

    @overload
    def __init__(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int = 0, n_threads: int = 1) -> None: ...

    @overload
    def __init__(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int = 0, n_threads: int = 1) -> None: ...

    @property
    def n_rows(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def has_missing(self) -> bool: ...

    @property
    def max_bins(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    def codes(self, feature: int) -> NDArray[numpy.uint8]:
        """The codes of a feature (copied); 255 is missing."""

    def edges(self, feature: int) -> NDArray[numpy.float64]:
        """The upper edges of a numeric feature's bins but the last."""

class Tree:
    """A finished tree: flat, read-only arrays."""

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_classes(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def feature(self) -> NDArray[numpy.int32]: ...

    @property
    def threshold(self) -> NDArray[numpy.float64]: ...

    @property
    def first_child(self) -> NDArray[numpy.int32]: ...

    @property
    def n_children(self) -> NDArray[numpy.int32]: ...

    @property
    def missing_child(self) -> NDArray[numpy.int32]: ...

    @property
    def gain(self) -> NDArray[numpy.float64]: ...

    @property
    def category_offset(self) -> NDArray[numpy.int64]: ...

    @property
    def category(self) -> NDArray[numpy.int32]: ...

    @property
    def category_child(self) -> NDArray[numpy.int32]: ...

    @property
    def counts(self) -> NDArray[numpy.int64]: ...

    @property
    def weighted_counts(self) -> NDArray[numpy.float64]: ...

    @overload
    def apply(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.int64]: ...

    @overload
    def apply(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.int64]: ...

    @overload
    def predict_proba(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]: ...

    @overload
    def predict_proba(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]: ...

    @overload
    def decision_path(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]: ...

    @overload
    def decision_path(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]: ...

    def leaf_values(self, kind: str, strength: float) -> NDArray[numpy.float64]: ...

    def state(self) -> dict[str, Any]: ...

    @staticmethod
    def from_state(state: dict[str, Any]) -> Tree: ...

def grow(columns: Columns, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, criterion: Criterion, *, max_depth: int = 0, min_samples_split: int = 2, min_samples_leaf: int = 1, min_weight_leaf: float = 0.0, max_features: int | None = None, max_leaf_nodes: int = 0, min_gain: float = 0.0, n_cuts: int = 0, categorical_split: str = 'subset', seed: int = 0, tree_index: int = 0, search: str = 'auto') -> Tree:
    """Grow one tree. A limit of 0 means none, and so does max_features=None."""
