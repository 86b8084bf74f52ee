"""Which model is best on one data set, and which of them can be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import Results, corrected_resampled_ttest, holm

__all__ = ["SHOWN", "cliques", "interval", "rank_models"]

Floats = NDArray[np.float64]

# Metrics of the ranking, in the order of the table, with their names and what they say.
SHOWN = {
    "average_precision": ("Average precision", "area under the precision-recall curve"),
    "auc": ("ROC AUC", "how often a rare row gets a higher score than another row"),
    "f_measure": ("F-measure", "of the rare class, by the model's own labels"),
    "mcc": ("MCC", "correlation of labels and truth"),
    "g_mean": ("G-mean", "geometric mean of the recalls of the classes"),
    "balanced_accuracy": ("Balanced accuracy", "mean of the recalls of the classes"),
    "brier": ("Brier score", "squared error of the probabilities; small is good"),
    "log_loss": ("Log loss", "of the probabilities; small is good"),
    "fit_time": ("Seconds to fit", "on the training rows of a fold"),
}
# What they are with more than two classes, where that is something else.
_SEVERAL = {
    "auc": "Hand's and Till's: mean over all pairs of classes",
    "average_precision": "area under the precision-recall curve of the rare class against the rest",
    "brier": "squared error of the probabilities of all classes; small is good",
}
_SHARE = (0.0, 1.0)
_BOUNDS = {"mcc": (-1.0, 1.0), "log_loss": (0.0, np.inf), "fit_time": (0.0, np.inf)}
_BOUNDS["brier"] = (0.0, 2.0)  # beyond two classes it is a sum over them
_LEVEL, _ALPHA = 0.95, 0.05


def rank_models(results: Results, dataset: str, metric: str) -> dict[str, Any]:
    """Return every metric's means, intervals, ranks and tests over the folds of a data set.

    Parameters
    ----------
    results : Results
        Of a comparison.
    dataset : str
        Name of the data set.
    metric : str
        The one that the models are ordered by.

    Returns
    -------
    ranking : dict
        JSON-safe. Models are in the order of ``metric``, the best first; those without a score
        are last.
    """
    place = results.datasets.index(dataset)
    has_several = len(results.classes(dataset)[0]) > 2
    cells = [cell for cell in results.cells if cell.dataset == dataset]
    ratio = float(np.mean([c.n_test for c in cells]) / np.mean([c.n_train for c in cells]))
    scores = {name: results.scores(name)[place] for name in SHOWN if name in results.metrics}
    if metric not in scores:
        raise ValueError(
            f"The results cannot be ordered by {metric!r}; take one of {', '.join(scores)}."
        )
    means = [_mean(row) for row in scores[metric]]
    sign = -1 if results.metrics[metric] else 1
    worst = float("inf")
    order = sorted(
        range(len(means)), key=lambda i: worst if np.isnan(means[i]) else sign * means[i]
    )
    shown = {name: values[order] for name, values in scores.items() if not np.isnan(values).all()}
    return {
        "metric": metric,
        "models": [results.models[i] for i in order],
        "n_folds": int(scores[metric].shape[1]),
        "level": _LEVEL,
        "alpha": _ALPHA,
        "metrics": [
            _one_metric(name, values, results.metrics[name], ratio)
            | ({"about": _SEVERAL[name]} if has_several and name in _SEVERAL else {})
            for name, values in shown.items()
        ],
    }


def _one_metric(name: str, values: Floats, is_higher: bool, ratio: float) -> dict[str, Any]:
    """Everything about one metric; ``values`` is models by folds."""
    from scipy.stats import rankdata

    complete: NDArray[np.bool_] = np.asarray(~np.isnan(values).all(axis=1))
    ranks: list[float | None] = [None] * len(values)
    whole = values[:, ~np.isnan(values[complete]).any(axis=0)][complete]
    if whole.size:
        # As ScoreMatrix.ranks, which refuses a single model or a single fold.
        average = rankdata(np.round(-whole if is_higher else whole, 12), axis=0).mean(axis=1)
        for i, rank in zip(np.flatnonzero(complete).tolist(), average.tolist(), strict=True):
            ranks[i] = rank
    p_values = _tests(values, ratio)
    all_pairs = _adjusted(p_values, len(values))
    # Models without a score are alike to none, so they stand alone and are in no group.
    same = [[p is not None and p >= _ALPHA for p in row] for row in all_pairs]
    means = [_mean(row) for row in values]
    best = int(np.nanargmax(means) if is_higher else np.nanargmin(means))
    label, about = SHOWN[name]
    bounds = _BOUNDS.get(name, _SHARE)
    return {
        "name": name,
        "label": label,
        "about": about,
        "higher_is_better": is_higher,
        "values": [interval(row[~np.isnan(row)], ratio, bounds) for row in values],
        "ranks": ranks,
        "p_holm": all_pairs,
        "best": best,
        "p_best": _adjusted({k: p for k, p in p_values.items() if best in k}, len(values))[best],
        "groups": [group for group in cliques(same) if len(group) > 1],
    }


def _mean(row: Floats) -> float:
    return float(np.nanmean(row)) if not np.isnan(row).all() else float("nan")


def interval(
    values: Floats, ratio: float, bounds: tuple[float, float], level: float = _LEVEL
) -> dict[str, Any]:
    """Return the mean of the folds' scores and its confidence interval.

    Parameters
    ----------
    values : ndarray
        A score for every fold of every repeat.
    ratio : float
        Test rows for each training row. Nadeau's and Bengio's correction adds it to the variance,
        since the training rows of the folds overlap.
    bounds : (float, float)
        What the mean can be; the interval ends there.
    level : float, default=0.95
        How often such an interval holds the true mean.

    Returns
    -------
    interval : dict
        "mean", "half" of the interval's width before it is cut at the bounds, "low" and "high",
        and the number of folds, "n"; None where they are not known.
    """
    from scipy.stats import t

    n = len(values)
    mean = float(values.mean()) if n else None
    if mean is None or n == 1:
        return {"mean": mean, "half": None, "low": None, "high": None, "n": n}
    error = float(np.sqrt((1 / n + ratio) * values.var(ddof=1)))
    half = float(t.ppf((1 + level) / 2, n - 1)) * error
    low, high = max(mean - half, bounds[0]), min(mean + half, bounds[1])
    return {
        "mean": mean,
        "half": half,
        "low": low,
        "high": high if np.isfinite(high) else None,
        "n": n,
    }


def _tests(values: Floats, ratio: float) -> dict[tuple[int, int], float]:
    """P-values of the corrected resampled t-test of all pairs that have two folds in common."""
    found = {}
    for i, j in combinations(range(len(values)), 2):
        diffs = values[i] - values[j]
        diffs = diffs[~np.isnan(diffs)]
        if len(diffs) > 1:
            found[i, j] = corrected_resampled_ttest(diffs, 1.0, ratio).pvalue
    return found


def _adjusted(p_values: dict[tuple[int, int], float], k: int) -> list[list[float | None]]:
    """The p-values of pairs adjusted by Holm for their number, as a table; None where untested."""
    adjusted = dict(zip(p_values, holm(list(p_values.values())).tolist(), strict=True))
    return [[adjusted.get((min(i, j), max(i, j))) for j in range(k)] for i in range(k)]


def cliques(same: Sequence[Sequence[bool]]) -> list[list[int]]:
    """Return the largest groups within which every pair is the same (Bron and Kerbosch).

    "Not told apart" is not transitive, so groups may overlap; a group need not be a run of
    neighbours either.
    """
    near = [{j for j, is_same in enumerate(row) if is_same and j != i}
            for i, row in enumerate(same)]  # fmt: skip
    found: list[list[int]] = []

    def grow(group: set[int], able: set[int], done: set[int]) -> None:
        if not able and not done:
            found.append(sorted(group))
            return
        pivot = max(able | done, key=lambda i: (len(near[i] & able), -i))
        for i in sorted(able - near[pivot]):
            grow(group | {i}, able & near[i], done & near[i])
            able = able - {i}
            done = done | {i}

    grow(set(), set(range(len(near))), set())
    return sorted(found)
