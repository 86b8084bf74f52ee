"""One fit of the benchmark of large tables, in a separate process; prints measurements as JSON.

``python benchmarks/scale_cases.py METHOD MODEL FOLDER`` fits MODEL by METHOD on the table written
to FOLDER by ``scale.py``. Times are those of ``fit`` only, from files or from a table in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.dataset
import pyarrow.parquet

from peak_memory import PeakMemory

THREADS = 2
MAX_BINS = 255
DEPTH = 8
TREES = 20
TRIED = 5  # columns in each node of a forest, of 30
TARGET = "y"
DEFAULT = "default"  # RareForestClassifier() as it is


def parameters(model: str) -> dict[str, Any]:
    """Return the parameters: the default forest, or a depth-limited, binned tree or forest."""
    if model == DEFAULT:
        return {"random_state": 0}
    common = {"criterion": "gini", "max_depth": DEPTH, "max_bins": MAX_BINS, "random_state": 0}
    if model == "tree":
        return common
    return common | {
        "n_estimators": TREES,
        "max_features": TRIED,
        "bootstrap": True,
        "balance": False,
        "splitter": "best",
    }


def lightgbm_parameters(model: str, n_leaves: int) -> dict[str, Any]:
    """Return the parameters of LightGBM; a single tree is one boosting round: rf must sample."""
    if model == DEFAULT:
        return {"random_state": 0, "verbose": -1}
    common = {
        "num_leaves": n_leaves,
        "max_depth": DEPTH,
        "max_bin": MAX_BINS,
        "min_child_samples": 1,
        "min_child_weight": 0.0,
        "min_split_gain": 0.0,
        "random_state": 0,
        "verbose": -1,
    }
    if model == "tree":
        return common | {"n_estimators": 1}
    return common | {
        "boosting_type": "rf",
        "n_estimators": TREES,
        "subsample": 0.632,
        "subsample_freq": 1,
        "feature_fraction_bynode": TRIED / 30,
    }


def ours(model: str, **changes: Any) -> Any:
    """Return the estimator that runs in this process."""
    from rarewood import RareForestClassifier, RareTreeClassifier

    kind = RareTreeClassifier if model == "tree" else RareForestClassifier
    return kind(**parameters(model) | {"n_jobs": THREADS} | changes)


def table_of(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Read the table into memory: float32, in C order."""
    source = pyarrow.dataset.dataset(folder / "rows")
    names = [name for name in source.schema.names if name != TARGET]
    X = np.empty((source.count_rows(), len(names)), dtype=np.float32)
    y = np.empty(len(X), dtype=np.int64)
    at = 0
    for batch in source.to_batches():
        rows = slice(at, at + batch.num_rows)
        for j, name in enumerate(names):
            X[rows, j] = batch.column(name).to_numpy()
        y[rows] = batch.column(TARGET).to_numpy()
        at += batch.num_rows
    return X, y


def n_leaves(model: Any) -> int:
    """Leaves of a tree, or of the largest tree of a forest."""
    if hasattr(model, "booster_"):
        return max(tree["num_leaves"] for tree in model.booster_.dump_model()["tree_info"])
    if hasattr(model, "estimators_"):
        return max(tree.get_n_leaves() for tree in model.estimators_)
    return model.get_n_leaves()


Fit = Callable[[], Any]


@contextmanager
def in_memory(model: str, folder: Path, **changes: Any):
    X, y = table_of(folder)
    estimator = ours(model, **changes)
    yield lambda: (estimator.fit(X, y), {})


@contextmanager
def out_of_core(model: str, folder: Path):
    estimator = ours(model)
    yield lambda: (estimator.fit(folder / "rows", TARGET), {})


@contextmanager
def lightgbm(model: str, folder: Path):
    from lightgbm import LGBMClassifier

    X, y = table_of(folder)
    leaves = most_leaves(model, folder)
    peer = LGBMClassifier(**lightgbm_parameters(model, leaves), n_jobs=THREADS)
    yield lambda: (peer.fit(X, y), {})


def most_leaves(model: str, folder: Path) -> int:
    """Return the number of leaves of the binned fit of rarewood, which runs first."""
    return 0 if model == DEFAULT else int((folder / f"leaves-{model}").read_text())


@contextmanager
def cluster(n_workers: int):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            memory_limit=None,
            dashboard_address=None,
            host="127.0.0.1",
        ) as local,
        Client(local) as client,
    ):
        yield client


