"""Tables to be read in batches, and whether two models are the same to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from rarewood import RareForestClassifier


def wide_table(n_rows: int = 3000, seed: int = 0) -> pa.Table:
    """A table with columns of every kind, labels ("ill") and weights ("weight")."""
    random = np.random.default_rng(seed)
    coarse = random.integers(0, 40, n_rows)
    fine = random.normal(size=n_rows)
    town = random.choice(["north", "south", "east", "west"], n_rows, p=[0.4, 0.3, 0.2, 0.1])
    score = fine + (town == "west") + coarse / 20 + random.normal(size=n_rows) / 2
    label = np.where(score > np.quantile(score, 0.93), "yes", "no").astype("U5")
    label[random.random(n_rows) < 0.01] = "maybe"

    def with_gaps(values: Any, share: float) -> Any:
        return pa.array(values, mask=random.random(n_rows) < share)

    return pa.table(
        {
            "fine": fine,
            "half": with_gaps(fine.astype(np.float32) * 2 + 1, 0.05),
            "coarse": coarse,
            "small": with_gaps(coarse.astype(np.int8) % 7, 0.1),
            "ill": pa.array(label),
            "town": with_gaps(town, 0.03),
            "code": pa.array(random.choice(["x", "y", "z"], n_rows)).dictionary_encode(),
            "flag": with_gaps(random.random(n_rows) < 0.3, 0.02),
            "street": pa.array([f"street {k}" for k in random.integers(0, 400, n_rows)]),
            "weight": random.integers(0, 4, n_rows) / 4,
            "rounded": np.round(random.lognormal(size=n_rows), 1),
        }
    )


def in_memory(model: Any, table: pa.Table, weight: str | None = None) -> Any:
    """Fit on the table in memory."""
    features = table.drop_columns(["ill", "weight"])
    weights = None if weight is None else table[weight].to_numpy()
    return model.fit(features, table["ill"].to_numpy(zero_copy_only=False), weights)


def assert_same_model(one: Any, other: Any) -> None:
    """Check that all that was fitted is the same, to the bit."""
    assert one.classes_.dtype == other.classes_.dtype
    np.testing.assert_array_equal(one.classes_, other.classes_)
    assert one.feature_names_in_.tolist() == other.feature_names_in_.tolist()
    assert one.n_features_in_ == other.n_features_in_
    if isinstance(one, RareForestClassifier):
        assert len(one) == len(other)
        pairs = [(a.tree_, b.tree_) for a, b in zip(one, other, strict=True)]
        assert one.forest_.seed == other.forest_.seed
    else:
        pairs = [(one.tree_, other.tree_)]
    for a, b in pairs:
        _assert_same_state(a.compiled.state(), b.compiled.state())
        assert a.schema.has_missing == b.schema.has_missing
        assert a.schema.by_dtype == b.schema.by_dtype
        assert a.schema.categories.keys() == b.schema.categories.keys()
        for j, categories in a.schema.categories.items():
            assert categories.values.tolist() == b.schema.categories[j].values.tolist()


def _assert_same_state(a: dict[str, Any], b: dict[str, Any]) -> None:
    assert a.keys() == b.keys()
    for name, value in a.items():
        np.testing.assert_array_equal(value, b[name], err_msg=name, strict=True)
