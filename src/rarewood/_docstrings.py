"""Text that public docstrings share, written once.

In a class or function with the decorator ``documented``, a docstring line ``{a, b}`` is replaced by
the entries of these names, with the default of a parameter that has one, and ``{a, b -> c}`` by the
sections Parameters and Returns with such entries. ``{parameters}`` are all parameters of the
constructor. An entry ``[key] name : type`` is found under the key instead of its name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])

_SHARED = """
criterion : str or criterion object
    Split criterion to maximise: a name from :func:`rarewood.criteria.names`, such as "hellinger",
    "ccp_entropy" or "gini", or an object with parameters, such as ``criteria.Alpha(0.7)``.
    "log_loss" is another name of "entropy". :func:`rarewood.criteria.custom` makes a criterion of
    a function.
splitter : {"best", "random", "oblique"}
    How candidate cuts are chosen. "best": all cuts of each feature; "random": ``n_cuts`` random
    cuts of each feature, between its lowest and highest value in the node; "oblique": ``n_cuts``
    random hyperplanes over ``oblique_dim`` numeric features: each considered feature and others
    drawn at random. With "random" and "oblique", a categorical feature is split into random sets
    of categories.
max_depth : int
    Maximum depth of a tree. None: nodes are split until they are pure or too small.
min_samples_split : int or float
    Minimum number of samples of a node that is split; a float is a fraction of the training
    samples.
min_samples_leaf : int or float
    Minimum number of samples of each child; a float is a fraction of the training samples.
min_weight_fraction_leaf : float
    Minimum fraction of the total weight in each child.
max_features : int, float, "sqrt", "round_sqrt" or "log2"
    Number of features considered in each node, drawn at random: a number, a fraction of the
    features, their square root, truncated ("sqrt") or rounded ("round_sqrt"), or the binary
    logarithm. None: all features.
max_leaf_nodes : int
    Maximum number of leaves. The leaf with the largest gain times its fraction of the samples is
    split first. None: no limit.
min_gain : float
    Minimum gain of the criterion for a split, at least 0. Unlike ``min_impurity_decrease`` of
    scikit-learn it is not weighted by the size of the node.
pruning : {"fisher", "error", "cost_complexity"} or pruning object
    Pruning after growth. "fisher": branches without a significant rule become leaves (CCPDT);
    "error": branches that are not expected to make fewer errors than a leaf (C4.5);
    "cost_complexity": branches that reduce the impurity too little for their number of leaves
    (CART). An object sets the strength, such as ``pruning.Fisher(p_value=0.001)``; see
    :mod:`rarewood.pruning`. None: no pruning.
n_cuts : int
    Number of random cuts or hyperplanes per feature, from 1 to 65536, for the splitters "random"
    and "oblique". With more candidates than that, "best" is faster.
oblique_dim : int
    Number of numeric features of a hyperplane, from 2 to the number of features, for the splitter
    "oblique". In a node in which fewer numeric features vary, random cuts of one feature are drawn.
oblique_draw : {"between", "direction", "points"}
    How hyperplanes are drawn in the bounding box of the samples of the node, for the splitter
    "oblique". "between": a direction drawn uniformly and a position drawn uniformly between two
    samples of different classes; "direction": a position drawn uniformly between the first and the
    last sample along the direction; "points": through ``oblique_dim`` points drawn uniformly in the
    box. A categorical feature is split into random sets of categories, with "between" of random
    size, otherwise of about half of the categories.
split_samples : int, "auto" or None
    Maximum number of samples of each class from which the split of a node is chosen, for the
    splitter "oblique"; the split is then applied to all samples of the node. "auto": 256 if
    hyperplanes are drawn over the coordinates of bins, otherwise 2,048. None: all samples.
max_bins : int, "auto" or None
    Maximum number of bins of each numeric feature, from 2 to 255, which is faster on large tables.
    Hyperplanes are drawn over the coordinates of bins: the value of a bin with one value, otherwise
    the mean of its values in a sample. Other cuts are considered at the edges of bins only. None:
    raw values, and every value is a possible cut. "auto": for the splitter "oblique" 255 above
    20,000 samples of nonzero weight, otherwise None.
leaf : {"laplace", "raw", "m_estimate", "shrunk"}
    Leaf estimator, which turns class counts into probabilities. "raw": class fractions; "laplace":
    ``leaf_strength`` samples of every class are added; "m_estimate": ``leaf_strength`` samples are
    added, distributed as the classes of all training samples; "shrunk": hierarchical shrinkage,
    which shrinks each node towards its parent, more strongly if the parent has few samples.
leaf_strength : float or "auto"
    Strength of the smoothing. None: 1 for "laplace", the number of classes for "m_estimate", 5 for
    "shrunk". "auto": the strength of least log loss on held-out samples of a few trees; see
    :doc:`/forests`.
collapse : float or "auto"
    Limit of the collapse: after growth, a subtree becomes a leaf if its leaves explain at most
    ``collapse * (n_leaves - 1)`` times the class variance of one sample, or if the four splits
    above it each explain at most ``collapse`` times that variance. 0: no collapse. "auto": chosen
    together with the leaf strength.
