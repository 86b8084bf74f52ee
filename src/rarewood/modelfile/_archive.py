"""A zip of a JSON document and arrays of numbers.

A file may come from anyone. Only member names of a short pattern are accepted, sizes are checked
against each other before unpacking, and arrays contain numbers only: reading never runs code, and
its time and memory are proportional to the size of the file.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rarewood.modelfile._atomic import replacing

_JSON = "model.json"
_ARRAY = re.compile(r"[a-z_]{1,40}\.npy")
_MOST_MEMBERS = 512  # a calibrated model has about 20 per fold
# Limits of unpacked bytes: a constant, and a multiple of the file size. Python needs up to 30 bytes
# for a byte of JSON, and a tree up to 20 for a byte of its arrays.
_FREE_BYTES, _MOST_PER_BYTE = 2**18, 64
_FREE_JSON, _MOST_JSON_PER_BYTE = 2**18, 24
_PIECE = 2**20
_DATE = (1980, 1, 1, 0, 0, 0)  # equal models make equal members
_PICKLES = (
    b"\x80", b"\x1f\x8b", b"x\x01", b"x^", b"x\x9c", b"x\xda", b"BZh", b"\xfd7zXZ", b"]\0\0",
)  # fmt: skip
# The only form of a header that is written; NumPy itself parses headers as Python.
_ARRAY_HEADER = re.compile(
    rb"\{'descr': '([<|](?:[iu][1248]|f8))', 'fortran_order': False, "
    rb"'shape': \((\d{1,18}),(?: (\d{1,18}))?\), \} *\n"
)


class ModelFileError(ValueError):
    """The file cannot be read as a model: it has another format, is damaged, or is too new."""


class UntrustedModelError(ModelFileError):
    """The file has a model of another package, and its source was not said to be trusted."""


def write_archive(
    path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a model file atomically."""
    text = json.dumps(header, allow_nan=False, indent=1).encode("ascii")
    members = {_JSON: text, **{f"{name}.npy": _npy_bytes(array) for name, array in arrays.items()}}
    with replacing(path, "the model") as temporary:
        for packing in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
            with zipfile.ZipFile(temporary, "w", packing) as archive:
                for name, data in members.items():
                    info = zipfile.ZipInfo(name, _DATE)
                    info.compress_type, info.external_attr = packing, 0o644 << 16
                    archive.writestr(info, data)
            if _is_plausible(archive.infolist(), temporary.stat().st_size):
                return  # otherwise compressed so well that reading would refuse it


def _is_plausible(members: list[zipfile.ZipInfo], file_size: int) -> bool:
    """Whether the unpacked sizes are within the limits for a file of this size."""
    n_json = sum(member.file_size for member in members if member.filename == _JSON)
    n_bytes = sum(member.file_size for member in members)
    return (
        n_json <= _FREE_JSON + _MOST_JSON_PER_BYTE * file_size
        and n_bytes <= _FREE_BYTES + _MOST_PER_BYTE * file_size
    )


def _npy_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    npy.write_array(buffer, little, allow_pickle=False)
    return buffer.getvalue()


def read_archive(
    path: str | os.PathLike[str], *, with_arrays: bool = True
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the JSON and the arrays of a model file."""
    path = Path(path)
    arrays: dict[str, NDArray[Any]] = {}
    with path.open("rb") as file:
        _check_kind(path, file.read(8))
        try:
            with zipfile.ZipFile(file) as archive:
                names = _check_members(path, archive, path.stat().st_size)
                header = json.loads(
                    _unpack(archive, _JSON), parse_float=_finite, parse_constant=_finite
                )
                if with_arrays:
                    arrays = {name[:-4]: _read_array(archive, name) for name in names}
        except ModelFileError as error:
            raise ModelFileError(f"{path} is not a complete model file. {error}") from error
        except MemoryError:  # sizes are plausible: the model is large, not damaged
            raise
        except Exception as error:  # zipfile raises many kinds for bytes that are not a zip
            if isinstance(error, OSError) and error.errno != errno.EINVAL:
                raise  # a failure of the disk; a zip with a negative offset is EINVAL
            raise ModelFileError(
                f"{path} is damaged or incomplete and cannot be read as a model ({error}). Copy "
                "the file again, or save the model again."
            ) from error
    if not isinstance(header, dict):
        raise ModelFileError(f"{path} is not a model file of rarewood: {_JSON} is not an object.")
    return header, arrays


def _finite(text: str) -> float:
    """Return a number of JSON; an error for 1e999, and for NaN, which is not JSON."""
    number = float(text)
    if not math.isfinite(number):
        raise ModelFileError(f"It has the number {text[:40]}, which is not finite.")
    return number


def _check_kind(path: Path, start: bytes) -> None:
    """Raise an error for a file that is not a zip."""
    if start.startswith(b"PK"):
        return
    if not start:
        raise ModelFileError(f"{path} is empty, not a model file.")
    if start.startswith(_PICKLES):
        raise ModelFileError(
            f"{path} looks like a pickle or a joblib file. rarewood.load does not open these: "
            "they can run arbitrary code. If you trust its source, use joblib.load, and then "
            "rarewood.save for a file that is safe to open."
        )
    raise ModelFileError(
        f"{path} is not a model file of rarewood. Model files are written by rarewood.save or by "
        "the command rarewood fit."
    )


def _check_members(path: Path, archive: zipfile.ZipFile, file_size: int) -> list[str]:
    """Return the names of the arrays; an error for invalid sizes or names."""
    members = archive.infolist()
    names = [member.filename for member in members]
    if _JSON not in names:
        raise ModelFileError(
            f"It is a zip without {_JSON}, so it was not written by rarewood.save. Use "
            "skops.io.load for a file of skops."
        )
    if len(set(names)) < len(names) or len(names) > _MOST_MEMBERS:
        raise ModelFileError("It has too many parts.")
    for member in members:
        if member.filename != _JSON and not _ARRAY.fullmatch(member.filename):
            raise ModelFileError(f"It has an unknown part {member.filename[:60]!r}.")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ModelFileError("It has an unknown compression.")
        if member.compress_size > file_size:
            raise ModelFileError("A part of it is larger than the file.")
    if not _is_plausible(members, file_size):
        raise ModelFileError("Its compression ratio is implausibly high.")
    return [name for name in names if name != _JSON]


def _unpack(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member, read in pieces, since its declared size may be false."""
    pieces = []
    with archive.open(name) as member:
        while piece := member.read(_PIECE):
            pieces.append(piece)
    data = b"".join(pieces)
    if len(data) != archive.getinfo(name).file_size:
        raise ModelFileError(f"Its part {name} does not have its declared size.")
    return data


def _read_array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Return an array of numbers, with a header that agrees with the size of the member."""
    data = _unpack(archive, name)
    length = int.from_bytes(data[8:10], "little")
    if data[:8] != npy.magic(1, 0):
        raise ModelFileError(f"Its part {name} has an unknown version.")
    found = _ARRAY_HEADER.fullmatch(data, 10, 10 + length)
    if found is None:
        raise ModelFileError(f"Its part {name} is not an array of numbers.")
    dtype = np.dtype(found[1].decode())
    shape = tuple(int(size) for size in found.groups()[1:] if size is not None)
    if 10 + length + math.prod(shape) * dtype.itemsize != len(data):
        raise ModelFileError(f"Its part {name} does not have its declared size.")
    array = np.frombuffer(data, dtype=dtype, offset=10 + length).reshape(shape)
    return array.astype(dtype.newbyteorder("="), copy=False)
