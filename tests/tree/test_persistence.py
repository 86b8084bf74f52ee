"""Copies, pickles and joblib files give the same model."""

from __future__ import annotations

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from rarewood import RareTreeClassifier
from rarewood.criteria import Alpha

TABLE = pd.DataFrame(
    {
        "x": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0],
        "colour": ["red", "green", None, "blue", "red", "green"],
        "member": [True, False, True, False, True, False],
    }
)
LABELS = ["a", "b", "a", "b", "b", "a"]


def through_joblib(model, tmp_path, **options):
    joblib.dump(model, tmp_path / "model.joblib")
    return joblib.load(tmp_path / "model.joblib", **options)


COPIES = {
    "pickle": lambda model, _: pickle.loads(pickle.dumps(model)),
    "pickle protocol 2": lambda model, _: pickle.loads(pickle.dumps(model, protocol=2)),
    "copy": lambda model, _: copy.copy(model),
    "deepcopy": lambda model, _: copy.deepcopy(model),
    "joblib": through_joblib,
    "joblib mmap": lambda model, path: through_joblib(model, path, mmap_mode="r"),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("split", ["subset", "multiway", "onehot"])
def test_a_copy_is_the_same_model(copied, split, tmp_path):
    model = RareTreeClassifier(criterion=Alpha(0.7), categorical_split=split, leaf="shrunk")
    model.fit(TABLE, LABELS, np.arange(1.0, 7.0))
    other = copied(model, tmp_path)
    assert other.get_params() == model.get_params()
    np.testing.assert_array_equal(other.predict_proba(TABLE), model.predict_proba(TABLE))
    np.testing.assert_array_equal(other.tree_.gain, model.tree_.gain)
    assert str(other.tree_) == str(model.tree_)
    assert other.feature_names_in_.tolist() == list(TABLE)
    assert not other.tree_.threshold.flags.writeable
    other.fit(TABLE, LABELS)


def test_pickles_hold_plain_arrays_and_do_not_depend_on_use():
    model = RareTreeClassifier().fit(TABLE, LABELS)
    before = pickle.dumps(model)
    model.predict_proba(TABLE)
    str(model.tree_)
    assert pickle.dumps(model) == before
    state = model.tree_.__getstate__()["compiled"]
    assert all(isinstance(value, (int, np.ndarray)) for value in state.values())


def test_a_corrupt_pickle_is_refused():
    view = RareTreeClassifier().fit(TABLE, LABELS).tree_
    state = view.__getstate__()
    state["compiled"] = {**state["compiled"], "first_child": state["compiled"]["first_child"] + 100}
    with pytest.raises(ValueError, match="not a valid tree"):
        copy.copy(view).__setstate__(state)


def test_a_clone_is_not_fitted():
    model = RareTreeClassifier(criterion=Alpha(0.7)).fit(TABLE, LABELS)
    fresh = clone(model)
    assert not hasattr(fresh, "tree_")
    assert fresh.criterion == Alpha(0.7)
