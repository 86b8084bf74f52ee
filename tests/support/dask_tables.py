"""Tables for tests of dask, and a comparison of models."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd


def mixed_table(n_rows: int = 1500, seed: int = 0) -> pd.DataFrame:
    """A table with everything: missing values, categories in their user's order, three classes.

    ``y`` are the labels, ``weight`` the weights, some of them zero.
    """
    rng = np.random.default_rng(seed)
    real = rng.normal(size=(n_rows, 3))
    size = rng.choice(["small", "middle", "large"], n_rows)
    town = rng.integers(0, 300, n_rows)
    score = real[:, 0] + (size == "large") + (town % 7 == 0) + rng.normal(0, 0.5, n_rows)
    labels = np.select([score > 2.4, score < -1.2], ["ill", "odd"], "well")
    table = pd.DataFrame(
        {
            "a": real[:, 0],
            "b": real[:, 1].astype(np.float32),
            "few": rng.integers(0, 4, n_rows),
            "size": pd.Categorical(size, ["small", "middle", "large"]),
            "town": [f"t{number}" for number in town],
            "flag": real[:, 2] > 0,
            "y": labels,
            "weight": np.where(rng.random(n_rows) < 0.1, 0.0, rng.random(n_rows) * 3),
        }
    )
    table.loc[rng.random(n_rows) < 0.1, "a"] = np.nan
    table.loc[rng.random(n_rows) < 0.1, "town"] = None
    return table


def numbers(n_rows: int = 1500, n_columns: int = 5, seed: int = 0):
    """Numbers, labels and weights as arrays."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, n_columns))
    y = (X[:, 0] + X[:, 1] + rng.normal(0, 0.15, n_rows) > 1.6).astype(int)
    return X, y, rng.integers(1, 4, n_rows) / 2


def assert_same_model(a, b) -> None:
    """Compare all arrays of all trees, to the bit."""
    trees, others = _trees(a), _trees(b)
    assert len(trees) == len(others)
    for tree, other in zip(trees, others, strict=True):
        state, other_state = tree.state(), other.state()
        assert state.keys() == other_state.keys()
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                assert value.dtype == other_state[name].dtype
                assert value.tobytes() == other_state[name].tobytes(), name
            else:
                assert value == other_state[name], name
    assert a.classes_.tolist() == b.classes_.tolist()
    assert a.classes_.dtype == b.classes_.dtype
    assert a.n_features_in_ == b.n_features_in_
    assert getattr(a, "feature_names_in_", np.empty(0)).tolist() == (
        getattr(b, "feature_names_in_", np.empty(0)).tolist()
    )
    assert a._schema.has_missing == b._schema.has_missing
    assert sum(tree.n_nodes for tree in trees) > len(trees)  # or nothing was compared


def _trees(model):
    return model.forest_.compiled_trees if hasattr(model, "forest_") else [model.tree_.compiled]


def left_behind(client) -> dict:
    """Actors, data and tasks on a cluster, once released ones have had time to go."""
    deadline = time.monotonic() + 10
    while (found := _held(client)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _held(client) -> dict:
    def on_worker(dask_worker):
        return len(dask_worker.state.actors) + len(dask_worker.data)

    def on_scheduler(dask_scheduler):
        return len(dask_scheduler.tasks)

    found = client.run(on_worker, on_error="return")
    for name, n in found.items():
        if isinstance(n, OSError):  # of a worker that was killed: the scheduler will notice
            found[name] = "it cannot be reached"
        elif isinstance(n, Exception):
            raise n
    found["scheduler"] = client.run_on_scheduler(on_scheduler)
    return {name: n for name, n in found.items() if n}
