"""A table file is prepared and fitted on, or refused with a clear error."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import ArrowInvalid

from fuzz.tablefiles.files import content, suffix
from fuzz.tables.compare import assert_equal, assert_probabilities
from fuzz.target import Case, Refused
from rarewood import RareTreeClassifier
from rarewood.intake import TableError, apply_recipe, prepare

_FOLDER = Path(tempfile.gettempdir())


def check(case: Case) -> None:
    path = _FOLDER / f"rarewood-fuzz-{os.getpid()}{suffix(case)}"
    path.write_bytes(content(case))
    refused = []
    try:
        for use in (prepared, streamed) if case["format"] == "parquet" else (prepared,):
            try:
                use(path, case["target"])
            except Refused as error:
                refused.append(error)
    finally:
        path.unlink(missing_ok=True)
    if refused:
        raise refused[0]


def prepared(path: Path, target: str) -> None:
    """``prepare`` raises TableError, or its table can be fitted, and its recipe be repeated."""
    try:
        found = prepare(path, target)
    except TableError as error:
        assert len(str(error)) > 20, f"unclear: {error}"
        raise Refused(str(error)) from error
    n = len(found.y)
    assert n == len(found.X) == len(found.rows) == found.findings.n_rows > 0
    assert len(np.unique(found.y)) >= 2 and found.pos_label in found.y.tolist()
    assert list(found.X.columns) == list(found.findings.used)
    "\n".join(found.findings.lines()), found.findings.to_dict()
    model = RareTreeClassifier(random_state=0).fit(found.X, found.y)
    proba = model.predict_proba(found.X)
    assert_probabilities(proba, n, len(model.classes_))
    again = apply_recipe(found.recipe, _read(path)).iloc[found.rows]
    assert_equal(proba, model.predict_proba(again), "features by the recipe")


def _read(path: Path) -> Any:
    from rarewood.intake import open_table

    return open_table(path).read()


def streamed(path: Path, target: str) -> None:
    """``fit`` on a path works, or raises an error that explains itself."""
    model = RareTreeClassifier(max_bins=255, random_state=0)
    try:
        model.fit(path, target)
    except (ValueError, TypeError, OSError) as error:
        is_clear = isinstance(error, ArrowInvalid) or type(error).__module__ != "pyarrow.lib"
        assert is_clear and len(str(error)) > 20, f"unclear: {error!r}"
        raise Refused(str(error)) from error
    proba = model.predict_proba(path)
    assert_probabilities(proba, len(proba), len(model.classes_))
