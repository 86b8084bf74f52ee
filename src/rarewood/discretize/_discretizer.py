"""The discretiser as a transformer of scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarewood._docstrings import documented
from rarewood._validation import (
    StrOptions,
    check_feature_names,
    check_parameters,
    output_container,
)
from rarewood.criteria import Criterion, CriterionLike, resolve
from rarewood.discretize._cuts import class_counts, find_cuts
from rarewood.discretize._labels import interval_labels, labelled_array, labelled_frame
from rarewood.table._checks import check_finite
from rarewood.table._encode import encode_like, encode_training, infer_schema
from rarewood.table._in_memory import in_memory
from rarewood.table._targets import RawTargets


@documented
class MDLDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    r"""Replaces numeric features by bins that are chosen with the class labels.

    The values of a feature are divided at the cut with the largest information gain, and so are
    both parts, as long as a cut shortens the description of the class labels (minimum description
    length) [1]_. A feature that says nothing about the classes gets a single bin.

    Parameters
    ----------
    criterion : str or criterion object, default="entropy"
        Criterion that chooses the cut of an interval: a name from
        :func:`rarewood.criteria.names`, or an object such as ``criteria.Alpha(0.7)``. Whether the
        cut is accepted is always decided by the rule of [1]_, which is defined by entropies.
    output : {"codes", "intervals"}, default="codes"
        "codes": numbers 0, 1, ... of the bins, as floats. "intervals": text such as
        "(2.45, 4.75]"; with ``set_output(transform="pandas")`` or "polars", an ordered categorical
        type.
    {categorical_features}

    Attributes
    ----------
    cuts_ : list of ndarray
        Cuts of each feature in ascending order; a value equal to a cut is in the bin below it.
        Empty for a feature with a single bin, and for a categorical feature.
    n_bins_ : ndarray of shape (n_features,)
        Number of bins of each feature, or of categories.
    {classes_}
    {n_features_in_}
    {feature_names_in_}

    See Also
    --------
    rarewood.rules.SparcccClassifier : Rules on discretised features.
    sklearn.preprocessing.KBinsDiscretizer : Bins without class labels.

    Notes
    -----
    A cut of an interval with total weight :math:`n` and :math:`k` classes is accepted if its
    information gain, in bits, exceeds :math:`(\log_2(n - 1) + \Delta) / n` with
    :math:`\Delta = \log_2(3^k - 2) - (k H - k_1 H_1 - k_2 H_2)`, where :math:`H` is the entropy
    of the classes, and the indices are those of the parts. Candidates are the midpoints of
    neighbouring values; of equally good ones the lowest is chosen.

    The rule asks for evidence, and a rare class has little of it: with few samples of a class,
    features often keep a single bin, with any criterion.

    Missing values do not affect the cuts, and remain missing. Categorical features are not changed:
    "codes" are the numbers of their categories in sorted order, "intervals" their values;
    categories that were not seen by ``fit`` become missing values. Sample weights count as repeated
    samples; multiplying all of them by a number therefore changes the bins.

    References
    ----------
    .. [1] U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued
           attributes for classification learning", IJCAI 1993.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from rarewood.discretize import MDLDiscretizer
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> discretizer = MDLDiscretizer(output="intervals").set_output(transform="pandas")
    >>> bins = discretizer.fit_transform(X, y)
    >>> bins["petal width (cm)"].cat.categories.tolist()
    ['(-inf, 0.8]', '(0.8, 1.75]', '(1.75, inf)']
    >>> discretizer.n_bins_
    array([3, 3, 3, 3])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "criterion": [str, Criterion],
        "output": [StrOptions({"codes", "intervals"})],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    }

    def __init__(
        self,
        criterion: CriterionLike = "entropy",
        *,
        output: str = "codes",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.criterion = criterion
        self.output = output
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the bins.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Training samples. NaN, None and null are missing values.
        y : array-like of shape (n_samples,), or str
            Class labels: text, booleans or integers. Or the name of a column of X.
        sample_weight : array-like of shape (n_samples,), or str, default=None
            Sample weights, not negative; or the name of a column of X. None: all weights are 1.

        Returns
        -------
        self : object
            Fitted transformer.
        """
        check_parameters(self)
        resolve(self.criterion)
        table, y, sample_weight = in_memory(X).take_targets(y, sample_weight)
        schema = infer_schema(table, self.categorical_features)
        classes, numbers, weights, rows, _ = RawTargets.of(y, sample_weight, table.n_rows).targets(
            None
        )
        matrix = encode_training(table, schema)
        check_finite(matrix, schema.names)
        kept = matrix if rows is None else matrix[rows]
        cuts = [
            np.zeros(0)
            if feature in schema.categories
            else find_cuts(
                *class_counts(column.astype(np.float64), numbers, weights, len(classes)),
                self.criterion,
            )
            for feature, column in enumerate(kept.T)
        ]
        check_feature_names(self, table.native, reset=True)
        self.classes_ = classes
        self.n_features_in_ = schema.n_features
        self.cuts_: list[NDArray[np.float64]] = cuts
        self.n_bins_ = np.where(
            schema.n_categories > 0, schema.n_categories, [len(own) + 1 for own in cuts]
        )
        self._schema = schema
        return self

    def transform(self, X: Any) -> Any:
        """Replace values by their bins.

        Parameters
        ----------
        {X}

        Returns
        -------
        X_binned : ndarray or DataFrame of shape (n_samples, n_features)
            Bins, as chosen by ``output``; a DataFrame if ``set_output`` has chosen one. Missing
            values are NaN, or null.
        """
        check_is_fitted(self)
        codes = self._codes(X, self)
        if self.output == "codes":
            return codes
        library = output_container(self)
        labels = [
            None if feature in self._schema.categories else interval_labels(cuts)
            for feature, cuts in enumerate(self.cuts_)
        ]
        if library is None:
            return labelled_array(codes, labels, self._schema)
        names = self.get_feature_names_out().tolist()
        return labelled_frame(codes, labels, self._schema, names, library, X)

    def _codes(self, X: Any, owner: Any) -> NDArray[np.float64]:
        """Return the number of the bin or category of each value; NaN where it is missing.

        ``owner`` is the estimator that messages name: this one, or one that contains it.
        """
        table = in_memory(X).select(self._schema.names)
        check_feature_names(owner, table.native, reset=False)
        matrix = encode_like(table, self._schema, type(owner).__name__)
        check_finite(matrix, self._schema.names)
        codes = matrix.astype(np.float64)
        for feature, cuts in enumerate(self.cuts_):
            if feature not in self._schema.categories:
                column = codes[:, feature]
                is_present = ~np.isnan(column)
                column[is_present] = np.searchsorted(cuts, column[is_present])
        return codes

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        if self.output != "codes":
            tags.transformer_tags.preserves_dtype = []
        return tags
