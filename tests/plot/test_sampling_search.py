"""The figure of the wrapper's search shows its table."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from rarewood import RareTreeClassifier, plot, presets
from rarewood.sampling import SamplingWrapperClassifier


@pytest.fixture(scope="module", params=["greedy", "lookahead", "best_per_axis"])
def wrapper(request):
    X, y = make_classification(400, weights=[0.85], random_state=1)
    return SamplingWrapperClassifier(presets.c45(), search=request.param, cv=3, random_state=0).fit(
        X, y
    )


def test_points_are_the_scores(wrapper):
    ax = plot.sampling_search(wrapper)
    points = np.concatenate([container[0].get_xydata() for container in ax.containers])
    points = points[np.argsort(points[:, 0])]
    np.testing.assert_array_equal(points[:, 1], wrapper.search_table_["mean_score"])
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels[0] == "none"
    assert labels[1] == "-10%"
    assert ax.get_title().startswith(f"Sampling {'helped' if wrapper.helped_ else 'did not help'}")
    assert "roc_auc" in ax.get_ylabel()


def test_given_axes_are_used(wrapper):
    ax = plot.sampling_search(wrapper)
    assert plot.sampling_search(wrapper, ax=ax) is ax


def test_what_has_searched_nothing():
    with pytest.raises(TypeError, match="SamplingWrapperClassifier"):
        plot.sampling_search(RareTreeClassifier())
