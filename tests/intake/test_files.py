"""Files of every kind give the same table, whole, in chunks and as a sample."""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewood.intake import TableError, apply_recipe, open_table, prepare

N = 300
KINDS = ["a.csv", "a.tsv", "a.csv.gz", "a.txt", "a.parquet", "a.feather", "a.arff", "a.dat"]


def people(n=N):
    draw = np.random.RandomState(0)
    table = pd.DataFrame(
        {
            "age": draw.randint(18, 90, n).astype(float),
            "weight": draw.rand(n).round(4) * 100,
            "city": draw.choice(["Köln", "Rom", "Oslo"], n),
            "ill": np.where(draw.rand(n) < 0.1, "yes", "no"),
        }
    )
    table.loc[3, "age"] = np.nan
    table.loc[4, "city"] = None
    return table


def write(table, path):
    name = path.name
    if name.endswith(".parquet"):
        table.to_parquet(path)
    elif name.endswith(".feather"):
        table.to_feather(path)
    elif name.endswith((".arff", ".dat")):
        head = "@relation people\n@attribute age real\n@attribute weight real\n"
        head += "@attribute city {Köln,Rom,Oslo}\n@attribute ill {no,yes}\n"
        head += "@outputs ill\n" if name.endswith(".dat") else ""
        rows = table.to_csv(index=False, header=False, na_rep="?")
        path.write_text(f"{head}@data\n{rows}", encoding="utf-8")
    else:
        table.to_csv(path, index=False, sep="\t" if ".tsv" in name else ",")
    return path


def same(frame, table):
    assert list(frame.columns) == list(table.columns)
    for name in ("age", "weight"):
        np.testing.assert_allclose(frame[name].to_numpy(dtype=float), table[name])
    for name in ("city", "ill"):
        ours = [None if pd.isna(v) else v for v in frame[name].tolist()]
        assert ours == [None if pd.isna(v) else v for v in table[name].tolist()]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_gives_the_same_table(tmp_path, kind):
    table = people()
    source = open_table(write(table, tmp_path / kind))
    assert source.columns == list(table.columns)
    assert source.n_bytes > 0
    assert set(source.schema) == set(table.columns)
    same(source.read(), table)
    assert list(source.read(["ill", "age"]).columns) == ["age", "ill"]
    taken = prepare(source, "ill")
    assert taken.pos_label == "yes"
    assert taken.X["city"].dtype == "category"
    assert taken.findings.n_missing == 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_rows", [1, 7, N, 10 * N])
def test_chunks_put_together_are_the_table(tmp_path, kind, n_rows):
    table = people(60 if n_rows == 1 else N)
    chunks = list(open_table(write(table, tmp_path / kind)).chunks(n_rows))
    assert max(map(len, chunks)) <= n_rows
    same(pd.concat([chunk.astype({"city": object}) for chunk in chunks]), table)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_has_rows_of_the_table_in_their_order(tmp_path, kind):
    table = people()
    source = open_table(write(table, tmp_path / kind))
    drawn = source.sample(40, seed=1)
    assert len(drawn) == 40
    keys = list(zip(table["age"].fillna(-1), table["weight"].round(9), strict=True))
    places = [
        keys.index(key)
        for key in zip(drawn["age"].fillna(-1), drawn["weight"].round(9), strict=True)
    ]
    assert places == sorted(set(places))
    same(source.sample(10 * N), table)
    assert source.sample(40, seed=1).equals(drawn)
    assert not source.sample(40, seed=2).equals(drawn)


@given(st.integers(1, 50), st.integers(1, 30), st.integers(0, 5))
def test_a_sample_depends_on_the_rows_not_on_the_chunks(n, size, seed):
    table = pd.DataFrame({"a": np.arange(n), "b": np.arange(n) % 3})
    from rarewood.intake._whole_files import FrameTable

    whole = FrameTable("table", table)
    pieces = FrameTable("table", table)
    pieces.chunks = lambda columns=None: whole.chunks(4, columns)  # type: ignore[method-assign]
    assert whole.sample(size, seed)["a"].tolist() == pieces.sample(size, seed)["a"].tolist()
    assert len(whole.sample(size, seed)) == min(n, size)


def test_every_row_has_the_same_chance(tmp_path):
    table = pd.DataFrame({"a": np.arange(20), "b": 0})
    table.to_csv(tmp_path / "a.csv", index=False)
    source = open_table(tmp_path / "a.csv")
    drawn = np.concatenate([source.sample(5, seed)["a"].to_numpy() for seed in range(400)])
    counts = np.bincount(drawn.astype(int), minlength=20)  # 100 each, deviation 8.7
    assert counts.min() > 65
    assert counts.max() < 135


def test_other_delimiters_are_inferred_and_noted(tmp_path):
    table = people()
    for mark, word in ((";", "a semicolon"), ("\t", "a tab"), ("|", "a bar")):
        table.to_csv(tmp_path / "a.csv", index=False, sep=mark)
        source = open_table(tmp_path / "a.csv")
        same(source.read(), table)
        assert source.notes == [f"is delimited by {word}, not a comma"]
        assert f"note: a.csv is delimited by {word}" in "\n".join(
            prepare(source, "ill").findings.lines()
        )


def test_decimal_commas_are_read_and_noted(tmp_path):
    table = people()
    table.to_csv(tmp_path / "a.csv", index=False, sep=";", decimal=",")
    source = open_table(tmp_path / "a.csv")
    same(source.read(), table)
    same(pd.concat(list(source.chunks(50))), table)
    assert any("decimal commas" in note for note in source.notes)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_other_encodings(tmp_path, encoding):
    table = people()
    table.to_csv(tmp_path / "a.csv", index=False, encoding=encoding)
    source = open_table(tmp_path / "a.csv")
    same(source.read(), table)
    same(pd.concat(list(source.chunks(50))), table)
    assert (source.notes == []) == (encoding != "latin-1")


