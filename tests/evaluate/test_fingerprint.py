"""Fingerprints: equal for equal models and data, different for all others."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rarewood import criteria, presets
from rarewood.evaluate import _fingerprint as fingerprint


class Given(ClassifierMixin, BaseEstimator):
    """A classifier with a parameter of any kind."""

    def __init__(self, a=None):
        self.a = a


def test_fingerprints_of_models():
    one = fingerprint.model_fingerprint
    assert one(presets.hddt()) == one(presets.hddt())
    assert one(RandomForestClassifier(n_jobs=2)) == one(RandomForestClassifier(verbose=1))
    cached = make_pipeline(StandardScaler(), presets.hddt(), memory="folder")
    assert one(cached) == one(make_pipeline(StandardScaler(), presets.hddt()))
    different = [
        RandomForestClassifier(),
        RandomForestClassifier(class_weight={0: 1, 1: 2}),
        RandomForestClassifier(class_weight={0: 1, 1: 3}),
        RandomForestClassifier(random_state=np.random.RandomState(0)),
        RandomForestClassifier(random_state=np.random.RandomState(1)),
        make_pipeline(StandardScaler(), RandomForestClassifier()),
        make_pipeline(StandardScaler(with_mean=False), RandomForestClassifier()),
        presets.alpha_tree(),
        presets.alpha_tree(criterion=criteria.Alpha(0.3)),
        presets.bagged_hddt(oob_score=lambda y, p: 0.0),
        presets.bagged_hddt(oob_score=lambda y, p: 1.0),
        Given(a=np.array([1, 2])),
        Given(a=np.array([1, 3])),
        Given(a={1, 2}),
        Given(a=(1, 2)),
        Given(a=int),
        Given(a=len),
        Given(a=complex(1)),
    ]
    assert len({one(model) for model in different}) == len(different)


def test_fingerprints_of_functions():
    def times(factor, more=1):
        return lambda x: x * factor * more

    one = [fingerprint.model_fingerprint(Given(a=times(f, m))) for f, m in ((2, 1), (3, 1), (2, 2))]
    assert len(set(one)) == 3
    assert one[0] == fingerprint.model_fingerprint(Given(a=times(2)))


def test_fingerprints_of_data():
    frame = pd.DataFrame({"a": [1, 2, 3], "k": pd.Categorical(["x", None, "y"])})
    y = np.array([0, 1, 1])

    def one(X=frame, y=y, rare=0):
        return fingerprint.data_fingerprint(X, y, rare)

    assert one() == one(frame.copy(), y.astype(np.int32))
    different = [
        one(),
        one(rare=1),
        one(y=y[::-1]),
        one(frame.rename(columns={"a": "b"})),
        one(frame[["k", "a"]]),
        one(frame.assign(a=[1, 2, 4])),
        one(frame.assign(a=[1.5, 2, 3])),
        one(frame.assign(k=["x", None, "y"])),
        one(frame.assign(k=pd.Categorical(["x", None, "y"], categories=["y", "x"]))),
        one(frame.assign(k=pd.Categorical(["x", "y", "y"]))),
        one(np.arange(6.0).reshape(3, 2)),
        one(np.arange(6.0).reshape(2, 3).T),
    ]
    assert len(set(different)) == len(different)


def test_versions_are_those_of_the_models_packages():
    found = fingerprint.versions(make_pipeline(StandardScaler(), presets.hddt()))
    assert {"rarewood", "numpy", "scipy", "sklearn"} <= set(found)


def test_a_new_parameter_at_its_default_changes_nothing():
    def older():
        class Model(ClassifierMixin, BaseEstimator):
            def __init__(self, a=1):
                self.a = a

        return Model

    def newer():
        class Model(ClassifierMixin, BaseEstimator):
            def __init__(self, a=1, b=None):
                self.a = a
                self.b = b

        return Model

    first, second = older(), newer()
    second.__qualname__ = first.__qualname__
    one = fingerprint.model_fingerprint
    assert one(first()) == one(second())
    assert one(first(a=2)) == one(second(a=2)) != one(first())
    assert one(second(b=0)) != one(second())
