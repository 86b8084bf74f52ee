"""What opening a file may do: raise ModelFileError, or return a model that works."""

from __future__ import annotations

import os
import resource
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import rarewood
import rarewood.operating
from fuzz.limits import IS_SANITIZED, limit_memory
from fuzz.modelfiles.mutations import mutated
from fuzz.tables.compare import assert_equal, assert_probabilities
from fuzz.target import Case, Refused
from rarewood.foreign import ForeignClassifier
from rarewood.modelfile import ModelFileError, describe
from support.golden import table as golden_table

_FILE = Path(tempfile.gettempdir()) / f"rarewood-fuzz-{os.getuid()}"
# What opening may take: a constant, and a multiple of the size of the file (docs/model-files.md).
FREE_BYTES, BYTES_PER_BYTE = 32 * 2**20, 1024
FREE_SECONDS, SECONDS_PER_BYTE = 1.0, 2e-6
_PAGE = resource.getpagesize()


def check(case: Case) -> None:
    data = mutated(case)
    path = _FILE.with_suffix(f".{os.getpid()}")
    path.write_bytes(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            is_described = "describe" not in case["uses"] or opened(describe, path, len(data))
            model = opened(rarewood.load, path, len(data))
            if model is None:
                raise Refused
            assert is_described, "describe refuses a file that load accepts"
            assert not has_foreign(model), "a model of another package opens without trust"
            if "predict" in case["uses"]:
                use(model, path, "save" in case["uses"])
    finally:
        path.unlink(missing_ok=True)


def opened(read: Callable[[Path], Any], path: Path, size: int) -> Any:
    """Open a file with limits of memory and time; None if it is refused."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE
    limit = used + FREE_BYTES + BYTES_PER_BYTE * size
    began, before = time.process_time(), limit_memory(limit)
    try:
        return read(path)
    except ModelFileError as error:
        assert len(str(error)) > 20 and str(path) in str(error), f"unclear: {error}"
        return None
    finally:
        limit_memory(before)
        taken = time.process_time() - began
        assert IS_SANITIZED or taken < FREE_SECONDS + SECONDS_PER_BYTE * size, (
            f"{taken:.1f} s for {size} bytes"
        )


def use(model: Any, path: Path, is_saved: bool) -> None:
    """Predict, inspect and save a model that was accepted."""
    try:
        rows = rows_for(model)
        proba = model.predict_proba(rows)
    except ValueError as error:  # of n_jobs, or of names or types of columns, which may be changed
        assert type(error) in (ValueError, UnicodeEncodeError) and len(str(error)) > 20, repr(error)
        raise Refused from error
    assert_probabilities(proba, len(rows), len(model.classes_))
    assert set(model.predict(rows).tolist()) <= set(model.classes_.tolist())
    importances = getattr(innermost(model), "feature_importances_", np.zeros(1))
    assert np.isfinite(importances).all(), f"importances {importances}"
    if not is_saved:
        return
    repr(model)
    rarewood.save(model, path, keep_rows=True)
    again = rarewood.load(path)
    assert_equal(proba, again.predict_proba(rows), "saved again")


def has_foreign(model: Any) -> bool:
    """Whether there is a model of another package in a model, or in its wrappers or parts."""
    parts, seen = [model], []
    while parts:
        part = parts.pop()
        if isinstance(part, ForeignClassifier):
            return True
        seen.append(part)
        steps = [step for _, step in getattr(part, "steps", ())]
        inner = [getattr(part, name, None) for name in ("estimator_", "estimator", "classifier_")]
        parts += [one for one in (*steps, *inner) if hasattr(one, "predict") and one not in seen]
    return False


def innermost(model: Any) -> Any:
    """The model in wrappers of rarewood; one with parts of scikit-learn is returned as it is."""
    while hasattr(model, "estimator_") and not is_composite(model):
        model = model.estimator_
    return model


def is_composite(model: Any) -> bool:
    return type(model).__module__.startswith("sklearn.")


def _rows_of_parts(model: Any) -> Any:
    """Rows for a model with parts of scikit-learn, as the golden ones were fitted on."""
    frame, _ = golden_table()
    frame = frame[:9]
    if hasattr(model, "feature_names_in_"):
        return frame
    return frame[["x", "z", "n"]].to_numpy(dtype=float)


def rows_for(model: Any) -> Any:
    """Some rows with the columns that a model was fitted on, also with missing values."""
    import pandas as pd

    if not hasattr(innermost(model), "_schema"):
        return _rows_of_parts(model)
    schema = innermost(model)._schema
    numbers = np.array([-1e300, -1.0, -0.25, 0.0, 0.3, 1.0, 2.5, 1e300, np.nan])
    if schema.names is None and not schema.by_dtype:
        array = np.stack([np.roll(numbers, j) for j in range(schema.n_features)], axis=1)
        for j, categories in schema.categories.items():
            array[:, j] = [_number(v) for v in np.resize([*categories.values, None], 9)]
        return array
    frame = {}
    names = range(schema.n_features) if schema.names is None else schema.names
    for j, name in enumerate(names):
        if j in schema.categories:
            values = [*schema.categories[j].values.tolist()][:8]
            codes = [i % (len(values) + 1) - 1 for i in range(9)]
            own = pd.Series([None if c < 0 else values[c] for c in codes], dtype=object)
            frame[name] = own.astype("category")
        else:
            frame[name] = np.roll(numbers, j)
    return pd.DataFrame(frame)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else np.nan
