"""Laws of inputs: the model does not depend on the type of table that it is given in."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

from fuzz.tables import table as tables
from fuzz.tables.compare import assert_equal, assert_same
from fuzz.tables.fits import Setting, require
from fuzz.tables.parameters import make
from rarewood import explain


def all_levels(s: Setting) -> bool:
    """Whether every category occurs: an array knows no others."""
    return all(
        {v for v in column["values"] if v is not None} == set(range(len(column["levels"])))
        for column in s.table["columns"]
        if "levels" in column
    )


def frame(s: Setting) -> None:
    """A DataFrame with categorical columns gives the model of the array."""
    require(all_levels(s))
    given = tables.as_frame(s.table)
    model = make(s.case["estimator"], s.parameters)
    model.fit(given, s.y, s.weights)
    assert_same(s.model, model, "frame")
    assert_equal(s.model.predict_proba(s.X), model.predict_proba(given), "probabilities")


def arrow(s: Setting) -> None:
    """So does a table of Arrow, also with its labels and weights as columns."""
    require(all_levels(s))
    given = tables.as_arrow(s.table, with_targets=True)
    model = make(s.case["estimator"], s.parameters)
    features = given.select(tables.names(s.table))
    model.fit(features, s.y, s.weights)
    assert_same(s.model, model, "arrow")
    assert_equal(s.model.predict_proba(s.X), model.predict_proba(features), "probabilities")


def stream(s: Setting) -> None:
    """A table that is read in batches gives the model of the table in memory."""
    from rarewood.stream import Stream

    bins = s.get("max_bins")
    require(bins is not None and (bins != "auto" or s.get("splitter") == "oblique"))
    changes = {} if bins != "auto" else {"max_bins": 16}
    given = tables.as_arrow(s.table, with_targets=True)
    features = given.select(tables.names(s.table))
    model = make(s.case["estimator"], s.parameters, **changes)
    model.fit(features, s.y, s.weights)
    size = s.draw.pick([1, 3, 7, 1000])
    batches = Stream(given.to_batches(max_chunksize=size), columns=tables.names(s.table),
                     batch_rows=s.draw.pick([1, 5, 10_000]))  # fmt: skip
    weight = None if s.weights is None else "w"
    streamed = make(s.case["estimator"], s.parameters, **changes)
    streamed.fit(batches, "y", weight)
    assert_same(model, streamed, "stream")
    assert model.classes_.tolist() == streamed.classes_.tolist()
    proba = streamed.predict_proba(Stream(given, columns=tables.names(s.table)))
    assert_equal(model.predict_proba(features), proba, "probabilities")


def objects(s: Setting) -> None:
    """So does an array of objects, whose columns of text are categorical."""
    require(all_levels(s))
    given = tables.as_objects(s.table)
    require(not any(all(v is None for v in given[:, j]) for j in tables.categorical(s.table)))
    model = make(s.case["estimator"], s.parameters)
    model.fit(given, s.y, s.weights)
    # Numbers in objects have double precision.
    dense = s.make().fit(s.X.astype(np.float64), s.y, s.weights)
    assert_same(dense, model, "objects")
    assert_equal(dense.predict_proba(s.X), model.predict_proba(given), "probabilities")


SPARSE = {
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "coo": sparse.coo_matrix,
    "frame": lambda X: pd.DataFrame.sparse.from_spmatrix(sparse.csc_array(X)),
}


def sparse_table(s: Setting) -> None:
    """A sparse table gives the model of the dense one, and explanations as well."""
    bins = s.get("max_bins")
    if bins == "auto" or s.get("splitter") != "oblique":
        bins = None  # what "auto" means for a sparse table; cuts at edges of bins are refused
    model = s.make(max_bins=bins).fit(s.X, s.y, s.weights)
    given = SPARSE[s.draw.pick(list(SPARSE))](s.X)
    other = s.make(max_bins=bins).fit(given, s.y, s.weights)
    assert_same(model, other, "sparse")
    proba = model.predict_proba(s.X)
    assert_equal(proba, other.predict_proba(given), "probabilities")
    assert_equal(proba, other.predict_proba(s.X), "probabilities of dense rows")
    dense, found = (explain.shap_values(one, X) for one, X in ((model, s.X), (other, given)))
    assert_equal(dense.values, found.values, "Shapley values")
    if s.parameters.get("oob_score"):
        assert_equal(model.oob_decision_function_, other.oob_decision_function_, "out of bag")


def renamed_labels(s: Setting) -> None:
    """Labels are names: others in the same order give the same model."""
    order = np.unique(s.y, return_inverse=True)[1]
    names = np.array(["A", "B", "C", "D"], dtype=object)
    model = s.make().fit(s.X, names[order], s.weights)
    assert_same(s.model, model, "labels")
    assert_equal(s.model.predict_proba(s.X), model.predict_proba(s.X), "probabilities")