leaf_strength_ : float
    Leaf strength of the model.
collapse_ : float
    Collapse of the model.
pilot_ : rarewood.model.Pilot or None
    Comparison from which the leaf strength and the collapse were chosen; None if they were given,
    or if a class has fewer than four different samples among those of the pilot, or with more
    than 100 classes (collapse: more than 10).
groups : array-like of shape (n_samples,) or str
    Groups of samples, such as all samples of one patient, that are held out together where
    parameters are "auto"; or the name of their column in a DataFrame, which is then no feature.
categorical_features : "from_dtype", array-like of str, int or bool, or None
    Categorical features. "from_dtype": columns of a DataFrame with text, booleans or a categorical
    type, columns of text in an array of objects, and none of another array. Otherwise names,
    indices or a mask. None: no categorical features; text raises an error.
categorical_split : {"subset", "multiway", "onehot"}
    Split on a categorical feature by the splitter "best": into two sets of categories, one child
    per category, or one category against the rest.
monotonic_cst : array-like of int of shape (n_features,) or dict of str to int
    Constraint of each numeric feature, in order or by name: with 1 the probability of
    ``classes_[1]`` does not fall along the feature, with -1 it does not rise, and 0 is none; for
    two classes. It holds for every sample, with all other values unchanged; missing values have no
    order. Splits with class fractions against the constraints are not considered, hyperplanes
    included, and the smoothed probabilities of nodes are bounded by the midpoint of those of the
    children of a constrained split.
class_weight : dict or "balanced"
    Weights of the classes, multiplied with ``sample_weight``. "balanced": all classes have the same
    total weight.
random_state : int, RandomState instance or None
    Seed of the random numbers, up to 64 bits.
n_jobs : int
    Number of threads. None means 1 unless in a joblib backend, -1 all cores. A joblib worker uses
    its fraction of the cores only. The model does not depend on it.
classes_ : ndarray of shape (n_classes,)
    Class labels, sorted.
n_classes_ : int
    Number of classes.
n_features_in_ : int
    Number of features.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, if X had names that are all strings.
n_outputs_ : int
    Always 1: targets with several columns are not supported.
[X_fit] X : array-like, DataFrame, sparse matrix or array, or a table that is read in batches
    Training table of shape (n_samples, n_features). NaN, None and null are missing values. With
    ``splitter="oblique"``, and otherwise with ``max_bins``, it may be larger than memory: the path
    of a Parquet file or of a folder of Parquet files, a ``pyarrow.dataset``, an iterator of record
    batches or tables, or a :class:`rarewood.stream.Stream`. See :doc:`/streaming`.
[y_fit] y : array-like of shape (n_samples,), or str
    Class labels: text, booleans or integers. Or the name of a column of X; all columns except
    this one and that of the weights are then features. Tables read in batches need a name.
[sample_weight_fit] sample_weight : array-like of shape (n_samples,), or str
    Sample weights, not negative; or the name of a column of X. None: all weights are 1.
[X_in_batches] X : array-like, DataFrame, sparse matrix or array, or a table that is read in batches
    Samples with the features of the training table, of any type that ``fit`` accepts. If the
    features have names, other columns are ignored; a missing feature raises an error.
X : array-like or DataFrame of shape (n_samples, n_features)
    Samples with the features of the training data.
[X_training] X : array-like or DataFrame of shape (n_samples, n_features)
    Training samples.
y : array-like of shape (n_samples,)
    Labels.
sample_weight : array-like of shape (n_samples,)
    Sample weights.
pos_label : label
    The positive class; by default the class with the fewest samples, the last of equally rare
    ones.
confidence : float
    Confidence level of the intervals.
costs : Costs
    Costs of the four outcomes.
cost : number or ndarray
    Cost at each threshold.
feature_names : sequence of str
    Names of the features; by default those of the training data, or ``feature_0`` and so on.
class_names : sequence of str
    Names of the classes; by default their labels.
[model_file] model : str, Path or FittedModel
    A model file, or the result of :func:`fit`.
delimiter : str
    Delimiter of a text file; detected by default.
trust_foreign : bool
    Whether to open a file with a model of another package, whose reader is not hardened; see
    :func:`rarewood.load`. The result of :func:`fit` is trusted.
matrix : array-like of shape (n_datasets, n_models)
    Scores: one row per data set, one column per model.
higher_is_better : bool
    Whether larger scores are better.
fit_report_ : FitReport
    Statistics of the fit: rounds, bytes sent, seconds by stage, lost workers.
[estimator_attributes] classes_, n_features_in_, feature_names_in_
    Attributes of ``estimator_``.
[y_predicted] y : ndarray of shape (n_samples,)
    Predicted labels.
proba : ndarray of shape (n_samples, n_classes)
    Probabilities, with the classes in the order of ``classes_``.
log_proba : ndarray of shape (n_samples, n_classes)
    Logarithms, with the classes in the order of ``classes_``.
self : object
    Fitted estimator.
