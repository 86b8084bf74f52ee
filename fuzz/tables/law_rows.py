"""Laws of rows, weights and values: what may be changed without an effect on the model."""

from __future__ import annotations

import numpy as np

from fuzz.tables import table as tables
from fuzz.tables.compare import assert_equal, assert_same
from fuzz.tables.fits import Setting, require

_LARGEST_EXPONENT = 1000


def zero_weights(s: Setting) -> None:
    """Rows of weight zero have no effect, whatever they contain."""
    n = len(s.y)
    extra = s.draw.many(range(n), s.draw.integer(1, 5))
    order = [*range(n), *extra]
    places = sorted(range(len(order)), key=lambda i: (s.draw.random(), i))
    keeps_order = sorted(places, key=lambda i: i if i < n else -1)
    rows = [order[i] for i in keeps_order]
    weights = [1.0] * n if s.weights is None else s.weights.tolist()
    given = tables.rows_of({**s.table, "weights": weights}, rows)
    given["weights"] = [
        0.0 if i >= n else w for i, w in zip(keeps_order, given["weights"], strict=True)
    ]
    plain = s.fit({**s.table, "weights": weights})
    other = s.fit(given)
    assert_same(plain, other, "zero weights")
    assert_equal(plain.predict_proba(s.X), other.predict_proba(s.X), "probabilities")


def repeats(s: Setting) -> None:
    """Whole weights are repeated rows, where no limit counts rows and no rows are drawn."""
    require(not s.draws_rows and not s.samples_nodes and not s.has_pilot)
    counting = ("min_samples_split", "min_samples_leaf", "pruning", "max_bins")
    require(not any(name in s.parameters for name in counting))
    weights = [s.draw.integer(1, 3) for _ in s.y]
    rows = [i for i, n in enumerate(weights) for _ in range(n)]
    # Balanced weights are rounded: three rows are not three times one. This decides between splits
    # without gain, whether a gain or a leaf reaches its limit exactly, and which of two nodes of
    # the same gain is split first.
    is_rounded = s.parameters.get("class_weight") is not None
    limits = (s.get("min_weight_fraction_leaf"), s.get("max_leaf_nodes"))
    require(not is_rounded or not any(limits))
    changes = {"min_gain": 1e-9 + 1.0000001 * s.get("min_gain")} if is_rounded else {}
    weighted = s.fit({**s.table, "weights": [float(n) for n in weights]}, **changes)
    repeated = s.fit(tables.rows_of({**s.table, "weights": None}, rows), **changes)
    # Where no value was missing, missing values go to the child with more rows.
    counted = ("counts", "weighted_counts", "gain", "missing_child")
    assert_same(weighted, repeated, "repeats", counted)
    one, other = weighted.predict_proba(s.X), repeated.predict_proba(s.X)
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def power_of_two(s: Setting) -> None:
    """All weights times a power of two: no other split, importance or raw probability."""
    # The expected errors of a leaf, like smoothing, take weights for samples.
    require(s.parameters.get("pruning", {}).get("name") != "error")
    weights = [1.0] * len(s.y) if s.weights is None else s.weights.tolist()
    present = [w for w in weights if w > 0]
    low, high = np.log2(min(present)), np.log2(max(present))
    exponent = s.draw.integer(int(-_LARGEST_EXPONENT - low), int(_LARGEST_EXPONENT - high))
    plain = s.fit({**s.table, "weights": weights}, leaf="raw", collapse=0.0, leaf_strength=1.0)
    scaled = [float(w * 2.0**exponent) for w in weights]
    other = s.fit({**s.table, "weights": scaled}, leaf="raw", collapse=0.0, leaf_strength=1.0)
    assert_same(plain, other, f"2**{exponent}", ("weighted_counts",))
    one, two = plain.feature_importances_, other.feature_importances_
    assert_equal(one, two, f"importances, 2**{exponent}")
    assert_equal(plain.predict_proba(s.X), other.predict_proba(s.X), "probabilities")


def order(s: Setting) -> None:
    """The order of rows has no effect, where none are drawn by their numbers."""
    require(not s.draws_rows and not s.samples_nodes)
    rows = list(range(len(s.y)))
    s.draw.shuffle(rows)
    other = s.fit(tables.rows_of(s.table, rows))
    assert_same(s.model, other, "order")
    assert_equal(s.model.predict_proba(s.X), other.predict_proba(s.X), "probabilities")


def scale(s: Setting) -> None:
    """Numbers times a power of two: thresholds are multiplied, nothing else changes."""
    require(s.get("splitter") != "oblique" and not s.has_pilot)
    require(s.get("max_bins") in ("auto", None))  # whole numbers have edges between all of them
    numbers = [j for j in range(s.X.shape[1]) if j not in tables.categorical(s.table)]
    sizes = np.abs(s.X[:, numbers])
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    require(not sizes.size or (sizes.min() > 1e-30 and sizes.max() < 1e30))
    scaled = s.X.copy()
    scaled[:, numbers] *= 2.0 ** s.draw.integer(-10, 10)
    model = s.make().fit(scaled, s.y, s.weights)
    assert_same(s.model, model, "scale", ("threshold",))
    assert_equal(s.model.predict_proba(s.X), model.predict_proba(scaled), "probabilities")
