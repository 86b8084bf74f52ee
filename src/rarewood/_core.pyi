"""
The compiled core of rarewood: coded columns, criteria, growth, pruning and prediction.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


MAX_ROWS: int = 2147483646

MAX_CATEGORIES: int = 16777216

MAX_BINS: int = 255

def criterion_entries() -> list[dict[str, Any]]:
    """
    Every criterion as a dict: name, summary, reference and parameters, each of which has name, summary, default, and low and high or choices.
    """

class Criterion:
    """A split criterion."""

    def __init__(self, name: str, **parameters: float | str) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> dict[str, float | str]: ...

    def score(self, tables: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """Values of (tables x children x classes) counts."""

def python_criterion(name: str, function: object, convex: bool) -> Criterion:
    """
    A criterion that calls a function with an array (tables x children x classes).
    """

def compiled_criterion(name: str, address: int, data: int | None, convex: bool) -> Criterion:
    """
    A criterion that calls a compiled function, which must exist as long as the criterion.
    """

def evaluate_custom(criterion: Criterion, tables: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    Values of a custom criterion in one call; no child may be empty, no class absent.
    """

class Columns:
    """A table as coarse codes, with its raw values beside them."""

    @overload
    def __init__(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int = 0, n_threads: int = 1) -> None: ...

    @overload
    def __init__(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int = 0, n_threads: int = 1) -> None: ...

    @staticmethod
    def from_codes(codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu', writable=False)], edges: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], has_missing: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int, wide: Mapping[int, Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]] = {}, n_threads: int = 1, row_space: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')] | None = None) -> Columns:
        """
        A table of codes (features x rows) that were made elsewhere, without values. `wide` has the categories of categorical features with more than 255 of them. `row_space` (rows x features) is where the codes are put row by row, such as a mapped file; by default in memory.
        """

    @staticmethod
    def from_row_codes(codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], coordinates: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], has_missing: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], wide: Mapping[int, Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]] = {}, is_float32: bool = False, n_threads: int = 1) -> Columns:
        """
        A table of codes (rows x features) that were made elsewhere, for hyperplanes: `coordinates` has for each numeric feature the value that stands for each code.
        """

    @overload
    @staticmethod
    def from_sparse(values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: int, n_threads: int = 1) -> Columns:
        """
        A sparse table of numeric features: values that are not zero, with their rows, feature by feature. It is searched by values.
        """

    @overload
    @staticmethod
    def from_sparse(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: int, n_threads: int = 1) -> Columns: ...

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

class Bins:
    """The bins of all columns of a table; encodes any rows of it."""

    def __init__(self, edges: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], has_missing: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int, coordinates: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]] | None = None) -> None: ...

    @property
    def n_features(self) -> int: ...

    @property
    def max_bins(self) -> int: ...

    @property
    def edges(self) -> list[NDArray[numpy.float64]]:
        """The upper edges of each column's bins but the last."""

    @property
    def coordinates(self) -> list[NDArray[numpy.float64]] | None:
        """For each column a value within each bin, empty for a categorical one; None if values are not replaced."""

    @property
    def is_float32(self) -> bool:
        """Whether all coordinates are exact in single precision."""

    @property
    def n_categories(self) -> NDArray[numpy.int64]: ...

    @property
    def has_missing(self) -> NDArray[numpy.bool_]: ...

    def state(self) -> dict[str, Any]: ...

    @staticmethod
    def from_state(state: dict[str, Any]) -> Bins: ...

    def __getstate__(self) -> dict[str, Any]: ...

    def __setstate__(self, state: dict[str, Any]) -> None: ...

    @overload
    @staticmethod
    def of_sparse(values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], class_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int, n_threads: int = 1) -> Bins: ...

    @overload
    @staticmethod
    def of_sparse(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], class_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int, n_threads: int = 1) -> Bins:
        """
        The bins, with coordinates, of a sparse table of numeric features: its values that are not zero, with their rows, feature by feature.
        """

    @overload
    def snap_sparse(self, values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: int, n_threads: int = 1) -> object: ...

    @overload
    def snap_sparse(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_rows: int, n_threads: int = 1) -> object:
        """
        The coordinates of the entries of a sparse table, and that of a zero of each feature.
        """

    @overload
    def encode(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.uint8]: ...

    @overload
    def encode(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.uint8]:
        """
        The codes of rows, features x rows; 255 is missing, and a categorical feature with more than 255 categories has code 0.
        """

    @overload
    def encode_into(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu')], first_row: int = 0, n_threads: int = 1) -> None: ...

    @overload
    def encode_into(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu')], first_row: int = 0, n_threads: int = 1) -> None:
        """Write the codes of rows to codes[:, first_row : first_row + len(X)]."""

    @overload
    def encode_rows_into(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], first_row: int = 0, n_threads: int = 1) -> None: ...

    @overload
    def encode_rows_into(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], first_row: int = 0, n_threads: int = 1) -> None:
        """
        Write the codes of rows to codes[first_row : first_row + len(X)], rows x features.
        """

    def snap(self, X: NDArray[numpy.float32] | NDArray[numpy.float64], n_threads: int = 1) -> NDArray[numpy.float32] | NDArray[numpy.float64]:
        """Replace the values of numeric columns by the coordinates of their bins; of single precision if all coordinates are."""

