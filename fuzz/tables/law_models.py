"""Laws of a fitted model: probabilities, threads, copies, and views of the same model."""

from __future__ import annotations

import copy
import os
import pickle
import tempfile
import threading
from pathlib import Path

import numpy as np

import rarewood
from fuzz.tables.compare import assert_equal, assert_probabilities, assert_same
from fuzz.tables.fits import Setting, require
from fuzz.tables.parameters import LEAVES
from rarewood import criteria

_FILE = Path(tempfile.gettempdir()) / f"rarewood-fuzz-{os.getuid()}"


def probabilities(s: Setting) -> None:
    """Finite, non-negative, with a sum of 1; labels are the most probable; scores are finite."""
    proba = s.model.predict_proba(s.X)
    assert_probabilities(proba, len(s.X), len(s.model.classes_))
    with np.errstate(divide="ignore"):
        assert_equal(s.model.predict_log_proba(s.X), np.log(proba), "logarithms")
    found = proba[np.arange(len(proba)), np.searchsorted(s.model.classes_, s.model.predict(s.X))]
    assert (found >= proba.max(axis=1) - 1e-12).all(), "a label is not the most probable one"
    importances = s.model.feature_importances_
    assert np.isfinite(importances).all() and (importances >= 0).all(), f"{importances}"
    total = importances.sum()
    assert abs(total - 1) < 1e-9 or total == 0, f"importances sum to {total}"
    if hasattr(s.model, "oob_decision_function_"):
        known = s.model.oob_decision_function_
        known = known[~np.isnan(known).all(axis=1)]
        assert_probabilities(known, len(known), len(s.model.classes_))


def threads(s: Setting) -> None:
    """The same model and the same predictions for any number of threads."""
    other = s.fit(n_jobs=s.draw.pick([2, 3, -1]))
    assert_same(s.model, other, "threads")
    assert_equal(s.model.predict_proba(s.X), other.predict_proba(s.X), "probabilities")
    if s.parameters.get("oob_score"):
        one, two = s.model.oob_decision_function_, other.oob_decision_function_
        assert_equal(one, two, "out-of-bag probabilities")


def saved(s: Setting) -> None:
    """A saved and loaded model is the same, with its parameters and its predictions."""
    path = _FILE.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        rarewood.save(s.model, path, keep_rows=True)
        again = rarewood.load(path)
    finally:
        path.unlink(missing_ok=True)
    assert_same(s.model, again, "saved")
    assert_equal(s.model.predict_proba(s.X), again.predict_proba(s.X), "probabilities")
    assert repr(again) == repr(s.model), f"{again} and {s.model}"


def pickled(s: Setting) -> None:
    """Pickled, copied and cloned models are the same."""
    for again in (pickle.loads(pickle.dumps(s.model)), copy.deepcopy(s.model)):
        assert_same(s.model, again, "pickled")
    assert_equal(s.model.predict_proba(s.X), again.predict_proba(s.X), "probabilities")


def row_by_row(s: Setting) -> None:
    """A prediction does not depend on the other rows, or on the memory layout."""
    expected = s.model.predict_proba(s.X)
    single = np.concatenate([s.model.predict_proba(s.X[i : i + 1]) for i in range(len(s.X))])
    assert_equal(expected, single, "row by row")
    for layout in (np.asfortranarray(s.X), np.repeat(s.X, 2, axis=1)[:, ::2], s.X.astype(">f8")):
        assert_equal(expected, s.model.predict_proba(layout), "layout")


def monotonic(s: Setting) -> None:
    """Along a constrained feature, with all others fixed, the probability keeps its order."""
    constraints = s.parameters.get("monotonic_cst", [])
    require(any(constraints))
    assert s.model is not None
    for j, sign in enumerate(constraints):
        values = np.unique(s.X[:, j][~np.isnan(s.X[:, j])])
        if sign == 0 or not len(values):
            continue
        rows = np.repeat(s.X[:8], len(values), axis=0)
        rows[:, j] = np.tile(values, len(rows) // len(values))
        proba = s.model.predict_proba(rows).reshape(-1, len(values), 2)
        steps = sign * np.diff(proba[:, :, 1], axis=1)
        assert (steps >= 0).all(), f"column {j}: a step of {steps.min()}"


def refitted_leaves(s: Setting) -> None:
    """Other leaves of the same trees are those of a fit with these leaves, without a collapse."""
    changes = {"leaf": s.draw.pick(LEAVES), "leaf_strength": s.draw.pick([0.5, 1.0, 3.0, 1e300])}
    if changes["leaf"] == "raw":
        changes["leaf_strength"] = None
    fits = {} if s.case["estimator"] == "c45" else {"collapse": 0.0}
    model = s.fit(**fits).refit_leaves(**changes)
    other = s.fit(**fits, **changes)
    assert_same(model, other, "refitted leaves")
    assert_equal(model.predict_proba(s.X), other.predict_proba(s.X), "probabilities")


def custom_criterion(s: Setting) -> None:
    """A function that returns the values of a built-in criterion grows the same trees."""
    name = s.parameters["criterion"]["name"]
    function = criteria.custom(lambda tables: criteria.score(name, tables), name="function")
    # Values differ by rounding, since those of the search are evaluated in another unit: it must
    # not decide whether a split has a gain.
    assert s.model is not None
    changes = {"min_gain": max(1e-6, s.get("min_gain"))}
    built_in, model = s.fit(**changes), s.fit(criterion=function, **changes)
    assert_same(built_in, model, "custom criterion", ("gain",))
