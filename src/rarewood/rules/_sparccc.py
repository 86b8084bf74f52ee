"""SPARCCC, a classifier of significant rules on items."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarewood._docstrings import documented
from rarewood._validation import Interval, StrOptions, check_parameters
from rarewood.criteria import Criterion, CriterionLike
from rarewood.discretize import MDLDiscretizer
from rarewood.export._wording import Wording
from rarewood.rules._item_rules import (
    Bounds,
    ItemRules,
    SearchReport,
    class_scores,
    covered_counts,
    neutral_strengths,
    rank,
    search,
    strengths,
)
from rarewood.rules._items import ItemMap
from rarewood.rules._ruleset import RuleSet, measure
from rarewood.table._in_memory import in_memory
from rarewood.table._labels import encode_labels
from rarewood.table._schema import Schema

Floats = NDArray[np.float64]


@documented
class SparcccClassifier(ClassifierMixin, BaseEstimator):
    r"""Classifier of significant rules on items, without a tree (SPARCCC).

    An item is a category of a feature, or a bin of a numeric feature. A rule is a set of items and
    a class. It is kept if Fisher's exact test finds the class significantly more frequent among the
    samples that it covers, and if its class correlation ratio exceeds 1 [1]_. A sample is
    classified by the best rules of each class that hold for it.

    Parameters
    ----------
    alpha : float, default=0.01
        Significance level: rules with a smaller p-value of the one-sided test are kept.
    ranking : {"ccr", "p_value", "confidence"}, default="ccr"
        Strength of a rule, which decides the best rules of a class and the score of a sample:
        class correlation ratio, significance, or confidence. See the notes.
    n_best : int, default=1
        Number of rules of each class that decide on a sample: the score of the class is the mean
        strength of the strongest rules that hold.
    max_length : int, default=3
        Maximum number of items of a rule.
    max_rules : int, default=10000
        Maximum number of rules of each class, and of rules of each length that are extended by a
        further item: the most significant ones. A warning tells if there were more.
    max_seconds : float, default=None
        Time after which the search for rules stops, with a warning. The result then depends on the
        speed of the machine; without it, and if the time is not over, it depends on the data only.
        None: no limit.
    redundant : bool, default=False
        Whether to keep significant rules too whose p-value is not below those of all their
        generalisations.
    criterion : str or criterion object, default="entropy"
        Criterion of the :class:`~rarewood.discretize.MDLDiscretizer` for numeric features.
    {categorical_features}

    Attributes
    ----------
    rules_ : RuleSet
        The rules, the strongest first.
    discretizer_ : MDLDiscretizer
        Bins of the numeric features.
    n_tested_ : ndarray of shape (n_classes,)
        Number of rules tested for each class.
    is_complete_ : bool
        Whether neither ``max_rules`` nor ``max_seconds`` has limited the search.
    {classes_}
    {n_features_in_}
    {feature_names_in_}

    See Also
    --------
    extract : Rules of a tree or a forest.

    Notes
    -----
    Let a rule cover :math:`a` samples of its class and :math:`c` others, and not cover :math:`b`
    and :math:`d`. The class correlation ratio is

    .. math:: \mathrm{CCR} = \frac{a / (a + b)}{c / (c + d)},

    how many times more often the rule holds in its class than elsewhere. It does not depend on the
    class frequencies, and the class confidence proportion of CCPDT is CCR / (1 + CCR). It is
    infinite if :math:`c = 0`; the strength of a rule then uses half a sample for :math:`c`.

    The search starts from single items. A rule is tested if all its generalisations (the rules with
    some of its items) *improve*, that is, if the p-value of each is below those of its own
    generalisations; the p-value of the rule without items is 1. Rules that cannot have a
    significant extension are not extended, which leaves out no rule.

    The scores of the classes, divided by their sum, are the probabilities. The score of a class
    without a rule that holds is that of a rule that says nothing. With "ccr" that is 1, and the
    probabilities are those for classes of equal frequency
    (:class:`rarewood.operating.PriorCorrectedClassifier` changes that); with "confidence" it is the
    fraction of the class; with "p_value" the strength is :math:`1 - \log_{10} p`, and 1 without a
    rule. Within a class, "ccr" and "confidence" rank rules alike. Of equally probable classes the
    most frequent one is predicted.

    The strength score and the number of voting rules of the original [1]_ are not printed in the
    paper that compares with it [2]_, so both are parameters here. A missing value satisfies no
    item.

    References
    ----------
    .. [1] F. Verhein and S. Chawla, "Using significant, positively associated and relatively class
           correlated rules for associative classification of imbalanced datasets", ICDM 2007.
    .. [2] W. Liu, S. Chawla, D. A. Cieslak and N. V. Chawla, "A robust decision tree algorithm for
           imbalanced data sets", SDM 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood.rules import SparcccClassifier
    >>> data = load_breast_cancer(as_frame=True)
    >>> model = SparcccClassifier(max_length=2).fit(data.data, data.target)
    >>> model.rules_["rule"][0]
    'worst area > 1214.000'
    >>> round(model.score(data.data, data.target), 2)
    0.96
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, 1, closed="right")],
        "ranking": [StrOptions({"ccr", "p_value", "confidence"})],
        "n_best": [Interval(Integral, 1, None, closed="left")],
        "max_length": [Interval(Integral, 1, None, closed="left")],
        "max_rules": [Interval(Integral, 1, None, closed="left")],
        "max_seconds": [Interval(Real, 0, None, closed="left"), None],
        "redundant": ["boolean"],
        "criterion": [str, Criterion],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    }

    def __init__(
        self,
        alpha: float = 0.01,
        *,
        ranking: str = "ccr",
        n_best: int = 1,
        max_length: int = 3,
        max_rules: int = 10_000,
        max_seconds: float | None = None,
        redundant: bool = False,
        criterion: CriterionLike = "entropy",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.alpha = alpha
        self.ranking = ranking
        self.n_best = n_best
        self.max_length = max_length
        self.max_rules = max_rules
        self.max_seconds = max_seconds
        self.redundant = redundant
        self.criterion = criterion
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any) -> Self:
        """Find the rules.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Training samples. NaN, None and null are missing values.
        y : array-like of shape (n_samples,), or str
            Class labels: text, booleans or integers. Or the name of a column of X.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        check_parameters(self)
        table, y, _ = in_memory(X).take_targets(y, None)
        discretizer = MDLDiscretizer(
            self.criterion, categorical_features=self.categorical_features
        ).fit(table, y)
        item_map = ItemMap(discretizer)
        classes, numbers = encode_labels(y)
        items = item_map.items(table, discretizer)
        bounds = Bounds(
            float(self.alpha), self.max_length, self.max_rules, self.max_seconds, self.redundant
        )
        found, reports = search(items, item_map.feature_of_item, numbers, len(classes), bounds)
        totals = np.bincount(numbers, minlength=len(classes))
        strength = strengths(found, totals, self.ranking)
        order = rank(found, strength)
        found, strength = found.take(order), strength[order]
        counts = covered_counts(found, items, numbers, len(classes))
        self.rules_ = _rule_set(found, counts, totals, classes, item_map, discretizer._schema)
        self.discretizer_ = discretizer
        self.classes_ = classes
        self.n_features_in_ = discretizer.n_features_in_
        if discretizer._schema.names is not None:
            self.feature_names_in_ = discretizer._schema.names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_tested_ = np.array([report.n_tested for report in reports])
        self.is_complete_ = _warn_of_bounds(reports, classes, bounds)
        self._found, self._strength = found, strength
        self._neutral = neutral_strengths(totals, self.ranking)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Predict class probabilities: the scores of the classes, divided by their sum.

        {X -> proba}
        """
        check_is_fitted(self)
        items = ItemMap(self.discretizer_).items(X, self)
        scores = class_scores(self._found, self._strength, self._neutral, items, self.n_best)
        proba: Floats = scores / scores.sum(axis=1, keepdims=True)
        return proba

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the largest probability.

        {X -> y_predicted}
        """
        numbers = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_.take(numbers)
        return labels

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _rule_set(
    found: ItemRules,
    counts: NDArray[np.int64],
    totals: NDArray[np.int64],
    classes: NDArray[Any],
    item_map: ItemMap,
    schema: Schema,
) -> RuleSet:
    """Return the rules as a table.

    The probability of the class of a rule is its CCP, which exceeds 1/2, so that the first rule
    that holds predicts its own class in SQL; other classes share the rest by how often it holds
    in them.
    """
    n_rules = len(found.items)
    places = np.arange(n_rules), found.about
    all_totals = np.tile(totals, (n_rules, 1))
    measures = measure(counts, all_totals, found.about)
    rates = counts / totals
    rates[places] = 0
    others = rates.sum(axis=1, keepdims=True)
    shares = np.divide(rates, others, out=np.zeros_like(rates), where=others > 0)
    probabilities = shares * (1 - measures["ccp"][:, np.newaxis])
    probabilities[places] = measures["ccp"]
    conditions = [item_map.condition(item) for item in range(len(item_map.feature_of_item))]
    return RuleSet(
        conditions=[tuple(conditions[item] for item in own) for own in found.items],
        counts=counts,
        totals=all_totals,
        about=found.about,
        probabilities=probabilities,
        depth=np.array([len(own) for own in found.items], dtype=np.int64),
        n_trees=np.ones(n_rules, dtype=np.int64),
        measures=measures,
        schema=schema,
        classes=classes,
        prior=totals / totals.sum(),
        wording=Wording.of_table(schema, decimals=3),
    )


def _warn_of_bounds(reports: list[SearchReport], classes: NDArray[Any], bounds: Bounds) -> bool:
    """Warn of classes whose search was limited; return whether there are none."""
    pairs = list(zip(classes.tolist(), reports, strict=True))
    cut = [label for label, report in pairs if report.is_cut]
    if cut:
        warnings.warn(
            f"max_rules={bounds.max_rules} has limited the search for rules of the classes {cut}: "
            "only the most significant rules are kept and extended. Raise max_rules, or lower "
            "alpha or max_length.",
            stacklevel=3,
        )
    stopped = [
        f"{label!r} (after {report.n_tested} rules, at {report.length_at_stop} items)"
        for label, report in pairs
        if report.length_at_stop is not None
    ]
    if stopped:
        warnings.warn(
            f"The search for rules was stopped after max_seconds={bounds.max_seconds}: it is not "
            f"complete for the classes {', '.join(stopped)}, and the result depends on the speed "
            "of the machine. Raise max_seconds, or lower max_length, max_rules or alpha.",
            stacklevel=3,
        )
    return not cut and not stopped
