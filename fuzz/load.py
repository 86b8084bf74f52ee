"""Load: many fits and predictions from several threads, memory, and the latency of one row.

``python -m fuzz.load`` fails unless all results are the same, the resident set stays within 2%
after the first fifth, and the median prediction of one row with 100 trees takes less than 1 ms.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import psutil

from rarewood import RareForestClassifier

MOST_GROWTH, MOST_SECONDS = 0.02, 1e-3


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.load", description=__doc__)
    parser.add_argument("--fits", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=8)
    arguments = parser.parse_args()
    growth = fit_many(arguments.fits, arguments.threads)
    median, last = latency()
    print(f"memory: {growth:+.2%} after warm-up; at most {MOST_GROWTH:.0%}")
    print(f"one row, 100 trees: median {median * 1e3:.3f} ms, 99th percentile {last * 1e3:.3f} ms")
    return int(growth > MOST_GROWTH or median > MOST_SECONDS)


def table(n: int = 500) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 8))
    return X, (X[:, 0] + rng.normal(size=n) > 1.8).astype(int)


def fit_many(n: int, n_threads: int) -> float:
    """Growth of the resident set from the end of the first fifth to the largest value after it."""
    X, y = table()
    model = RareForestClassifier(10, leaf_strength=2.0, collapse=0.1, random_state=0, n_jobs=2)
    expected = model.fit(X, y).predict_proba(X).tobytes()
    process, sizes = psutil.Process(), []

    def work(number: int) -> bool:
        own = RareForestClassifier(**model.get_params()).fit(X, y)
        return own.predict_proba(X).tobytes() == expected

    n_rounds = 50
    with ThreadPoolExecutor(n_threads) as pool:
        for _ in range(n_rounds):
            assert all(pool.map(work, range(n // n_rounds))), "results differ between threads"
            gc.collect()
            sizes.append(process.memory_info().rss)
    warm = n_rounds // 5
    shown = [f"{size / 2**20:.1f}" for size in (*sizes[:: n_rounds // 10], sizes[-1])]
    print(f"{n} fits and predictions from {n_threads} threads; resident sets in MiB:", *shown)
    # Noise of a few pages in both directions is no growth: medians of the two ends.
    first = float(np.median(sizes[warm : 2 * warm]))
    return float(np.median(sizes[-warm:])) / first - 1


def latency() -> tuple[float, float]:
    """Median and 99th percentile of the CPU time of the prediction of one row."""
    X, y = table(5000)
    model = RareForestClassifier(100, random_state=0).fit(X, y)
    seconds = []
    for i in range(1000):
        began = time.process_time()
        model.predict_proba(X[i : i + 1])
        seconds.append(time.process_time() - began)
    return float(np.median(seconds)), float(np.percentile(seconds, 99))


if __name__ == "__main__":
    sys.exit(main())
