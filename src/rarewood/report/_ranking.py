"""Ranking of the models on one data set, with tests of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.evaluate import Results, corrected_resampled_ttest, holm
from rarewood.report._plain import plain

Floats = NDArray[np.float64]

# Metrics in the order of the table, with their labels and descriptions.
SHOWN = {
    "average_precision": ("Average precision", "area under the precision-recall curve"),
    "auc": ("ROC AUC", "probability that a rare row has a higher score than another row"),
    "f_measure": (
        "F-measure at 0.5",
        "of the rare class, at the default threshold: 0.5 for probabilities",
    ),
    "mcc": ("MCC at 0.5", "Matthews correlation coefficient, at the default threshold"),
    "g_mean": ("G-mean at 0.5", "geometric mean of the recalls, at the default threshold"),
    "balanced_accuracy": (
        "Balanced accuracy at 0.5",
        "mean of the recalls, at the default threshold",
    ),
    "brier": ("Brier score", "mean squared error of the probabilities; lower is better"),
    "log_loss": ("Log loss", "of the probabilities; lower is better"),
    "fit_time": ("Fit time (s)", "mean time to fit a fold, in seconds"),
    "predict_time": ("Prediction (ms)", "mean time to predict 1,000 rows of a fold together"),
    "model_size": ("Size (kB)", "mean size of the fitted model, pickled"),
}
_COSTS = ("fit_time", "predict_time", "model_size")  # of a model, not measures of its quality
# Descriptions that differ with more than two classes.
_SEVERAL = {
    "f_measure": "of the rare class, for the most probable class",
    "mcc": "Matthews correlation coefficient, for the most probable class",
    "g_mean": "geometric mean of the recalls, for the most probable class",
    "balanced_accuracy": "mean recall, for the most probable class",
    "auc": "Hand and Till: mean over all pairs of classes",
    "average_precision": "area under the precision-recall curve of the rare class against the rest",
    "brier": "mean squared error of the probabilities of all classes; lower is better",
}
# The Brier score is a sum over several classes.
_BOUNDS = {
    "mcc": (-1.0, 1.0),
    "brier": (0.0, 2.0),
}
_LEVEL, _ALPHA = 0.95, 0.05


def rank_models(
    results: Results, dataset: str, metric: str, extra: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return means, intervals, ranks and tests of every metric over the folds of a data set.

    Models are in the order of ``metric``, the best first; those without a score are last. ``extra``
    is a metric with "name", "label", "about", "higher_is_better", "bounds" and "scores" of shape
    (n_models, n_folds), which the models are ranked by instead.
    """
    place = results.datasets.index(dataset)
    has_several = len(results.classes(dataset)[0]) > 2
    cells = [cell for cell in results.cells if cell.dataset == dataset]
    ratio = float(np.mean([c.n_test for c in cells]) / np.mean([c.n_train for c in cells]))
    if metric not in results.metrics:
        known = ", ".join(results.metrics)
        raise ValueError(f"metric must be one of {known}, which the results have; got {metric!r}.")
    names = [name for name in dict.fromkeys([*SHOWN, metric]) if name in results.metrics]
    scores = {name: results.scores(name)[place] for name in names}
    seconds = [_mean(row) for row in scores["fit_time"] + scores["predict_time"]]
    scores["predict_time"] = scores["predict_time"] * (1e6 / np.mean([c.n_test for c in cells]))
    if "model_size" in scores:
        scores["model_size"] = scores["model_size"] / 1000
    is_higher = dict(results.metrics)
    if extra is not None:
        metric = extra["name"]
        scores = {metric: extra["scores"]} | scores
        is_higher[metric] = extra["higher_is_better"]
    means = [_mean(row) for row in scores[metric]]
    sign = -1 if is_higher[metric] else 1
    order = np.argsort(sign * np.array(means), kind="stable")  # NaN is last
    shown = {name: values[order] for name, values in scores.items() if not np.isnan(values).all()}
    return {
        "metric": metric,
        "models": [results.models[i] for i in order],
        "n_folds": int(scores[metric].shape[1]),
        "level": _LEVEL,
        "alpha": _ALPHA,
        "seconds": plain([seconds[i] for i in order]),
        "metrics": [
            _one_metric(name, values, is_higher[name], ratio, _range(name, is_higher[name], extra))
            | {"is_quality": name not in _COSTS}
            | _words(name, has_several, extra)
            for name, values in shown.items()
        ],
    }


