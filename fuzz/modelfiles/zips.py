"""Mutations of a model file as a zip: its members, the fields that describe them, and its bytes."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any
from zlib import crc32

from fuzz.draw import Draw

Members = list[tuple[str, bytes]]

NAMES = [
    "../evil.npy",
    "model.json",
    "GAIN.npy",
    "gain.npy/",
    "a" * 60 + ".npy",
    "x.npy",
    "é.npy",
    "",
]
# Offset in an entry of the central directory, and format.
FIELDS = {
    "version": (6, "<H"),
    "flags": (8, "<H"),
    "method": (10, "<H"),
    "crc": (16, "<I"),
    "packed size": (20, "<I"),
    "size": (24, "<I"),
    "name length": (28, "<H"),
    "extra length": (30, "<H"),
    "offset": (42, "<I"),
}
# The same of the record at the end.
END_FIELDS = {
    "entries": (8, "<H"),
    "total entries": (10, "<H"),
    "directory size": (12, "<I"),
    "directory offset": (16, "<I"),
    "comment length": (20, "<H"),
}
NUMBERS = [0, 1, 8, 9, 12, 14, 99, 1000, 65535, 2**24, 2**31 - 1, 2**31, 2**32 - 1]


def stored(members: Members) -> bytearray:
    """A zip without compression, written directly: zipfile takes milliseconds."""
    data, directory = bytearray(), bytearray()
    for name, content in members:
        encoded, size = name.encode(), len(content)
        facts = struct.pack("<HHHHHIIIHH", 20, 2048, 0, 0, 33, crc32(content), size, size,
                            len(encoded), 0)  # fmt: skip
        directory += b"PK\x01\x02" + b"\x14\0" + facts + bytes(10) + struct.pack("<I", len(data))
        directory += encoded
        data += b"PK\x03\x04" + facts + encoded + content
    n = len(members)
    end = struct.pack("<HHHHIIH", 0, 0, n, n, len(directory), len(data), 0)
    return data + directory + b"PK\x05\x06" + end


def packed(members: Members) -> bytearray:
    """A compressed zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return bytearray(buffer.getvalue())


def draw_member(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.pick(sorted(parts)), d.pick(["drop", "rename", "twice", "empty"]), d.pick(NAMES)]


def apply_member(
    members: Members, documents: dict[str, Any], name: str, change: str, new: str
) -> Members:
    found: Members = []
    for own, data in members:
        if own != name:
            found.append((own, data))
        elif change == "rename":
            found.append((new or "x", data))
        elif change == "twice":
            found += [(own, data), (own, data)]
        elif change == "empty":
            found.append((own, b""))
    return found


def draw_swap(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.pick(sorted(parts)), d.pick(sorted(parts))]


def apply_swap(members: Members, documents: dict[str, Any], one: str, other: str) -> Members:
    names = {one: other, other: one}
    return [(names.get(name, name), data) for name, data in members]


def draw_field(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.random(), d.pick(list(FIELDS)), d.pick(NUMBERS)]


def _pack(data: bytearray, start: int, where: tuple[int, str], number: int) -> None:
    offset, form = where
    if start >= 0 and start + offset + struct.calcsize(form) <= len(data):
        struct.pack_into(
            form, data, start + offset, number & (2 ** (8 * struct.calcsize(form)) - 1)
        )


def apply_field(data: bytearray, place: float, field: str, number: int) -> bytearray:
    entries, at = [], data.find(b"PK\x01\x02")
    while at >= 0:
        entries.append(at)
        at = data.find(b"PK\x01\x02", at + 4)
    if entries:
        _pack(data, entries[int(place * len(entries))], FIELDS[field], number)
    return data


def draw_end(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.pick(list(END_FIELDS)), d.pick(NUMBERS)]


def apply_end(data: bytearray, field: str, number: int) -> bytearray:
    _pack(data, data.rfind(b"PK\x05\x06"), END_FIELDS[field], number)
    return data


def draw_flip(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [[[d.random(), d.integer(0, 255)] for _ in range(d.integer(1, 4))]]


def apply_flip(data: bytearray, changes: list[list[float]]) -> bytearray:
    for place, value in changes:
        if data:
            data[int(place * len(data))] = int(value)
    return data


def draw_cut(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    return [d.random()]


def apply_cut(data: bytearray, place: float) -> bytearray:
    return data[: int(place * len(data))]


def draw_insert(d: Draw, parts: dict[str, bytes]) -> list[Any]:
    pieces = ["504b0304", "504b0102", "504b0506", "504b0606", "00" * 22, "ff", "8004952e", "1f8b08"]
    return [d.pick([0.0, 1.0, d.random()]), d.pick(pieces)]


def apply_insert(data: bytearray, place: float, piece: str) -> bytearray:
    at = int(place * len(data))
    return data[:at] + bytes.fromhex(piece) + data[at:]


MEMBERS = {
    "member": (draw_member, apply_member, 1),
    "swap members": (draw_swap, apply_swap, 1),
}
BYTES = {
    "zip field": (draw_field, apply_field, 2),
    "zip end": (draw_end, apply_end, 1),
    "flip": (draw_flip, apply_flip, 2),
    "cut": (draw_cut, apply_cut, 1),
    "insert": (draw_insert, apply_insert, 1),
}
