"""A folder of data sets, with or without a manifest."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from rarewood.datasets._files import read_table, split_target, stem
from rarewood.datasets._record import Dataset, make_record

VARIABLE = "RAREWOOD_DATA"
_MANIFESTS = ("MANIFEST.json", "manifest.json")


def find_folder(folder: str | os.PathLike[str] | None) -> Path | None:
    """Return the given folder, or that of the environment variable, if any."""
    given = folder if folder is not None else os.environ.get(VARIABLE) or None
    if given is None:
        return None
    path = Path(given)
    if not path.is_dir():
        where = "the argument folder" if folder is not None else f"the variable {VARIABLE}"
        raise FileNotFoundError(f"The folder {path} of {where} does not exist.")
    return path


def _entries(folder: Path) -> dict[str, dict[str, Any]]:
    """Entry of each data set: of the manifest, or made from a file that is not in it."""
    found = [folder / name for name in _MANIFESTS if (folder / name).is_file()]
    entries = {str(entry["name"]): entry for path in found[:1] for entry in _read_manifest(path)}
    listed = {entry.get("file") for entry in entries.values()}
    for path in sorted(folder.iterdir()):
        base = stem(path)
        if base is not None and path.name not in listed and base not in entries:
            entries[base] = {"name": base, "file": path.name}
    return entries


def _read_manifest(path: Path) -> list[dict[str, Any]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"The manifest {path} is not valid JSON: {error}.") from error
    entries: Any = content.get("datasets") if isinstance(content, dict) else content
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and {"name", "file"} <= set(entry) for entry in entries
    ):
        raise ValueError(
            f"The manifest {path} needs a list 'datasets' of entries with 'name' and 'file'."
        )
    return entries


def folder_names(folder: Path) -> list[str]:
    """Return the names of the data sets of a folder."""
    return sorted(
        name for name, entry in _entries(folder).items() if _file(folder, entry).is_file()
    )


def _file(folder: Path, entry: dict[str, Any]) -> Path:
    return folder / str(entry["file"])


def load_from_folder(folder: Path, name: str, target: str | None = None) -> Dataset:
    """Load a data set by its name in the manifest, or by the name of its file without suffix."""
    entry = _entries(folder)[name]
    path = _file(folder, entry)
    table, found = read_table(path)
    X, y = split_target(table, target or entry.get("target") or found, name)
    rule = str(entry.get("positive_rule") or "")
    return make_record(
        name,
        X,
        y,
        pos_label=_rare(entry, y, rule),
        rule=rule,
        source=str(entry.get("source") or f"the file {path.name}"),
        licence=str(entry.get("licence") or entry.get("license") or "not stated"),
        notes=str(entry.get("note") or entry.get("notes") or ""),
        printed=entry.get("paper") or {},
        differences=_against_manifest(entry, X, y),
        about=entry,
    )


def _rare(entry: dict[str, Any], y: Any, rule: str) -> Any:
    """Class of interest by the manifest: its "rare", or quoted at the start of the rule."""
    labels = {str(label): label for label in np.unique(y).tolist()}
    given = entry.get("rare")
    if given is not None:
        return labels.get(str(given), given)
    quoted = re.match(r"target '([^']+)'", rule)
    return labels.get(quoted[1]) if quoted and len(labels) == 2 else None


def _against_manifest(entry: dict[str, Any], X: Any, y: Any) -> list[str]:
    """Differences between the file and the manifest."""
    facts = {"rows": len(y), "features": X.shape[1], "n_classes": len(np.unique(y))}
    return [
        f"the manifest states {entry[what]} {what}, the file has {ours}"
        for what, ours in facts.items()
        if entry.get(what) not in (None, ours)
    ]
