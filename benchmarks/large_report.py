"""Page of the comparison on large tables, from stored results and times."""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

import pandas as pd

from cell_file import fitted
from common import machine, render, write_report
from duels import Duel
from large_models import FORESTS, MODELS, MOST_LEVELS, PEERS, THREADS
from rankings import METRICS, Rows, oriented, pairs, summary

MANY_ROWS = 30_000  # ratios of times are summarised over tables with more rows
BEHIND_FORESTS, BEHIND_ANY = 0.02, 0.04  # largest accepted shortfall in average precision
# Ratio of the CPU time of a peer to ours, median over the tables with many rows.
TARGETS = {
    "fit": {
        "LightGBM": Duel("", "LightGBM", goal=1, floor=0.5),
        "CatBoost": Duel("", "CatBoost", floor=5),
    },
    "predict": {
        "LightGBM": Duel("", "LightGBM", goal=1, floor=0.7),
        "ExtraTrees": Duel("", "ExtraTrees", goal=8, floor=4),
    },
}
Times = dict[str, dict[str, Any]]


def write(cells: pd.DataFrame, times: Times, options: argparse.Namespace) -> None:
    """Write the page of a set of tables, or, for some of the tables only, print it."""
    ours, wanted, tables_set = options.ours, options.tables, options.set
    cells = cells.set_index("dataset").loc[[n for n in wanted if n in set(cells["dataset"])]]
    cells = cells.reset_index()  # in the order of the tables
    if ours not in set(cells["model"]):
        raise SystemExit(f"There is no finished cell of {ours}: run --models rarewood first.")
    ranked = [*(name for name in PEERS if name in set(cells["model"])), ours]
    sizes = cells["n_train"] + cells["n_test"]
    n_rows = sizes.groupby(cells["dataset"], sort=False).first()
    # Ranks need every model on a table, finished or failed.
    finished = _by_table(cells, "n_train")[ranked].notna().all(axis=1)
    complete = list(finished.index[finished])
    values = {m: _by_table(cells, m) for m in METRICS}
    tables: dict[str, Rows] = {}
    if complete:
        scores = {m: oriented(values[m].loc[complete, ranked], m) for m in METRICS}
        precisions = values["average_precision"].loc[complete, ranked]
        tables[f"Means and mean ranks: {len(complete)} tables"] = summary(
            scores, None, by="average_precision"
        )
        tables["Average precision against the best peers"] = shortfalls(precisions, ours)
        tables[f"{ours} against each peer ({len(complete)} tables)"] = pairs(scores, ours)
    tables |= _ratios(times, ours, n_rows)
    for metric, word in METRICS.items():
        tables[f"{word[0].upper()}{word[1:]}"] = _grid(values[metric], "{:.4f}")
    tables |= {
        "CPU seconds of `fit`": _seconds(cells, times, "fit"),
        "CPU seconds of `predict_proba`": _seconds(cells, times, "predict"),
        "Pickled model, MB": _grid(_by_table(cells, "bytes") / 1e6, "{:.3g}"),
        "Rows": [{str(table): f"{n:,}" for table, n in n_rows.items()}],
        "Errors": [
            {"table": cell["dataset"], "model": cell["model"], "error": cell["error"]}
            for _, cell in cells[cells["error"].notna()].iterrows()
        ],
    }
    unfinished = [name for name in wanted if name not in complete]
    notes = _notes(cells, times, ours, unfinished, tables_set.page)
    if tables_set.note:
        notes.insert(1, tables_set.note)
    if set(wanted) == set(tables_set.names):
        write_report(tables_set.page, tables_set.title, notes, tables)
    else:
        print(render(f"{tables_set.title}, some of them", notes, tables))


