"""Over-sampling of rare classes inside the patterns of a HeDEx forest."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from imblearn.over_sampling.base import BaseOverSampler
from imblearn.utils import check_sampling_strategy, check_target_type
from numpy.typing import NDArray
from sklearn.preprocessing import label_binarize
from sklearn.utils.multiclass import check_classification_targets

from rarewood._docstrings import documented
from rarewood._validation import (
    Interval,
    RealNotInt,
    StrOptions,
    check_feature_names,
    check_parameters,
    seed_from,
)
from rarewood.forest import RareForestClassifier
from rarewood.presets import hedex
from rarewood.rules import RuleSet
from rarewood.rules._extraction import rules_of
from rarewood.sampling._append import append_labels, append_rows
from rarewood.sampling._generator import Generator, Validator, is_pattern
from rarewood.table._checks import check_finite, check_lengths
from rarewood.table._encode import encode
from rarewood.table._schema import Schema
from rarewood.table._sparse import as_dense, sparse_like
from rarewood.table._values import Matrix


@documented
class PatternOverSampler(BaseOverSampler):
    """Over-sample rare classes by patterns.

    HeDEx trees separate a class from all others. Leaves in which it has the majority are patterns,
    and new samples are drawn inside them, more often inside stronger patterns. A validation tree
    then tries to separate new samples from original ones; samples that it separates are drawn
    again.

    Parameters
    ----------
    sampling_strategy : float, str, dict or callable, default="auto"
        Classes to over-sample and their sizes, as in imbalanced-learn: by default all classes to
        the size of the largest. A float is the ratio of the two classes of a binary problem.
    n_estimators : int, default=100
        Number of HeDEx trees.
    n_cuts : int, default=10
        Number of random cuts per feature and node.
    unconstrained : {"class", "all"}, default="class"
        Source of the values of features without a condition in a pattern: samples of the class, or
        all training samples, as in the paper.
    validate : bool, default=True
        Whether to validate new samples.
    min_samples_leaf : int or float, default=0.05
        Minimum number of samples in a leaf of the validation tree; a float is a fraction of its
        training samples. Larger leaves accept more samples: of at most 20 leaves of 5% often each
        one contains an original sample, and nothing is rejected.
    max_rounds : int, default=10
        Number of times that rejected samples are drawn again.
    strict : bool, default=False
        What to do with samples that are still rejected: by default the best of them are used, with
        a warning; if True the class is smaller than requested.
    {categorical_features}
    random_state : int, RandomState instance or None, default=None
        Seed of the trees and of the samples.
    n_jobs : int, default=None
        Number of threads for growing the trees. The result does not depend on it.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of samples to add to each class.
    patterns_ : dict of label to RuleSet
        Patterns of each over-sampled class as rules, in descending order of strength. In them the
        class is True and all others are False.
    forests_ : dict of label to RareForestClassifier
        Forests of the patterns.
    validator_ : dict of label to RareTreeClassifier
        Validation trees of the validated classes, with True for original samples.
    n_generated_ : dict of label to int
        Number of samples drawn.
    n_rejected_ : dict of label to int
        Number of samples rejected.
    {n_features_in_}
    {feature_names_in_}

    See Also
    --------
    SamplingWrapperClassifier : Chooses levels of sampling by cross-validation.
    imblearn.over_sampling.SMOTE : Interpolates between neighbours.

    Notes
    -----
    Features may be numeric or categorical, and may have missing values. Numeric features with only
    integers get integers. Generated values lie within the range of the training data; combinations
    of them may be impossible in reality.

    The defaults were chosen by an experiment on the data sets of the paper, described in the
    documentation. Values of the class were better there than values of all samples.

    Several classes are over-sampled one after another, each against all others, always from the
    original samples.

    References
    ----------
    .. [1] S. Kang and K. Ramamohanarao, "A robust classifier for imbalanced datasets", PAKDD 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_classification
    >>> from rarewood.sampling import PatternOverSampler
    >>> X, y = make_classification(1000, weights=[0.95], random_state=0)
    >>> X_more, y_more = PatternOverSampler(random_state=0).fit_resample(X, y)
    >>> np.bincount(y), np.bincount(y_more)
    (array([946,  54]), array([946, 946]))
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseOverSampler._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_cuts": [Interval(Integral, 1, None, closed="left")],
        "unconstrained": [StrOptions({"all", "class"})],
        "validate": ["boolean"],
        "min_samples_leaf": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="neither"),
        ],
        "max_rounds": [Interval(Integral, 0, None, closed="left")],
        "strict": ["boolean"],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        sampling_strategy: Any = "auto",
        n_estimators: int = 100,
        n_cuts: int = 10,
        unconstrained: str = "class",
        validate: bool = True,
        min_samples_leaf: float = 0.05,
        max_rounds: int = 10,
        strict: bool = False,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(sampling_strategy=sampling_strategy)
        self.n_estimators = n_estimators
        self.n_cuts = n_cuts
        self.unconstrained = unconstrained
        self.validate = validate
        self.min_samples_leaf = min_samples_leaf
        self.max_rounds = max_rounds
        self.strict = strict
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit_resample(self, X: Any, y: Any, **params: Any) -> tuple[Any, Any]:
        """Over-sample the rare classes.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            Samples. NaN, None and null are missing values. A sparse table becomes dense meanwhile.
        {y}
        **params : dict
            Ignored; accepted for pipelines of imbalanced-learn.

        Returns
        -------
        X_resampled : array-like or DataFrame of shape (n_samples_new, n_features)
            Samples in the type of X, the new ones last.
        y_resampled : array-like of shape (n_samples_new,)
            Labels in the type of y.
        """
        check_parameters(self)
        check_classification_targets(y)
        labels, is_one_vs_all = check_target_type(y, indicate_one_vs_all=True)
        given, X = X, as_dense(X)
        matrix, schema = self._check_table(X, labels)
        self.sampling_strategy_: dict[Any, int] = check_sampling_strategy(
            self.sampling_strategy, labels, self._sampling_type
        )
        rows, sources = self._generate(X, matrix, np.asarray(labels))
        X_resampled = sparse_like(append_rows(X, matrix, schema, rows), given)
        if is_one_vs_all:
            resampled = append_labels(np.asarray(labels), sources)
            return X_resampled, label_binarize(resampled, classes=np.unique(labels))
        return X_resampled, append_labels(y, sources)

    def _fit_resample(self, X: Any, y: Any, **params: Any) -> tuple[Any, Any]:
        return self.fit_resample(X, y)

    def _check_X_y(self, X: Any, y: Any, accept_sparse: Any = None) -> tuple[Any, Any, bool]:
        """Check samples and labels, for ``fit`` of imbalanced-learn."""
        labels, is_one_vs_all = check_target_type(y, indicate_one_vs_all=True)
        self._check_table(as_dense(X), labels)
        return X, labels, is_one_vs_all

    def _check_table(self, X: Any, y: Any) -> tuple[Matrix, Schema]:
        """Return the encoded samples and their schema."""
        check_feature_names(self, X, reset=True)
        matrix, schema = encode(X, self.categorical_features)
        check_finite(matrix, schema.names)
        check_lengths(len(matrix), len(y))
        self.n_features_in_ = matrix.shape[1]
        return matrix, schema

    def _generate(self, X: Any, matrix: Matrix, y: NDArray[Any]) -> tuple[Matrix, NDArray[np.intp]]:
        """Return new encoded samples, and for each the index of a sample of its class."""
        seed = seed_from(self.random_state)
        self.forests_: dict[Any, RareForestClassifier] = {}
        self.validator_: dict[Any, Any] = {}
        self.n_generated_: dict[Any, int] = {}
        self.n_rejected_: dict[Any, int] = {}
        self._patterns: dict[Any, RuleSet] | None = None
        rows: list[Any] = [matrix[:0]]
        sources = [np.zeros(0, dtype=np.intp)]
        for number, (label, n_new) in enumerate(self.sampling_strategy_.items()):
            if n_new > 0:
                source = np.random.SeedSequence([seed, number])
                rows.append(self._oversample(X, matrix, y == label, label, n_new, source))
                sources.append(np.full(len(rows[-1]), np.flatnonzero(y == label)[0]))
        return np.concatenate(rows), np.concatenate(sources)

    def _oversample(
        self,
        X: Any,
        matrix: Any,
        is_class: NDArray[np.bool_],
        label: Any,
        n_new: int,
        source: np.random.SeedSequence,
    ) -> Any:
        """Return new encoded samples of one class."""
        forest = hedex(
            n_estimators=self.n_estimators,
            n_cuts=self.n_cuts,
            categorical_features=self.categorical_features,
            random_state=int(source.generate_state(1)[0]),
            n_jobs=self.n_jobs,
        ).fit(X, is_class)
        self.forests_[label] = forest
        donors = (
            np.flatnonzero(is_class) if self.unconstrained == "class" else np.arange(len(matrix))
        )
        views = [tree.tree_ for tree in forest.estimators_]
        generator = Generator(views, matrix, donors, np.random.default_rng(source))
        if not generator.n_patterns:
            self.n_generated_[label] = self.n_rejected_[label] = 0
            warnings.warn(
                f"Class {label} has no pattern: it has the majority in no leaf of the "
                f"{self.n_estimators} trees, and is not over-sampled. Check for samples of other "
                "classes with the same values, or use another over-sampler.",
                stacklevel=4,
            )
            return matrix[:0]
        if not self.validate:
            self.n_generated_[label], self.n_rejected_[label] = n_new, 0
            return generator.draw(n_new)
        return self._draw_validated(generator, matrix[is_class], label, n_new)

    def _draw_validated(self, generator: Generator, originals: Any, label: Any, n_new: int) -> Any:
        """Draw samples until enough are accepted, or for a number of rounds."""
        # The validator is trained on at least as many generated as original samples.
        rows = generator.draw(max(n_new, len(originals)))
        categorical = list(self.forests_[label]._schema.categories)
        validator = Validator(originals, rows, categorical, self.min_samples_leaf)
        self.validator_[label] = validator.tree
        drawn = rows[:n_new]
        is_accepted, probability = validator.judge(drawn)
        for _ in range(self.max_rounds):
            n_missing = n_new - int(is_accepted.sum())
            if n_missing == 0:
                break
            rows = generator.draw(n_missing)
            judged = validator.judge(rows)
            drawn = np.concatenate([drawn, rows])
            is_accepted = np.append(is_accepted, judged[0])
            probability = np.append(probability, judged[1])
        n_missing = n_new - int(is_accepted.sum())
        self.n_generated_[label] = len(drawn)
        self.n_rejected_[label] = int((~is_accepted).sum())
        if n_missing == 0:
            return drawn[is_accepted]
        what = "They are left out, so the class is smaller than requested."
        best = np.zeros(0, dtype=np.intp)
        if not self.strict:
            what = "The best of them are used; strict=True leaves them out."
            rejected = np.flatnonzero(~is_accepted)
            best = rejected[np.argsort(-probability[rejected], kind="stable")[:n_missing]]
        warnings.warn(
            f"Class {label}: {n_missing} of {n_new} new samples were rejected after "
            f"{self.max_rounds + 1} rounds. {what} A larger min_samples_leaf accepts more.",
            stacklevel=5,
        )
        return drawn[np.append(np.flatnonzero(is_accepted), best)]

    @property
    def patterns_(self) -> dict[Any, RuleSet]:
        """Patterns of each over-sampled class, as rules in descending order of strength."""
        if not hasattr(self, "forests_"):
            raise AttributeError("patterns_ is not available before fit_resample.")
        if self._patterns is None:
            self._patterns = {
                label: rules_of(forest, pos_label=True, chosen=is_pattern).sort("strength")
                for label, forest in self.forests_.items()
            }
        return self._patterns

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags
