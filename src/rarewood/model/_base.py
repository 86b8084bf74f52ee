"""Base class of the tree and the forest: reading of training data, and prediction."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from copy import copy
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from rarewood import _core
from rarewood._docstrings import documented
from rarewood._validation import check_feature_names, check_parameters, number_of_threads
from rarewood.model._coded_data import coded_data
from rarewood.model._parameters import coded_bins, cut_bins, too_weak
from rarewood.model._parameters import leaf_strength as compute_leaf_strength
from rarewood.model._pilot import Pilot
from rarewood.model._sparse_data import sparse_data
from rarewood.model._streamed_data import streamed_data
from rarewood.model._training_data import InMemoryData, TrainingData
from rarewood.model._types import Leaf
from rarewood.stream._predict import over_batches
from rarewood.table._checks import check_shape
from rarewood.table._columns import is_missing
from rarewood.table._dask_collections import also_lazily
from rarewood.table._encode import encode_like, encode_training, encoded_parts, infer_schema
from rarewood.table._in_memory_base import InMemoryTable
from rarewood.table._schema import Schema
from rarewood.table._sparse import SparseTable
from rarewood.table._stream import Stream, as_input
from rarewood.table._targets import RawTargets
from rarewood.table._values import Matrix


@documented
class RareClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base class of the tree and the forest."""

    leaf: Leaf
    leaf_strength: Any
    _doc_link_module = "rarewood"

    @property
    def _doc_link_template(self) -> str:
        """Address of the page in the reference, which the HTML representation links to."""
        page = f"{type(self).__module__.rpartition('.')[0]}.{type(self).__name__}"
        return f"{_documentation()}/generated/{page}.html"

    @property
    @abstractmethod
    def _fitted(self) -> Any:
        """Fitted tree or forest."""

    @property
    def _schema(self) -> Schema:
        schema: Schema = self._fitted.schema
        return schema

    @abstractmethod
    def _predict_class_numbers(self, X: Any) -> NDArray[np.intp]:
        """Return the number of the most probable class of each sample."""

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, class_weight: Any, schema: Schema | None = None
    ) -> TrainingData:
        """Return the training data: schema, targets, weights and encoded table.

        A given schema is that of the trees to which others are added.
        """
        source = as_input(X)
        if isinstance(source, Stream):
            return streamed_data(self, source, y, sample_weight, class_weight, schema)
        table, y, sample_weight = source.take_targets(y, sample_weight)
        if isinstance(table, SparseTable):
            if schema is not None:
                check_feature_names(self, table.native, reset=False)
            raw = RawTargets.of(y, sample_weight, table.n_rows)
            return sparse_data(self, table, raw, class_weight, schema)
        is_new = schema is None
        schema = schema or infer_schema(table, self.categorical_features)
        check_shape((table.n_rows, schema.n_features), _core.MAX_ROWS)
        targets = RawTargets.of(y, sample_weight, table.n_rows).targets(class_weight)
        matrix = encode_training(table, schema) if is_new else self._encode_in_memory(table)
        kept = matrix if targets.rows is None else matrix[targets.rows]
        n_bins = coded_bins(self, len(targets.y), None if is_new else schema)
        if n_bins is not None:
            n_threads = number_of_threads(self.n_jobs)
            return coded_data(schema, targets, kept, matrix, n_bins, n_threads)
        return InMemoryData(schema, *targets, kept, None if targets.rows is None else matrix)

    def _take_groups(self, X: Any, groups: Any) -> tuple[Any, Any]:
        """Return the table without the column of the groups, if they are named, and the groups."""
        if not isinstance(groups, str):
            return X, groups
        source = as_input(X)
        if isinstance(source, Stream):
            raise ValueError(
                f"groups={groups!r}: the groups of a table that is read in batches cannot be "
                "named. Pass them as an array, in the order of the rows, and leave their column "
                "out with rarewood.stream.Stream(..., columns=[...])."
            )
        return source.take_column(groups, "groups")

    def _check_groups(self, groups: Any, data: TrainingData) -> NDArray[Any] | None:
        """Return the group of each sample as given."""
        if groups is None:
            return None
        found: NDArray[Any] = column_or_1d(groups)
        check_consistent_length(found, np.broadcast_to(0, data.n_given))
        n_missing = sum(map(is_missing, found.tolist()))
        if n_missing:
            raise ValueError(
                f"groups has {n_missing} missing values. Give every sample a group: those without "
                "others get one of their own."
            )
        return found

    def _keep_leaves(self, leaf_strength: float, collapse: float, pilot: Pilot | None) -> None:
        """Set the attributes that describe how leaves were chosen."""
        self.leaf_strength_ = leaf_strength
        self.collapse_ = collapse
        self.pilot_ = pilot

    def _keep_table(self, schema: Schema, classes: NDArray[Any]) -> None:
        """Set the attributes that describe the training table."""
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self.n_outputs_ = 1
        self.n_features_in_ = schema.n_features
        if schema.names is not None:
            self.feature_names_in_ = schema.names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _encode(self, X: Any) -> Matrix:
        check_is_fitted(self)
        source = as_input(X)
        if isinstance(source, Stream):
            raise TypeError(
                f"Expected a table in memory, got {type(X).__name__}. Tables that are read in "
                "batches are for fit, predict, predict_proba, predict_log_proba and apply."
            )
        return self._encode_in_memory(source)

    def _encode_in_memory(self, table: InMemoryTable) -> Matrix:
        schema = self._schema
        table = table.select(schema.names)
        if schema.names is not None or not isinstance(table.native, np.ndarray):
            check_feature_names(self, table.native, reset=False)
        n_threads = 1 if schema.bins is None else number_of_threads(self.n_jobs)
        return encode_like(table, schema, type(self).__name__, n_threads)

    def _on_matrix(self, X: Any, work: Callable[[Matrix], NDArray[Any]]) -> NDArray[Any]:
        """Call a function with an encoded table, batch by batch if it is read in batches."""
        check_is_fitted(self)
        source = as_input(X)
        if isinstance(source, Stream):
            return over_batches(source, self._schema, type(self).__name__, work)
        if isinstance(source, SparseTable):
            return self._over_blocks(source, work)
        return work(self._encode_in_memory(source))

    def _over_blocks(
        self, table: SparseTable, work: Callable[[Matrix], NDArray[Any]]
    ) -> NDArray[Any]:
        """Call a function with the rows of a sparse table, some at a time."""
        return np.concatenate([work(block) for block in self._blocks(table)])

    def _blocks(self, table: SparseTable) -> Iterator[Matrix]:
        """Return the encoded rows of a sparse table, some at a time."""
        check_feature_names(self, table.native, reset=False)
        owner, n_threads = type(self).__name__, number_of_threads(self.n_jobs)
        return encoded_parts(table, self._schema, owner, n_threads)

    def _parts(self, X: Any) -> Iterator[Matrix]:
        """Yield an encoded table, or some rows of a sparse one at a time."""
        check_is_fitted(self)
        table = as_input(X)
        if isinstance(table, SparseTable):
            yield from self._blocks(table)
        else:
            yield self._encode(X)

    def refit_leaves(self, *, leaf: Leaf | None = None, leaf_strength: float | None = None) -> Self:
        """Change the leaf estimator of the fitted trees, without growing them again.

        Without a collapse, the model is the one that a fit with these parameters gives. Parameters
        that ``set_params`` changes after a fit have no effect until the next fit or a call without
        arguments; predictions then warn. Out-of-bag scores are removed, since they need the
        samples.

        Parameters
        ----------
        leaf : {"raw", "laplace", "m_estimate", "shrunk"}, default=None
            Leaf estimator; None: the parameter ``leaf``.
        leaf_strength : float, default=None
            Strength of the smoothing; None: the parameter ``leaf_strength``, or the default of
            another leaf estimator. For ``"auto"``, the strength that was chosen by the fit.

        Returns
        -------
        self : object
            This estimator, whose parameters ``leaf`` and ``leaf_strength`` are set too.

        Raises
        ------
        ValueError
            If subtrees were collapsed with a stronger ``leaf_strength_``, or with another leaf
            estimator: those that the weaker one needs are gone. Fit with ``collapse=0`` to try
            any.
        """
        check_is_fitted(self)
        fitted = self._fitted
        wanted = copy(self)
        wanted.leaf = self.leaf if leaf is None else leaf
        if isinstance(leaf_strength, str):
            raise ValueError(
                'leaf_strength="auto" needs the training samples: fit again, or give a number.'
            )
        wanted.leaf_strength = leaf_strength
        if leaf_strength is None and wanted.leaf == self.leaf:
            wanted.leaf_strength = self.leaf_strength
        if wanted.leaf_strength == "auto":
            is_fitted = wanted.leaf == fitted.leaf
            wanted.leaf_strength = fitted.leaf_strength if is_fitted else None
        check_parameters(wanted)
        strength = compute_leaf_strength(wanted, len(self.classes_))
        if getattr(self, "collapse_", 0) > 0:
            remedy = "Fit with collapse=0 to change leaves freely."
            if wanted.leaf != fitted.leaf:
                raise ValueError(
                    f"leaf={wanted.leaf!r} cannot replace {fitted.leaf!r}, with which the existing "
                    f"trees were collapsed: subtrees that it needs may be gone. {remedy}"
                )
            if strength < fitted.leaf_strength:
                raise ValueError(f"{too_weak(strength, fitted.leaf_strength)} {remedy}")
        self.leaf, self.leaf_strength = wanted.leaf, strength
        self._set_leaves(wanted.leaf, strength)
        return self

    @abstractmethod
    def _set_leaves(self, leaf: str, strength: float) -> None:
        """Set the leaf estimator of the fitted trees."""

    def _check_leaves(self) -> None:
        """Warn if parameters of leaves were changed after the fit."""
        check_is_fitted(self)
        fitted = self._fitted
        strength = fitted.leaf_strength
        if self.leaf_strength != "auto":
            strength = compute_leaf_strength(self, len(self.classes_))
        if (self.leaf, strength) != (fitted.leaf, fitted.leaf_strength):
            warnings.warn(
                f"leaf={self.leaf!r} and leaf_strength={self.leaf_strength!r} were set after the "
                f"fit, and predictions still use {fitted.leaf!r} and {fitted.leaf_strength:g}. "
                "Call refit_leaves to change the fitted trees, or fit again.",
                stacklevel=4,
            )

    @also_lazily
    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the largest probability; the first one in case of ties.

        For a Dask DataFrame or array the result is a lazy Dask array, as it is for probabilities
        and leaves.

        {X_in_batches -> y_predicted}
        """
        numbers = self._predict_class_numbers(X)
        labels: NDArray[Any] = self.classes_.take(numbers)
        return labels

    @also_lazily
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict class probabilities by the leaf estimator; of a forest, the mean over its trees.

        {X_in_batches -> proba}
        """
        self._check_leaves()
        return self._on_matrix(X, self._proba)

    def _proba(self, matrix: Matrix) -> NDArray[np.float64]:
        n_threads = number_of_threads(self.n_jobs)
        proba: NDArray[np.float64] = self._fitted.predict_proba(matrix, n_threads)
        return proba

    @also_lazily
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithms of the class probabilities.

        They are minus infinity where a probability is zero, which needs ``leaf="raw"``.

        {X_in_batches -> log_proba}
        """
        proba: NDArray[np.float64] = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(proba)

    @also_lazily
    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf of each sample, in each tree of a forest.

        Parameters
        ----------
        {X_in_batches}

        Returns
        -------
        leaves : ndarray of shape (n_samples,) or (n_samples, n_estimators)
            Node numbers, as indices of the arrays of ``tree_`` or of ``forest_.trees[i]``.
        """
        n_threads = number_of_threads(self.n_jobs)
        return self._on_matrix(X, lambda matrix: self._fitted.apply(matrix, n_threads))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Importance of each feature: its fraction of the total gain of the splits.

        See :meth:`rarewood.model.FittedTree.compute_feature_importances`. The importances sum to 1,
        or are all 0 without any split; those of a forest are the mean over its trees with a split.
        """
        check_is_fitted(self)
        importances: NDArray[np.float64] = self._fitted.compute_feature_importances()
        return importances

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        # Cuts at edges need the codes, which are dense; C4.5 has no max_bins, and no sparse search.
        tags.input_tags.sparse = hasattr(self, "max_bins") and cut_bins(self) is None
        return tags


def _documentation() -> str:
    """Return the address in the metadata of the package, else the folder of ``make docs``."""
    try:
        urls = metadata("rarewood").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    named: dict[str, str] = dict(url.split(", ", 1) for url in urls)
    return named.get("Documentation", "docs/_build/html").rstrip("/")


def check_fitted_model(estimator: Any) -> None:
    """Raise unless an estimator is a fitted tree or forest."""
    if not isinstance(estimator, RareClassifier):
        raise TypeError(
            "Expected a fitted RareTreeClassifier or RareForestClassifier, got "
            f"{type(estimator).__name__}."
        )
    check_is_fitted(estimator)
