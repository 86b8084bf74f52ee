"""Published trees and forests: every preset returns a configured estimator.

Each takes the parameters of :class:`rarewood.RareTreeClassifier`, or of
:class:`rarewood.RareForestClassifier`, as keyword arguments, which override its own:
``hddt(max_depth=4)``. All trees are fully grown, and only those of ``ccpdt`` and ``j48`` are
pruned. All presets but ``random_forest``, ``balanced_random_forest``, ``extra_trees`` and ``j48``
use Laplace leaves. ``j48`` is an estimator of its own, :class:`rarewood.C45Classifier`.

>>> from rarewood import presets
>>> presets.hddt(max_depth=4)
RareTreeClassifier(categorical_split='multiway', max_depth=4)
>>> presets.bagged_hddt(criterion="dkm").criterion
'dkm'
"""

from __future__ import annotations

from typing import Literal, Unpack

from rarewood.c45 import C45Classifier
from rarewood.criteria import Alpha, BetaAlpha, Reference
from rarewood.forest import RareForestClassifier
from rarewood.model._types import C45Parameters, ForestParameters, TreeParameters
from rarewood.tree import RareTreeClassifier

__all__ = [
    "alpha_tree",
    "bagged_c45",
    "bagged_hddt",
    "balanced_random_forest",
    "beat",
    "c45",
    "cart",
    "ccpdt",
    "dcsm_tree",
    "dkm",
    "extra_trees",
    "gain_ratio_tree",
    "hddt",
    "hedex",
    "hedexh",
    "ihd",
    "ihdw",
    "j48",
    "random_forest",
]


def _tree(own: TreeParameters, params: TreeParameters) -> RareTreeClassifier:
    return RareTreeClassifier(**(own | params))


