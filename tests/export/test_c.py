"""A C file returns the labels and the probabilities of the model."""

from __future__ import annotations

import ctypes
import platform
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rarewood import RareTreeClassifier
from rarewood.export import to_c
from support.compiled_c import CC, Compiled
from support.exported import MODELS, tables_for

pytestmark = pytest.mark.skipif(CC is None, reason="needs a C compiler, cc")


def schema_of(model):
    while not hasattr(model, "_schema"):
        model = model.estimator_
    return model._schema


@pytest.mark.parametrize("name", MODELS)
def test_labels_and_probabilities_are_those_of_the_model(name, tmp_path):
    model = MODELS[name]()
    compiled = Compiled(to_c(model), tmp_path)
    for frame in tables_for(model):
        labels, proba = compiled.run(compiled.encode(frame, schema_of(model).categories))
        np.testing.assert_array_equal(proba, model.predict_proba(frame))
        assert model.classes_[labels].tolist() == model.predict(frame).tolist()


@pytest.mark.skipif(
    platform.machine() != "x86_64" or " fma " not in Path("/proc/cpuinfo").read_text(),
    reason="needs a processor with the fused operations of x86",
)
def test_sums_are_not_fused(tmp_path):
    model = MODELS["oblique numeric forest"]()
    compiled = Compiled(to_c(model), tmp_path, options=["-O3", "-mfma", "-ffp-contract=fast"])
    X = np.random.default_rng(0).integers(-300, 300, size=(5000, 3)) / 100
    np.testing.assert_array_equal(
        compiled.run(X)[1], model.predict_proba(pd.DataFrame(X, columns=list("xyz")))
    )


def test_two_models_in_one_program(tmp_path):
    first, second = MODELS["numeric tree"](), MODELS["threshold"]()
    code = to_c(first, prefix="one") + to_c(second, prefix="two")
    frame = tables_for(second)[1]
    two = Compiled(code, tmp_path, "two")
    labels, _ = two.run(two.encode(frame, schema_of(second).categories))
    assert second.classes_[labels].tolist() == second.predict(frame).tolist()
    one = Compiled(code, tmp_path, "one")
    X = frame[["x", "y", "z"]].to_numpy()
    np.testing.assert_array_equal(one.run(X)[1], first.predict_proba(frame[["x", "y", "z"]]))


def test_names_and_categories_in_the_order_of_their_numbers(tmp_path):
    model = MODELS["subsets"]()
    compiled = Compiled(to_c(model), tmp_path)

    def texts(name, n):
        found = (ctypes.c_char_p * n).in_dll(compiled.library, f"rarewood_{name}")
        return [text.decode() for text in found]

    assert texts("classes", 2) == ["common", "rare"]
    assert texts("features", 6) == list(model.feature_names_in_)
    colours = model._schema.categories[3].values.tolist()
    assert texts("categories_3", len(colours)) == colours
    assert [compiled.number(3, colour) for colour in colours] == [0, 1, 2, 3]
    assert np.isnan([compiled.number(3, value) for value in ("violet", "", None)]).all()
    assert compiled.number(4, 8.0) == 2
    assert np.isnan([compiled.number(4, 4.0), compiled.number(4, np.nan)]).all()


def test_fast_math_is_refused(tmp_path):
    with pytest.raises(AssertionError, match="compile without -ffast-math"):
        Compiled(to_c(MODELS["numeric tree"]()), tmp_path, options=["-ffast-math"])


def test_files_and_refusals(tmp_path):
    model = MODELS["numeric tree"]()
    assert to_c(model, tmp_path / "tree.c") is None
    assert (tmp_path / "tree.c").read_text() == to_c(model)
    for prefix in ("", "2nd", "a-b", "a" * 50, 7):
        with pytest.raises(ValueError, match="prefix must be"):
            to_c(model, prefix=prefix)
    with pytest.raises(TypeError, match=r"to_c needs .* got str"):
        to_c("tree")
    zero = RareTreeClassifier().fit([[0.0], [1.0]], ["a\0b", "c"])
    with pytest.raises(ValueError, match="zero character"):
        to_c(zero)
