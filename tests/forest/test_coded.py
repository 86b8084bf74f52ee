"""Oblique trees over the coordinates of bins: in memory, in batches, saved, and added to."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, presets
from rarewood.modelfile import ModelFileError
from rarewood.stream import Stream
from support.draw import examples
from support.frames import frames

FEATURES = ["a", "b", "c", "town"]


def table(n: int = 600, seed: int = 0) -> pd.DataFrame:
    """Continuous features, one with missing values, a wide categorical one, and zero weights."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.1).astype(int)
    frame = pd.DataFrame(rng.normal(size=(n, 3)) + y[:, np.newaxis], columns=list("abc"))
    frame["town"] = [f"t{k}" for k in rng.integers(0, 290, n)]
    frame.loc[::9, "b"] = np.nan
    return frame.assign(y=y, w=rng.integers(0, 3, n).astype(float))


DATA = table()


def forest(**params) -> RareForestClassifier:
    return RareForestClassifier(**{"n_estimators": 4, "random_state": 1, "max_bins": 20} | params)


def state(model) -> bytes:
    """Trees and bins."""
    fitted = model.forest_
    bins = fitted.schema.bins
    shown = None if bins is None else (bins.edges, bins.coordinates, bins.max_bins)
    return pickle.dumps(([tree.state() for tree in fitted.compiled_trees], shown))


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"leaf_strength": "auto", "collapse": "auto"},
        {"bootstrap": True, "oob_score": True, "n_estimators": 25},
        {"class_weight": "balanced", "max_bins": 255},
    ],
)
@pytest.mark.parametrize("weight", [None, "w"])
def test_batches_give_the_model_of_memory(params, weight, monkeypatch):
    columns = [*FEATURES, "y"] if weight is None else list(DATA)
    parts = [DATA[columns][k : k + 100] for k in range(0, len(DATA), 100)]
    local = forest(**params).fit(DATA[columns], "y", weight)
    streamed = forest(**params).fit(Stream(iter(parts), batch_rows=70), "y", weight)
    assert state(streamed) == state(local)
    assert streamed.leaf_strength_ == local.leaf_strength_
    proba = local.predict_proba(DATA)
    np.testing.assert_array_equal(streamed.predict_proba(Stream(parts, batch_rows=70)), proba)
    if "oob_score" in params:
        oob = local.oob_decision_function_
        np.testing.assert_array_equal(streamed.oob_decision_function_, oob)
    assert state(forest(**params, n_jobs=2).fit(DATA[columns], "y", weight)) == state(local)


def test_the_default_encodes_large_tables_only(monkeypatch, tmp_path):
    for module in ("_parameters", "_streamed_data"):
        monkeypatch.setattr(f"rarewood.model.{module}.CODED_SAMPLES", 500)
    large, small = DATA[[*FEATURES, "y"]], DATA[[*FEATURES, "y"]][:500]
    for rows, is_coded in ((large, True), (small, False)):
        rows.to_parquet(tmp_path / "table.parquet")
        local = forest(max_bins="auto").fit(rows, "y")
        assert (local.forest_.schema.bins is not None) == is_coded
        assert state(forest(max_bins="auto").fit(tmp_path / "table.parquet", "y")) == state(local)
    assert forest(max_bins=None).fit(large, "y").forest_.schema.bins is None
    assert presets.hedexh(n_estimators=1).fit(large, "y").forest_.schema.bins is None
    assert RareTreeClassifier().fit(large, "y").tree_.schema.bins is None
    zero = (np.arange(600) % 6 > 0).astype(float)
    assert forest(max_bins="auto").fit(large, "y", zero).forest_.schema.bins is None


def test_small_tables_in_batches_with_weights_of_zero():
    params = {"max_bins": "auto", "bootstrap": True, "oob_score": True, "n_estimators": 25}
    local = forest(**params).fit(DATA, "y", "w")
    streamed = forest(**params).fit(Stream(DATA, batch_rows=70), "y", "w")
    assert state(streamed) == state(local)
    oob = local.oob_decision_function_
    np.testing.assert_array_equal(streamed.oob_decision_function_, oob)


