"""Fits and predictions from several threads, for the build with ThreadSanitizer.

Every kind of fit runs with threads of its own, in several threads of Python at once: the
interpreter lock is released in the core. Then threads share one model, shards of a cluster respond
side by side, and so do cases of the laws.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from typing import Any

import numpy as np
from scipy import sparse

from fuzz.target import Failure, outcome
from fuzz.targets import TARGETS
from oracle.cases import Case
from rarewood import RareForestClassifier, RareTreeClassifier, _core, explain, presets
from rarewood.criteria import custom
from support.cluster import Coded, coordinate
from support.grown import assert_same_tree
from support.medium import medium_problem

N_CALLERS, N_THREADS = 4, 3
N_ROUNDS = 3


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.threads", description=__doc__)
    parser.add_argument("--cases", type=int, default=2000, help="of the laws")
    parser.add_argument("--seed", type=int, default=0, help="of the cases")
    arguments = parser.parse_args()
    for work in (fits, one_model, cluster, lambda: laws(arguments.cases, arguments.seed)):
        began = time.process_time()
        print(f"{work()} ({time.process_time() - began:.0f} CPU s)", flush=True)
    return 0


def table(n: int = 4000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    X[:, 4] = rng.integers(0, 5, size=n)
    X[::7, 5] = np.nan
    y = (X[:, 0] + X[:, 1] + rng.normal(size=n) > 2.5).astype(int)
    return X, y, rng.uniform(0.5, 2, size=n)


def fits() -> str:
    """The same models from several threads as from one after the other."""
    X, y, weights = table()
    counts = sparse.csr_array(np.where(X > 0.5, np.floor(2 * X), 0))
    some: dict[str, Any] = {"n_jobs": N_THREADS, "random_state": 0}
    mixed = {"categorical_features": [4]} | some
    leaves = {"leaf_strength": 2.0, "collapse": 0.1}
    jobs = [(model, X) for model in (
        RareTreeClassifier(**mixed),
        RareTreeClassifier(max_bins=30, **mixed),
        RareTreeClassifier(criterion=custom(product), max_depth=2, **mixed),
        RareForestClassifier(6, **leaves, **mixed),
        RareForestClassifier(4, **mixed),
        RareForestClassifier(6, max_bins=30, **leaves, **mixed),
        presets.random_forest(n_estimators=30, oob_score=True, **mixed),
        presets.balanced_random_forest(n_estimators=6, class_weight="balanced_subsample", **mixed),
        presets.extra_trees(n_estimators=6, **mixed),
        presets.hedexh(n_estimators=4, oblique_dim=2, **some),
    )]  # fmt: skip
    jobs += [(RareForestClassifier(4, max_bins=None, **leaves, **some), counts)]

    def fit_and_predict(job: tuple[Any, Any]) -> bytes:
        model, rows = type(job[0])(**job[0].get_params()), job[1]
        model.fit(rows, y, weights)
        return model.predict_proba(rows).tobytes() + model.apply(rows).tobytes()

    expected = [fit_and_predict(job) for job in jobs]
    with ThreadPoolExecutor(N_CALLERS) as pool:
        for _ in range(N_ROUNDS):
            found = pool.map(fit_and_predict, jobs)
            assert list(found) == expected, "results differ between threads"
    return f"{N_ROUNDS * len(jobs)} fits from {N_CALLERS} threads with {N_THREADS} threads each"


def product(counts: np.ndarray) -> np.ndarray:
    """A criterion of two classes in Python, proportional to that of Gini."""
    return -(counts.prod(axis=2) / counts.sum(axis=2)).sum(axis=1)


def one_model() -> str:
    """A fitted model, used by all threads at once from its first prediction on."""
    X, y, weights = table()
    forest = RareForestClassifier(6, leaf_strength=2.0, collapse=0.1, random_state=0)
    forest.set_params(n_jobs=N_THREADS, categorical_features=[4]).fit(X, y, weights)
    uses = [
        lambda: forest.predict_proba(X),
        lambda: forest.apply(X),
        lambda: forest.decision_path(X)[0].indices,
        lambda: explain.shap_values(forest, X[:100]).values,
    ]
    with ThreadPoolExecutor(N_CALLERS) as pool:
        found = list(pool.map(lambda use: use().tobytes(), uses * 5))
    assert len(set(found)) == len(uses), "results differ between threads"
    return f"{len(found)} uses of one model from {N_CALLERS} threads"


def cluster() -> str:
    """Forests of several coordinators at once, whose shards respond at the same time."""
    coded = Coded(medium_problem("categorical", 3000, 5, weighted=True), 32)
    expected = coordinate(coded.coordinator(Case("hellinger"), 3), coded.shards([700, 1900]))

    def grow(caller: int) -> list[Any]:
        coordinator = coded.coordinator(Case("hellinger"), 3)
        shards = coded.shards([700 + caller, 1900])
        with ThreadPoolExecutor(len(shards)) as pool:
            while (request := coordinator.request()) is not None:
                respond = partial(_core.Shard.respond, request=request, n_threads=N_THREADS)
                responses = list(pool.map(respond, shards))
                coordinator.receive(reduce(_core.combine_responses, responses), N_THREADS)
        return coordinator.trees()

    with ThreadPoolExecutor(N_CALLERS) as pool:
        for found in pool.map(grow, range(N_CALLERS)):
            for one, other in zip(found, expected, strict=True):
                assert_same_tree(one, other)
    return f"{N_CALLERS} forests of 3 shards each, which respond at the same time"


def laws(n: int, seed: int) -> str:
    """Cases of the laws, several at once."""
    target = TARGETS["laws"]

    def check(number: int) -> Failure | str:
        return outcome(target, target.case(seed, number) | {"n_jobs": N_THREADS})

    with warnings.catch_warnings(action="ignore"), ThreadPoolExecutor(N_CALLERS) as pool:
        found = list(pool.map(check, range(n)))
    failures = [one for one in found if isinstance(one, Failure)]
    assert not failures, failures
    counts = Counter(found)
    return f"{n} cases of the laws from {N_CALLERS} threads, {counts['refused']} of them refused"


if __name__ == "__main__":
    sys.exit(main())