def cart(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """CART: Gini criterion, two-way splits.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and Regression
           Trees", Wadsworth, 1984.
    """
    return _tree({"criterion": "gini"}, params)


def c45(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """C4.5 as in the papers on rare classes: information gain, multiway splits, unpruned.

    The program by Quinlan divides the gain by the split information: see :func:`gain_ratio_tree`,
    whose results are closer to the figures of the HDDT paper, and :func:`j48`, which has all of its
    rules.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    """
    return _tree({"criterion": "entropy", "categorical_split": "multiway"}, params)


def gain_ratio_tree(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """Gain ratio of C4.5, multiway splits, without the restriction to features of average gain.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    """
    return _tree({"criterion": "gain_ratio", "categorical_split": "multiway"}, params)


def j48(**params: Unpack[C45Parameters]) -> C45Classifier:
    """C4.5 by the rules of Weka's J48, with its pruning and its fractions of samples.

    The defaults are those of Weka. ``j48(confidence=None, collapse_subtrees=False,
    leaf="laplace")`` is the unpruned and smoothed tree that is called C4.4.

    Parameters
    ----------
    **params
        Parameters of :class:`rarewood.C45Classifier`.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    .. [2] F. Provost and P. Domingos, "Tree induction for probability-based ranking", Machine
           Learning 52, 2003.
    """
    return C45Classifier(**params)


def dkm(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """DKM: the criterion of Dietterich, Kearns and Mansour, multiway splits.

    With two classes it chooses the same splits as :func:`hddt`.

    References
    ----------
    .. [1] T. Dietterich, M. Kearns and Y. Mansour, "Applying the weak learning framework to
           understand and improve C4.5", ICML 1996.
    """
    return _tree({"criterion": "dkm", "categorical_split": "multiway"}, params)


def hddt(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """HDDT: Hellinger distance decision tree, multiway splits.

    References
    ----------
    .. [1] D. A. Cieslak and N. V. Chawla, "Learning decision trees for unbalanced data", ECML PKDD
           2008.
    """
    return _tree({"criterion": "hellinger", "categorical_split": "multiway"}, params)


def ccpdt(
    base: Literal["entropy", "gini"] = "entropy", **params: Unpack[TreeParameters]
) -> RareTreeClassifier:
    """CCPDT: class confidence proportions instead of class fractions, pruned by Fisher's test.

    Branches without a rule of a p-value below 0.01 become leaves; ``pruning=None`` keeps them.

    Parameters
    ----------
    base : {"entropy", "gini"}, default="entropy"
        Impurity of the gain: entropy (C4.5) or Gini (CART).
    **params
        Parameters of the estimator.

    References
    ----------
    .. [1] W. Liu, S. Chawla, D. A. Cieslak and N. V. Chawla, "A robust decision tree algorithm for
           imbalanced data sets", SIAM International Conference on Data Mining, 2010.
    """
    if base not in ("entropy", "gini"):
        raise ValueError(f"base must be 'entropy' or 'gini', got {base!r}.")
    return _tree({"criterion": f"ccp_{base}", "pruning": "fisher"}, params)


def alpha_tree(
    alpha: float = 0.5,
    reference: Reference = "prior",
    **params: Unpack[TreeParameters],
) -> RareTreeClassifier:
    """Alpha tree: the alpha divergence of the children from a reference, two-way splits.

    Parameters
    ----------
    alpha : float, default=0.5
        Order of the divergence, between 0 and 2.
    reference : {"prior", "uniform", "complement"}, default="prior"
        Reference that the children are compared with; see :class:`rarewood.criteria.Alpha`.
    **params
        Parameters of the estimator.

    References
    ----------
    .. [1] Y. Park and J. Ghosh, "Compact ensemble trees for imbalanced data", Multiple Classifier
           Systems, 2011.
    """
    return _tree({"criterion": Alpha(alpha, reference)}, params)


def ihd(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """Inter-node Hellinger distance between the children and their parent.

    References
    ----------
    .. [1] P. S. Akash, M. E. Kadir, A. A. Ali and M. Shoyaib, "Inter-node Hellinger distance based
           decision tree", IJCAI 2019.
    """
    return _tree({"criterion": "ihd"}, params)


def ihdw(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """Inter-node Hellinger distance, with a penalty for children with much of every class.

    References
    ----------
    .. [1] P. S. Akash, M. E. Kadir, A. A. Ali and M. Shoyaib, "Inter-node Hellinger distance based
           decision tree", IJCAI 2019.
    """
    return _tree({"criterion": "ihdw"}, params)


def dcsm_tree(**params: Unpack[TreeParameters]) -> RareTreeClassifier:
    """DCSM: a measure that rewards children with few distinct classes.

    References
    ----------
    .. [1] B. Chandra, R. Kothari and P. Paul, "A new node splitting measure for decision tree
           construction", Pattern Recognition 43, 2010.
    """
    return _tree({"criterion": "dcsm"}, params)


def _forest(own: ForestParameters, params: ForestParameters) -> RareForestClassifier:
    return RareForestClassifier(**(_PUBLISHED | own | params))


# Published forests have no pilot, and look at every sample.
_PUBLISHED: ForestParameters = {"leaf_strength": None, "collapse": 0.0, "split_samples": None}


# All features and all cuts, each tree on a bootstrap sample.
_BAGGED: ForestParameters = {
    "splitter": "best", "max_features": None, "leaf": "laplace", "bootstrap": True,
}  # fmt: skip
_RANDOM_FOREST = _BAGGED | {"criterion": "gini", "max_features": "sqrt", "leaf": "raw"}
_HEDEX: ForestParameters = {
    "criterion": "hellinger", "max_features": "round_sqrt", "splitter": "random", "n_cuts": 10,
    "leaf": "laplace",
}  # fmt: skip


def bagged_hddt(**params: Unpack[ForestParameters]) -> RareForestClassifier:
    """Bagged HDDT: 100 Hellinger distance decision trees on bootstrap samples, multiway splits.

    References
    ----------
    .. [1] D. A. Cieslak, T. R. Hoens, N. V. Chawla and W. P. Kegelmeyer, "Hellinger distance
           decision trees are robust and skew-insensitive", Data Mining and Knowledge Discovery 24,
           2012.
    """
    return _forest(_BAGGED | {"criterion": "hellinger", "categorical_split": "multiway"}, params)


def bagged_c45(**params: Unpack[ForestParameters]) -> RareForestClassifier:
    """Bagged C4.5: 100 trees of :func:`c45` on bootstrap samples.

    References
    ----------
    .. [1] L. Breiman, "Bagging predictors", Machine Learning 24, 1996.
    .. [2] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    """
    return _forest(_BAGGED | {"criterion": "entropy", "categorical_split": "multiway"}, params)


def beat(
    a: float = 1.0, b: float = 1.0, **params: Unpack[ForestParameters]
) -> RareForestClassifier:
    """BEAT: 30 bagged alpha trees, each with its own order, drawn as 2 * Beta(a, b).

    Categorical splits are one-hot, equivalent to the dummy coding of the paper.

    Parameters
    ----------
    a, b : float, default=1.0
        Parameters of the beta distribution; the paper uses (1, 1), (1, 3) and (3, 1).
    **params
        Parameters of the estimator.

    References
    ----------
    .. [1] Y. Park and J. Ghosh, "Compact ensemble trees for imbalanced data", Multiple Classifier
           Systems, 2011.
    """
    own = _BAGGED | {
        "n_estimators": 30, "criterion": BetaAlpha(a, b), "categorical_split": "onehot",
    }  # fmt: skip
    return _forest(own, params)


def random_forest(**params: Unpack[ForestParameters]) -> RareForestClassifier:
    """Random forest: 100 Gini trees on bootstrap samples, a few random features in each node.

    The number of features is the square root, and leaves are raw, as in scikit-learn.

    References
    ----------
    .. [1] L. Breiman, "Random forests", Machine Learning 45, 2001.
    """
    return _forest(_RANDOM_FOREST, params)


def balanced_random_forest(**params: Unpack[ForestParameters]) -> RareForestClassifier:
    """Balanced random forest: each tree draws as many samples of each class as the rarest has.

    Samples are drawn with replacement; ``bootstrap=False`` draws without.

    References
    ----------
    .. [1] C. Chen, A. Liaw and L. Breiman, "Using random forest to learn imbalanced data",
           University of California, Berkeley, 2004.
    """
    return _forest(_RANDOM_FOREST | {"balance": True}, params)


def extra_trees(**params: Unpack[ForestParameters]) -> RareForestClassifier:
    """Extremely randomized trees: one random cut for each of a few random features.

    Every tree is grown on all samples. The criterion is Gini, and leaves are raw, as in
    scikit-learn; the HeDEx paper uses ``extra_trees(criterion="entropy", leaf="laplace")``.

    References
    ----------
    .. [1] P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", Machine Learning 63,
           2006.
    """
    own = _RANDOM_FOREST | {"splitter": "random", "n_cuts": 1, "bootstrap": False}
    return _forest(own, params)


def hedex(**params: Unpack[ForestParameters]) -> RareForestClassifier:
    """HeDEx: 100 trees of random cuts, ten for each of a few random features, on all samples.

    The criterion is the Hellinger distance, and the number of features the rounded square root.

    References
    ----------
    .. [1] S. Kang and K. Ramamohanarao, "A robust classifier for imbalanced datasets", PAKDD 2014.
    """
    return _forest(_HEDEX, params)


def hedexh(**params: Unpack[ForestParameters]) -> RareForestClassifier:
    """HeDExh: HeDEx with lines through two random points of two features in place of cuts.

    References
    ----------
    .. [1] S. Kang and K. Ramamohanarao, "A robust classifier for imbalanced datasets", PAKDD 2014.
    """
    own: ForestParameters = {"splitter": "oblique", "oblique_draw": "points", "max_bins": None}
    return _forest(_HEDEX | own, params)
