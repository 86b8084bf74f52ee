"""Models with every kind of split, for the tests of explanations."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, presets

RANDOM = np.random.default_rng(5)
N = 200
COLOURS = ["red", "green", "blue", None]
TABLE = pd.DataFrame(
    {
        "x": np.where(RANDOM.random(N) < 0.15, np.nan, RANDOM.normal(size=N)),
        "z": RANDOM.normal(size=N),
        "colour": RANDOM.choice(COLOURS, N),
        "w": RANDOM.integers(0, 4, N).astype(float),
        "shape": pd.Categorical(RANDOM.choice(list("abcdef"), N)),
        "v": RANDOM.normal(size=N),
    }
)
SCORE = TABLE["z"] + (TABLE["colour"] == "red") * TABLE["x"].fillna(1) + TABLE["w"] / 3
LABELS = np.select([SCORE > 2, SCORE > 1.2], ["rare", "middle"], "common")
UNSEEN = TABLE[:12].assign(colour="violet", shape=None)
AXIS_PARALLEL = {
    "subset": RareTreeClassifier(max_depth=6, leaf="shrunk", leaf_strength=5),
    "multiway": presets.hddt(max_depth=5, leaf="raw"),
    "forest": RareForestClassifier(4, splitter="random", max_depth=5, balance=True, random_state=0),
    "c45": C45Classifier(),
    "stump": RareTreeClassifier(min_samples_leaf=N),
}
OBLIQUE = {
    "planes": RareTreeClassifier(splitter="oblique", max_depth=4, random_state=1),
    "wide planes": RareTreeClassifier(
        splitter="oblique", oblique_dim=3, max_depth=3, random_state=0
    ),
}
MODELS = AXIS_PARALLEL | OBLIQUE


def trees_of(model) -> list:
    return [model.tree_] if hasattr(model, "tree_") else model.forest_.trees
