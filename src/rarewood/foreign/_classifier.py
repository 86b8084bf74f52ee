"""A classifier of another package with the columns of its training table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood._delegation import DelegatingClassifier
from rarewood._docstrings import documented
from rarewood._routing import FitParameters
from rarewood.table._encode import encode, encode_like
from rarewood.table._schema import Schema

_N_REFERENCE = 32


@documented
class ForeignClassifier(DelegatingClassifier):
    """A classifier of another package that remembers the columns of its training table.

    Columns of further tables are found by name, and their categories get the numbers that they had
    in training; unknown ones count as missing values. The classifier receives a pandas DataFrame,
    with categorical columns as categories and all others as 64-bit floats.

    Parameters
    ----------
    estimator : classifier
        A classifier with scikit-learn's interface. It must take categories and missing values, or
        be a pipeline with :func:`rarewood.evaluate.prepared` as a part.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    class_counts_ : ndarray of shape (n_classes,)
        Number of training samples of each class.
    reference_ : ndarray of shape (32, n_features)
        Rows to compare with in explanations. Each column has 32 quantiles of the training values,
        missing ones and numbers of categories among them, in random order: no row is one of the
        training table.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.linear_model import LogisticRegression
    >>> from rarewood.foreign import ForeignClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = ForeignClassifier(LogisticRegression(max_iter=10_000)).fit(X, y)
    >>> model.predict(X[["alcohol", *X.columns[:0:-1]]][:3]).tolist()
    [0, 0, 0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def _fit(
        self, X: Any, classes: NDArray[Any], codes: NDArray[np.int32], given: FitParameters
    ) -> None:
        matrix, schema = encode(X)
        estimator = clone(self.estimator).fit(
            as_frame(matrix, schema), classes[codes], **given.estimator
        )
        counts = np.bincount(codes, minlength=len(classes))
        self._keep(predicting_alike(estimator), schema, classes, counts, reference_rows(matrix))

    def _keep(
        self,
        estimator: Any,
        schema: Schema,
        classes: NDArray[Any],
        class_counts: NDArray[np.int64],
        reference: NDArray[np.float64],
    ) -> None:
        """Set the fitted attributes."""
        self.estimator_ = estimator
        self._schema = schema
        self.classes_ = classes
        self.class_counts_ = class_counts
        self.reference_ = reference
        self.n_features_in_ = schema.n_features
        if schema.names is not None:
            self.feature_names_in_ = schema.names

    def _encode(self, X: Any) -> NDArray[np.floating[Any]]:
        """Return a table as numbers: values, and numbers of categories."""
        return encode_like(X, self._schema)

    def _proba_of_matrix(self, matrix: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return the probabilities of rows that :meth:`_encode` has encoded."""
        proba = self.estimator_.predict_proba(as_frame(matrix, self._schema))
        return np.asarray(proba, dtype=np.float64)

    def _predict_proba(self, X: Any) -> NDArray[np.float64]:
        return self._proba_of_matrix(self._encode(X))

    def _predict(self, X: Any) -> NDArray[Any]:
        labels: NDArray[Any] = self.classes_[self._predict_proba(X).argmax(axis=1)]
        return labels


def as_frame(matrix: NDArray[np.floating[Any]], schema: Schema) -> Any:
    """Return encoded rows as a pandas DataFrame with categories and 64-bit floats."""
    from rarewood.datasets._files import pandas

    pd = pandas()
    columns = {}
    for j in range(schema.n_features):
        values = matrix[:, j].astype(np.float64)
        if j in schema.categories:
            codes = np.where(np.isnan(values), -1, values).astype(np.int64)
            values = pd.Categorical.from_codes(codes, schema.categories[j].values.tolist())
        columns[j if schema.names is None else schema.names[j]] = values
    return pd.DataFrame(columns, index=range(len(matrix)))


def innermost(classifier: Any) -> Any:
    """Return the classifier of the other package inside its preparation and adapters."""
    while True:
        if hasattr(classifier, "steps"):
            classifier = classifier.steps[-1][1]
        elif type(classifier).__module__.startswith("rarewood.") and classifier.get_params(False):
            inner = getattr(classifier, "estimator", getattr(classifier, "classifier", None))
            if inner is None:
                return classifier
            classifier = inner
        else:
            return classifier


def predicting_alike(estimator: Any) -> Any:
    """Set one thread: forests of scikit-learn add trees in the order in which threads finish."""
    return in_one_thread(estimator, ("n_jobs",))


def in_one_thread(estimator: Any, parameters: Sequence[str] = ("n_jobs", "thread_count")) -> Any:
    """Set the numbers of threads that are set, also those of the classifiers inside, to one."""
    given = estimator.get_params().items()
    names = [name for name, n in given if n is not None and name.split("__")[-1] in parameters]
    return estimator.set_params(**dict.fromkeys(names, 1))


def reference_rows(
    matrix: NDArray[np.floating[Any]], n_rows: int = _N_REFERENCE
) -> NDArray[np.float64]:
    """Return rows whose columns have the quantiles of those of a table, in random order."""
    places = ((np.arange(n_rows) + 0.5) / n_rows * len(matrix)).astype(np.intp)
    columns = [
        np.random.default_rng([0, j]).permutation(np.sort(matrix[:, j])[places])  # NaN at the end
        for j in range(matrix.shape[1])
    ]
    return np.column_stack(columns).astype(np.float64)
