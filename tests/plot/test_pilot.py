"""Figure of the held-out log loss."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier, plot


def test_pilot():
    X, y = make_classification(300, n_features=5, weights=[0.9], random_state=0)
    auto = {"leaf_strength": "auto", "collapse": "auto"}
    model = RareForestClassifier(5, **auto, random_state=0).fit(X, y)
    ax = plot.pilot(model)
    (image,) = ax.images
    np.testing.assert_array_equal(image.get_array(), model.pilot_.log_loss)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    x, y_place = ax.lines[0].get_data()
    assert float(labels[int(y_place[0])]) == model.leaf_strength_
    assert float(ax.get_xticklabels()[int(x[0])].get_text()) == model.collapse_


def test_a_model_without_a_pilot():
    X, y = make_classification(100, random_state=0)
    with pytest.raises(ValueError, match="has no pilot"):
        plot.pilot(RareForestClassifier(3, leaf_strength=None, collapse=0).fit(X, y))
