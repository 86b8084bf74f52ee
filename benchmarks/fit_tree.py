"""Fitting one tree: rarewood against scikit-learn's DecisionTreeClassifier, and LightGBM.

Run `python benchmarks/fit_tree.py` (about 20 minutes; `--quick` about 3). All libraries are fitted
on the same float32 table; times include encoding and validation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from common import (
    Table,
    arguments,
    extra_memory,
    in_new_process,
    machine,
    milliseconds,
    race,
    write_report,
)
from rarewood import RareTreeClassifier

PAIRS = (("gini", "gini"), ("entropy", "entropy"), ("hellinger", "entropy"))

EXACT = (
    Table("1k x 30, 2% rare", 1_000),
    Table("10k x 30, 2% rare", 10_000),
    Table("100k x 30, 2% rare", 100_000),
    Table("100k x 30, balanced", 100_000, rare=0.5),
    Table("100k x 30, whole numbers", 100_000, whole_numbers=True),
    Table("100k x 30, three classes", 100_000, n_classes=3),
    Table("100k x 30, 1% missing", 100_000, missing=0.01),
    Table("2k x 1000, 2% rare", 2_000, n_features=1000),
)
MILLION = Table("1M x 30, 2% rare", 1_000_000)


def compare(
    table: Table, repeats: int, n_jobs: int = 1, weighted: bool = False, **limits: Any
) -> list:
    """Compare the two libraries on one table, for each pair of criteria."""
    X, y = table.make()
    weight = np.random.default_rng(1).uniform(0.5, 1.5, len(y)) if weighted else None
    ours = {
        own: RareTreeClassifier(own, leaf="raw", random_state=0, n_jobs=n_jobs, **limits)
        for own, _ in PAIRS
    }
    theirs = {
        peer: DecisionTreeClassifier(criterion=peer, random_state=0, **limits) for _, peer in PAIRS
    }
    models = {f"ours {k}": m for k, m in ours.items()} | {
        f"theirs {k}": m for k, m in theirs.items()
    }
    times = race({name: _fit(model, X, y, weight) for name, model in models.items()}, repeats)
    name = table.name + (", weights" if weighted else "")
    name += "".join(f", {k} {v}" for k, v in limits.items())
    return [
        {
            "table": name,
            "criterion (rarewood / scikit-learn)": own if own == peer else f"{own} / {peer}",
            "rarewood, ms": milliseconds(times[f"ours {own}"].cpu),
            "scikit-learn, ms": milliseconds(times[f"theirs {peer}"].cpu),
            "CPU ratio": f"{times[f'theirs {peer}'].cpu / times[f'ours {own}'].cpu:.1f}",
            "wall ratio": f"{times[f'theirs {peer}'].wall / times[f'ours {own}'].wall:.1f}",
            "nodes (rarewood / scikit-learn)": (
                f"{ours[own].tree_.n_nodes} / {theirs[peer].tree_.node_count}"
            ),
        }
        for own, peer in PAIRS
    ]


def _fit(model: Any, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None) -> Callable[[], Any]:
    return lambda: model.fit(X, y, sample_weight=weight)


def compare_binned(table: Table, repeats: int) -> dict[str, str]:
    """Compare a binned tree of depth 10 with one of LightGBM, one thread each."""
    import lightgbm

    X, y = table.make()
    parameters = {
        "objective": "binary",
        "max_bin": 255,
        "max_depth": 10,
        "num_leaves": 1024,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": 1,
        "verbose": -1,
    }
    ours = RareTreeClassifier("entropy", max_bins=255, max_depth=10)
    grown: list[Any] = []
    times = race(
        {
            "ours": lambda: ours.fit(X, y),
            "theirs": lambda: grown.append(
                lightgbm.train(parameters, lightgbm.Dataset(X, y), num_boost_round=1)
            ),
        },
        repeats,
    )
    leaves = grown[-1].dump_model()["tree_info"][0]["num_leaves"]
    return {
        "table": table.name,
        "rarewood, ms": milliseconds(times["ours"].cpu),
        "LightGBM, ms": milliseconds(times["theirs"].cpu),
        "CPU ratio": f"{times['theirs'].cpu / times['ours'].cpu:.1f}",
        "leaves (rarewood / LightGBM)": f"{ours.get_n_leaves()} / {leaves}",
    }


def peak_memory(n_rows: int) -> tuple[int, int]:
    """Return the size of a float32 table and the additional peak memory of an exact fit."""
    X, y = Table("", n_rows).make()
    RareTreeClassifier().fit(X[:1000], y[:1000])  # exclude one-time initialization
    return X.nbytes, extra_memory(lambda: RareTreeClassifier("entropy").fit(X, y))


def main() -> None:
    """Run every comparison and write the page."""
    options = arguments(__doc__)
    exact = [row for table in EXACT for row in compare(table, options.repeats)]
    exact += compare(Table("100k x 30, 2% rare", 100_000), options.repeats, weighted=True)
    threads = compare(Table("100k x 30, 2% rare", 100_000), options.repeats, n_jobs=-1)
    binned = [compare_binned(Table("100k x 30, 2% rare", 100_000), options.repeats)]
    notes = [
        machine(["rarewood", "scikit-learn", "lightgbm", "numpy"]),
        "Fully grown trees unless a limit is given. Times are CPU times, the best of several "
        "interleaved runs, including encoding and validation; a ratio above 1 means that rarewood "
        "is faster. The tables are generated by `benchmarks/common.py`. Node counts differ because "
        "of ties.",
    ]
    if not options.quick:
        exact += compare(MILLION, 1)
        exact += compare(MILLION, 2, max_depth=6)
        threads += compare(MILLION, 1, n_jobs=-1, max_depth=6)
        binned.append(compare_binned(MILLION, options.repeats))
        size, extra = in_new_process(peak_memory, 1_000_000)
        notes.append(
            "Peak memory of an exact fit of 1M x 30 float32 (entropy, fully grown): "
            f"{extra / size:.2f} times the table ({size / 2**20:.0f} MiB), in addition to the "
            "table."
        )
    write_report(
        "fit_tree",
        "Fitting a tree",
        notes,
        {
            "Exact search, one thread": exact,
            "Exact search, `n_jobs=-1` (scikit-learn trees use one thread)": threads,
            "Binned search of depth 10 against LightGBM, one thread": binned,
        },
    )


if __name__ == "__main__":
    main()