def _words(name: str, has_several: bool, extra: dict[str, Any] | None) -> dict[str, str]:
    """Return the label and the description of a metric where they differ from ``SHOWN``."""
    if extra is not None and name == extra["name"]:
        return {"label": extra["label"], "about": extra["about"]}
    if not has_several or name not in _SEVERAL:
        return {}
    return {"label": SHOWN[name][0].removesuffix(" at 0.5"), "about": _SEVERAL[name]}


def _range(name: str, is_higher: bool, extra: dict[str, Any] | None) -> tuple[float, float]:
    """Return the lowest and the highest value of a metric."""
    if extra is not None and name == extra["name"]:
        low, high = extra["bounds"]
        return float(low), float(high)
    return _BOUNDS.get(name, (0.0, 1.0 if is_higher else np.inf))


def _one_metric(
    name: str, values: Floats, is_higher: bool, ratio: float, bounds: tuple[float, float]
) -> dict[str, Any]:
    """Return the results of one metric; ``values`` has shape (n_models, n_folds)."""
    from scipy.stats import rankdata

    complete: NDArray[np.bool_] = np.asarray(~np.isnan(values).all(axis=1))
    ranks = np.full(len(values), np.nan)
    whole = values[:, ~np.isnan(values[complete]).any(axis=0)][complete]
    if whole.size:
        # As ScoreMatrix.ranks, which needs two models and two folds.
        rounded = np.round(-whole if is_higher else whole, 12)
        ranks[complete] = rankdata(rounded, axis=0).mean(axis=1)
    p_values = _tests(values, ratio)
    all_pairs = _adjusted(p_values, len(values))
    # Models without a score are in no group.
    same = [[p is not None and p >= _ALPHA for p in row] for row in all_pairs]
    means = [_mean(row) for row in values]
    best = int(np.nanargmax(means) if is_higher else np.nanargmin(means))
    other = name.replace("_", " ").capitalize(), f"{'higher' if is_higher else 'lower'} is better"
    label, about = SHOWN.get(name, other)
    return {
        "name": name,
        "label": label,
        "about": about,
        "higher_is_better": is_higher,
        "values": [interval(row[~np.isnan(row)], ratio, bounds) for row in values],
        "ranks": plain(ranks),
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
    """Return the mean of scores of folds with its confidence interval, clipped to ``bounds``.

    ``ratio`` is the number of test rows per training row. The correction of Nadeau and Bengio adds
    it to the variance, since the training sets of the folds overlap. "half" is half the width
    before clipping; values that cannot be computed are None.
    """
    from scipy.stats import t

    n = len(values)
    mean = float(values.mean()) if n else None
    if mean is None or n == 1:
        return {"mean": mean, "half": None, "low": None, "high": None, "n": n}
    error = float(np.sqrt((1 / n + ratio) * values.var(ddof=1)))
    half = float(t.ppf((1 + level) / 2, n - 1)) * error
    low, high = max(mean - half, bounds[0]), min(mean + half, bounds[1])
    found: dict[str, Any] = plain({"mean": mean, "half": half, "low": low, "high": high, "n": n})
    return found


def _tests(values: Floats, ratio: float) -> dict[tuple[int, int], float]:
    """Return p-values of the corrected resampled t-test of pairs with two common folds."""
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
    """Return the maximal cliques of a relation (Bron and Kerbosch).

    "No significant difference" is not transitive, so groups may overlap.
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
