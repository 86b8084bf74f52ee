"""An estimate of the time that a comparison will take, from fits on a few rows."""

from __future__ import annotations

import math
import warnings
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rarewood.workflow._listener import Listener
from rarewood.workflow._model_entry import ModelEntry
from rarewood.workflow._run_folder import Plan, RunFolder

if TYPE_CHECKING:
    from rarewood.intake._prepare import PreparedTable

_LARGE = 20_000  # rows; below, the fits themselves tell soon enough
_FEW, _SOME = 800, 2400  # rows of the two fits of a model
_PATIENCE = 8.0  # seconds, after which the models left count as the mean of the others
_EXPONENTS = (0.3, 1.3)  # of the growth of the time with the rows


def estimate_time(
    entries: list[ModelEntry],
    prepared: PreparedTable,
    plan: Plan,
    folder: RunFolder,
    n_jobs: int,
    listener: Listener,
) -> None:
    """Estimate the time of a comparison of many rows, unless it is resumed."""
    n_rows = len(prepared.y)
    if n_rows < _LARGE or folder.store.exists():
        return
    listener.on_step("estimating the time")
    protocol = plan.make_protocol()
    n_train = n_rows * (protocol.n_splits - 1) // protocol.n_splits
    folds: dict[str, float] = {}
    start = perf_counter()
    for entry in entries:
        if perf_counter() - start > _PATIENCE:
            break
        with suppress(Exception):  # a model that fails here fails in the comparison, which says so
            seed = plan.random_state
            folds[entry.name] = _fold(entry, prepared, seed, n_train, n_rows - n_train)
    if folds:
        mean = sum(folds.values()) / len(folds)
        folds = {entry.name: folds.get(entry.name, mean) for entry in entries}
        listener.on_estimate(sum(folds.values()) * len(protocol) / n_jobs, _SOME, folds)


def _fold(entry: ModelEntry, prepared: Any, seed: int, n_train: int, n_test: int) -> float:
    """Return the seconds of a fold, extrapolated from fits on two sizes."""
    few, some = (_seconds(entry, prepared, seed, n_rows) for n_rows in (_FEW, _SOME))
    growth = math.log(max(some[0], 1e-4) / max(few[0], 1e-4)) / math.log(_SOME / _FEW)
    growth = min(max(growth, _EXPONENTS[0]), _EXPONENTS[1])
    return float(some[0] * (n_train / _SOME) ** growth + some[1] * n_test / _SOME)


def _seconds(entry: ModelEntry, prepared: Any, seed: int, n_rows: int) -> tuple[float, float]:
    """Return the seconds to fit a sample that has all classes, and to predict it."""
    import numpy as np
    from sklearn.utils import resample
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    from rarewood.evaluate._inputs import gaps
    from rarewood.evaluate._prepare import needs_preparation
    from rarewood.evaluate._prepare import prepared as with_preparation

    rows = resample(
        np.arange(len(prepared.y)), replace=False, n_samples=n_rows, stratify=prepared.y,
        random_state=seed,
    )  # fmt: skip
    X, y = prepared.X.iloc[rows], prepared.y[rows]
    model = entry.make(random_state=seed, n_jobs=1)
    if needs_preparation(model, *gaps(X)):
        model = with_preparation(model)
    # One thread, as in the processes of a comparison.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        start = perf_counter()
        model.fit(X, y)
        fitted = perf_counter()
        model.predict_proba(X)
    return fitted - start, perf_counter() - fitted
