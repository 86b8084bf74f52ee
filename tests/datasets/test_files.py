"""Files of every format: categorical columns stay categorical, missing values stay missing."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from rarewood import datasets

FRAME = pd.DataFrame(
    {
        "age": [20.5, None, 31.0, 44.0, 5.0, 6.0],
        "sex": pd.Categorical(["f", "m", None, "f", "m", "f"]),
        "target": ["no", "no", "yes", "no", "yes", "no"],
    }
)
HEADER = """@relation people
@attribute age real [5.0, 44.0]
@attribute 'the sex' {f, m, other}
"""
KEEL = f"{HEADER}@attribute target {{no, yes}}\n@inputs age, 'the sex'\n@outputs target\n@data\n"
ROWS = "20.5, f, no\n<null>, m, no\n31,<null>,yes\n44,f,no\n5,m,yes\n6,f,no\n"
ARFF = f"% a comment\n{HEADER.upper().replace('F, M, OTHER', 'f, m, other')}"
ARFF += "@ATTRIBUTE target {no,yes}\n\n@DATA\n% rows\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("RAREWOOD_DATA", raising=False)
    FRAME.to_parquet(tmp_path / "columns.parquet")
    FRAME.to_csv(tmp_path / "text.csv", index=False)
    FRAME.to_csv(tmp_path / "packed.csv.gz", index=False)
    FRAME.to_csv(tmp_path / "tabs.tsv", index=False, sep="\t")
    FRAME.to_csv(tmp_path / "packed_tabs.tsv.gz", index=False, sep="\t")
    FRAME.to_feather(tmp_path / "arrow.feather")
    (tmp_path / "weka.arff").write_text(ARFF + ROWS.replace("<null>", "?"))
    (tmp_path / "keel.dat").write_text(KEEL + ROWS)
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["columns", "arrow", "text", "packed", "tabs", "packed_tabs", "weka", "keel"]
)
def test_formats(folder, name):
    record = datasets.fetch(name, folder=folder)
    assert record.shape == (6, 2)
    assert record.X.dtypes.iloc[0].kind == "f"
    assert isinstance(record.X.dtypes.iloc[1], pd.CategoricalDtype)
    np.testing.assert_array_equal(record.X.iloc[:, 0], FRAME["age"])
    assert record.X.iloc[:, 1].tolist()[:2] == ["f", "m"]
    assert record.X.isna().sum().tolist() == [1, 1]
    np.testing.assert_array_equal(record.y, FRAME["target"])
    assert record.pos_label == "yes"
    assert "fewest rows" in record.rule
    assert record.counts == {"no": 4, "yes": 2}
    assert "rare class 'yes' with 2 rows" in repr(record)


def test_names_of_a_folder(folder, monkeypatch):
    names = datasets.available(folder)
    assert {"columns", "text", "packed", "tabs", "weka", "keel"} <= set(names)
    assert "notes" not in names
    monkeypatch.setenv("RAREWOOD_DATA", str(folder))
    assert datasets.available() == names
    assert datasets.fetch("folder:keel").name == "keel"


def test_another_target(folder):
    record = datasets.fetch("weka", folder=folder, target="target")
    assert record.shape == (6, 2)
    with pytest.raises(ValueError, match=r"no column 'agee'.*AGE, THE SEX, target"):
        datasets.fetch("weka", folder=folder, target="agee")
    with pytest.raises(ValueError, match="'age' is missing in row 1"):
        datasets.fetch("text", folder=folder, target="age")


def test_categories_keep_their_order_and_unused_ones(folder):
    assert list(datasets.fetch("keel", folder=folder).X["the sex"].cat.categories) == [
        "f", "m", "other",
    ]  # fmt: skip


def test_quotes_and_values_that_were_not_declared(tmp_path):
    (tmp_path / "odd.arff").write_text(
        "@relation odd\n@attribute 'a b' {'x, y', z}\n@attribute \"c\" string\n"
        "@attribute n numeric\n@attribute class {0,1}\n@data\n"
        "'x, y', 'one, two', 1e3, 0\nunknown, two, ?, 1\n"
    )
    record = datasets.fetch("odd", folder=tmp_path)
    assert record.X["a b"].tolist() == ["x, y", "unknown"]
    assert record.X["c"].tolist() == ["one, two", "two"]
    assert record.X["n"].tolist()[0] == 1000
    assert record.y.tolist() == ["0", "1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation x\n1,2\n", "no line @data"),
        ("@attribute a real\n@data\n1\n2,3\n", "line 4: 2 values, but 1 attributes"),
        ("@attribute a real\n@attribute b {x}\n@data\none,x\n", "'one' is not a number"),
        ("@attribute a date\n@attribute b {x}\n@data\n1,x\n", "got 'date'"),
        ("@attribute a real\n@attribute b {x}\n@data\n{0 1}\n", "sparse"),
        ("@attribute a real\n@data\n1\n", "has 1 columns"),
    ],
)
def test_broken_files(tmp_path, text, message):
    (tmp_path / "bad.arff").write_text(text)
    with pytest.raises(ValueError, match=message):
        datasets.fetch("bad", folder=tmp_path)


def write_manifest(folder, *entries, name="MANIFEST.json"):
    (folder / name).write_text(json.dumps({"datasets": list(entries)}))


def test_a_manifest(folder):
    write_manifest(
        folder,
        {
            "name": "people",
            "file": "columns.parquet",
            "rows": 7,
            "features": 2,
            "positive_rule": "target 'no' is the minority, says the paper",
            "source": "a friend",
            "licence": "free",
            "note": "small",
            "paper": {
                "t1": {"instances": 6, "features": 3, "minority_pct_or_other": "33%"},
                "t2": {"instances": None, "features": 2, "minority_pct_or_other": "66.7%"},
            },
        },
        {"name": "gone", "file": "gone.parquet"},
    )
    record = datasets.fetch("people", folder=folder)
    assert record.pos_label == "no"  # though it has more rows: the record says so
    assert record.rule.startswith("target 'no'")
    assert (record.source, record.licence, record.notes) == ("a friend", "free", "small")
    assert record.differences == [
        "the manifest states 7 rows, the file has 6",
        "t1 prints 3 features, the data have 2",
        "t1 prints 33% of the rare class, the data have 66.67%",
    ]
    assert record.about["file"] == "columns.parquet"
    names = datasets.available(folder)
    assert "people" in names
    assert "keel" in names  # not in the manifest, but in the folder
    assert "columns" not in names
    assert "gone" not in names


def test_a_manifest_may_name_target_and_rare_class(folder):
    entry = {"name": "p", "file": "text.csv", "target": "sex", "rare": "m"}
    write_manifest(folder, entry, name="manifest.json")
    with pytest.raises(ValueError, match="'sex' is missing in row 2"):
        datasets.fetch("p", folder=folder)
    FRAME.dropna().to_csv(folder / "text.csv", index=False)
    assert datasets.fetch("p", folder=folder).pos_label == "m"


def test_broken_manifests(tmp_path):
    (tmp_path / "MANIFEST.json").write_text("{")
    with pytest.raises(ValueError, match="not valid JSON"):
        datasets.available(tmp_path)
    (tmp_path / "MANIFEST.json").write_text('{"datasets": [{"name": "a"}]}')
    with pytest.raises(ValueError, match="'name' and 'file'"):
        datasets.available(tmp_path)
    with pytest.raises(FileNotFoundError, match="of the argument folder does not exist"):
        datasets.available(tmp_path / "nowhere")


def test_labels_of_numbers(tmp_path):
    pd.DataFrame({"x": [1, 2, 3], "y": [0.0, 1.0, 1.0]}).to_csv(tmp_path / "d.csv", index=False)
    record = datasets.fetch("d", folder=tmp_path)
    assert record.y.dtype == np.int64
    assert record.pos_label == 0
    assert isinstance(record.pos_label, int)
