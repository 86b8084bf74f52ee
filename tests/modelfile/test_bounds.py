"""Time and memory of opening a file are proportional to its size, whatever it contains."""

from __future__ import annotations

import random
import zipfile

import numpy as np
import pytest

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.modelfile import ModelFileError
from support.model_files import npy, open_limited, parts_of, put_together, with_json

MODULUS = 2**61 - 1  # of the hashes of numbers


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The parts of a small file."""
    path = tmp_path_factory.mktemp("tree") / "tree"
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=50), rng.integers(0, 3, size=50)])
    model = RareTreeClassifier(categorical_features=[1]).fit(X, (X[:, 0] > 1).astype(int))
    rarewood.save(model, path)
    return parts_of(path.read_bytes())


def set_classes(**new):
    return lambda header: header["classes"].update(new)


def decimal(text):
    return {"type": "decimal", "value": text}


def set_categories(values):
    return lambda header: header["schema"]["columns"][1].update(categories=values)


def insert(text: bytes):
    """A change of the text of the JSON, which must not be parsed to be written."""
    return lambda parts: parts | {"model.json": parts["model.json"].rstrip()[:-1] + text + b"}"}


def of_json(change):
    return lambda parts: with_json(parts, change)


def array(name, values):
    return lambda parts: parts | {name: npy(values)}


HOSTILE = {
    "decimal as integer": of_json(set_classes(dtype="<i8", values=[0, decimal("1e10000000")])),
    "decimal as object": of_json(set_classes(dtype="object", values=[0, decimal("1E+10000000")])),
    "long decimal": of_json(set_classes(dtype="object", values=[0, decimal("9" * 2**20)])),
    "decimal category": of_json(set_categories([0, 1, decimal("1E+999999999")])),
    "empty lists": insert(b', "z": [' + b"[]," * 2**22 + b"0]"),
    "empty objects": insert(b', "z": [' + b"{}," * 2**22 + b"0]"),
    "members": insert(b', "z": [' + b'{"a":0},' * 2**21 + b"0]"),
    "large numbers": insert(b', "z": [' + b"9" * 2**22 + b"]"),
    "wide labels": of_json(set_classes(dtype="<U9999999", values=["a", "b"])),
    "wide categories": of_json(
        lambda header: header["model"]["parameters"].update(
            categorical_features={"type": "array", "dtype": "<U999999", "values": ["a"] * 30}
        )
    ),
    "equal hashes": of_json(set_categories([k * MODULUS for k in range(2**14)])),
    "decimals of equal hashes": of_json(
        set_categories([decimal(str(k * MODULUS)) for k in range(2**14)])
    ),
    "keys of equal hashes": of_json(
        lambda header: header["model"]["parameters"].update(
            class_weight={"type": "dict", "items": [[k * MODULUS, 1] for k in range(2**14)]}
        )
    ),
    "zeros": array("counts.npy", np.zeros((2**25, 2), dtype=np.int8)),
    "many trees": array("n_nodes.npy", np.ones(2**25, dtype=np.int8)),
    "endless shape": lambda parts: (
        parts | {"gain.npy": npy(np.zeros(9)).replace(b"(9,)", b"(2**62,)")}
    ),
}


def test_hostile_files_are_refused_in_little_time_and_memory(tree, tmp_path):
    paths = []
    for name, change in HOSTILE.items():
        paths.append(tmp_path / name)
        put_together(paths[-1], change(tree))
        assert paths[-1].stat().st_size < 2**19
    lines = open_limited(paths)
    described, loaded = lines[::2], lines[1::2]
    opened = [path.name for path, line in zip(paths, loaded, strict=True) if line == "opened"]
    assert not opened
    assert len(loaded) == len(HOSTILE)
    assert all(line.startswith("ModelFileError ") for line in loaded)
    assert {line.split()[0] for line in described} <= {"opened", "ModelFileError"}


def test_the_densest_file_that_is_accepted(tree, tmp_path):
    """Noise makes the file large, so that as much JSON as possible may be unpacked from it."""
    noise = random.Random(0).randbytes(30_000).hex().encode()
    path = tmp_path / "dense"
    lengths = []
    for n in (2**12, 2**19):
        put_together(path, insert(b', "z": ["' + noise + b'",' + b"[]," * n + b"0]")(tree))
        lines = open_limited([path], megabytes=60 + path.stat().st_size // 2**10)
        assert len(set(lines)) == 1 or "ModelFileError" in lines[1]
        lengths.append(lines[1].split()[0])
    assert lengths == ["opened", "ModelFileError"]


def test_a_model_that_compresses_well_is_stored_so_that_it_can_be_read(tmp_path):
    """Many equal columns and trees: what is written is always within the limits of reading."""
    X = np.zeros((20, 20_000))
    X[10:, 0] = 1
    for model in (
        RareTreeClassifier(),
        RareForestClassifier(50, max_depth=1, leaf_strength=None, collapse=0, n_jobs=1),
    ):
        rarewood.save(model.fit(X, X[:, 0]), tmp_path / "equal")
        again = rarewood.load(tmp_path / "equal")
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_labels_of_a_wide_type_are_not_saved(tmp_path):
    y = np.array(["a", "b"], dtype="U600000")
    model = RareTreeClassifier().fit([[0.0], [1.0]], y)
    with pytest.raises(TypeError, match="Use an array of the type object"):
        rarewood.save(model, tmp_path / "wide")
    model = RareTreeClassifier().fit([[0.0], [1.0]], y.astype(object))
    rarewood.save(model, tmp_path / "object")
    assert rarewood.load(tmp_path / "object").predict([[1.0]]).tolist() == ["b"]


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': ((1, 2), [3]), }",
        b"{'descr': ('<f8', 3), 'fortran_order': False, 'shape': (9,), }",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (9L,), }",
        b"'''",
        b"\xff\xfe",
    ],
)
def test_headers_of_arrays_are_not_python(tree, tmp_path, header):
    """NumPy would parse and tokenize them."""
    data = b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + bytes(72)
    put_together(tmp_path / "header", tree | {"gain.npy": data})
    with pytest.raises(ModelFileError, match="is not an array of numbers"):
        rarewood.load(tmp_path / "header")


def test_a_zip_with_a_negative_offset(tree, tmp_path):
    """zipfile raises OSError 22 for it."""
    path = tmp_path / "negative"
    put_together(path, tree)
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\5\6") + 16
    data[at : at + 4] = (int.from_bytes(data[at : at + 4], "little") + 1000).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match="damaged"):
        rarewood.load(path)


@pytest.mark.parametrize("text", ["sNaN", "NaN", "one", "1e5", "", None, 3, [1], "1_0", "१"])
def test_texts_that_are_no_decimals(tree, tmp_path, text):
    put_together(tmp_path / "file", with_json(tree, set_categories([0, 1, decimal(text)])))
    with pytest.raises(ModelFileError, match="invalid decimal"):
        rarewood.load(tmp_path / "file")


@pytest.mark.parametrize("text", [b"NaN", b"Infinity", b"-Infinity", b"1e999"])
def test_json_has_finite_numbers(tree, tmp_path, text):
    put_together(tmp_path / "file", insert(b', "z": ' + text)(tree))
    with pytest.raises(ModelFileError, match="not finite"):
        rarewood.load(tmp_path / "file")


def test_a_failing_disk_is_no_damage(tree, tmp_path, monkeypatch):
    put_together(tmp_path / "file", tree)

    def fail(*args):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(zipfile.ZipExtFile, "read", fail)
    with pytest.raises(OSError, match="Input/output"):
        rarewood.load(tmp_path / "file")
