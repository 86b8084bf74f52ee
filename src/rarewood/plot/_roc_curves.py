"""ROC curves of models, of given samples or averaged over the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarewood._validation import take_rows
from rarewood.export._palette import GREY, SERIES
from rarewood.operating import OperatingCurve, operating_curve
from rarewood.operating._labelled_scores import positive_class
from rarewood.operating._scores import class_scores
from rarewood.plot._axes import axes_or_new, plain
from rarewood.table._labels import encode_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
_N_RATES = 1001  # false positive rates at which the curves of folds are averaged
_LINES = ("-", "--", "-.", ":")


def roc(
    models: Any,
    X: Any,
    y: Any,
    *,
    pos_label: Any = None,
    cv: Any = None,
    random_state: Any = 0,
    band: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curves of one or several models.

    Without ``cv`` the models are fitted, and X must be samples that they have not seen. With ``cv``
    each model is fitted on every training set; its curve is the mean true positive rate of the test
    sets at each false positive rate (vertical averaging), and the band is one standard deviation
    above and below.

    Parameters
    ----------
    models : classifier, or dict of str to classifier
        Classifiers with ``predict_proba`` or ``decision_function``, by the names of the legend.
    X : array-like or DataFrame of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Labels. Classes other than ``pos_label`` are the negatives.
    pos_label : label, default=None
        The positive class; by default the rarest in y.
    cv : int, splitter, iterable or None, default=None
        Number of stratified folds, a splitter of scikit-learn such as ``RepeatedStratifiedKFold``,
        or pairs of training and test indices.
    random_state : int, RandomState instance or None, default=0
        Seed of the folds if ``cv`` is a number.
    band : bool, default=True
        Whether to draw the standard deviation over the test sets.
    ax : matplotlib axes, default=None
        Axes to draw on; by default those of a new figure. The legend has the area under each curve;
        with ``cv`` its mean and its standard deviation over the test sets.

    Returns
    -------
    ax : matplotlib axes
        The axes.

    See Also
    --------
    rarewood.operating.operating_curve : True and false alerts at every threshold, as numbers.

    Notes
    -----
    Neither axis shows the class frequencies: with one positive in a thousand samples, a false
    positive rate of 0.01 is ten false alerts per positive. Look at precision and recall too.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rarewood import plot, presets
    >>> X, y = make_classification(400, weights=[0.9], class_sep=2.0, random_state=0)
    >>> models = {"C4.5": presets.c45(), "HDDT": presets.hddt()}
    >>> ax = plot.roc(models, X, y, cv=3)
    >>> [text.get_text().partition(",")[0] for text in ax.get_legend().get_texts()]
    ['C4.5', 'HDDT', 'no information']
    """
    named = dict(models) if isinstance(models, Mapping) else {type(models).__name__: models}
    if not named:
        raise ValueError("models must have at least one classifier, got an empty dict.")
    classes, codes = encode_labels(y)
    if len(classes) < 2:
        raise ValueError(f"y needs at least two classes, got only {classes.tolist()}.")
    number = positive_class(classes, codes, None, pos_label)
    labels = classes[codes]
    splits = None if cv is None else _splits(cv, X, labels, random_state)
    ax = axes_or_new(ax, (5.4, 5.0))
    for (name, model), color, line in zip(
        named.items(), cycle(SERIES), _lines(len(named)), strict=False
    ):
        curves = _curves(model, X, labels, classes[number], splits)
        _draw(ax, f"{plain(str(name))}, ", curves, {"color": color, "linestyle": line}, band)
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":", label="no information")
    ax.set(xlim=(-0.01, 1.0), ylim=(0.0, 1.01), aspect="equal")
    ax.set(xlabel="false positive rate", ylabel="true positive rate")
    held_out = "" if splits is None else f", mean of {len(splits)} test sets"
    ax.set_title(f"ROC curves of {plain(str(classes[number]))}{held_out}")
    ax.legend(loc="lower right", fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _lines(n_models: int) -> list[str]:
    """Return a line style for each model: another one when the colours repeat."""
    return [_LINES[i // len(SERIES) % len(_LINES)] for i in range(n_models)]


def _splits(cv: Any, X: Any, y: Any, random_state: Any) -> list[tuple[Any, Any]]:
    from sklearn.model_selection import StratifiedKFold, check_cv

    if isinstance(cv, int):
        cv = StratifiedKFold(cv, shuffle=True, random_state=random_state)
    return list(check_cv(cv, y, classifier=True).split(X, y))


def _curves(
    model: Any, X: Any, y: NDArray[Any], pos_label: Any, splits: Any
) -> list[OperatingCurve]:
    """Return the curve of the samples, or those of the test sets."""
    if splits is None:
        return [_curve(model, X, y, pos_label)]
    from sklearn.base import clone

    curves = []
    for train, test in splits:
        fitted = clone(model).fit(take_rows(X, train), y[train])
        curves.append(_curve(fitted, take_rows(X, test), y[test], pos_label))
    return curves


def _curve(model: Any, X: Any, y: NDArray[Any], pos_label: Any) -> OperatingCurve:
    scores = class_scores(model, X)
    classes = np.asarray(model.classes_)
    if pos_label not in classes:
        raise ValueError(
            f"The model has not been fitted with class {str(pos_label)!r}; its classes are "
            f"{classes.tolist()}. Choose one of them as pos_label."
        )
    return operating_curve(
        y, scores[:, np.flatnonzero(classes == pos_label)[0]], pos_label=pos_label
    )


def _draw(
    ax: Axes, name: str, curves: list[OperatingCurve], style: dict[str, Any], band: bool
) -> None:
    areas = np.array([curve.auc for curve in curves])
    if len(curves) == 1:
        (curve,) = curves
        label = f"{name}AUC {areas[0]:.3f}"
        ax.plot(curve.false_positive_rate, curve.recall, linewidth=1.6, label=label, **style)
        return
    rates = np.linspace(0, 1, _N_RATES)
    heights = np.array([height_at(curve, rates) for curve in curves])
    mean, spread = heights.mean(axis=0), heights.std(axis=0, ddof=1)
    label = f"{name}AUC {areas.mean():.3f} ± {areas.std(ddof=1):.3f}"
    # Every curve starts at the origin; at rate 0 it has risen already.
    ax.plot(np.append(0, rates), np.append(0, mean), linewidth=1.6, label=label, **style)
    if band:
        low, high = np.clip([mean - spread, mean + spread], 0, 1)
        ax.fill_between(rates, low, high, color=style["color"], alpha=0.12, linewidth=0)


def height_at(curve: OperatingCurve, rates: Floats) -> Floats:
    """Return the true positive rate of a curve at given false positive rates.

    The curve is interpolated between its points; where it is vertical, its upper end counts.
    """
    x, y = curve.false_positive_rate, curve.recall
    here = np.searchsorted(x, rates, side="right") - 1
    then = np.minimum(here + 1, len(x) - 1)
    step = np.where(then > here, x[then] - x[here], 1.0)
    return np.asarray(y[here] + (rates - x[here]) / step * (y[then] - y[here]))
