"""Trees and forests as they were published: every preset returns a configured estimator.

Each takes the parameters of :class:`rarewood.RareTreeClassifier`, or of
:class:`rarewood.RareForestClassifier`, as keywords, which win over its own: ``hddt(max_depth=4)``.
They differ where the papers differ. All are fully grown; only ``ccpdt`` is pruned then. All but
``random_forest``, ``balanced_random_forest`` and ``extra_trees`` use the Laplace estimate in the
leaves.

>>> from rarewood import presets
>>> presets.hddt(max_depth=4)
RareTreeClassifier(categorical_split='multiway', max_depth=4)
>>> presets.bagged_hddt(criterion="dkm").criterion
'dkm'
"""

from __future__ import annotations

from typing import Any

from rarewood.criteria import Alpha, BetaAlpha
from rarewood.forest import RareForestClassifier
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
    "random_forest",
]


def cart(**params: Any) -> RareTreeClassifier:
    """CART: the Gini criterion, two-way splits.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and Regression
           Trees", Wadsworth, 1984.
    """
    return RareTreeClassifier(**{"criterion": "gini", **params})


def c45(**params: Any) -> RareTreeClassifier:
    """C4.5 as the papers on rare classes describe it: information gain, multiway splits, unpruned.

    Quinlan's own program divides the gain by the split information: see :func:`gain_ratio_tree`,
    which comes closer to the figures that HDDT's paper prints.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    """
    return RareTreeClassifier(**{"criterion": "entropy", "categorical_split": "multiway", **params})


def gain_ratio_tree(**params: Any) -> RareTreeClassifier:
    """C4.5's gain ratio, multiway splits, without the condition of an average gain.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    """
    return RareTreeClassifier(
        **{"criterion": "gain_ratio", "categorical_split": "multiway", **params}
    )


def dkm(**params: Any) -> RareTreeClassifier:
    """DKM: the criterion of Dietterich, Kearns and Mansour, multiway splits.

    With two classes it chooses the same splits as :func:`hddt`.

    References
    ----------
    .. [1] T. Dietterich, M. Kearns and Y. Mansour, "Applying the weak learning framework to
           understand and improve C4.5", ICML 1996.
    """
    return RareTreeClassifier(**{"criterion": "dkm", "categorical_split": "multiway", **params})


def hddt(**params: Any) -> RareTreeClassifier:
    """HDDT: Hellinger distance decision tree, multiway splits.

    References
    ----------
    .. [1] D. A. Cieslak and N. V. Chawla, "Learning decision trees for unbalanced data", ECML PKDD
           2008.
    """
    return RareTreeClassifier(
        **{"criterion": "hellinger", "categorical_split": "multiway", **params}
    )


def ccpdt(base: str = "entropy", **params: Any) -> RareTreeClassifier:
    """CCPDT: class confidence proportions instead of class shares, pruned by Fisher's test.

    Branches without a rule of a p-value below 0.01 become leaves; ``pruning=None`` keeps them.

    Parameters
    ----------
    base : {"entropy", "gini"}, default="entropy"
        The gain to compute with them: that of C4.5 or that of CART.
    **params
        Parameters of the estimator.

    References
    ----------
    .. [1] W. Liu, S. Chawla, D. A. Cieslak and N. V. Chawla, "A robust decision tree algorithm for
           imbalanced data sets", SIAM International Conference on Data Mining, 2010.
    """
    if base not in ("entropy", "gini"):
        raise ValueError(f"base must be 'entropy' or 'gini', got {base!r}.")
    return RareTreeClassifier(**{"criterion": f"ccp_{base}", "pruning": "fisher", **params})


def alpha_tree(alpha: float = 0.5, reference: str = "prior", **params: Any) -> RareTreeClassifier:
    """Alpha tree: the alpha divergence of the children from a reference, two-way splits.

    Parameters
    ----------
    alpha : float, default=0.5
        Order of the divergence, between 0 and 2.
    reference : {"prior", "uniform", "complement"}, default="prior"
        What the children are compared with; see :class:`rarewood.criteria.Alpha`.
    **params
        Parameters of the estimator.

    References
    ----------
    .. [1] Y. Park and J. Ghosh, "Compact ensemble trees for imbalanced data", Multiple Classifier
           Systems, 2011.
    """
    return RareTreeClassifier(**{"criterion": Alpha(alpha, reference), **params})


def ihd(**params: Any) -> RareTreeClassifier:
    """Inter-node Hellinger distance: how far the children are from their parent.

    References
    ----------
    .. [1] P. S. Akash, M. E. Kadir, A. A. Ali and M. Shoyaib, "Inter-node Hellinger distance based
           decision tree", IJCAI 2019.
    """
    return RareTreeClassifier(**{"criterion": "ihd", **params})


