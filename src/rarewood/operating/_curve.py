"""Counts of true and false alerts at every threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._docstrings import documented
from rarewood.operating._confusion import COUNTS, Confusion
from rarewood.operating._labelled_scores import read_scores

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class OperatingCurve(Confusion):
    """Counts of true and false alerts at every distinct threshold.

    The first point lies just above the highest score, where nothing raises an alert; then follows
    every distinct score in descending order. At the last point everything raises an alert.

    The measures of :class:`Confusion`, such as ``recall``, ``precision`` and ``f``, are arrays with
    one value per point.

    Attributes
    ----------
    threshold : ndarray of shape (n_points,)
        Thresholds, descending.
    tp, fp, fn, tn : ndarray of shape (n_points,)
        Numbers of samples at each point, or sums of their weights.
    pos_label : label
        The positive class.
    n_effective : tuple of float
        Kish's effective sample size of the positives and of the negatives; without weights, their
        numbers.
    """

    threshold: Floats
    pos_label: Any
    n_effective: tuple[float, float]

    def __len__(self) -> int:
        return len(self.threshold)

    @property
    def n_positive(self) -> Any:
        """Number of positive samples, or their weight."""
        return self.tp[-1].item()

    @property
    def n_samples(self) -> Any:
        """Number of samples, or their weight."""
        return self.alerts[-1].item()

    @property
    def auc(self) -> float:
        """Area under the ROC curve."""
        widths, recall = np.diff(self.false_positive_rate), self.recall
        return float((widths * (recall[1:] + recall[:-1]) / 2).sum())  # trapezoids

    @property
    def average_precision(self) -> float:
        """Average precision: the precision at each point, weighted by the increase of recall."""
        return float(np.sum(np.diff(self.recall) * self.precision[1:]))

    def at(self, threshold: float) -> Confusion:
        """Return the counts at any threshold.

        Parameters
        ----------
        threshold : float
            Lowest score that raises an alert.

        Returns
        -------
        counts : Confusion
            The four counts.
        """
        return self.take(self.place(threshold))

    def place(self, threshold: float) -> int:
        """Find the point with the same alerts as a threshold.

        Parameters
        ----------
        threshold : float
            Any number.

        Returns
        -------
        place : int
            Index of the last point whose threshold is not below it.
        """
        if np.isnan(threshold):
            raise ValueError("The threshold is NaN; it must be a number.")
        n_above = np.searchsorted(-self.threshold, -float(threshold), side="right")
        return max(int(n_above) - 1, 0)

    def corners(self) -> Places:
        """Find the points at which a positive is gained, and the first point.

        The best point by F-measure, by cost, or under a floor of recall or precision is among them,
        since additional false alerts alone improve none of these.

        Returns
        -------
        places : ndarray of int
            Ascending indices of points.
        """
        return np.append(0, np.flatnonzero(np.diff(self.tp)) + 1)

    def hull(self) -> Places:
        """Find the points of lowest cost for some costs: the convex hull of the ROC curve.

        Returns
        -------
        places : ndarray of int
            Ascending indices of points, including the first and the last.
        """
        places: list[int] = []
        candidates = np.union1d(self.corners(), len(self) - 1).tolist()
        tp, fp = self.tp.tolist(), self.fp.tolist()
        for here in candidates:
            while len(places) > 1:
                a, b = places[-2], places[-1]
                # b stays if the curve bends down there.
                if (tp[b] - tp[a]) * (fp[here] - fp[b]) > (tp[here] - tp[b]) * (fp[b] - fp[a]):
                    break
                places.pop()
            places.append(here)
        return np.array(places, dtype=np.intp)

    def thin(self, n_points: int = 512, *, betas: Sequence[float] = (0.5, 1.0, 2.0)) -> Places:
        """Choose a few points that represent the curve.

        Parameters
        ----------
        n_points : int, default=512
            Maximum number of points, at least 8.
        betas : sequence of float, default=(0.5, 1.0, 2.0)
            The points with the best F-measures for these are kept.

        Returns
        -------
        places : ndarray of int
            Ascending indices of points. The first and the last point and the best by F are kept
            first; then, as far as ``n_points`` allows, those of :meth:`hull`; then others, half of
            them uniformly over the recall and half over the logarithm of the number of alerts.
            Counts are never averaged.
        """
        if n_points < 8:
            raise ValueError(f"n_points={n_points!r} must be at least 8.")
        if len(self) <= n_points:
            return np.arange(len(self))
        best = [int(self.f(beta).argmax()) for beta in betas]
        kept = np.unique([0, len(self) - 1, *best])
        new, n_free = np.setdiff1d(self.hull(), kept), max(n_points - len(kept), 0)
        if len(new) > n_free:  # at equal distances
            new = new[np.linspace(0, len(new) - 1, n_free).astype(np.intp)]
        kept = np.union1d(kept, new)
        n_free = n_points - len(kept)
        for amount, n_new in ((self.recall, n_free // 2), (np.log1p(self.alerts), n_free)):
            room = min(n_new, n_points - len(kept))
            goals = np.linspace(0, amount[-1], room + 2)[1:-1]
            kept = np.union1d(kept, np.searchsorted(amount, goals).clip(0, len(self) - 1))
        return kept

    def to_dict(self, n_points: int | None = None) -> dict[str, Any]:
        """Convert the curve to JSON types.

        Parameters
        ----------
        n_points : int, default=None
            Maximum number of points, chosen by :meth:`thin`. By default all points.

        Returns
        -------
        curve : dict
            Lists "threshold", "tp", "fp", "fn", "tn", "alerts", "precision", "recall" and "f1",
            the numbers "n_samples", "n_positive" and "n_points" (of the whole curve), and
            "pos_label". Undefined precisions are None.
        """
        places = np.arange(len(self)) if n_points is None else self.thin(n_points)
        counts = self.take(places)
        precision = counts.precision.tolist()
        return {
            "pos_label": self.pos_label,
            "n_samples": self.n_samples,
            "n_positive": self.n_positive,
            "n_points": len(self),
            "threshold": self.threshold[places].tolist(),
            **{name: getattr(counts, name).tolist() for name in (*COUNTS, "alerts")},
            "precision": [None if value != value else value for value in precision],
            "recall": counts.recall.tolist(),
            "f1": counts.f().tolist(),
        }

    def __repr__(self) -> str:
        return (
            f"OperatingCurve({len(self)} points, {self.n_samples:g} samples, "
            f"{self.n_positive:g} of class {self.pos_label!r})"
        )


@documented
def operating_curve(
    y: Any, scores: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> OperatingCurve:
    """Count true and false alerts at every threshold.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of any type. Classes other than ``pos_label`` are the negatives.
    scores : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores of the positive class, higher for more likely; or one column for each class in the
        order of the sorted labels, as ``predict_proba`` returns. They should come from models that
        were not trained on the samples: :func:`out_of_fold_scores`, :func:`out_of_bag_scores`, or
        held-out samples.
    {pos_label}
    {sample_weight}

    Returns
    -------
    curve : OperatingCurve
        Counts at every distinct score, and above the highest.

    Examples
    --------
    >>> from rarewood.operating import operating_curve
    >>> curve = operating_curve(["no", "no", "yes", "no", "yes"], [0.1, 0.2, 0.3, 0.3, 0.9])
    >>> curve
    OperatingCurve(5 points, 5 samples, 2 of class 'yes')
    >>> curve.threshold[1:]
    array([0.9, 0.3, 0.2, 0.1])
    >>> curve.tp, curve.fp
    (array([0, 1, 2, 2, 2]), array([0, 0, 1, 2, 3]))
    >>> curve.at(0.5)
    Confusion(tp=1, fp=0, fn=1, tn=3)
    """
    is_positive, values, weights, label = read_scores(y, scores, pos_label, sample_weight)
    order = np.argsort(-values, kind="stable")
    falling = values[order] + 0.0  # no negative zero
    ends = np.append(np.flatnonzero(np.diff(falling)), len(order) - 1)
    threshold = np.append(np.nextafter(falling[0], np.inf), falling[ends])
    tp = _running(is_positive, weights, order, ends)
    fp = _running(~is_positive, weights, order, ends)
    # The totals are the last running sums, so that fn and tn are exactly 0 at the last point.
    sizes = _effective(is_positive, weights), _effective(~is_positive, weights)
    return OperatingCurve(tp, fp, tp[-1] - tp, fp[-1] - fp, threshold, label, sizes)


def _running(
    which: NDArray[np.bool_], weights: Floats | None, order: Places, ends: Places
) -> NDArray[Any]:
    amounts = which.astype(np.int64) if weights is None else np.where(which, weights, 0.0)
    sums: NDArray[Any] = np.append(amounts.dtype.type(0), np.cumsum(amounts[order])[ends])
    return sums


def _effective(which: NDArray[np.bool_], weights: Floats | None) -> float:
    if weights is None:
        return float(which.sum())
    scaled = weights[which] / weights[which].max()
    return float(scaled.sum() ** 2 / (scaled @ scaled))
