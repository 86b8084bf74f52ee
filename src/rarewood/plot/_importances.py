"""Feature importances, with their spread over the trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood.export._palette import BLUE, INK
from rarewood.export._wording import given_names
from rarewood.plot._axes import axes_or_new, plain, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def feature_importances(
    model: Any,
    *,
    feature_names: Sequence[str] | None = None,
    max_features: int | None = 20,
    ax: Axes | None = None,
) -> Axes:
    """Draw feature importances as bars, in descending order.

    For a forest, a line shows the interquartile range over the trees. A long line means that the
    trees disagree. The mean may lie outside it if a few trees dominate.

    Parameters
    ----------
    model : RareTreeClassifier or RareForestClassifier
        A fitted estimator, or another one with ``feature_importances_``.
    feature_names : sequence of str, default=None
        Names of the features; by default those of the training data, or ``feature_0`` and so on.
    max_features : int, default=20
        Maximum number of features to show; None for all. Features without importance are left out.
    ax : matplotlib axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib axes
        The axes.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import RareForestClassifier, plot
    >>> X, y = make_classification(300, n_features=5, weights=[0.9], random_state=0)
    >>> forest = RareForestClassifier(10, random_state=0).fit(X, y)
    >>> ax = plot.feature_importances(forest, max_features=3)
    >>> len(ax.get_yticklabels())
    3
    """
    means, of_trees = _importances(model)
    default = getattr(model, "feature_names_in_", [f"feature_{j}" for j in range(len(means))])
    names = given_names(feature_names, default, "feature_names")
    if max_features is not None and max_features < 1:
        raise ValueError(f"max_features must be at least 1, or None for all; got {max_features}.")
    order = np.argsort(-means, kind="stable")[: max(int(np.count_nonzero(means)), 1)][:max_features]
    ax = axes_or_new(ax, (6.4, 1.3 + 0.26 * len(order)))
    places = np.arange(len(order))
    ax.barh(places, means[order], height=0.7, color=BLUE, alpha=0.55, label="mean of the trees")
    if of_trees is not None:
        low, high = np.quantile(of_trees[:, order], [0.25, 0.75], axis=0)
        ax.hlines(places, low, high, color=INK, linewidth=2.0, label="interquartile range")
        ax.legend(loc="lower right", fontsize=8)
    ax.set_yticks(places, [plain(shortened(names[j], 30)) for j in order])
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.set_xlabel("importance (fraction of the total gain)")
    is_all = len(order) == len(means)
    shown = "all features" if is_all else f"{len(order)} of {len(means)} features"
    trees = "one tree" if of_trees is None else f"{len(of_trees)} trees"
    ax.set_title(f"Feature importances, {shown}, {trees}")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _importances(model: Any) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return the importances, and those of each tree (trees x features) of a forest."""
    if not hasattr(model, "feature_importances_"):
        raise TypeError(
            "Expected a fitted RareTreeClassifier or RareForestClassifier, got "
            f"{model!r}. Fit it first; of a pipeline, pass its last step."
        )
    means = np.asarray(model.feature_importances_, dtype=float)
    trees = list(np.ravel(getattr(model, "estimators_", [])))
    if len(trees) < 2 or not all(hasattr(tree, "feature_importances_") for tree in trees):
        return means, None
    return means, np.array([tree.feature_importances_ for tree in trees], dtype=float)
