"""Promises of thresholds on later data of real tables, in random and in time order."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import TunedThresholdClassifierCV

from common import Measured
from rarewood import RareForestClassifier
from rarewood.operating import Costs, choose_threshold, operating_curve, out_of_fold_scores
from tables import LARGE, load_large

COSTS = Costs(fp=1, fn=15)
RULES = ["f", "recall>=0.8", "precision>=0.5", "alerts<=50/1000", "cost:fp=1,fn=15"]
HALF, PEER = "fixed at 1/2", "TunedThresholdClassifierCV"
MEASURES = ["recall", "precision", "f", "alerts_per_1000"]
N_TREES, N_RESAMPLES = 50, 400
RANDOM, IN_TIME = "random order", "time order"
HELD = "random order, held-out third"  # the threshold is chosen on a third of the past samples
N_DRAWS = 10  # of the random order
# Tables whose rows have an order in time, by the columns that sort them; bank_additional is in
# order as it is (its 26 months and 11 values of nr.employed follow one another).
TIME: dict[str, list[str]] = {
    "bank_additional": [],
    "nycflights_cancelled": ["month", "day", "sched_dep_time"],
}
# Samples to fit and choose, samples that come later, and the step between two draws in time.
SIZES = {"bank_additional": (4_000, 4_000, 2_000), "nycflights_cancelled": (6_000, 6_000, 12_000)}
USUAL = (4_000, 20_000, 0)


class Draw(NamedTuple):
    """Samples to fit and choose, and later ones."""

    table: str
    order: str
    number: int
    X: Any
    y: np.ndarray
    X_later: Any
    y_later: np.ndarray


def draws(folder: Path, name: str) -> Iterator[Draw]:
    """Yield the draws of a table."""
    X, y = load_large(folder, name)
    n_past, n_later, step = SIZES.get(name, USUAL)
    orders = [(order, number, None) for order in (RANDOM, HELD) for number in range(N_DRAWS)]
    if name in TIME:
        if TIME[name]:
            place = np.lexsort([X[column] for column in reversed(TIME[name])])
            X, y = X.iloc[place], y[place]
        starts = range(0, len(y) - n_past - n_later + 1, step)
        orders += [(IN_TIME, number, start) for number, start in enumerate(starts)]
    for order, number, start in orders:
        if start is None:
            rows = np.random.RandomState(number).permutation(len(y))[: n_past + n_later]
        else:
            rows = np.arange(start, start + n_past + n_later)
        past, later = rows[:n_past], rows[n_past:]
        yield Draw(name, order, number, X.iloc[past], y[past], X.iloc[later], y[later])


def key_of(draw: Draw) -> str:
    return f"{draw.table}|{draw.order}|{draw.number}"


def judged(draw: Draw) -> list[dict[str, Any]]:
    """Return promised intervals and what came, for every way to choose a threshold."""
    forest = RareForestClassifier(N_TREES, n_jobs=1, random_state=draw.number)
    y = draw.y
    if draw.order == HELD:
        n_fit = 2 * len(y) // 3
        fitted, y = forest.fit(draw.X.iloc[:n_fit], y[:n_fit]), y[n_fit:]
        held_out = fitted.predict_proba(draw.X.iloc[n_fit:])[:, 1]
    else:
        held_out = out_of_fold_scores(forest, draw.X, y, random_state=draw.number)[:, 1]
        fitted = forest.fit(draw.X, y)
    later = operating_curve(draw.y_later, fitted.predict_proba(draw.X_later)[:, 1], pos_label=1)
    found = []
    for rule in [*RULES, 0.5]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # no alert
            point = choose_threshold(
                y,
                held_out,
                rule,
                pos_label=1,
                costs=COSTS,
                unreachable="closest",
                n_bootstrap=N_RESAMPLES,
                random_state=draw.number,
            )
        counts = later.at(point.threshold)
        row = {"way": HALF if rule == 0.5 else rule, "cost": counts.cost_per_1000(COSTS)}
        for name in MEASURES:
            promised = getattr(point, name)
            came = counts.f() if name == "f" else getattr(counts, name)
            row[name] = [*promised.interval, promised.expected, float(came)]
        found.append(row)
    return found if draw.order == HELD else [*found, _peer(draw, forest, later)]


def _peer(draw: Draw, forest: Any, later: Any) -> dict[str, Any]:
    """Return the F that scikit-learn reports for its threshold, and what came; NaN if it fails."""
    nan = float("nan")
    tuned = TunedThresholdClassifierCV(forest, scoring="f1", cv=5, random_state=draw.number)
    try:
        tuned.fit(draw.X, draw.y)
    except ValueError as error:
        return {"way": PEER, "cost": nan, "f": [nan] * 4, "error": str(error)}
    counts = later.at(tuned.best_threshold_)
    promised = [nan, nan, float(tuned.best_score_), float(counts.f())]
    return {"way": PEER, "cost": counts.cost_per_1000(COSTS), "f": promised}


def measured(folder: Path, names: list[str]) -> Measured:
    """Compute the missing draws."""
    store = Measured("threshold_promises")
    for name in names:
        for draw in draws(folder, name):
            key = key_of(draw)
            if key not in store.entries and draw.y.sum() >= 10 and draw.y_later.sum() >= 10:
                store.add(key, judged(draw))
                print(key, flush=True)
    return store


def tables_of(
    store: Measured, later: dict[str, tuple[int, int]]
) -> dict[str, list[dict[str, str]]]:
    """Return the tables of the page."""
    rows = [
        {"key": key, "table": key.split("|")[0], "order": key.split("|")[1], **row}
        for key, entry in store.entries.items()
        for row in entry
    ]
    frame = pd.DataFrame(rows)
    if frame.empty:
        return {}
    frame["n_later"], frame["n_rare"] = zip(*frame["key"].map(later), strict=True)
    groups = {f"{order}, all tables": frame[frame["order"] == order] for order in (RANDOM, HELD)}
    for name in TIME:
        for order in (RANDOM, IN_TIME):
            some = frame[(frame["table"] == name) & (frame["order"] == order)]
            groups[f"{order}, {name}"] = some
    return {
        "Real tables: intervals that held on later samples": _held(groups),
        "Real tables: F, promised and what came": _f(groups),
    }


def _held(groups: dict[str, pd.DataFrame]) -> list[dict[str, str]]:
    found = []
    for words, some in groups.items():
        for way, part in some[some["way"] != PEER].groupby("way", sort=False):
            row = {"samples": words, "threshold": str(way), "draws": str(len(part))}
            for name in ("recall", "precision", "alerts_per_1000"):
                row[name] = _coverage(part, name)
            found.append(row)
    return found


def _coverage(part: pd.DataFrame, name: str) -> str:
    """Return how often the interval held, plain and with allowance for the later sample."""
    low, high, _, came = np.array(part[name].tolist(), dtype=float).T
    alerts = np.array(part["alerts_per_1000"].tolist(), dtype=float)[:, 3]
    n = {
        "recall": part["n_rare"].to_numpy(),
        "precision": part["n_later"].to_numpy() * alerts / 1000,
        "alerts_per_1000": part["n_later"].to_numpy(),
    }[name]
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = 1000 if name == "alerts_per_1000" else 1
        noise = 1.96 * scale * np.sqrt(came / scale * (1 - came / scale) / n)
    known = ~np.isnan(low + high + came + noise)
    if not known.any():
        return "-"
    low, high, came, noise = low[known], high[known], came[known], noise[known]
    middle, half = (low + high) / 2, (high - low) / 2
    plain = np.mean(np.abs(came - middle) <= half)
    wide = np.mean(np.abs(came - middle) <= np.hypot(half, noise))
    return f"{100 * plain:.0f}% / {100 * wide:.0f}% (width {np.median(2 * half):.3g})"


def later_sizes(folder: Path, names: list[str]) -> dict[str, tuple[int, int]]:
    """Return the numbers of later samples and of rare ones among them, by draw."""
    return {
        key_of(draw): (len(draw.y_later), int(draw.y_later.sum()))
        for name in names
        for draw in draws(folder, name)
    }


def _f(groups: dict[str, pd.DataFrame]) -> list[dict[str, str]]:
    found = []
    for words, some in groups.items():
        for way in ("f", PEER, HALF):
            part = some[some["way"] == way]
            if part.empty:
                continue
            values = np.array(part["f"].tolist(), dtype=float)
            promised, came = values[:, 2], values[:, 3]
            found.append(
                {
                    "samples": words,
                    "threshold": "choose_threshold, f" if way == "f" else way,
                    "F that came": f"{np.nanmean(came):.4f}",
                    "promised - came, mean": f"{np.nanmean(promised - came):+.4f}",
                    "mean distance": f"{np.nanmean(np.abs(promised - came)):.4f}",
                    "cost per 1000": f"{part['cost'].mean():.1f}",
                    "failed": f"{int(np.isnan(came).sum())} of {len(part)}",
                }
            )
    return found


NOTE = (
    f"The last two tables are about real data. A forest of {N_TREES} trees is fitted to past "
    "samples, thresholds are chosen on its out-of-fold scores in five folds, and recall, precision "
    "and alerts are counted on later samples. A promise held if the value that came lies in the "
    "95% interval. The interval is for the long run, and later samples are finite; so the second "
    "percentage allows for the chance of the later samples (their binomial error is added to the "
    f"half width, in squares), and would be 95 if all else were right. Random order: {N_DRAWS} "
    f"draws of each of the {len(LARGE)} large tables, {USUAL[0]:,} past and up to {USUAL[1]:,} "
    "later samples. Held-out third: the forest is fitted to two thirds of the past samples, the "
    "threshold is chosen on the rest, and nothing is fitted again. Time order: consecutive samples "
    "of bank_additional (4,000 past, the next 4,000 later, in steps of 2,000) and "
    "nycflights_cancelled (6,000, about a week, and the next 6,000, every second week); the random "
    "draws of these two tables have the same numbers of samples. Draws with fewer than ten rare "
    f"samples on a side are left out, for precision also those "
    f"without an alert. {PEER} reports a mean F of the folds at its threshold "
    "(`best_score_`), without an interval, and fails if a forest gives the samples of a fold one "
    "probability; at 1/2, the promise is that of `choose_threshold` for a given threshold. A false "
    "alert costs 1, a miss 15."
)
