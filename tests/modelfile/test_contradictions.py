"""Files whose parts are sound by themselves, and contradict each other: each check says which."""

from __future__ import annotations

import struct
import zipfile
from functools import cache

import numpy as np
import pytest

import rarewood
from rarewood.modelfile import ModelFileError
from support.golden import FOLDER
from support.model_files import load_npy, npy, parts_of, put_together, with_json


@cache
def golden(name):
    return parts_of((FOLDER / "0.1" / f"{name}.rarewood").read_bytes())


def array(name, change):
    """A change of an array, in place or of what is returned."""

    def apply(parts):
        values = load_npy(parts[f"{name}.npy"])
        if values.dtype.kind != "f":
            values = values.astype(np.int64)
        changed = change(values)
        return parts | {f"{name}.npy": npy(values if changed is None else changed)}

    return apply


def of_json(*path, value):
    def change(header):
        for key in path[:-1]:
            header = header[key]
        header[path[-1]] = value

    return lambda parts: with_json(parts, change)


def put(*place, value):
    def change(values):
        values[place] = value

    return change


def move_nodes(n_nodes):
    """All nodes of the first tree belong to the second one."""
    n_nodes[:2] = [0, n_nodes[0] + n_nodes[1]]


def with_threshold(parts):
    is_categorical = load_npy(parts["n_categories.npy"]) > 0
    return array("threshold", put(np.flatnonzero(is_categorical)[:1], value=0.5))(parts)


MODULUS = 2**61 - 1  # of the hashes of numbers
INFINITE = {"type": "float", "value": "inf"}
CASES = [
    ("tree", array("counts", put(0, 0, value=-1)), "'counts' has a number out of range"),
    ("tree", array("feature", put(0, value=2**40)), "'feature' has a number out of range"),
    ("tree", array("gain", lambda gain: gain[:-1]), r"'gain' has the shape \(14,\)"),
    ("forest-drawn", array("n_nodes", move_nodes), "a tree without nodes"),
    ("forest-drawn", array("category", put(-1, value=9)), "that its feature does not have"),
    ("forest-drawn", with_threshold, "A categorical split has a threshold"),
    ("forest-drawn", array("sample_codes", put(7, value=2)), "drawn from unknown classes"),
    ("forest-bins", array("n_bins", put(3, value=1)), "bins for each of its numeric columns"),
    ("forest-bins", array("bin_edge", lambda edges: edges[:-1]), "'bin_edge' must have 21"),
    ("tree-multiway", of_json("classes", "dtype", value="<U5"), "do not have the type <U5"),
    ("tree", of_json("model", "leaf_strength", value=INFINITE), "not a finite number"),
    ("tree", of_json("model", "leaf_strength", value=-1.0), "not a finite number of at least 0"),
    ("tree-multiway", of_json("classes", "dtype", value="<U9999999"), "that is too large"),
    (
        "tree-multiway",
        of_json("schema", "columns", 4, "categories", value=[k * MODULUS for k in range(2000)]),
        "many values with equal hashes",
    ),
    ("prior", of_json("model", "estimator", "true_prior", value=[0.9, 0.2]), "one frequency per"),
    (
        "threshold",
        of_json("model", "operating_point", "pos_label", value="other"),
        "does not belong to one of two classes",
    ),
    ("threshold", array("curve_threshold", put(slice(None), value=0.5)), "curve are inconsistent"),
]


@pytest.mark.parametrize(("name", "change", "message"), CASES, ids=[case[2] for case in CASES])
def test_a_contradiction_is_named(name, change, message, tmp_path):
    put_together(tmp_path / "changed", change(golden(name)))
    with pytest.raises(ModelFileError, match=message):
        rarewood.load(tmp_path / "changed")


def test_a_part_that_is_there_twice(tmp_path):
    path = tmp_path / "twice"
    put_together(path, golden("tree"))
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(path, "a") as archive,
    ):
        archive.writestr("gain.npy", golden("tree")["gain.npy"])
    with pytest.raises(ModelFileError, match="too many parts"):
        rarewood.load(path)


def test_a_part_that_is_shorter_than_it_says(tmp_path):
    """The list of parts promises a byte more of the JSON than there is."""
    path = tmp_path / "shorter"
    put_together(path, golden("tree"))
    data = bytearray(path.read_bytes())
    place = data.rfind(b"model.json") - 46
    assert data[place : place + 4] == b"PK\x01\x02"
    (size,) = struct.unpack_from("<I", data, place + 24)
    struct.pack_into("<I", data, place + 24, size + 1)
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match="does not have its declared size"):
        rarewood.load(path)


def test_an_array_that_is_shorter_than_its_header(tmp_path):
    parts = golden("tree")
    header = parts["gain.npy"].replace(b"(15,)", b"(16,)")
    put_together(tmp_path / "shorter", parts | {"gain.npy": header})
    with pytest.raises(ModelFileError, match=r"gain\.npy does not have its declared size"):
        rarewood.load(tmp_path / "shorter")


def test_unknown_rows_are_not_saved(tmp_path):
    """A file without the rows of a forest gives a forest that can be saved again."""
    forest = rarewood.load(FOLDER / "0.1" / "forest-drawn.rarewood")
    rarewood.save(forest, tmp_path / "without")
    again = rarewood.load(tmp_path / "without")
    rarewood.save(again, tmp_path / "again", keep_rows=True)
    assert "sample_codes.npy" not in parts_of((tmp_path / "again").read_bytes())
    rarewood.load(tmp_path / "again")
