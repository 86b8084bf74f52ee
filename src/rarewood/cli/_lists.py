"""``rarewood runs`` and ``rarewood models``: what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_FOLDER = "Folder to look in, and in its rarewood-runs. Default: the working folder."


def runs(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help=_FOLDER)] = Path(),
) -> None:
    """List the comparisons, the newest first. 'rarewood report latest' uses the first."""
    from rarewood.workflow._runs import runs as library

    found = library(folder)
    if not found:
        print(f"no runs in {folder.resolve()}; 'rarewood compare' makes one")
    for one in found:
        what = f"{one.n_rows:,} rows, target {one.target!r}, {one.protocol}"
        print(f"{one.path}: {what}, {one.state}, {one.written}")
        if one.verdict:
            print(f"  {one.verdict}")


def models(
    all: Annotated[
        bool, typer.Option("--all", help="List also those whose packages are not installed.")
    ] = False,
) -> None:
    """List the models that can be used by name."""
    from rarewood.workflow._models import models as library

    entries = [entry for entry in library() if all or entry.is_installed]
    widest = max(len(entry.name) for entry in entries)
    for entry in entries:
        mark = "" if entry.is_installed else f" (not installed: pip install {entry.install!r})"
        default = " [default]" if entry.is_default else ""
        print(f"{entry.name:<{widest}}  {entry.label}{default}{mark}")