@examples(30)
@given(frames(), st.sampled_from([2, 5, 255]), st.integers(0, 3))
def test_the_model_is_that_of_the_coordinates_as_values(frame, max_bins, seed):
    X, y = frame
    # The folds of a pilot depend on codes, or on values.
    params = {"random_state": seed, "leaf_strength": None, "collapse": 0.0}
    coded = forest(max_bins=max_bins, **params).fit(X, y)
    coordinates = coded._encode(X)
    plain = forest(max_bins=None, **params)
    categories = sorted(coded.forest_.schema.categories)
    plain.set_params(categorical_features=categories or None).fit(coordinates, y)
    np.testing.assert_array_equal(plain.predict_proba(coordinates), coded.predict_proba(X))
    np.testing.assert_array_equal(plain.apply(coordinates), coded.apply(X))
    if max_bins == 255:  # each value has a bin
        raw = forest(max_bins=None, **params).fit(X, y)
        np.testing.assert_array_equal(raw.predict_proba(X), coded.predict_proba(X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_predictions_do_not_depend_on_the_type_of_a_table(dtype):
    X, y = DATA[list("abc")].to_numpy(dtype), DATA["y"]
    model = forest().fit(X, y)
    assert model._encode(X.astype(np.float64)).dtype == dtype
    proba = model.predict_proba(X)
    for same in (X.astype(np.float64), np.asfortranarray(X), X.astype(object)):
        np.testing.assert_array_equal(model.predict_proba(same), proba)
    with pytest.raises(ValueError, match=r"infinity or a value too large .* column 1"):
        model.predict(np.where(np.arange(3) == 1, np.inf, X))
    with pytest.raises(ValueError, match=r"infinity or a value too large .* column 1"):
        model.fit(np.where(np.arange(3) == 1, np.inf, X), y)


def test_added_trees_keep_the_bins():
    whole = forest(n_estimators=6).fit(DATA[FEATURES], DATA["y"])
    for more in (DATA[[*FEATURES, "y"]], Stream(DATA[[*FEATURES, "y"]], batch_rows=90)):
        model = forest(n_estimators=3, warm_start=True).fit(DATA[[*FEATURES, "y"]], "y")
        assert state(model.set_params(n_estimators=6).fit(more, "y")) == state(whole)


def test_saving(tmp_path):
    model = forest().fit(DATA[FEATURES], DATA["y"])
    path = tmp_path / "model"
    rarewood.save(model, path)
    for copy in (rarewood.load(path), pickle.loads(pickle.dumps(model))):
        assert state(copy) == state(model)
        np.testing.assert_array_equal(copy.predict_proba(DATA), model.predict_proba(DATA))
    assert rarewood.modelfile.describe(path)["columns"][0] == {"name": "a", "kind": "numeric"}


@pytest.mark.parametrize("name", ["n_bins", "bin_edge", "bin_coordinate"])
def test_damaged_bins_are_refused(name, tmp_path):
    from rarewood.modelfile._archive import read_archive, write_archive

    path = tmp_path / "model"
    rarewood.save(forest().fit(DATA[FEATURES], DATA["y"]), path)
    header, arrays = read_archive(path)
    good = arrays[name]
    bad = [good[:-1], good.astype(np.int8) - 1, good[::-1].copy(), good.reshape(1, -1)]
    if name != "n_bins":
        bad += [np.where(np.arange(len(good)) == 3, x, good) for x in (np.nan, np.inf, 1e300)]
    for array in bad:
        write_archive(path, header, {**arrays, name: array})
        with pytest.raises(ModelFileError):
            rarewood.load(path)
    for max_bins in ("many", 1, 300, 5):
        header["schema"]["max_bins"] = max_bins
        write_archive(path, header, arrays)
        with pytest.raises(ModelFileError):
            rarewood.load(path)


def test_texts_say_that_values_are_replaced():
    tree = RareTreeClassifier(splitter="oblique", max_bins=9, random_state=0, max_depth=2)
    tree.fit(DATA[FEATURES], DATA["y"])
    said = "coordinates of bins, which replace the values"
    assert said in rarewood.export_text(tree).splitlines()[-1]
    assert said in rarewood.rules.extract(tree).to_text()
    tree.set_params(max_bins=None).fit(DATA[FEATURES], DATA["y"])
    assert said not in rarewood.export_text(tree) + rarewood.rules.extract(tree).to_text()
