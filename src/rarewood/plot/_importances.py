"""Importances of the columns, with their spread over the trees."""

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

__all__ = ["feature_importances"]


def feature_importances(
    model: Any,
    *,
    feature_names: Sequence[str] | None = None,
    max_features: int | None = 20,
    ax: Axes | None = None,
) -> Axes:
    """Draw the importances of the columns as bars, the most important one on top.

    For a forest, a line shows the middle half of the trees: from the first quartile of their
    importances to the third. A long line says that the trees disagree. A line may lie beside the
    end of its bar, where a few trees have most of the mean.

    Parameters
    ----------
    model : RareTreeClassifier or RareForestClassifier
        A fitted estimator. Others that have ``feature_importances_`` will do.
    feature_names : sequence of str, default=None
        Names of the columns; by default those of the training table, or ``feature_0`` and so on.
    max_features : int, default=20
        How many columns to show at most; None for all. Columns without any importance are left out.
    ax : matplotlib axes, default=None
        Where to draw; by default in a new figure.

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
        ax.hlines(places, low, high, color=INK, linewidth=2.0, label="middle half of the trees")
        ax.legend(loc="lower right", fontsize=8)
    ax.set_yticks(places, [plain(shortened(names[j], 30)) for j in order])
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.set_xlabel("importance (share of the total gain)")
    ax.set_title(_title(len(order), len(means), of_trees))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _importances(model: Any) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return the importances, and those of each tree (trees x columns) if there are several."""
    if not hasattr(model, "feature_importances_"):
        raise TypeError(
            "Expected a fitted RareTreeClassifier or RareForestClassifier, got "
            f"{model!r}. Fit it first; of a pipeline, give its last step."
        )
    means = np.asarray(model.feature_importances_, dtype=float)
    trees = list(np.ravel(getattr(model, "estimators_", [])))
    if len(trees) < 2 or not all(hasattr(tree, "feature_importances_") for tree in trees):
        return means, None
    return means, np.array([tree.feature_importances_ for tree in trees], dtype=float)


def _title(n_shown: int, n_features: int, of_trees: NDArray[np.float64] | None) -> str:
    which = f"{n_shown} of {n_features} features" if n_shown < n_features else "all features"
    trees = "one tree" if of_trees is None else f"{len(of_trees)} trees"
    return f"Feature importances, {which}, {trees}"