class BinStatistics:
    """Gathers from parts of a table the bins that the whole table would get."""

    def __init__(self, n_rows: int, n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bins: int, is_float32: bool = False, class_counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        With the number of rows of each class, all classes weigh the same in the sample from which bins are chosen, and the bins have coordinates.
        """

    @property
    def n_rows(self) -> int: ...

    @property
    def n_rows_seen(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def max_bins(self) -> int: ...

    @property
    def is_float32(self) -> bool: ...

    def merge(self, other: BinStatistics) -> None:
        """Add the rows that another statistics has seen."""

    def finish(self) -> Bins:
        """The bins, when all rows have been seen."""

    def state(self) -> dict[str, Any]: ...

    @staticmethod
    def from_state(state: dict[str, Any]) -> BinStatistics: ...

    def __getstate__(self) -> dict[str, Any]: ...

    def __setstate__(self, state: dict[str, Any]) -> None: ...

    @overload
    def add(self, first_row: int, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, n_before: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    @overload
    def add(self, first_row: int, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, n_before: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Rows first_row ... of the table, each of them once; with class_counts, also their classes and the number of rows of each class before them.
        """

class Tree:
    """A finished tree: flat, read-only arrays."""

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_classes(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def monotonic(self) -> NDArray[numpy.int32]:
        """Monotonic constraint of each feature; empty without constraints."""

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
    def counts(self) -> NDArray[numpy.int64]: ...

    @property
    def category_offset(self) -> NDArray[numpy.int64]: ...

    @property
    def category(self) -> NDArray[numpy.int32]: ...

    @property
    def category_child(self) -> NDArray[numpy.int32]: ...

    @property
    def plane_offset(self) -> NDArray[numpy.int64]: ...

    @property
    def plane_feature(self) -> NDArray[numpy.int32]: ...

    @property
    def plane_weight(self) -> NDArray[numpy.float64]: ...

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

    @property
    def weighted_counts(self) -> NDArray[numpy.float64]: ...

    def leaf_values(self, leaf: str, strength: float) -> NDArray[numpy.float64]: ...

    def state(self) -> dict[str, Any]: ...

    @staticmethod
    def from_state(state: dict[str, Any]) -> Tree: ...

def leaf_entries() -> list[dict[str, Any]]:
    """
    Every leaf estimator as a dict: name, summary, reference and has_strength.
    """

def default_leaf_strength(leaf: str, n_classes: int) -> float: ...

class Pruning:
    """Which way of pruning, and how strongly."""

    def __init__(self, kind: str = 'none', threshold: float = 0.0, *, tests_leaves: bool = False, impurity: str = 'gini', collapse: float = 0.0, leaf: str = 'raw', leaf_strength: float = 0.0) -> None: ...

def prune(tree: Tree, pruning: Pruning) -> Tree:
    """A smaller copy of a tree."""

def fisher_p_values(tables: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """One-sided p-values of tables (rows x [a, b, c, d])."""

def node_p_values(tree: Tree) -> NDArray[numpy.float64]:
    """Fisher's p-value of reaching each node."""

def fisher_levels(tree: Tree, *, tests_leaves: bool = False) -> NDArray[numpy.float64]:
    """
    Smallest p-value in the branch of each node; it stays at thresholds above it.
    """

def cost_complexity_path(tree: Tree, *, impurity: str = 'gini') -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    The prices at which a tree becomes smaller, and the impurities that are left.
    """

class GrowOptions:
    """How trees are grown. A limit of 0 means none."""

    def __init__(self, *, max_depth: int = 0, min_samples_split: int = 2, min_samples_leaf: int = 1, min_weight_leaf: float = 0.0, max_features: int | None = None, max_leaf_nodes: int = 0, min_gain: float = 0.0, n_cuts: int = 0, oblique_dim: int = 1, oblique_draw: str = 'points', split_samples: int = 0, categorical_split: str = 'subset', monotonic: Sequence[int] = [], seed: int = 0, tree_index: int = 0, search: str = 'auto') -> None: ...

class RowSampling:
    """
    Which rows each tree of a forest is grown on: `total` drawn from all rows, or an amount drawn from each class; every row once without amounts.
    """

    def __init__(self, *, with_replacement: bool = False, total: int = 0, per_class: Sequence[int] = []) -> None: ...

    def copies(self, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, seed: int, tree: int) -> NDArray[numpy.uint32]:
        """How often each row is drawn for a tree."""

def grow(columns: Columns, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, criterion: Criterion, options: GrowOptions, pruning: Pruning = ...) -> Tree:
    """Grow one tree."""

def grow_forest(columns: Columns, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, criteria: Sequence[Criterion], options: GrowOptions, sampling: RowSampling, *, n_trees: int, first_tree: int = 0, balance_weights: bool = False, pruning: Pruning = ..., n_threads: int = 1, progress: object | None = None) -> list[Tree]:
    """Grow trees side by side, with one criterion for all or one for each."""

def uniform(seed: int, tree: int) -> float:
    """A number in [0, 1) that belongs to a tree."""

def weight_sizes(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
    """
    Number of weights of each size, by powers of two from 2^-1074 on. The sizes of the parts of a table add up.
    """

def round_weights(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sampling: RowSampling, class_totals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    Weights as growth uses them: rounded to a grid that depends on the sizes of all weights, on which every sum is exact.
    """

class Forest:
    """Trees that predict together."""

    def __init__(self, trees: Sequence[Tree], leaf: str, strength: float) -> None: ...

    @property
    def trees(self) -> list[Tree]: ...

    @overload
    def predict_proba(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]: ...

    @overload
    def predict_proba(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]: ...

    @overload
    def apply(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.int64]: ...

    @overload
    def apply(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.int64]: ...

    @overload
    def out_of_bag(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], sampling: RowSampling, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, first_tree: int = 0, n_threads: int = 1) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

    @overload
    def out_of_bag(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], sampling: RowSampling, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, first_tree: int = 0, n_threads: int = 1) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]:
        """
        Sums of the probabilities of the trees that did not draw a row, and their number.
        """

