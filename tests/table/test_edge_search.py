"""The bin of a value is the number of edges below it, however the edges lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from rarewood import _core


def codes_of(edges, values):
    bins = _core.Bins([edges], np.zeros(1, dtype=np.int64), np.zeros(1, dtype=bool), 255)
    return bins.encode(values.reshape(-1, 1))[0]


def near(edges, dtype):
    """The edges as the values have them, their neighbours, zeros, and the ends of the range."""
    with np.errstate(over="ignore"):
        at = edges.astype(dtype)
        around = [np.nextafter(at, dtype(np.inf)), np.nextafter(at, dtype(-np.inf))]
    ends = np.array([0.0, -0.0, np.finfo(dtype).max, np.finfo(dtype).min, np.finfo(dtype).tiny])
    values = np.concatenate([at, *around, ends.astype(dtype), -ends.astype(dtype)])
    return values[np.isfinite(values)]


def number_below(edges, values):
    """The slow twin."""
    return (edges[:, np.newaxis] < values.astype(np.float64)).sum(axis=0)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), max_size=254, unique=True)
    | st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=40, unique=True)
    | st.lists(st.sampled_from([-1.0, -5e-324, -0.0, 5e-324, 1e-45, 1.5]), unique=True),
    st.sampled_from([np.float32, np.float64]),
)
def test_any_edges(edges, dtype):
    edges = np.unique(np.array(edges, dtype=np.float64))
    values = near(edges, dtype)
    assert_array_equal(codes_of(edges, values), number_below(edges, values))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "shape",
    [
        lambda share: share,
        lambda share: np.exp(8 * share),
        lambda share: -np.exp(-8 * share),
        lambda share: np.tan(3.1 * (share - 0.5)),
        lambda share: np.exp(50 * (share - 0.5)) * np.sign(share - 0.3),
        lambda share: 1000 + 1e-4 * share,
    ],
)
def test_edges_of_many_shapes(shape, dtype):
    share = (np.arange(1, 255) + 0.25) / 255
    edges = np.unique(shape(share))
    rng = np.random.default_rng(0)
    values = np.concatenate([near(edges, dtype), shape(rng.random(3000)).astype(dtype)])
    assert_array_equal(codes_of(edges, values), number_below(edges, values))
