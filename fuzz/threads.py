"""Fits and predictions from several threads, for the build with ThreadSanitizer.

Every kind of fit runs with threads of its own, in several threads of Python at once: the
interpreter lock is released in the core.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rarewood import RareForestClassifier, RareTreeClassifier, presets

N_ROUNDS = 3


def main() -> int:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 6))
    X[:, 4] = rng.integers(0, 5, size=1500)
    X[::7, 5] = np.nan
    y = (X[:, 0] + X[:, 1] + rng.normal(size=1500) > 2.5).astype(int)
    weights = rng.uniform(0.5, 2, size=1500)
    leaves = {"leaf_strength": 2.0, "collapse": 0.1}
    some = {"n_jobs": 3, "random_state": 0, "categorical_features": [4]}
    models = [
        RareTreeClassifier(**some),
        RareTreeClassifier(max_bins=30, **some),
        RareForestClassifier(6, **leaves, **some),
        RareForestClassifier(4, **some),
        RareForestClassifier(6, max_bins=30, **leaves, **some),
        presets.random_forest(n_estimators=6, oob_score=True, **some),
        presets.balanced_random_forest(n_estimators=6, class_weight="balanced_subsample", **some),
        presets.extra_trees(n_estimators=6, **some),
    ]
    expected = [fit_and_predict(model, X, y, weights) for model in models]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(N_ROUNDS):
            found = pool.map(lambda model: fit_and_predict(model, X, y, weights), models)
            assert list(found) == expected, "results differ between threads"
    shared = models[2].fit(X, y, weights)
    with ThreadPoolExecutor(4) as pool:  # one fitted model, used by all
        assert len({proba.tobytes() for proba in pool.map(shared.predict_proba, [X] * 12)}) == 1
    print(f"{N_ROUNDS * len(models)} fits from 4 threads with 3 threads each: the same models")
    return 0


def fit_and_predict(model, X, y, weights) -> bytes:
    model = type(model)(**model.get_params()).fit(X, y, weights)
    return model.predict_proba(X).tobytes() + model.apply(X).tobytes()


if __name__ == "__main__":
    sys.exit(main())