def test_latin_1_far_behind_the_start_is_noticed(tmp_path):
    start = "name,value\n" + "abcdefgh,1\n" * 150_000
    (tmp_path / "a.csv").write_bytes(start.encode() + "Köln,2\n".encode("latin-1"))
    source = open_table(tmp_path / "a.csv")
    assert source.notes == []
    assert source.read()["name"].iloc[-1] == "Köln"
    assert "Latin-1" in source.notes[0]


def test_spaces_behind_the_commas_are_no_part_of_the_values(tmp_path):
    text = "age, job, pay, y\n" + "39, clerk, 1.5, no\n40, ?, ?, yes\n41, , 2, no\n" * 9
    (tmp_path / "a.csv").write_text(text)
    source = open_table(tmp_path / "a.csv")
    assert source.columns == ["age", "job", "pay", "y"]
    for frame in (source.read(), *source.chunks(100)):
        assert frame["job"].iloc[0] == "clerk"
        assert frame["y"].iloc[1] == "yes"
        assert frame["pay"].iloc[2] == 2.0
        assert frame["job"].isna().sum() == 18
        assert frame["pay"].isna().sum() == 9


def test_line_ends_and_delimiters_in_quotes(tmp_path):
    table = people()
    table["note"] = [f'line one, "{k}"\nline two' for k in range(N)]
    table.to_csv(tmp_path / "a.csv", index=False)
    assert open_table(tmp_path / "a.csv").read()["note"].tolist() == table["note"].tolist()


def test_line_ends_in_quotes_far_behind_the_start(tmp_path):
    plain, odd = "word,1\n" * 200_000, '"two\nlines, and\nmore",2\n' * 400_000
    (tmp_path / "a.csv").write_text(f"name,value\n{plain}{odd}")
    table = open_table(tmp_path / "a.csv").read()
    assert table["value"].value_counts().to_dict() == {1: 200_000, 2: 400_000}
    assert table["name"].iloc[-1] == "two\nlines, and\nmore"
    chunks = open_table(tmp_path / "a.csv").chunks()
    assert sum(len(chunk) for chunk in chunks) == 600_000


def test_types_for_chunks_keep_what_is_written(tmp_path):
    (tmp_path / "a.csv").write_text("code,size\n007,1\n010,2\n")
    source = open_table(tmp_path / "a.csv")
    (chunk,) = source.chunks(types={"code": "text", "size": "number"})
    assert chunk["code"].tolist() == ["007", "010"]
    assert chunk["size"].tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="number, text, boolean, date"):
        source.chunks(types={"code": "word"})


def test_a_fraction_behind_many_whole_numbers_is_streamed(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n" + "1,2\n" * 300_000 + "1.5,2\n")
    last = list(open_table(tmp_path / "a.csv").chunks())[-1]
    assert last["a"].iloc[-1] == 1.5


def test_a_word_behind_many_numbers_is_an_error_when_streamed(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n" + "100,200\n" * 300_000 + "many,2\n")
    with pytest.raises(TableError, match="column 'a' contains 'many'"):
        list(open_table(tmp_path / "a.csv").chunks())
    assert open_table(tmp_path / "a.csv").read()["a"].iloc[-1] == "many"


def test_a_data_set_by_its_name():
    source = open_table("sklearn:wine")
    assert (source.name, source.target, source.pos_label, source.n_rows) == (
        "wine", "class", "class_2", 178,
    )  # fmt: skip
    assert prepare("wine").y.tolist().count("class_2") == 48
    assert source.about["licence"]
    assert open_table(source) is source


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_types_of_arrow(tmp_path, kind):
    n = 40
    table = pd.DataFrame(
        {
            "decimal": [decimal.Decimal(k) / 8 for k in range(n)],
            "code": pd.Categorical(np.arange(n) % 3),
            "small": (np.arange(n) % 5).astype("uint8"),
            "maybe": pd.array([True, False, None, True] * 10, dtype="boolean"),
            "whole": pd.array([1, 2, None, 4] * 10, dtype="Int64"),
            "day": [datetime.date(2024, 1, 1 + k % 28) for k in range(n)],
            "y": np.arange(n) % 4 == 0,
        }
    )
    path = tmp_path / f"a.{kind}"
    table.to_parquet(path) if kind == "parquet" else table.to_feather(path)
    taken = prepare(path, "y", keep=["day"])
    assert taken.X["decimal"].tolist() == [k / 8 for k in range(n)]
    assert taken.X["code"].tolist() == [str(k % 3) for k in range(n)]
    assert taken.X["maybe"].isna().sum() == 10
    assert taken.X["whole"].dtype == float
    assert taken.X["day"].iloc[0] == 19723
    for chunk in open_table(path).chunks(15):
        assert chunk["code"].iloc[0] in ("0", "1", "2")
        assert list(apply_recipe(taken.recipe, chunk).columns) == list(taken.X.columns)


def test_pandas_indexes_are_no_columns(tmp_path):
    table = people().set_axis([f"r{k}" for k in range(N)])
    table.to_parquet(tmp_path / "a.parquet")
    assert open_table(tmp_path / "a.parquet").columns == ["age", "weight", "city", "ill"]
    table.to_csv(tmp_path / "a.csv")
    taken = prepare(tmp_path / "a.csv", "ill")
    assert taken.findings.skipped[0].name == "Unnamed: 0"
    assert taken.findings.skipped[0].kind == "id"
