"""``rarewood datasets``."""

from __future__ import annotations

import pandas as pd
import pytest

from rarewood import datasets
from support.program import fails, patients, run


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("RAREWOOD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def test_datasets_are_listed():
    assert run("datasets").stdout.split() == datasets.available()


def test_datasets_of_a_folder(tmp_path):
    patients(tmp_path / "patients.csv")
    assert "patients" in run("datasets", "--folder", tmp_path).stdout.split()
    assert "240 rows, 5 features" in run("datasets", "patients", "--folder", tmp_path).stdout


def test_one_data_set():
    text = run("datasets", "wine").stdout
    assert "178 rows, 13 features (0 categorical, 0 missing)" in text
    assert "class_1 71, class_0 59, class_2 48" in text
    assert "rule:        the rare class is the one with the fewest rows" in text
    assert "source:      scikit-learn" in text
    fails(run("datasets", "wnie"), "Did you mean 'wine'?")


def test_differences_from_the_papers_are_shown(tmp_path):
    pd.DataFrame({"a": [1, 2, 3], "y": ["u", "u", "v"]}).to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "MANIFEST.json").write_text(
        '{"datasets": [{"name": "t", "file": "t.csv", "printed": {"HDDT": {"instances": 4}}}]}'
    )
    text = run("datasets", "t", "--folder", tmp_path).stdout
    record = datasets.fetch("t", folder=tmp_path)
    assert [f"difference:  {d}" in text for d in record.differences] == [True] * len(
        record.differences
    )
