"""Mutations of a model file as plain data: ``[kind, arguments...]``, drawn and applied in order.

Those of parts (JSON, arrays, members) come first; then the zip is written; then those of its bytes.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from functools import cache
from typing import Any

from fuzz.draw import Draw
from fuzz.modelfiles import arrays, values, zips
from fuzz.target import Case
from support.golden import FOLDER

Mutation = list[Any]
# kind -> (draw, apply, relative number)
OF_PARTS = {**values.KINDS, **arrays.KINDS, **zips.MEMBERS}
OF_BYTES = zips.BYTES
_KINDS = [kind for kind, (_, _, n) in {**OF_PARTS, **OF_BYTES}.items() for _ in range(n)]
# What is done with the file besides loading it, and how often.
_USES = {"describe": 0.2, "predict": 0.5, "save": 0.1}


@cache
def golden() -> dict[str, dict[str, bytes]]:
    """The members of each golden file."""
    found = {}
    for path in sorted(FOLDER.glob("*/*.rarewood")):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            found[f"{path.parent.name}/{path.stem}"] = {n: archive.read(n) for n in names}
    return found


def draw(d: Draw) -> Case:
    name = d.pick(sorted(golden()))
    parts = golden()[name]
    mutations = []
    for _ in range(d.pick([1, 1, 1, 1, 2, 2, 3])):
        kind = d.pick(_KINDS)
        draw_one = {**OF_PARTS, **OF_BYTES}[kind][0]
        if (arguments := draw_one(d, parts)) is not None:
            mutations.append([kind, *arguments])
    uses = [use for use in ("describe", "predict", "save") if d.chance(_USES[use])]
    return {"file": name, "packed": d.chance(0.1), "uses": uses, "mutations": mutations}


def smaller(case: Case) -> Iterator[Case]:
    for i in range(len(case["mutations"])):
        rest = case["mutations"][:i] + case["mutations"][i + 1 :]
        yield {**case, "mutations": rest}
    for use in case["uses"]:
        yield {**case, "uses": [one for one in case["uses"] if one != use]}


def mutated(case: Case) -> bytes:
    """The bytes of the file of a case."""
    parts = dict(golden()[case["file"]])
    members = list(parts.items())
    documents: dict[str, Any] = {"json": json.loads(parts["model.json"])}
    for kind, *arguments in case["mutations"]:
        if kind in OF_PARTS:
            members = OF_PARTS[kind][1](members, documents, *arguments)
    data = zips.packed(members) if case["packed"] else zips.stored(members)
    for kind, *arguments in case["mutations"]:
        if kind in OF_BYTES:
            data = OF_BYTES[kind][1](data, *arguments)
    return bytes(data)