def collections(folder: Path, client: Any) -> tuple[Any, Any]:
    """Return the table in the memory of the workers: Dask arrays of features and classes."""
    import dask.array as da
    import distributed
    from dask import delayed

    source = pyarrow.dataset.dataset(folder / "rows")
    names = [name for name in source.schema.names if name != TARGET]
    features, labels = [], []
    for path in sorted(source.files):
        n_rows = pyarrow.parquet.ParquetFile(path).metadata.num_rows
        part = delayed(_read_part)(path, names)
        features.append(da.from_delayed(part[0], (n_rows, len(names)), np.float32))
        labels.append(da.from_delayed(part[1], (n_rows,), np.int64))
    X, y = client.persist([da.concatenate(features), da.concatenate(labels)])
    distributed.wait([X, y])
    return X, y


def _read_part(path: str, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    table = pyarrow.parquet.read_table(path)
    X = np.empty((len(table), len(names)), dtype=np.float32)
    for j, name in enumerate(names):
        X[:, j] = table.column(name).to_numpy()
    return X, table.column(TARGET).to_numpy()


def on_dask(model: str, **changes: Any) -> Any:
    """Return the estimator that runs on a cluster."""
    from rarewood.dask import DaskRareForestClassifier, DaskRareTreeClassifier

    kind = DaskRareTreeClassifier if model == "tree" else DaskRareForestClassifier
    return kind(**parameters(model) | changes)


def _fit_on_dask(estimator: Any, *table: Any) -> tuple[Any, dict]:
    fitted = estimator.fit(*table)
    report = fitted.fit_report_
    taken = {"sent": report.bytes_sent, "rounds": report.n_rounds, "stages": report.seconds}
    return fitted.to_local(), taken


@contextmanager
def dask_memory(n_workers: int, model: str, folder: Path, **changes: Any):
    with cluster(n_workers) as client:
        X, y = collections(folder, client)
        estimator = on_dask(model, **changes)
        yield lambda: _fit_on_dask(estimator, X, y)


@contextmanager
def dask_files(n_workers: int, model: str, folder: Path):
    estimator = on_dask(model)
    with cluster(n_workers):
        yield lambda: _fit_on_dask(estimator, folder / "rows", TARGET)


@contextmanager
def lightgbm_dask(model: str, folder: Path):
    from lightgbm import DaskLGBMClassifier

    leaves = most_leaves(model, folder)
    with cluster(THREADS) as client:
        X, y = collections(folder, client)
        peer = DaskLGBMClassifier(
            **lightgbm_parameters(model, leaves), client=client, tree_learner="data", n_jobs=1
        )
        yield lambda: (peer.fit(X, y).to_local(), {})


WAYS: dict[str, Callable[[str, Path], Any]] = {
    "in memory": in_memory,
    "binned": in_memory,
    "exact": lambda model, folder: in_memory(model, folder, max_bins=None),
    "out of core": out_of_core,
    "Dask, 1 worker": lambda model, folder: dask_memory(1, model, folder),
    "Dask, 2 workers": lambda model, folder: dask_memory(2, model, folder),
    "Dask by trees, 2 workers": lambda model, folder: dask_memory(
        2, model, folder, strategy="trees"
    ),
    "Dask from files, 2 workers": lambda model, folder: dask_files(2, model, folder),
    "LightGBM": lightgbm,
    "LightGBM on Dask, 2 workers": lightgbm_dask,
}


_LIMITED = tuple(way for way in WAYS if way not in ("in memory", "Dask by trees, 2 workers"))
# The models, and the ways in which each is fitted.
MODELS = {
    "tree": _LIMITED,
    "forest": _LIMITED,
    DEFAULT: (
        "in memory",
        "out of core",
        "Dask, 2 workers",
        "Dask by trees, 2 workers",
        "Dask from files, 2 workers",
        "LightGBM",
    ),
}


def measure(way: str, model: str, folder: Path) -> dict[str, Any]:
    """Fit once."""
    from sklearn.metrics import roc_auc_score

    with WAYS[way](model, folder) as fit, PeakMemory() as memory:
        start = time.perf_counter()
        fitted, report = fit()
        seconds = time.perf_counter() - start
    leaves = n_leaves(fitted)
    if way == "binned":
        (folder / f"leaves-{model}").write_text(str(leaves))
    held_out = np.load(folder / "held_out.npz")
    scores = fitted.predict_proba(held_out["X"])[:, 1]
    return report | {
        "seconds": seconds,
        "peak": memory.highest - memory.before,
        "in_all": memory.highest,
        "leaves": leaves,
        "model": len(pickle.dumps(fitted, protocol=5)),
        "auc": float(roc_auc_score(held_out["y"], scores)),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    # As many threads as this process may use; workers of a cluster have one each.
    os.environ["OMP_NUM_THREADS"] = str(THREADS)
    print(json.dumps(measure(options.way, options.model, options.folder)))
