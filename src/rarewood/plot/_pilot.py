"""Held-out log loss by leaf strength and collapse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rarewood.export._palette import INK
from rarewood.plot._axes import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pilot(model: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the log loss from which a fit chose the leaf strength and the collapse.

    Parameters
    ----------
    model : RareTreeClassifier or RareForestClassifier
        Fitted with ``leaf_strength="auto"``, ``collapse="auto"`` or both.
    ax : matplotlib axes, default=None
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    ax : matplotlib axes
        Mean log loss of the held-out samples for each pair of values; a circle marks the chosen
        pair.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import RareForestClassifier, plot
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RareForestClassifier(10, leaf_strength="auto", collapse="auto", random_state=0)
    >>> ax = plot.pilot(model.fit(X, y))
    >>> ax.get_xlabel()
    'collapse'
    """
    found = getattr(model, "pilot_", None)
    if found is None:
        raise ValueError(
            "The model has no pilot. Fit it with leaf_strength='auto' or collapse='auto', on a "
            "table with at least four different samples of the rarest class."
        )
    ax = axes_or_new(ax, (6.4, 4.8))
    image = ax.imshow(found.log_loss, cmap="viridis_r", aspect="auto", origin="lower")
    ax.set_xticks(range(len(found.collapses)), [f"{value:g}" for value in found.collapses])
    ax.set_yticks(
        range(len(found.leaf_strengths)), [f"{value:g}" for value in found.leaf_strengths]
    )
    ax.set_xlabel("collapse")
    ax.set_ylabel("leaf strength")
    chosen = (
        int(np.flatnonzero(found.collapses == found.collapse)[0]),
        int(np.flatnonzero(found.leaf_strengths == found.leaf_strength)[0]),
    )
    ax.plot(*chosen, "o", markersize=14, markerfacecolor="none", markeredgecolor=INK)
    ax.figure.colorbar(image, ax=ax, label="log loss")
    folds = "1 fold" if found.n_folds == 1 else f"{found.n_folds} folds"
    samples = f"{found.n_samples:,} samples, {folds} of {found.n_trees} trees"
    ax.set_title(f"Held-out log loss ({samples})")
    return ax