"""

_FOREST = """
n_estimators : int or "auto"
    Number of trees, at most 1,000,000. "auto": as many as bring the log loss within about 0.1% of
    that of a much larger forest, a multiple of 40 up to 1,000. Trees are grown on two thirds of at
    most 20,000 samples, until half of them are as good on the held-out third up to that tolerance.
    With too few samples of a class to hold any out: 100.
criterion : str, criterion object or recipe
    Split criterion to maximise, as in :class:`RareTreeClassifier`; or a recipe that draws a
    criterion for every tree, such as ``criteria.BetaAlpha(1, 3)``.
min_samples_split : int or float
    Minimum number of samples of a node that is split; a float is a fraction of the samples drawn
    for the tree. A sample drawn twice counts twice, here and in ``min_samples_leaf``.
min_samples_leaf : int or float
    Minimum number of samples of each child; a float is a fraction of the samples drawn for the
    tree.
min_weight_fraction_leaf : float
    Minimum fraction, in each child, of the weight drawn for a tree on average.
bootstrap : bool
    Whether the samples of each tree are drawn with replacement.
balance : bool, float, str or scheme object
    Number of samples of each class that are drawn for each tree. A ratio, at least 1: at most so
    many of every other class for each sample of the rarest class. True: 1, as many of each class as
    the rarest class has. A name of a sampling scheme ("balanced"), or an object with a method
    ``class_sizes(counts)`` that returns the number for each class. False: samples are drawn
    regardless of their class.
max_samples : int or float
    Fraction of the samples that would be drawn without it, or their total number, rounded down in
    each class but at least one. Samples are drawn with replacement if ``bootstrap``, else without.
    None: all of them.
class_weight : dict, "balanced" or "balanced_subsample"
    Weights of the classes, multiplied with ``sample_weight``. "balanced": all classes have the same
    total weight in the table; "balanced_subsample": in the samples of each tree.
oob_score : bool, str or callable
    Score of the predictions of each sample by the trees that did not draw it. True: average
    precision for two classes, with the rarer class as the positive one (the second if they are
    equally frequent), and balanced accuracy otherwise. A name of
    :func:`sklearn.metrics.get_scorer_names`, for two classes with the same positive class. Or a
    callable: a scorer, ``scorer(estimator, X, y)``; a metric of labels, ``metric(y_true, y_pred)``;
    or a metric of probabilities, whose second parameter is named ``y_score`` or ``y_proba``; it
    receives the probabilities of the positive class for two classes, and of all classes otherwise.
warm_start : bool
    Keep the trees of the last fit and add trees up to ``n_estimators``. On the same table the
    result equals a single fit.
verbose : int
    With 1 or more, report the number of trees grown on the standard error stream: a line with a
    bar in terminals and notebooks, a line for each tenth elsewhere.
"""


_PARAMETERS, _RETURNS = "Parameters\n----------", "Returns\n-------"
_PLACEHOLDER = re.compile(r"^( *)\{([\w, ]+)(?: -> (\w+))?\}$", re.M)
_ENTRY = re.compile(r"^(?:\[(\w+)\] )?((\w+).*(?:\n .*)*)", re.M)


def _entries(text: str) -> dict[str, str]:
    return {key or name: entry for key, entry, name in _ENTRY.findall(text)}


_TREE_ENTRIES = _entries(_SHARED)
_FOREST_ENTRIES = _TREE_ENTRIES | _entries(_FOREST)


def documented(target: Documented) -> Documented:
    """Fill in the shared text in the docstrings of a function, or of a class and its methods."""
    parameters = inspect.signature(target).parameters
    entries = _FOREST_ENTRIES if "n_estimators" in parameters else _TREE_ENTRIES
    target.__doc__ = _filled(target, entries)
    for member in vars(target).values() if isinstance(target, type) else ():
        function = inspect.unwrap(member)  # some methods are wrapped, as by available_if
        if inspect.isfunction(function):
            member.__doc__ = function.__doc__ = _filled(function, entries)
    return target


def _filled(target: Callable[..., Any], entries: dict[str, str]) -> str | None:
    """Return the docstring with its placeholders replaced, indented as they are."""
    parameters = inspect.signature(target).parameters

    def with_default(entry: str) -> str:
        head, newline, text = entry.partition("\n")
        parameter = parameters.get(head.split(" ")[0])
        if parameter is None or parameter.default is parameter.empty:
            return entry
        default = parameter.default
        shown = f'"{default}"' if isinstance(default, str) else repr(default)
        return f"{head}, default={shown}{newline}{text}"

    def text(match: re.Match[str]) -> str:
        indent, names, returned = match.groups()
        keys = names.split(", ")
        if keys == ["parameters"]:
            keys = [name for name in parameters if name in entries]
        found = "\n".join(with_default(entries[key]) for key in keys)
        if returned:
            found = f"{_PARAMETERS}\n{found}\n\n{_RETURNS}\n{entries[returned]}"
        return re.sub(r"^(?=.)", indent, found, flags=re.M)

    return target.__doc__ and _PLACEHOLDER.sub(text, target.__doc__)
