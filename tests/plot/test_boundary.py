"""The boundary of categorical columns with few categories."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rarewood import RareTreeClassifier, plot


def test_a_column_of_one_category_and_categories_that_are_not_shown():
    rng = np.random.default_rng(0)
    one = pd.DataFrame({"x": rng.normal(size=200), "one": "k"})
    y = np.where(one["x"] > 0, "p", "q")
    ax = plot.decision_boundary(RareTreeClassifier().fit(one, y), one, y)
    assert ax.get_ylim() == (-0.5, 0.5)
    two = one.assign(one=np.where(one["x"] > 1, "b", "a"))
    model = RareTreeClassifier().fit(two, y)
    some = two["one"] == "a"
    assert plot.decision_boundary(model, two[some], y[some]).get_ylim() == (-0.5, 1.5)
