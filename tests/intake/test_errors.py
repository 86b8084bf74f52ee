"""Errors of unusable tables: one line each, with the remedy."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rarewood.intake import TableError, open_table, prepare
from rarewood.intake._raw_table import check_memory, parse_size
from rarewood.table._memory import available_memory, spell_bytes

GOOD = "age,sex,ill\n" + "".join(f"{20 + k % 17},{'fm'[k % 2]},{k % 5 == 0}\n" for k in range(40))


def refuses(pattern, *args, **kwargs):
    with pytest.raises(TableError, match=pattern) as caught:
        prepare(*args, **kwargs)
    assert "\n" not in str(caught.value)


@pytest.fixture
def file(tmp_path):
    def make(text, name="people.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def test_a_missing_file_suggests_the_nearest(file, tmp_path):
    file(GOOD)
    refuses(r"no file .*peple\.csv\. Did you mean .*people\.csv\?", tmp_path / "peple.csv", "ill")
    refuses(r"its folder .*nowhere does not exist", tmp_path / "nowhere" / "a.csv", "ill")
    refuses(
        r"is a folder without Parquet files: name a file in it, such as people\.csv",
        tmp_path,
        "ill",
    )
    refuses(r"no file or data set 'winee'\. Did you mean 'wine", "winee", "ill")


def test_an_unknown_kind_of_file(file):
    refuses(r"an unknown format: the name must end in \.csv", file(GOOD, "people.doc"), "ill")
    refuses(r"is not a text file. Rename it", file(b"PK\x00\x01\x02,\n" * 9), "ill")
    refuses(r"cannot be read: .* its suffix", file(GOOD, "people.parquet"), "ill")
    refuses(r"not a Feather file of version 2", file(GOOD, "people.feather"), "ill")
    refuses(r"no line @data", file(GOOD, "people.arff"), "ill")
    refuses(r"cannot be read", file(gzip.compress(GOOD.encode())[:-30], "people.csv.gz"), "ill")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    refuses(r"pipe\.csv is not a regular file", tmp_path / "pipe.csv", "ill")


def test_an_unreadable_file(file):
    path = file(GOOD)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    refuses("cannot be read: Permission denied", path, "ill")


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.arff", "a.feather", "a.csv.gz"])
def test_an_empty_file(file, name):
    refuses(rf"{name} is empty", file("", name), "ill")


def test_only_blank_lines_or_only_a_header(file):
    refuses("is empty", file("\n\n  \n"), "ill")
    refuses("has a header but no rows", file("age,sex,ill\n"), "ill")
    refuses("has a header but no rows", file("age,sex,ill"), "ill")
    refuses("has a header but no rows", file("age,sex,ill\n"), "ill", sample=3)


def test_no_header(file):
    refuses(r"no header: its first line is 1,2\.5,3\. Insert", file("1,2.5,3\n4,5,6\n"), "b")


def test_a_single_column(file):
    refuses(r"a single column, 'age#sex#ill'.*--delimiter", file(GOOD.replace(",", "#")), "ill")
    path = file(GOOD.replace(",", "#"))
    assert prepare(path, "ill", delimiter="#").X.shape == (40, 2)


@pytest.mark.parametrize("mark", ["", "||", "§", "\n", '"'])
def test_marks_that_cannot_stand_between_columns(file, mark):
    refuses("cannot be a delimiter. Expected one ASCII", file(GOOD), "ill", delimiter=mark)


def test_very_long_fields(file):
    long = "x" * 200_000
    rows = "".join(f'{k % 9},"{long if k == 7 else "word"}",{k % 2}\n' for k in range(30))
    assert prepare(file(f"a,b,t\n{rows}"), "t").X.shape == (30, 2)
    refuses("has a header but no rows", file(long), "t")
    refuses(r"a single column, 'x{80}'", file(f"{long}\n1\n2\n"), "t")
    refuses("a row has 2 fields, but the header has 3", file(f'a,b,t\n1,"{long}\n1,2,x\n'), "t")


def test_bytes_that_are_no_text(file):
    draw = np.random.RandomState(0)
    refuses("is not a text file", file(draw.bytes(50_000).replace(b"\0", b"\x01")), "t")
    assert prepare(file(GOOD.replace("f,", "\x02,", 2)), "ill").X.shape == (40, 2)  # a few are fine
    marked = file(GOOD.replace(",", "\x01"))  # as Hive writes its tables
    assert prepare(marked, "ill", delimiter="\x01").X.shape == (40, 2)


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_damage_inside_a_file(tmp_path, kind):
    draw, n = np.random.RandomState(0), 3000
    table = pd.DataFrame({"a": draw.rand(n), "b": draw.rand(n), "t": np.arange(n) % 9 == 0})
    path = tmp_path / f"t.{kind}"
    getattr(table, f"to_{kind}")(path, compression="zstd")
    whole = path.read_bytes()
    place = len(whole) // 4
    path.write_bytes(whole[:place] + b"damage" * 100 + whole[place + 600 :])
    refuses(rf"t\.{kind} cannot be read: .* Check that the file", path, "t")
    with pytest.raises(TableError, match=rf"t\.{kind} cannot be read"):
        list(open_table(path).chunks())


def test_rows_of_unequal_length(file):
    refuses(r"line 42 has 1 field, but the header has 3 columns", file(f"{GOOD}1\n"), "ill")
    refuses(r"line 42 has 2 fields, .* 3 columns\. Correct", file(f"{GOOD}1,f\n"), "ill")


def test_duplicate_columns(file):
    refuses(
        r"2 columns named 'age' \(columns 1, 3\): rename or remove",
        file("age,sex,age,ill\n1,f,2,no\n"), "ill",
    )  # fmt: skip
    same = "age,years,ill\n" + "".join(f"{k % 7},{k % 7},{k % 5 == 0}\n" for k in range(70))
    notes = prepare(file(same), "ill").findings.notes
    assert notes == ["columns 'age' and 'years' have the same values"]
    rows = "".join(f"{k % 7},{k % 7},{k % 7},{k % 5 == 0}\n" for k in range(70))
    notes = prepare(file(f"a,b,c,ill\n{rows}"), "ill").findings.notes
    assert notes == ["columns 'a', 'b' and 'c' have the same values"]


def test_a_target_that_is_not_there(file):
    path = file(GOOD)
    refuses(r"no target column 'Ill'\. Did you mean 'ill'\?", path, "Ill")
    refuses(r"target column 'xyzzy'\. Its columns are age, sex, ill\.", path, "xyzzy")
    refuses(r"people\.csv needs a target column: name it with --target", path)
    wide = file(
        ",".join(f"c{k}" for k in range(40)) + ",ill\n" + ",".join("1" * 41) + "\n", "wide.csv"
    )
    refuses(r"c0, c1, .*, \.\.\. \(29 more\), \.\.\., c38, c39, ill\.", wide)
    refuses(r"no column 'agee'\. Did you mean 'age'\?", path, "ill", drop=["agee"])
    refuses(r"'ill' is the target, so it cannot be a feature", path, "ill", keep=["ill"])


def test_targets_that_are_no_classes(file):
    rows = "".join(f"{k % 9},{k * 1.5},w{k},x,2024-01-{1 + k % 28:02}\n" for k in range(300))
    path = file("a,amount,name,same,day\n" + rows)
    refuses(r"'amount' is continuous \(300 distinct numbers\), but", path, "amount")
    refuses(r"'name' has 300 distinct values; at most 100", path, "name")
    refuses(r"'same' has a single class, x", path, "same")
    refuses(r"'day' contains dates, not classes", path, "day")
    refuses(r"has no values", file("a,b\n1,\n2,\n"), "b")


def test_an_unknown_rare_class(file):
    refuses(r"'ill' has no class 'yes'\. Its classes are False, True", file(GOOD), "ill", "yes")
    assert prepare(file(GOOD), "ill", "true").pos_label is True


def test_a_table_without_anything_to_learn_from(file):
    rows = "".join(f"{k},1,{k % 3 == 0}\n" for k in range(30))
    path = file(f"id,one,b\n{rows}")
    refuses(r"no usable feature \(id: .*; one: all its values are 1", path, "b")
    refuses(r"it has only the target 'b'", path, "b", drop=["id", "one"])


def test_columns_that_are_kept_and_left_out(file):
    rows = [f"{k},{k % 7},2024-01-{k},{k % 3}\n" for k in range(10, 30)]
    path = file("a,b,day,t\n" + "".join(rows))
    refuses("'day' is in both keep and drop", path, "t", keep=["day"], drop=["day", "a"])
    assert list(prepare(path, "t", columns=["b"], keep=["day"]).X.columns) == ["b", "day"]


def test_too_little_memory(file, tmp_path):
    table = pd.DataFrame(np.random.RandomState(0).rand(2000, 20)).add_prefix("c")
    table["ill"] = np.arange(2000) % 10 == 0
    table.to_csv(tmp_path / "a.csv", index=False)
    table.to_parquet(tmp_path / "a.parquet")
    table.to_feather(tmp_path / "a.feather")
    for kind in ("csv", "parquet", "feather"):
        path = tmp_path / f"a.{kind}"
        refuses(
            r"needs about .*B of memory, but only 100\.0 KB are available\. Read .* --columns",
            path, "ill", memory=100 << 10,
        )  # fmt: skip
        assert prepare(path, "ill", memory=100 << 20).X.shape == (2000, 20)
        assert prepare(path, "ill", columns=["c1"], memory=500 << 10).X.shape == (2000, 1)
        needed = open_table(path).memory_needed()
        assert table.memory_usage().sum() < needed < 20 * table.memory_usage().sum()


def test_a_packed_file_is_estimated_by_what_it_holds(tmp_path):
    table = pd.DataFrame({"a": np.zeros(400_000), "b": 1})
    table.to_csv(tmp_path / "a.csv", index=False)
    table.to_csv(tmp_path / "a.csv.gz", index=False)
    plain, packed = (open_table(tmp_path / name) for name in ("a.csv", "a.csv.gz"))
    assert packed.n_bytes < plain.n_bytes / 50
    assert packed.memory_needed() > plain.memory_needed() / 3


def test_sizes():
    assert parse_size("2k") == 2048
    assert parse_size("1.5 GB") == 3 << 29
    assert spell_bytes(3 << 29) == "1.5 GB"
    assert spell_bytes(12) == "12 bytes"
    with pytest.raises(TableError, match="'much' is not a size"):
        parse_size("much")
    free = available_memory()
    assert free is None or free > 0
    check_memory("a", 10, 10)
    with pytest.raises(TableError, match="a needs about 11 bytes"):
        check_memory("a", 11, 10)


def test_a_limit_of_the_process_counts():
    resource = pytest.importorskip("resource")
    code = """
import resource
from pathlib import Path
from rarewood.table._memory import available_memory
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (50 << 20), resource.RLIM_INFINITY))
print(available_memory())
"""
    if not Path("/proc/self/statm").exists() or resource.getrlimit(resource.RLIMIT_AS)[0] != -1:
        pytest.skip("the system does not say what a process uses, or limits it already")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) <= 50 << 20
