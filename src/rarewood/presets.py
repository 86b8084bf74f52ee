"""Trees as they were published: every preset returns a configured estimator.

Each takes the parameters of :class:`rarewood.RareTreeClassifier` as keywords, which win over its
own: ``hddt(max_depth=4)``. They differ where the papers differ, in the criterion and in how nominal
columns split; all are fully grown and use the Laplace estimate in the leaves unless told otherwise.

>>> from rarewood import presets
>>> presets.hddt(max_depth=4)
RareTreeClassifier(categorical_split='multiway', max_depth=4)
"""

from __future__ import annotations

from typing import Any

from rarewood.criteria import Alpha
from rarewood.tree import RareTreeClassifier

__all__ = [
    "alpha_tree",
    "c45",
    "cart",
    "ccpdt",
    "dcsm_tree",
    "dkm",
    "gain_ratio_tree",
    "hddt",
    "ihd",
    "ihdw",
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
    """C4.5 as the papers on rare classes use it: information gain, multiway splits, no pruning.

    Quinlan's own program divides the gain by the split information: see :func:`gain_ratio_tree`.

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
    """CCPDT: class confidence proportions instead of class shares, not pruned.

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
    return RareTreeClassifier(**{"criterion": f"ccp_{base}", **params})


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
    .. [1] Y. Park and J. Ghosh, "Compact ensemble trees for imbalanced data", 2012.
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
