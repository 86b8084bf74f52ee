"""Sample and class weights become one weight for every sample; those of zero leave it out."""

from __future__ import annotations

import numpy as np
import pytest

from rarewood.table._targets import RawTargets

CLASSES, Y = np.array(["no", "yes"]), np.array([0, 0, 0, 1], dtype=np.int32)


def combined(sample_weight, class_weight):
    targets = RawTargets.of(CLASSES[Y], sample_weight, len(Y)).targets(class_weight)
    assert targets.y.tolist() == (Y if targets.rows is None else Y[targets.rows]).tolist()
    return None if targets.is_plain else targets.weights, targets.rows


def test_without_weights_there_are_none():
    assert combined(None, None) == (None, None)


@pytest.mark.parametrize("ones", [1, 1.0, [1, 1, 1, 1], np.ones(4, np.float32)])
def test_weights_of_one_are_no_weights(ones):
    assert combined(ones, None) == (None, None)


def test_rows_of_zero_weight_are_left_out():
    weights, rows = combined([0, 2, 0, 3], None)
    assert weights.tolist() == [2, 3]
    assert rows.tolist() == [1, 3]
    weights, rows = combined([0, 1, 0, 1], None)
    assert weights is None
    assert rows.tolist() == [1, 3]


def test_class_weights_are_multiplied_in():
    weights, rows = combined([1, 2, 1, 1], {"yes": 5})
    assert weights.tolist() == [1, 2, 1, 5]
    assert rows is None
    weights, rows = combined(None, {"no": 0})
    assert weights is None
    assert rows.tolist() == [3]


def test_balanced_classes_weigh_the_same():
    weights, _ = combined(None, "balanced")
    np.testing.assert_allclose(weights, [2 / 3, 2 / 3, 2 / 3, 2])
    weights, _ = combined([1, 1, 4, 2], "balanced")
    np.testing.assert_allclose(np.bincount(Y, weights), [4, 4])
    weights, rows = combined([1, 1, 1, 0], "balanced")
    assert weights is None
    assert rows.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1, 1, -0.5, 1], ValueError, r"Negative values in sample_weight, such as -0\.5 for row 2"),
        ([0, 0, 0, 0], ValueError, "non-zero"),
        (np.zeros(4), ValueError, "non-zero"),
        (0, ValueError, "non-zero"),
        ([1, np.nan, 1, 1], ValueError, "NaN"),
        (np.array([1, np.inf, 1, 1]), ValueError, "infinity"),
        (np.full(4, 1e308), ValueError, "sum of the weights is infinite"),
        ([1, 1, 1], ValueError, "shape"),
        (np.ones((4, 1)), ValueError, "1D"),
        (["a", "b", "c", "d"], ValueError, "could not convert"),
        (np.ones(4) * 1j, ValueError, "Complex"),
    ],
)
def test_bad_weights_are_refused(weights, error, message):
    with pytest.raises(error, match=message):
        combined(weights, None)


def test_bad_class_weights_are_refused():
    with pytest.raises(ValueError, match="Negative"):
        combined(None, {"yes": -1})
    with pytest.raises(ValueError, match="not in class_weight"):
        combined(None, {"maybe": 2})
