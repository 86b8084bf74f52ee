"""The search of the sampling wrapper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rarewood.export._palette import BLUE, GREY, INK, VERMILION
from rarewood.plot._axes import axes_or_new, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def sampling_search(wrapper: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the levels of sampling that were tried, in order, with their scores.

    First samples of the largest class are removed, then SMOTE adds samples to the smallest, at the
    level of undersampling that the search chose. Error bars are standard deviations over the
    folds, the circle marks the chosen levels, and the grey line is the score without sampling.
    Differences well within the error bars are not meaningful.

    Parameters
    ----------
    wrapper : SamplingWrapperClassifier
        A fitted wrapper.
    ax : matplotlib axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib axes
        The axes.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import plot, presets
    >>> from rarewood.sampling import SamplingWrapperClassifier
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> wrapper = SamplingWrapperClassifier(presets.c45(), random_state=0).fit(X, y)
    >>> ax = plot.sampling_search(wrapper)
    >>> ax.get_xlabel()
    'samples removed from the largest class, added to the smallest'
    """
    table = getattr(wrapper, "search_table_", None)
    if not table:
        raise TypeError(
            "Expected a fitted SamplingWrapperClassifier that has searched levels, got "
            f"{wrapper!r}."
        )
    mean, spread = np.array(table["mean_score"]), np.array(table["std_score"])
    removed, added = np.array(table["undersample_level"]), np.array(table["smote_level"])
    places = np.arange(len(mean))
    is_smote = added > 0
    ax = axes_or_new(ax, (max(4.8, 1.6 + 0.55 * len(mean)), 4.0))
    ax.axhline(wrapper.baseline_score_, color=GREY, linewidth=1, label="without sampling")
    stages = (~is_smote, BLUE, "undersampling"), (is_smote, VERMILION, "with SMOTE")
    for mask, color, label in stages:
        if mask.any():
            points = places[mask], mean[mask], spread[mask]
            ax.errorbar(*points, fmt="o-", color=color, capsize=3, label=label)
    is_taken = (removed == wrapper.undersample_level_) & (added == wrapper.smote_level_)
    taken = int(np.flatnonzero(is_taken)[0])
    ax.plot(taken, mean[taken], "o", markersize=14, fillstyle="none", color=INK, label="chosen")
    levels = [f"-{u:g}%" + (f"\n+{s:g}%" if s else "") for u, s in zip(removed, added, strict=True)]
    levels[0] = "none"
    ax.set_xticks(places, levels)
    ax.set_xlabel("samples removed from the largest class, added to the smallest")
    scoring = wrapper.scoring if isinstance(wrapper.scoring, str) else "score"
    ax.set_ylabel(plain(f"{scoring}, mean of the folds"))
    result = "helped" if wrapper.helped_ else "did not help"
    ax.set_title(plain(f"Sampling {result}: {type(wrapper.estimator).__name__}"))
    ax.legend(fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