@overload
def pilot_probabilities(trees: Sequence[Tree], leaf: str, strengths: Sequence[float], limits: Sequence[float], X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]: ...

@overload
def pilot_probabilities(trees: Sequence[Tree], leaf: str, strengths: Sequence[float], limits: Sequence[float], X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Mean probability of the class of each row, for every leaf strength and collapse.
    """

@overload
def row_hashes(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.uint64]: ...

@overload
def row_hashes(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.uint64]:
    """Hash of the values, or codes, of each row."""

@overload
def row_hashes(X: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.uint64]: ...

@overload
def grow_c45(X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, *, min_weight: float = 2.0, penalty: bool = True, at_midpoint: bool = False, collapse: bool = True, confidence: float | None = 0.25, raising: bool = True) -> Tree: ...

@overload
def grow_c45(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_categories: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, *, min_weight: float = 2.0, penalty: bool = True, at_midpoint: bool = False, collapse: bool = True, confidence: float | None = 0.25, raising: bool = True) -> Tree:
    """A tree of C4.5, with fractional cases for missing values."""

@overload
def predict_fractional(tree: Tree, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]: ...

@overload
def predict_fractional(tree: Tree, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    Mean values of the nodes in which each row ends; a row with a missing value is divided.
    """

@overload
def fractional_path(tree: Tree, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.int64]]: ...