def ihdw(**params: Any) -> RareTreeClassifier:
    """Inter-node Hellinger distance, weighted against children that keep much of every class.

    References
    ----------
    .. [1] P. S. Akash, M. E. Kadir, A. A. Ali and M. Shoyaib, "Inter-node Hellinger distance based
           decision tree", IJCAI 2019.
    """
    return RareTreeClassifier(**{"criterion": "ihdw", **params})


def dcsm_tree(**params: Any) -> RareTreeClassifier:
    """DCSM: a measure that rewards children with few distinct classes.

    References
    ----------
    .. [1] B. Chandra, R. Kothari and P. Paul, "A new node splitting measure for decision tree
           construction", Pattern Recognition 43, 2010.
    """
    return RareTreeClassifier(**{"criterion": "dcsm", **params})


def _bagged(**params: Any) -> RareForestClassifier:
    """Trees that look at every column and every cut, each grown on a bootstrap sample."""
    plain = {"max_features": None, "n_cuts": None, "hyperplane_dim": 1, "leaf": "laplace"}
    return RareForestClassifier(**{**plain, "bootstrap": True, **params})


def bagged_hddt(**params: Any) -> RareForestClassifier:
    """Bagged HDDT: 100 Hellinger distance decision trees on bootstrap samples, multiway splits.

    References
    ----------
    .. [1] D. A. Cieslak, T. R. Hoens, N. V. Chawla and W. P. Kegelmeyer, "Hellinger distance
           decision trees are robust and skew-insensitive", Data Mining and Knowledge Discovery 24,
           2012.
    """
    return _bagged(**{"criterion": "hellinger", "categorical_split": "multiway", **params})


def bagged_c45(**params: Any) -> RareForestClassifier:
    """Bagged C4.5: 100 trees of :func:`c45` on bootstrap samples.

    References
    ----------
    .. [1] L. Breiman, "Bagging predictors", Machine Learning 24, 1996.
    .. [2] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.
    """
    return _bagged(**{"criterion": "entropy", "categorical_split": "multiway", **params})


def beat(a: float = 1.0, b: float = 1.0, **params: Any) -> RareForestClassifier:
    """BEAT: 30 bagged alpha trees, each with an order of its own, drawn as 2 * Beta(a, b).

    A nominal column splits one category from the rest, as the paper's dummy coding does.

    Parameters
    ----------
    a, b : float, default=1.0
        Parameters of the beta distribution; the paper has (1, 1), (1, 3) and (3, 1).
    **params
        Parameters of the estimator.

    References
    ----------
    .. [1] Y. Park and J. Ghosh, "Compact ensemble trees for imbalanced data", Multiple Classifier
           Systems, 2011.
    """
    own = {"n_estimators": 30, "criterion": BetaAlpha(a, b), "categorical_split": "onehot"}
    return _bagged(**{**own, **params})


def random_forest(**params: Any) -> RareForestClassifier:
    """Random forest: 100 Gini trees on bootstrap samples, a few random columns in each node.

    The number of columns is the square root, and leaves are raw, as scikit-learn has it.

    References
    ----------
    .. [1] L. Breiman, "Random forests", Machine Learning 45, 2001.
    """
    own = {"criterion": "gini", "max_features": "sqrt", "leaf": "raw"}
    return _bagged(**{**own, **params})


def balanced_random_forest(**params: Any) -> RareForestClassifier:
    """Balanced random forest: each tree draws as many rows of every class as the smallest has.

    It draws with replacement; ``bootstrap=False`` draws without.

    References
    ----------
    .. [1] C. Chen, A. Liaw and L. Breiman, "Using random forest to learn imbalanced data",
           University of California, Berkeley, 2004.
    """
    return random_forest(**{"balance": True, **params})


def extra_trees(**params: Any) -> RareForestClassifier:
    """Extremely randomized trees: one random cut for each of a few random columns, all rows.

    The criterion is Gini, and leaves are raw, as scikit-learn has it; the paper on HeDEx compares
    with ``extra_trees(criterion="entropy", leaf="laplace")``.

    References
    ----------
    .. [1] P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", Machine Learning 63,
           2006.
    """
    return random_forest(**{"n_cuts": 1, "bootstrap": False, **params})


def hedex(**params: Any) -> RareForestClassifier:
    """HeDEx: 100 trees on all rows, ten random cuts of a few random columns, by Hellinger distance.

    The number of columns is the rounded square root.

    References
    ----------
    .. [1] S. Kang and K. Ramamohanarao, "A robust classifier for imbalanced datasets", PAKDD 2014.
    """
    own = {"criterion": "hellinger", "max_features": "round_sqrt", "n_cuts": 10, "leaf": "laplace"}
    return RareForestClassifier(**{**own, "hyperplane_dim": 1, **params})


def hedexh(**params: Any) -> RareForestClassifier:
    """HeDExh: HeDEx with lines through two random points of two columns in place of cuts.

    References
    ----------
    .. [1] S. Kang and K. Ramamohanarao, "A robust classifier for imbalanced datasets", PAKDD 2014.
    """
    return hedex(**{"hyperplane_dim": 2, "hyperplane": "points", **params})
