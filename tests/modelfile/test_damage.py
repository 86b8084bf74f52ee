"""A damaged or hostile model file is refused with a clear error: no crash, no code, no bomb."""

from __future__ import annotations

import json
import pickle
import struct
import zipfile
from contextlib import suppress

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rarewood
from rarewood import RareForestClassifier, presets
from rarewood.modelfile import ModelFileError, describe
from support.model_files import load_npy, npy, open_limited, parts_of, put_together

RANDOM = np.random.default_rng(1)
TABLE = pd.DataFrame(
    {
        "x": RANDOM.normal(size=60),
        "z": np.where(RANDOM.random(60) < 0.2, np.nan, RANDOM.normal(size=60)),
        "colour": RANDOM.choice(["red", "green"], 60),
    }
)
LABELS = np.where(TABLE["x"] > 0.8, "rare", "common")
quickly = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The bytes of a file with hyperplanes, categories, missing values and weights."""
    path = tmp_path_factory.mktemp("original") / "model.rarewood"
    model = presets.balanced_random_forest(n_estimators=4, n_cuts=3, splitter="oblique")
    model.set_params(random_state=0, class_weight={"rare": 2.0, "common": 1.0})
    rarewood.save(model.fit(TABLE, LABELS), path, keep_rows=True, notes={"a": 1})
    return path.read_bytes()


def use_if_accepted(path) -> bool:
    """Load a file; whatever is accepted must be usable in every way without a crash."""
    try:
        model = rarewood.load(path)
    except ModelFileError:
        return False
    proba = model.predict_proba(TABLE)
    assert proba.shape == (60, 2)
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-9)
    model.apply(TABLE), model.feature_importances_, model.estimators_samples_
    for tree in model:
        str(tree.tree_), tree.tree_.p_values
    rarewood.rules.extract(model)
    rarewood.explain.contributions(model, TABLE)
    for method in ("fisher", "error", "cost_complexity"):
        rarewood.pruning.prune(model, method)
    return True


@quickly
@given(st.data())
def test_flipped_bytes(original, tmp_path, data):
    path = tmp_path / "flipped"
    damaged = bytearray(original)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged)
    use_if_accepted(path)


@quickly
@given(st.floats(0, 1))
def test_cut_off_files(original, tmp_path, share):
    path = tmp_path / "cut"
    path.write_bytes(original[: int(share * (len(original) - 1))])
    assert not use_if_accepted(path)


NUMBERS = [-(2**63), -(2**31), -5, -1, 0, 1, 2, 3, 7, 60, 255, 2**15, 2**31 - 1, 2**31, 2**62]


@quickly
@given(st.data())
def test_changed_numbers(original, tmp_path, data):
    """The zip is sound, the numbers in it are not."""
    parts = parts_of(original)
    name = data.draw(st.sampled_from(sorted(name for name in parts if name.endswith(".npy"))))
    array = load_npy(parts[name])
    if not array.size:
        return
    if array.dtype.kind == "f":
        array = array.copy()
        values = st.sampled_from([np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 1e-320])
    else:
        array = array.astype(np.int64)
        values = st.sampled_from(NUMBERS)
    for _ in range(data.draw(st.integers(1, 3))):
        array.reshape(-1)[data.draw(st.integers(0, array.size - 1))] = data.draw(values)
    parts[name] = npy(array)
    put_together(tmp_path / "numbers", parts)
    use_if_accepted(tmp_path / "numbers")


@quickly
@given(st.data())
def test_changed_shapes(original, tmp_path, data):
    parts = parts_of(original)
    name = data.draw(st.sampled_from(sorted(name for name in parts if name.endswith(".npy"))))
    array = load_npy(parts[name])
    change = data.draw(st.sampled_from(["shorter", "longer", "empty", "deeper", "wider", "gone",
                                        "text", "objects", "complex", "half"]))  # fmt: skip
    changed = {
        "shorter": array[:-1],
        "longer": np.concatenate([array, array[-1:]]),
        "empty": array[:0],
        "deeper": array[np.newaxis],
        "wider": array.reshape(len(array), -1).repeat(2, axis=1),
        "gone": None,
        "text": array.astype("U"),
        "objects": array.astype(object),
        "complex": array.astype(complex),
        "half": array.astype(np.float16),
    }[change]
    if changed is None:
        del parts[name]
    else:
        parts[name] = npy(changed)
    put_together(tmp_path / "shapes", parts)
    is_optional = name in ("oob_decision_function.npy", "sample_codes.npy", "sample_kept.npy")
    is_unchanged = changed is not None and changed.shape == array.shape and not changed.size
    if not (is_optional and change == "gone") and not is_unchanged:
        assert not use_if_accepted(tmp_path / "shapes")


def places(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from places(item, (*path, key))


@quickly
@given(st.data())
def test_changed_json(original, tmp_path, data):
    parts = parts_of(original)
    header = json.loads(parts["model.json"])
    path = data.draw(st.sampled_from([p for p in places(header) if p]))
    at = header
    for key in path[:-1]:
        at = at[key]
    new = data.draw(st.sampled_from([None, True, -1, 0, 2, 10**30, 0.5, "", "os.system", [], {},
                                     {"type": "RandomState"}, {"type": "eval"}, [[]]]))  # fmt: skip
    at[path[-1]] = new
    parts["model.json"] = json.dumps(header).encode()
    put_together(tmp_path / "json", parts)
    with suppress(ModelFileError):
        describe(tmp_path / "json")
    with suppress(ModelFileError, ValueError):  # a ValueError: columns or n_jobs were changed
        rarewood.load(tmp_path / "json").predict_proba(TABLE)


def test_a_part_that_unpacks_to_more_than_it_says(original, tmp_path):
    """The declared size is small, what comes out is large: no more than declared is taken."""
    parts = parts_of(original)
    parts["threshold.npy"] = npy(np.zeros(2**24))  # 128 MiB in about 130 KiB
    path = tmp_path / "bomb"
    put_together(path, parts)
    data = bytearray(path.read_bytes())
    place = data.rfind(b"threshold.npy") - 46  # in the list of parts at the end
    assert data[place : place + 4] == b"PK\x01\x02"
    struct.pack_into("<I", data, place + 24, 1000)
    path.write_bytes(data)
    assert limited_load(path).startswith("ModelFileError")


def test_a_bomb(original, tmp_path):
    parts = parts_of(original)
    parts["threshold.npy"] = npy(np.zeros(2**24))
    put_together(tmp_path / "bomb", parts)
    assert "compression ratio" in limited_load(tmp_path / "bomb")


def test_a_bomb_of_json(original, tmp_path):
    parts = parts_of(original)
    parts["model.json"] = b"[" + b"0," * 2**24 + b"0]"
    put_together(tmp_path / "bomb", parts)
    assert "compression ratio" in limited_load(tmp_path / "bomb")


def test_a_header_that_promises_more_than_there_is(original, tmp_path):
    parts = parts_of(original)
    start = npy(np.zeros(2**20))
    parts["threshold.npy"] = start.replace(b"(1048576,)", b"(2**40, )")
    put_together(tmp_path / "promise", parts)
    assert limited_load(tmp_path / "promise").startswith("ModelFileError")
    parts["threshold.npy"] = start.replace(b"(1048576,)", b"(9999999999999,)")[: len(start)]
    put_together(tmp_path / "promise", parts)
    assert limited_load(tmp_path / "promise").startswith("ModelFileError")


def limited_load(path) -> str:
    """Load in a process with room for 60 MB more than it needs."""
    return open_limited([path])[1]


class Dangerous:
    def __reduce__(self):
        return exec, ("import rarewood; rarewood.was_run = True",)


@pytest.mark.parametrize("compress", [0, 3, ("gzip", 3), ("bz2", 3), ("xz", 3)], ids=str)
def test_pickles_are_not_opened(tmp_path, compress):
    path = tmp_path / "model.joblib"
    joblib.dump(Dangerous(), path, compress=compress)
    with pytest.raises(ModelFileError, match="can run arbitrary code"):
        rarewood.load(path)
    path.write_bytes(pickle.dumps(Dangerous()))
    with pytest.raises(ModelFileError, match=r"joblib\.load"):
        rarewood.load(path)
    assert not hasattr(rarewood, "was_run")


def test_no_array_of_objects_is_unpickled(original, tmp_path):
    parts = parts_of(original)
    danger = np.empty(1, dtype=object)
    danger[0] = Dangerous()
    parts["gain.npy"] = npy(danger)
    put_together(tmp_path / "objects", parts)
    with pytest.raises(ModelFileError, match="not an array of numbers"):
        rarewood.load(tmp_path / "objects")
    assert not hasattr(rarewood, "was_run")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n1,2\n", "not a model file of rarewood"),
        (b"PK\x03\x04 and nothing more", "damaged or incomplete"),
    ],
)
def test_other_files(content, message, tmp_path):
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=message) as caught:
        rarewood.load(path)
    assert str(path) in str(caught.value)
    with pytest.raises(ModelFileError, match=message):
        describe(path)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"schema.json": b"{}"}, "zip without model.json"),
        ({"model.json": b"[1]"}, "is not an object"),
        ({"model.json": b"{}"}, "its format is not"),
        ({"model.json": b"{}", "../evil.npy": b""}, "unknown part"),
        ({"model.json": b"[" * 100_000}, "damaged or incomplete"),
    ],
)
def test_other_zips(parts, message, tmp_path):
    put_together(tmp_path / "other", parts)
    with pytest.raises(ModelFileError, match=message):
        rarewood.load(tmp_path / "other")


def test_packings_that_model_files_do_not_use(original, tmp_path):
    put_together(tmp_path / "lzma", parts_of(original), zipfile.ZIP_LZMA)
    with pytest.raises(ModelFileError, match="unknown compression"):
        rarewood.load(tmp_path / "lzma")
    put_together(tmp_path / "stored", parts_of(original), zipfile.ZIP_STORED)
    assert use_if_accepted(tmp_path / "stored")


def test_a_later_format_says_to_update(original, tmp_path):
    parts = parts_of(original)
    header = json.loads(parts["model.json"])
    header |= {"format_version": 6, "versions": {"rarewood": "9.8"}, "schema": "changed"}
    parts["model.json"] = json.dumps(header).encode()
    put_together(tmp_path / "later", parts)
    for read in (rarewood.load, describe):
        with pytest.raises(ModelFileError, match=r"written by rarewood 9\.8.*pip install -U"):
            read(tmp_path / "later")


def test_an_unknown_class_is_not_looked_up(original, tmp_path):
    parts = parts_of(original)
    header = json.loads(parts["model.json"])
    header["model"]["class"] = "subprocess.Popen"
    parts["model.json"] = json.dumps(header).encode()
    put_together(tmp_path / "class", parts)
    with pytest.raises(ModelFileError, match=r"'subprocess\.Popen' is not one of"):
        rarewood.load(tmp_path / "class")


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        rarewood.load(tmp_path / "nowhere")
    with pytest.raises(OSError):
        rarewood.load(tmp_path)


def test_a_forest_of_one_kind_cannot_pose_as_a_tree(original, tmp_path):
    parts = parts_of(original)
    header = json.loads(parts["model.json"])
    tree = RareForestClassifier(1).fit(TABLE, LABELS)[0]
    rarewood.save(tree, tmp_path / "tree")
    header["model"] = json.loads(parts_of((tmp_path / "tree").read_bytes())["model.json"])["model"]
    parts["model.json"] = json.dumps(header).encode()
    put_together(tmp_path / "posed", parts)
    with pytest.raises(ModelFileError, match="It should have one tree, but has 4"):
        rarewood.load(tmp_path / "posed")
