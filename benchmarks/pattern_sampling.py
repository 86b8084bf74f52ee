"""Pattern-based oversampling on the tables of its paper: effect of the settings on F and AUC.

``python benchmarks/pattern_sampling.py run --data FOLDER`` fits; an interrupted run resumes;
``... report`` writes the page. FOLDER (or RAREWOOD_DATA) holds the data sets.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from imblearn.pipeline import Pipeline

from common import BUILD, comparison_parser, machine, write_report
from rarewood.evaluate import Metric, Outcome, Protocol, Results, compare
from rarewood.sampling import PatternOverSampler
from rarewood.workflow import make_model
from tables import load_folder

STORE = BUILD / "pattern_sampling.sqlite"
# Available tables of the 23 of the paper (without compustat, estate, pendigits, PhosS, cam, dna).
TABLES = [
    "covtype", "german_numer", "ism", "letter", "oil", "page", "phoneme", "satimage", "segment",
    "credit_g", "boundary", "breast_y", "car", "glass", "nursery", "page_5", "sat",
]  # fmt: skip
CHOOSING = ["german_numer", "oil", "page", "segment", "credit_g", "breast_y", "car", "glass"]
N_TREES = 50


def sampler(**params: Any) -> PatternOverSampler:
    """Return the sampler of the paper, with changed parameters."""
    paper = {"unconstrained": "all", "n_estimators": 100, "n_cuts": 10, "max_rounds": 10}
    return PatternOverSampler(**{**paper, **params})


SETTINGS: dict[str, PatternOverSampler | None] = {
    "no sampling": None,
    "not validated": sampler(validate=False),
    "leaf 10": sampler(min_samples_leaf=10),
    "leaf 1%": sampler(min_samples_leaf=0.01),
    "leaf 2%": sampler(min_samples_leaf=0.02),
    "leaf 5%": sampler(min_samples_leaf=0.05),
    "leaf 10%": sampler(min_samples_leaf=0.1),
    "leaf 20%": sampler(min_samples_leaf=0.2),
    "leaf 5%, 30 trees": sampler(min_samples_leaf=0.05, n_estimators=30),
    "leaf 5%, 1 cut": sampler(min_samples_leaf=0.05, n_cuts=1),
    "leaf 5%, 3 rounds": sampler(min_samples_leaf=0.05, max_rounds=3),
    "class donors, not validated": sampler(validate=False, unconstrained="class"),
    "leaf 5%, class donors": sampler(min_samples_leaf=0.05, unconstrained="class"),
}
DEFAULT = "leaf 5%, class donors"
SHOWN = ["no sampling", "class donors, not validated", DEFAULT]


CLASSIFIERS = {
    "LR": make_model("sklearn-logistic-regression"),
    "C4.5": make_model("bagged-c45", n_estimators=N_TREES, n_jobs=1),
    "ET": make_model("extra-trees", n_estimators=N_TREES, n_jobs=1),
    "HDDT": make_model("bagged-hddt", n_estimators=N_TREES, n_jobs=1),
    "HeDEx": make_model("hedex", n_estimators=N_TREES, n_jobs=1),
    "HeDExh": make_model("hedexh", n_estimators=N_TREES, n_jobs=1),
}


def _in_sampler(attribute: str, outcome: Outcome) -> float:
    """Return a count of the sampler, summed over the classes; 0 without sampler."""
    own = getattr(outcome.model, "named_steps", {}).get("sampler")
    return float(sum(getattr(own, attribute).values())) if own is not None else 0.0


METRICS = [
    "f_measure",
    "auc",
    "fit_time",
    Metric("generated", partial(_in_sampler, "n_generated_")),
    Metric("rejected", partial(_in_sampler, "n_rejected_")),
]


def results_of(options: argparse.Namespace, compute: bool) -> Results:
    """Compare all settings and classifiers; only training folds are sampled."""
    memory = str(options.store.with_suffix(".cache"))  # a fold is sampled once for all classifiers
    models = {}
    for setting in options.settings.split(";"):
        for name, classifier in CLASSIFIERS.items():
            steps: list[Any] = [("model", classifier)]
            if SETTINGS[setting] is not None:
                steps.insert(0, ("sampler", SETTINGS[setting]))
            models[f"{setting}: {name}"] = Pipeline(steps, memory=memory)
    options.store.parent.mkdir(exist_ok=True)
    return compare(
        models,
        {name: load_folder(options.data, name) for name in options.tables.split(",")},
        protocol=Protocol(2, options.repeats),
        metrics=METRICS,
        store=options.store,
        n_jobs=options.jobs,
        compute=compute,
    )


def report(results: Results, options: argparse.Namespace) -> None:
    rows = results.to_frame().rename(columns={"dataset": "table", "f_measure": "f"})
    rows[["setting", "classifier"]] = rows["model"].str.split(": ", expand=True)
    settings = [name for name in SETTINGS if name in set(rows["setting"])]
    choosing = rows[(rows["repeat"] == 0) & rows["table"].isin(CHOOSING)]
    final = rows[rows["setting"].isin(SHOWN)]
    sections = {"Choice of the defaults": _choice(choosing, settings)}
    for metric, title in (("f", "F-measure of the rare class"), ("auc", "AUC")):
        sections[f"{title}: no sampling / default but not validated / default"] = _by_table(
            final, metric
        )
    sections["Changes by sampling"] = _directions(final)
    if options.print:
        for title, section in sections.items():
            print(f"\n{title}\n{pd.DataFrame(section).to_string(index=False)}")
        return
    write_report("pattern_sampling", "Pattern-based oversampling", _notes(final), sections)


def _choice(rows: pd.DataFrame, settings: list[str]) -> list[dict[str, str]]:
    means = rows.groupby("setting")[["f", "auc", "fit_time", "generated", "rejected"]].mean()
    trees = rows[rows["classifier"] != "LR"].groupby("setting")["f"].mean()
    return [
        {
            "setting": name,
            "F": f"{means.loc[name, 'f']:.3f}",
            "F without LR": f"{trees[name]:.3f}",
            "AUC": f"{means.loc[name, 'auc']:.3f}",
            "seconds to fit": f"{means.loc[name, 'fit_time']:.1f}",
            "rejected": f"{means.loc[name, 'rejected'] / max(means.loc[name, 'generated'], 1):.0%}",
        }
        for name in settings
        if name in means.index
    ]


def _by_table(rows: pd.DataFrame, metric: str) -> list[dict[str, str]]:
    means = rows.groupby(["table", "classifier", "setting"])[metric].mean().unstack()
    out = []
    for table in [name for name in TABLES if name in means.index.get_level_values(0)]:
        row = {"table": table}
        for classifier in CLASSIFIERS:
            three = means.loc[(table, classifier)].reindex(SHOWN)
            row[classifier] = " / ".join("" if np.isnan(v) else f"{v:.3f}" for v in three)
        out.append(row)
    return out


def _directions(rows: pd.DataFrame) -> list[dict[str, str]]:
    """Return how often sampling increases each metric, and the mean change."""
    out = []
    for metric in ("f", "auc"):
        means = rows.groupby(["table", "classifier", "setting"])[metric].mean().unstack()
        gain = (means[DEFAULT] - means["no sampling"]).unstack()
        low = means["no sampling"].unstack() < 0.6
        for classifier in CLASSIFIERS:
            g = gain[classifier].dropna()
            where_low = g[low[classifier].reindex(g.index)]
            n_raised = int((where_low > 0).sum())
            out.append(
                {
                    "metric": metric,
                    "classifier": classifier,
                    "tables": str(len(g)),
                    "increased": str(int((g > 0).sum())),
                    "mean change": f"{g.mean():+.3f}",
                    "increased if below 0.6 before": f"{n_raised} of {len(where_low)}",
                }
            )
    return out


def _notes(rows: pd.DataFrame) -> list[str]:
    return [
        f"{rows['table'].nunique()} of the 23 tables of HeDEx, table 3; the others are not "
        "available. "
        f"{rows['repeat'].max() + 1} x 2 stratified cross-validation, only training folds are "
        f"sampled. Ensembles have {N_TREES} trees. F is the F-measure of the smallest class for "
        "predictions of the most probable class; multiclass AUC is the mean over pairs of classes.",
        "The defaults were chosen on the first repeat of: " + ", ".join(CHOOSING) + f". They are "
        f"{DEFAULT!r}, 100 trees, 10 cuts and 10 further rounds. Settings without donors use "
        "all samples for features without a condition in a pattern, as in the paper.",
        machine(["numpy", "scikit-learn", "imbalanced-learn"]),
    ]


def main() -> None:
    parser = comparison_parser(__doc__, TABLES, STORE)
    parser.add_argument("--settings", default=";".join(SHOWN))
    parser.add_argument("--print", action="store_true", help="print instead of writing the page")
    options = parser.parse_args()
    results = results_of(options, compute=options.command == "run")
    if options.command == "report":
        report(results, options)


if __name__ == "__main__":
    main()