def _by_table(cells: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of the cells as tables by models, in order."""
    found = cells.pivot(index="dataset", columns="model", values=column)
    return found.loc[cells["dataset"].unique(), [name for name in MODELS if name in found]]


def shortfalls(values: pd.DataFrame, ours: str) -> Rows:
    """Return the distance to the best forest and to the best peer, table by table."""
    rows: Rows = []
    forests = [name for name in FORESTS if name in values]
    for table, row in values.iterrows():
        line = {"table": str(table), ours: f"{row[ours]:.4f}"}
        reached = True
        for kind, names, limit in (
            ("best forest", forests, BEHIND_FORESTS),
            ("best peer", list(row.index.drop(ours)), BEHIND_ANY),
        ):
            best = row[names].idxmax()
            short = row[best] - row[ours]
            line[kind] = f"{best} ({row[best]:.4f})"
            line[f"shortfall to the {kind} (at most {limit:g})"] = f"{short:+.4f}"
            reached &= bool(short <= limit)
        rows.append(line | {"reached": "yes" if reached else "no"})
    return rows


def _ratios(times: Times, ours: str, n_rows: pd.Series) -> dict[str, Rows]:
    """Return ratios of times by table, and their medians over tables with many rows."""
    tables: dict[str, Rows] = {}
    known = {table: entry for table, entry in times.items() if ours in entry["rounds"]}
    peers = list(dict.fromkeys(p for e in known.values() for p in e["rounds"] if p != ours))
    for what, targets in TARGETS.items():
        rows = []
        for peer in peers:
            found = {
                table: _ratio(entry["rounds"], peer, ours, what)
                for table, entry in known.items()
                if peer in entry["rounds"]
            }
            large = [value for table, value in found.items() if n_rows[table] > MANY_ROWS]
            middle = median(large) if large else float("nan")
            duel = targets.get(peer, Duel("", peer))
            row = {"peer": peer} | {t: f"{found[t]:.2f}" if t in found else "-" for t in known}
            row |= {f"median over more than {MANY_ROWS:,} rows": f"{middle:.2f}"}
            rows.append(row | {"target": duel.target, "reached": duel.reached(middle)})
        tables[f"CPU time of the peer / CPU time of {ours}: {what}"] = rows
    return tables


def _ratio(rounds: dict[str, list], peer: str, ours: str, what: str) -> float:
    """Return the median over rounds of the ratio of CPU times."""
    both = zip(rounds[peer], rounds[ours], strict=True)
    return median(theirs[what]["cpu"] / own[what]["cpu"] for theirs, own in both)


def _seconds(cells: pd.DataFrame, times: Times, what: str) -> Rows:
    """Return CPU times; those that were measured together with other cells have an asterisk."""
    rough = _grid(_by_table(cells, f"{what}_cpu"), "{:.3g}*")
    for row in rough:
        for table, entry in times.items():
            rounds = entry["rounds"].get(row["model"])
            if rounds and table in row:
                row[table] = f"{median(one[what]['cpu'] for one in rounds):.3g}"
    return rough


def _grid(values: pd.DataFrame, form: str) -> Rows:
    """Return values as models by tables."""
    return [
        {"model": str(model)}
        | {str(t): "-" if pd.isna(value) else form.format(value) for t, value in column.items()}
        for model, column in values.items()
    ]


def _digits(cells: pd.DataFrame, page: str) -> str:
    """Say where the cells are, and which of them are known from an earlier page only."""
    scores = cells.set_index("model")[list(METRICS)]
    is_short = (scores.round(4) == scores).all(axis=1).groupby(level=0, sort=False).all()
    text = f"All cells are in `docs/benchmarks/{page}.csv`"
    if is_short.all() or not is_short.any():
        return f"{text}."
    full = ", ".join(is_short.index[~is_short])
    return (
        f"{text}. Only {full} was fitted again: the other cells are those of an earlier "
        "edition of this page, with four decimals, so their last digit may differ by one and a few "
        "ranks are ties."
    )


def _notes(
    cells: pd.DataFrame, times: Times, ours: str, unfinished: list[str], page: str
) -> list[str]:
    where = machine(["ydf", "pandas", "pyarrow"]).rsplit("; ", 1)[0]
    timed = dict(entry["where"].rsplit("; ", 1) for entry in times.values())
    return [
        f"{where}. {fitted(cells)}",
        *(f"Times: {place}; {load}" for place, load in timed.items()),
        _digits(cells, page),
        "Real two-class tables, each divided once into two stratified halves: one to fit, one to "
        f"test. All models have the defaults of their library and {THREADS} threads, without "
        "tuning, on all rows; LightGBM-500 has 500 rounds and the learning rate 0.05. "
        f"{ours} is ranked among the peers. YdfObliqueForest is the random forest of YDF with its "
        "template `benchmark_rank1v2` (sparse oblique splits, as many projections in a node as "
        "features): the default of sparse oblique splits, the square of that number, is too slow "
        "for tables of this size.",
        "RareForest, LightGBM, CatBoost, XGBoost (`enable_categorical`), HistGradientBoosting and "
        "YDF get categorical features and missing values as they are, except that "
        f"HistGradientBoosting takes at most {MOST_LEVELS} categories: rarer ones are missing "
        "values. For the other models, categorical features are one-hot encoded and missing values "
        "imputed by the median, learned from the training half; features with more categories "
        "get the cross-fitted class rates of scikit-learn's `TargetEncoder`, since "
        "forests of thousands of one-hot columns take too long.",
        "CPU seconds are those of the process, all models of a table in turn, without this "
        "preparation. Numbers with an asterisk were measured once, while other "
        "processes used the machine; the others, and the ratios, are medians over rounds of "
        "`large_tables.py times`. The threads of LightGBM spin while waiting, which counts as CPU "
        "time.",
        "Ranks are average ranks; 1 is the best, and a model that failed is ranked last. Gains are "
        f"positive if {ours} is better, for every metric. The Wilcoxon signed-rank test is "
        "two-sided, with Holm correction over the peers of a metric.",
        *([f"Not finished for all models: {', '.join(unfinished)}."] if unfinished else []),
    ]
