"""Checks of output files before any work is done."""

from __future__ import annotations

import os
from pathlib import Path


def check_writable(path: str | os.PathLike[str], is_folder: bool = False) -> Path:
    """Return the path, or raise if no file (or folder) can be written there; create nothing."""
    place = Path(path).expanduser()
    folder = place if is_folder else place.parent
    if not is_folder and place.is_dir():
        raise IsADirectoryError(f"{place} is a folder; expected the name of a file to write.")
    if not is_folder and (str(path) == "-" or (place.exists() and not place.is_file())):
        raise OSError(f"{path} is not a regular file; expected the name of a file to write.")
    if not is_folder and not folder.is_dir():
        raise FileNotFoundError(f"Cannot write {place}: the folder {folder} does not exist.")
    while not folder.exists():  # the nearest one that does; the others would be made in it
        folder = folder.parent
    try:
        probe = folder / f".rarewood-{os.getpid()}"
        probe.touch()
        probe.unlink()
        if not is_folder and place.exists():
            place.open("ab").close()
    except OSError as error:
        raise OSError(
            f"Cannot write {place}: {error.strerror}. Choose another place with `out`."
        ) from error
    return place


def check_not_input(out: str | Path, *inputs: object) -> None:
    """Raise if the output file is one of the inputs; inputs that are no paths are skipped."""
    place = Path(out)
    for one in inputs:
        if not isinstance(one, (str, os.PathLike)):
            continue
        path = Path(one)
        if place.exists() and path.exists() and place.samefile(path):
            raise ValueError(f"{out} is an input and would be overwritten; choose another `out`.")
