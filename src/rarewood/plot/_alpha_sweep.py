"""Precision and negative predictive value of small alpha trees, against alpha."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.criteria import Reference
from rarewood.export._palette import BLUE, VERMILION
from rarewood.plot._axes import plain, pyplot
from rarewood.presets import alpha_tree
from rarewood.table._labels import encode_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


def alpha_sweep(
    X: Any,
    y: Any,
    *,
    alphas: Sequence[float] | None = None,
    reference: Reference = "prior",
    max_depth: int = 3,
    pos_label: Any = None,
    cv: Any = 5,
    random_state: Any = 0,
    n_jobs: int | None = None,
    ax: Sequence[Axes] | None = None,
) -> NDArray[Any]:
    """Draw precision and negative predictive value of small alpha trees against alpha.

    For each alpha, trees are grown and measured by cross-validation. Park and Ghosh expect that the
    precision of the rare class rises with alpha, and the negative predictive value falls. Points
    are means over the folds, the band is one standard deviation on either side, and dotted lines
    are least-squares fits.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Labels. All classes but ``pos_label`` are the negatives.
    alphas : sequence of float, default=None
        Orders between 0 and 2; by default 0.1, 0.2, ..., 1.9.
    reference : {"prior", "uniform", "complement"}, default="prior"
        See :class:`rarewood.criteria.Alpha`.
    max_depth : int, default=3
        Maximum depth of the trees. Fully grown trees do not show the effect.
    pos_label : label, default=None
        The positive class; by default the rarest.
    cv : int or splitter of scikit-learn, default=5
        Number of shuffled stratified folds, or a splitter.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds.
    n_jobs : int, default=None
        Number of folds in parallel; None is 1, -1 all cores.
    ax : sequence of two matplotlib axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    axes : ndarray of shape (2,)
        The axes of the precision and of the negative predictive value.

    Notes
    -----
    A fold without positive predictions has no precision and is left out of the mean; without any
    such fold the point is missing. The same holds for the negative predictive value.

    References
    ----------
    .. [1] Y. Park and J. Ghosh, "Compact ensemble trees for imbalanced data", Multiple Classifier
           Systems, 2011; figure 1 of the extended version of 2012.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import plot
    >>> X, y = make_classification(400, weights=[0.9], class_sep=2.0, random_state=0)
    >>> axes = plot.alpha_sweep(X, y, alphas=[0.5, 1.0, 1.5], cv=3)
    >>> [ax.get_xlabel() for ax in axes]
    ['alpha', 'alpha']
    """
    from rarewood.operating._labelled_scores import positive_class

    orders = np.linspace(0.1, 1.9, 19) if alphas is None else np.asarray(alphas, dtype=float)
    orders = np.sort(orders) if orders.ndim == 1 else orders
    if orders.ndim != 1 or not orders.size:
        raise ValueError(f"alphas must be a sequence of numbers between 0 and 2, got {alphas!r}.")
    classes, codes = encode_labels(y)
    if len(classes) < 2:
        raise ValueError(f"y needs at least two classes, got only {classes.tolist()}.")
    number = positive_class(classes, codes, None, pos_label)
    name = str(classes[number])
    models = [alpha_tree(order, reference, max_depth=max_depth) for order in orders.tolist()]
    scores = _scores(models, X, codes == number, cv, random_state, n_jobs)
    axes = _two_axes(ax)
    named = [(name, "precision (PPV)"), (f"not {name}", "negative predictive value (NPV)")]
    for panel, words, values, color in zip(axes, named, scores, [VERMILION, BLUE], strict=True):
        _draw(panel, orders, values, color)
        panel.set_xlim(orders.min() - 0.05, orders.max() + 0.05)
        panel.set(xlabel="alpha", ylabel=words[1], title=f"Samples predicted as {plain(words[0])}")
    return axes


def _scores(
    models: list[Any], X: Any, y: NDArray[np.bool_], cv: Any, random_state: Any, n_jobs: int | None
) -> tuple[Floats, Floats]:
    """Return precision and negative predictive value (models x folds), NaN where undefined."""
    from joblib import parallel_config
    from sklearn.metrics import make_scorer, precision_score
    from sklearn.model_selection import StratifiedKFold, cross_validate

    if isinstance(cv, int):
        cv = StratifiedKFold(cv, shuffle=True, random_state=random_state)
    scoring = {
        name: make_scorer(precision_score, pos_label=label, zero_division=np.nan)
        for name, label in [("ppv", True), ("npv", False)]
    }
    with parallel_config("threading", n_jobs=n_jobs or 1):
        results = [cross_validate(model, X, y, cv=cv, scoring=scoring) for model in models]
    ppv, npv = (np.array([r[f"test_{name}"] for r in results]) for name in scoring)
    return ppv, npv


def _two_axes(ax: Any) -> NDArray[Any]:
    if ax is None:
        ax = pyplot().subplots(1, 2, figsize=(9.0, 3.8), layout="constrained")[1]
    axes = np.asarray(ax, dtype=object).ravel()
    if axes.shape != (2,) or not all(hasattr(panel, "get_figure") for panel in axes):
        raise TypeError("ax must be two axes, such as plt.subplots(1, 2)[1].")
    return axes


def _draw(ax: Axes, orders: Floats, values: Floats, color: str) -> None:
    """Draw the means, the band and the fitted line of one measure."""
    is_known = np.isfinite(values).any(axis=1)
    orders, values = orders[is_known], values[is_known]
    if not orders.size:
        ax.text(0.5, 0.5, "no predictions", transform=ax.transAxes, ha="center")
        return
    means, spread = np.nanmean(values, axis=1), np.nanstd(values, axis=1)
    low, high = np.maximum(means - spread, 0.0), np.minimum(means + spread, 1.0)
    ax.fill_between(
        orders, low, high, color=color, alpha=0.12, linewidth=0,
        label="standard deviation of the folds",
    )  # fmt: skip
    ax.plot(orders, means, "o-", color=color, markersize=4, linewidth=1.0, label="mean")
    if orders.size > 1:
        slope, intercept = np.polyfit(orders, means, 1)
        ends = orders[[0, -1]]
        ax.plot(ends, slope * ends + intercept, ":", color="black", label="fitted line")
    ax.legend(fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