@overload
def fractional_path(tree: Tree, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.int64]]:
    """
    Offsets of the rows, the nodes they pass with their parts, and the ends of the largest.
    """

class Shard:
    """The coded rows of one part of a table."""

    def __init__(self, columns: object, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, *, first_row: int, class_totals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], class_firsts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        The first row, and how many rows of each class come before the shard, are those of the whole table; its columns must have the edges of the whole table, too.
        """

    @property
    def n_rows(self) -> int: ...

    def respond(self, request: bytes, n_threads: int = 1) -> bytes:
        """
        Carry out a request of a coordinator and return the response. The last request may be repeated.
        """

def combine_responses(a: bytes, b: bytes) -> bytes:
    """
    The response of two groups of shards together; order and groups do not matter.
    """

class Coordinator:
    """Grows trees on shards, without seeing their rows."""

    def __init__(self, columns: Columns, class_totals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], criteria: Sequence[Criterion], options: GrowOptions, sampling: RowSampling, *, n_trees: int = 1, first_tree: int = 0, balance_weights: bool = False, pruning: Pruning = ..., weight_sizes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, trees_at_once: int = 0, max_response_bytes: int = 67108864, max_kept_bytes: int = 536870912, gather_bytes: int = 98304) -> None:
        """
        Columns of any part of the table, even without rows: their kinds and edges are read.
        """

    def request(self) -> bytes | None:
        """The next request to every shard; None when all trees are grown."""

    def receive(self, response: bytes, n_threads: int = 1) -> None:
        """Take the combined responses of all shards to the last request."""

    def replay(self) -> bytes:
        """The first request to a new shard that replaces a lost one."""

    @property
    def n_done(self) -> int: ...

    def trees(self) -> list[Tree]:
        """All trees, when they are grown."""

class RuleSearch:
    """Search for rules on items that predict one class."""

    def __init__(self, items: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], feature_of_item: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], is_class: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], *, alpha: float, max_length: int, max_rules: int, redundant: bool = False) -> None: ...

    def advance(self, n_rules: int) -> bool:
        """Test about so many more rules. Returns whether the search has ended."""

    def take_rules(self) -> dict[str, NDArray[Any]]:
        """The rules found, the most significant first: items, begin, a, c and log_p."""

    @property
    def n_tested(self) -> int: ...

    @property
    def length(self) -> int: ...

    @property
    def is_cut(self) -> bool: ...

class PathGame:
    """A tree as a game of the features of its nodes."""

    def __init__(self, tree: Tree, divides_missing: bool = False) -> None: ...

    @property
    def n_edges(self) -> int: ...

    @property
    def n_players_of_path(self) -> int:
        """The largest number of different players on a path."""

    def base(self, node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """Values of the game without players."""

    @overload
    def add_values(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu')], n_threads: int = 1) -> None: ...

    @overload
    def add_values(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu')], n_threads: int = 1) -> None:
        """
        Add Shapley values to an array (rows x features x columns of node_values).
        """

    @overload
    def add_interactions(self, X: Annotated[NDArray[numpy.float32], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', device='cpu')], n_threads: int = 1) -> None: ...

    @overload
    def add_interactions(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], node_values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', device='cpu')], n_threads: int = 1) -> None:
        """
        Add halved interactions to an array (rows x features x features x columns).
        """
