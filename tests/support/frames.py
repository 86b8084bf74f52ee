"""DataFrames with numeric and categorical columns, drawn by hypothesis."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import strategies as st


@st.composite
def frames(draw):
    """A table with numeric and categorical columns, some values missing, and labels."""
    n = draw(st.integers(4, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    k = draw(st.integers(2, 3))
    frame = pd.DataFrame(
        {
            "whole": rng.integers(0, 6, n).astype(float),
            "real": rng.normal(size=n),
            'o\'dd "name"': rng.normal(size=n).round(1),
            "job": rng.choice(["it's", "b", "c", "d e", "1"], n).astype(object),
            "flag": rng.choice([True, False], n),
        }
    )
    if draw(st.booleans()):
        frame = frame.astype({"flag": object}).mask(rng.random(frame.shape) < 0.2)
    columns = draw(st.permutations(list(frame)))[: draw(st.integers(1, 5))]
    labels = rng.integers(0, k, n)
    labels[:k] = np.arange(k)
    return frame[columns], np.array(["no", "yes", "may'be"])[labels]
