"""Plain estimators predict for Dask collections, lazily."""

from __future__ import annotations

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from rarewood import RareForestClassifier, RareTreeClassifier

METHODS = ["predict", "predict_proba", "predict_log_proba", "apply"]
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "a": RNG.random(90),
        "kind": pd.Categorical(RNG.choice(["u", "v", "w"], 90)),
        "town": RNG.choice(["x", "y"], 90),
        "whole": RNG.integers(0, 5, 90),
        "flag": RNG.random(90) > 0.5,
        "object": pd.Series(RNG.choice(["p", None], 90), dtype=object),
    }
)
LABELS = np.where(FRAME["a"] + FRAME["flag"] > 1.5, "ill", "well")
X = RNG.random((90, 4)).astype(np.float32)


@pytest.fixture(autouse=True)
def synchronous():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(params=[RareTreeClassifier(), RareForestClassifier(4, random_state=0)], ids=repr)
def model(request):
    return request.param


@pytest.mark.parametrize("method", METHODS)
def test_frames(model, method):
    model.fit(FRAME, LABELS)
    expected = getattr(model, method)(FRAME)
    frame = dd.from_pandas(FRAME, npartitions=4)
    found = getattr(model, method)(frame)
    assert isinstance(found, da.Array)
    assert found.dtype == expected.dtype
    assert found.ndim == expected.ndim
    assert np.array_equal(found.compute(), expected)
    few = getattr(model, method)(frame[frame["a"] > 0.9])  # some partitions become empty
    assert np.array_equal(few.compute(), expected[FRAME["a"] > 0.9])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.float32, object])
def test_arrays(model, method, dtype):
    model.fit(X, LABELS)
    expected = getattr(model, method)(X)
    table = da.from_array(X, chunks=(40, 3)).astype(dtype)
    found = getattr(model, method)(table)
    assert found.chunks[0] == (40, 40, 10)
    assert found.shape == expected.shape
    assert np.array_equal(found.compute(), expected)
    few = getattr(model, method)(table[da.from_array(X[:, 0], chunks=40) > 2])
    assert few.compute().shape == (0, *expected.shape[1:])


def test_nothing_is_computed_before_somebody_asks():
    model = RareTreeClassifier().fit(X, LABELS)

    def fail(block):
        raise RuntimeError("computed")

    lazy = da.from_array(X, chunks=40).map_blocks(fail, dtype=X.dtype, meta=X[:0])
    proba = model.predict_proba(lazy)
    with pytest.raises(RuntimeError, match="computed"):
        proba.compute()


def test_a_column_of_scores_beside_the_others(model):
    model.fit(FRAME, LABELS)
    frame = dd.from_pandas(FRAME, npartitions=4)
    scored = frame.assign(score=model.predict_proba(frame)[:, 0]).compute()
    assert np.array_equal(scored["score"], model.predict_proba(FRAME)[:, 0])


def test_columns_that_do_not_fit_are_found_at_once(model):
    frame = dd.from_pandas(FRAME, npartitions=2)
    model.fit(FRAME, LABELS)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="was numeric when the model was fitted"):
        model.predict(frame.assign(a=frame["town"]))
    model.fit(X, LABELS)
    with pytest.raises(ValueError, match="X has 3 features"):
        model.predict_proba(da.from_array(X, chunks=40)[:, :3])
    with pytest.raises(ValueError, match=r"got Array with 1 dimension"):
        model.predict(da.from_array(X, chunks=40)[:, 0])
