"""Copies, pickles and joblib files of a forest give the same model."""

from __future__ import annotations

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from rarewood import RareForestClassifier, presets

RANDOM = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "x": np.where(RANDOM.random(80) < 0.1, np.nan, RANDOM.normal(size=80)),
        "z": RANDOM.normal(size=80),
        "colour": RANDOM.choice(["red", "green", None], 80),
    }
)
LABELS = np.where(TABLE["z"] + (TABLE["colour"] == "red") > 0.7, "a", "b")


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
FORESTS = [
    RareForestClassifier(5, bootstrap=True),
    RareForestClassifier(5, balance=True, max_samples=0.8),
    presets.beat(n_estimators=5),
    presets.bagged_hddt(n_estimators=5),
]


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("forest", FORESTS, ids=range(len(FORESTS)))
@pytest.mark.parametrize("is_used", [True, False])
def test_a_copy_is_the_same_model(forest, copied, is_used, tmp_path):
    model = clone(forest).fit(TABLE, LABELS, np.arange(1.0, 81.0))
    if is_used:
        model.predict(TABLE)
        assert len(model.estimators_) == 5
    other = copied(model, tmp_path)
    assert other.get_params() == model.get_params()
    np.testing.assert_array_equal(other.predict_proba(TABLE), model.predict_proba(TABLE))
    np.testing.assert_array_equal(other.feature_importances_, model.feature_importances_)
    assert [str(tree.tree_) for tree in other] == [str(tree.tree_) for tree in model]
    for rows, expected in zip(other.estimators_samples_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(rows, expected)
    assert other.feature_names_in_.tolist() == list(TABLE)
    other.fit(TABLE, LABELS)


def test_pickles_do_not_depend_on_use():
    model = RareForestClassifier(5, bootstrap=True).fit(TABLE, LABELS)
    before = pickle.dumps(model)
    model.predict_proba(TABLE)
    assert "colour" in "".join(str(tree.tree_) for tree in model)
    assert model.feature_importances_.shape == (3,)
    assert pickle.dumps(model) == before


def test_a_corrupt_pickle_is_refused():
    view = RareForestClassifier(3).fit(TABLE, LABELS).forest_
    state = view.__getstate__()
    state["compiled_trees"][1]["first_child"] = state["compiled_trees"][1]["first_child"] + 100
    with pytest.raises(ValueError, match="not a valid tree"):
        copy.copy(view).__setstate__(state)


def test_a_clone_is_not_fitted():
    model = clone(RareForestClassifier(5).fit(TABLE, LABELS))
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "estimators_")
