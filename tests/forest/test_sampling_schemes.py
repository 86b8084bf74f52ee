"""A scheme of row sampling is one class and one line of the registry."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from rarewood import RareForestClassifier, load, save
from rarewood._docstrings import _FOREST
from rarewood.model import _sampling_schemes as schemes
from rarewood.modelfile import ModelFileError

X, Y = make_classification(
    400, 5, n_informative=4, n_redundant=0, n_classes=3, weights=[0.7, 0.2], random_state=0
)
SIZES = np.bincount(Y)


@dataclass(frozen=True)
class PowerOfCounts(schemes.SamplingScheme):
    """Class counts raised to a power."""

    name: ClassVar[str] = "power"
    summary: ClassVar[str] = "Class counts raised to `power`, which lessens the skew."
    ranges: ClassVar[dict[str, tuple[float, float]]] = {"power": (0.0, 1.0)}

    power: float = 0.5

    def class_sizes(self, counts):
        return np.maximum(1, counts**self.power).astype(np.int64)


EXPECTED = {0.5: np.sqrt(SIZES).astype(int), 0.9: (SIZES**0.9).astype(int)}


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The line of the registry."""
    monkeypatch.setitem(schemes.SCHEMES, PowerOfCounts.name, PowerOfCounts)


def forest(balance, **params) -> RareForestClassifier:
    params = {"max_depth": 3, "random_state": 0, "oob_score": True} | params
    return RareForestClassifier(20, balance=balance, **params)


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("balance", ["power", PowerOfCounts(0.9)], ids=str)
def test_fit_score_save_and_grow_on(balance, bootstrap, tmp_path):
    model = forest(balance, bootstrap=bootstrap).fit(X, Y)
    power = 0.5 if balance == "power" else balance.power
    for rows in model.estimators_samples_:
        np.testing.assert_array_equal(np.bincount(Y[rows]), EXPECTED[power])
    assert 0.3 < model.oob_score_ <= 1

    assert clone(model).balance == balance
    save(model, tmp_path / "model", keep_rows=True)
    loaded = load(tmp_path / "model")
    assert loaded.balance == balance
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    for rows, expected in zip(loaded.estimators_samples_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(rows, expected)

    grown = clone(model).set_params(n_estimators=5, warm_start=True).fit(X, Y)
    grown.set_params(n_estimators=20).fit(X, Y)
    np.testing.assert_array_equal(grown.predict_proba(X), model.predict_proba(X))
    assert grown.oob_score_ == model.oob_score_
    with pytest.raises(ValueError, match="balance or max_samples have changed"):
        grown.set_params(balance=PowerOfCounts(0.1), n_estimators=21).fit(X, Y)


def test_max_samples_applies_to_every_scheme():
    model = forest("power", max_samples=0.5).fit(X, Y)
    np.testing.assert_array_equal(model[0].tree_.counts[0], EXPECTED[0.5] // 2)


@pytest.mark.parametrize(
    ("power", "error"), [(-0.1, ValueError), (2, ValueError), ("a", TypeError)]
)
def test_ranges_are_checked(power, error):
    with pytest.raises(error, match="power"):
        PowerOfCounts(power)


def test_messages_and_descriptions_read_the_registry():
    with pytest.raises(ValueError, match="'balanced', 'power'"):
        forest("powers").fit(X, Y)
    assert all(scheme.summary.endswith(".") for scheme in schemes.SCHEMES.values())


def test_the_docstring_names_the_schemes(monkeypatch):
    monkeypatch.undo()
    assert all(f'"{name}"' in _FOREST for name in schemes.SCHEMES)


@dataclass(frozen=True)
class Fixed:
    """Scheme without a registration, which a forest takes as it is."""

    sizes: tuple

    def class_sizes(self, counts):
        return np.array(self.sizes)


def test_any_object_with_class_sizes(tmp_path):
    model = forest(Fixed((3, 0, 7))).fit(X, Y)
    assert {tuple(tree.tree_.counts[0]) for tree in model} == {(3, 0, 7)}
    same = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(same.predict_proba(X), model.predict_proba(X))
    with pytest.raises(TypeError, match="balance is of the type Fixed"):
        save(model, tmp_path / "model")


@pytest.mark.parametrize("sizes", [(1, 2), (1, 2, -3), (1.0, 2.0, 3.0), (0, 0, 0), ("a", "b", "c")])
def test_class_sizes_are_checked(sizes):
    with pytest.raises(ValueError, match="class_sizes of Fixed"):
        forest(Fixed(sizes)).fit(X, Y)


def test_a_file_with_an_unknown_scheme_is_refused(tmp_path, monkeypatch):
    save(forest(PowerOfCounts(0.9)).fit(X, Y), tmp_path / "model")
    monkeypatch.delitem(schemes.SCHEMES, PowerOfCounts.name)
    with pytest.raises(ModelFileError, match="PowerOfCounts"):
        load(tmp_path / "model")
