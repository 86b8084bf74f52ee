"""Page of the comparison with methods for rare classes: goals, tables and figure."""

from __future__ import annotations

import argparse

import pandas as pd

from common import machine, write_report
from imbalance_figure import draw
from imbalance_methods import (
    N_BEST,
    N_TUNED_TABLES,
    TUNED,
    best_methods,
    finished,
    ranks_by_source,
)
from imbalance_models import BASE, METHODS, N_TRIALS, OURS
from imbalance_remote import OTHER, PINNED, process
from imbalance_tables import MOST_TEST, MOST_TRAIN, source
from rankings import METRICS, Rows, oriented, pairs
from tables import LARGE

AT_THRESHOLD = {
    "f_tuned": "F",
    "macro_f_tuned": "macro F",
    "balanced_accuracy_tuned": "balanced accuracy",
}
WORDS = METRICS | AT_THRESHOLD
GOAL = 0.005  # largest accepted shortfall in average precision to the best tuned method


def write(cells: pd.DataFrame, options: argparse.Namespace, order: list[str]) -> None:
    """Write the page and the figure."""
    default = cells[cells["model"].isin(METHODS)]
    scores = {m: oriented(finished(default, m, list(METHODS)), m) for m in WORDS}
    seconds = finished(default, "fit_cpu", list(METHODS)).median()
    ranks = {metric: ranks_by_source(table) for metric, table in scores.items()}
    means = {metric: means_by_source(table) for metric, table in scores.items()}
    tuned = Tuned(cells)
    draw(means["average_precision"], seconds)
    tables = {
        "Means and mean ranks": overview(means, ranks, seconds),
        "At tuned thresholds": at_thresholds(means, ranks),
        f"{OURS} against each method": against(scores),
        "Tuned methods": tuned.rows(),
        f"Largest losses of {OURS} in average precision": losses(scores["average_precision"]),
        "Average precision, large tables": large(scores["average_precision"]),
        "Failed fits": failures(default),
    }
    notes = [*answers(ranks, tuned), *set_up(scores["auc"], cells, options, order)]
    write_report("imbalance_methods", "Methods for rare classes", notes, tables)


def filled(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores, with those of the forest without a method where a method failed."""
    return scores.apply(lambda column: column.fillna(scores[BASE]))


def means_by_source(scores: pd.DataFrame) -> pd.Series:
    """Return means with one vote per source."""
    return filled(scores).groupby([source(name) for name in scores.index]).mean().mean()


def overview(means: dict, ranks: dict, seconds: pd.Series) -> Rows:
    rows = []
    for name in ranks["average_precision"].sort_values(kind="stable").index:
        row = {"method": name, "kind": METHODS[name].kind}
        for metric, word in METRICS.items():
            row[word] = f"{abs(means[metric][name]):.4f}"
            row[f"{word}, rank"] = f"{ranks[metric][name]:.2f}"
        rows.append(row | {"fit, CPU s": f"{seconds[name]:.3f}"})
    return rows


def at_thresholds(means: dict, ranks: dict) -> Rows:
    rows = []
    for name in ranks["f_tuned"].sort_values(kind="stable").index:
        row = {"method": name}
        for metric, word in AT_THRESHOLD.items():
            row[word] = f"{means[metric][name]:.4f}"
            row[f"{word}, rank"] = f"{ranks[metric][name]:.2f}"
        rows.append(row)
    return rows


def against(scores: dict[str, pd.DataFrame]) -> Rows:
    """Gains over each method by source, on the tables on which it did not fail."""
    by_source = {
        metric: table.groupby([source(name) for name in table.index]).mean()
        for metric, table in scores.items()
    }
    found: dict[str, dict[str, str]] = {}
    for row in pairs(by_source, OURS):
        if row["metric"] in ("average precision", "log loss"):
            name = row["peer"].removesuffix(" (best peer)")
            line = found.setdefault(name, {"method": name})
            line[f"{row['metric']}, mean gain"] = row["mean gain"]
            line[f"{row['metric']}, wins/draws/losses"] = row["wins/draws/losses"]
            line[f"{row['metric']}, Holm p"] = row["Holm p"]
    return list(found.values())


def losses(scores: pd.DataFrame, n: int = 10) -> Rows:
    """Return the tables with the largest losses to the best method on the table."""
    peers = scores.drop(columns=OURS)
    loss = (peers.max(axis=1) - scores[OURS]).nlargest(n)
    return [
        {
            "table": name,
            OURS: f"{scores.loc[name, OURS]:.4f}",
            "best method": f"{peers.loc[name].idxmax()} ({peers.loc[name].max():.4f})",
            BASE: f"{scores.loc[name, BASE]:.4f}",
            "methods with a higher score": str(
                int((peers.loc[name] > scores.loc[name, OURS]).sum())
            ),
        }
        for name in loss.index
    ]


def large(scores: pd.DataFrame) -> Rows:
    names = [name for name in LARGE if name in scores.index]
    if not names:
        return []
    some = scores.loc[names]
    order = some.fillna(0).mean().sort_values(ascending=False).index
    return [
        {"method": m}
        | {t: "-" if pd.isna(some.loc[t, m]) else f"{some.loc[t, m]:.4f}" for t in names}
        for m in order
    ]


def failures(cells: pd.DataFrame) -> Rows:
    rows = []
    failed = cells[cells["error"].notna()]
    for name, some in failed.groupby("model"):
        is_late = some["error"].str.startswith("TimeLimit")
        reasons = some["error"][~is_late].value_counts()
        rows.append(
            {
                "method": str(name),
                "fits": str(int((cells["model"] == name).sum())),
                "over the time limit": str(int(is_late.sum())),
                "error": str(int((~is_late).sum())),
                "most frequent error": _reason(reasons.index[0]) if len(reasons) else "-",
            }
        )
    return sorted(rows, key=lambda row: -int(row["error"]) - int(row["over the time limit"]))


def _reason(error: str) -> str:
    return error.removeprefix("RuntimeError: ").replace("|", "/")


class Tuned:
    """Results of the tuned methods, and of their defaults on the same tables."""

    def __init__(self, cells: pd.DataFrame) -> None:
        names = [n for n in cells["model"].unique() if n.endswith(TUNED)]
        both = [*names, *(name.removesuffix(TUNED) for name in names)]
        self.scores = {
            m: oriented(finished(cells, m, both), m) for m in ("average_precision", "log_loss")
        }
        self.seconds = finished(cells, "fit_cpu", both).median()
        self.n_tables = len(self.scores["average_precision"])

    def means(self, metric: str) -> pd.Series:
        table = self.scores[metric]
        full = table.apply(lambda column: column.fillna(table.min(axis=1)))
        return full.groupby([source(name) for name in table.index]).mean().mean()

    def shortfall(self) -> tuple[str, float]:
        """Return the best tuned method, and how much better it is than our default."""
        means = self.means("average_precision")
        peers = means[[n for n in means.index if n.endswith(TUNED) and not n.startswith(OURS)]]
        return str(peers.idxmax()), float(peers.max() - means[OURS])

    def rows(self) -> Rows:
        if not self.n_tables:
            return []
        means = {metric: self.means(metric) for metric in self.scores}
        ranks = {metric: ranks_by_source(table) for metric, table in self.scores.items()}
        table = self.scores["average_precision"]
        return [
            {
                "method": name,
                "average precision": f"{means['average_precision'][name]:.4f}",
                "average precision, rank": f"{ranks['average_precision'][name]:.2f}",
                "wins/draws/losses of our default": duel(table[OURS], table[name]),
                "log loss": f"{-means['log_loss'][name]:.4f}",
                "log loss, rank": f"{ranks['log_loss'][name]:.2f}",
                "fit, CPU s": f"{self.seconds[name]:.3f}",
                "failed": str(int(table[name].isna().sum())),
            }
            for name in means["average_precision"].sort_values(ascending=False).index
        ]


def duel(one: pd.Series, other: pd.Series) -> str:
    gain = (one - other).dropna()
    return f"{(gain > 0).sum()}/{(gain == 0).sum()}/{(gain < 0).sum()}"


def answers(ranks: dict[str, pd.Series], tuned: Tuned) -> list[str]:
    """Whether the goals are met."""
    found = ["![Quality against cost](imbalance_methods.svg)"]
    for metric in ("average_precision", "log_loss"):
        ordered = ranks[metric].sort_values(kind="stable")
        place = list(ordered.index).index(OURS) + 1
        others = ordered.drop(OURS)
        plain = ", the forest without a method" if others.index[0] == BASE else ""
        found.append(
            f"**{WORDS[metric][0].upper()}{WORDS[metric][1:]}, defaults.** {OURS} has place "
            f"{place} of {len(ordered)}, with the mean rank {ordered[OURS]:.2f}; the best other "
            f"method is {others.index[0]}{plain} ({others.iloc[0]:.2f}). The goal, the first "
            f"place, is {'reached' if place == 1 else '**not** reached'}."
        )
    if tuned.n_tables:
        name, short = tuned.shortfall()
        word = "reached" if short <= GOAL else "**not** reached"
        found.append(
            f"**Against tuned methods.** Our default without tuning has a mean average precision "
            f"{abs(short):.4f} {'below' if short > 0 else 'above'} the best tuned method, {name}, "
            f"on {tuned.n_tables} tables of different sources. The goal, at most {GOAL} below, is "
            f"{word}."
        )
    return found


def set_up(
    auc: pd.DataFrame, cells: pd.DataFrame, options: argparse.Namespace, order: list
) -> list:
    n_sources = len({source(name) for name in auc.index})
    names = cells["model"][cells["model"].str.endswith(TUNED)].unique()
    tuned = [name.removesuffix(TUNED) for name in names if not name.startswith(OURS)]
    best = best_methods(cells)
    left = [name for name in order if name not in auc.index]
    n_large = sum(name in LARGE for name in auc.index)
    try:
        other = process(OTHER).ask("versions", packages=["imbens", "sklearn", "numpy"])
    except OSError:
        other = {}
    theirs = ", ".join(f"{name} {version}" for name, version in other.items())
    where = machine(["rarewood", "scikit-learn", "imbalanced-learn", "numpy"]).rsplit("; ", 1)[0]
    folds = "one split into stratified halves, the first to fit" if options.folds == 1 else "2-fold"
    return [
        f"All methods of imbalanced-learn and of {PINNED.replace('==', ' ')} at their defaults, "
        f"{len(METHODS)} in all, on {len(auc)} tables of {n_sources} sources, {n_large} of them "
        f"large ({folds}). At most {MOST_TRAIN:,} samples of a half are used to fit, and "
        f"{MOST_TEST:,} to test, so the large tables are small here. "
        + (
            f"Not run, since the time was used up: {len(left)} further tables, of sources that are "
            f"represented by another table or of these: {', '.join(left[:12])}"
            f"{' and others' if len(left) > 12 else ''}. "
            if left
            else ""
        )
        + "The samplers of imbalanced-ensemble are copies of those of imbalanced-learn, and were "
        "not run a second time; its SelfPacedUnderSampler and "
        "BalanceCascadeUnderSampler work only inside its ensembles.",
        f"Samplers stand in front of `RandomForestClassifier()` of scikit-learn, 100 trees: it is "
        "the usual strong classifier that needs no tuning, and the same for all. Ensembles have "
        "the base classifier and the number of members of their defaults (imbalanced-ensemble: 50 "
        f"trees). {OURS} gets the table as it is; for the others, categories are one-hot encoded "
        "(more than 255 levels: cross-fitted class rates), missing values imputed, and numbers "
        "standardised, since neighbours need one scale. SMOTENC stands for SMOTENC, SMOTEN or "
        "SMOTE, whichever fits the types of the features, so on tables of numbers it repeats "
        "SMOTE; AdaCost, AsymBoost and CompatibleAdaBoost boost fully grown trees, and agree where "
        "these make no error. Everything uses one thread.",
        "Thresholds are chosen alike for all: the method is fitted to two thirds of the training "
        "samples, and the threshold of each measure is the best on the other third. The model that "
        "is tested is fitted to all training samples; `fit, CPU s` is the median time of that fit "
        "alone, without the preparation.",
        f"A fit that takes more than {options.limit:g} CPU seconds or raises an error is a "
        "failure. A method that failed has the last rank on a table; in means it has the score of "
        f"{BASE}, to which a user would return. Ranks are averaged over the tables of a source, "
        "then over sources. Gains are positive if our forest is better, over the tables on which "
        "the other did not fail; p-values are those of the Wilcoxon test over sources, with Holm "
        "correction.",
        f"Tuned: {', '.join(tuned)}, the {N_BEST} methods with the best mean rank in average "
        "precision when this stage began, before all tables were finished (of those that lead now, "
        f"{len(set(tuned) & set(best))} are among them: {', '.join(best)}), and our forest. "
        f"{N_TRIALS} candidates, the defaults among them, by the average precision of an inner "
        f"2-fold cross-validation, on the cheapest {N_TUNED_TABLES} tables of different sources, "
        "as far as time allowed. The spaces are in `benchmarks/imbalance_models.py`. A tuned "
        "method that failed has the worst score of the table.",
        f"{where}. imbalanced-ensemble ran in an environment of its own: {theirs}. Fitted from "
        f"{cells['fitted'].min()} to {cells['fitted'].max()}; all cells are in "
        "`docs/benchmarks/imbalance_methods.csv`.",
    ]
