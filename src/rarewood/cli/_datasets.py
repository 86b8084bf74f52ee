"""``rarewood datasets``: data sets by name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def datasets(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Data set to show. Default: list all.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Folder of data sets. Default: RAREWOOD_DATA."),
    ] = None,
) -> None:
    """List the data sets that can be used by name, or describe one."""
    from rarewood import datasets as library

    if name is None:
        for one in library.available(folder):
            print(one)
        return
    print("\n".join(_lines(library.fetch(name, folder=folder))))


def _lines(record: Any) -> list[str]:
    rows, columns = record.shape
    counts = ", ".join(f"{label} {n:,}" for label, n in record.counts.items())
    n_missing = int(record.X.isna().to_numpy().sum())
    n_categorical = sum(str(kind) == "category" for kind in record.X.dtypes)
    facts = {
        "name": record.name,
        "shape": f"{rows:,} rows, {columns} features "
        f"({n_categorical} categorical, {n_missing:,} missing)",
        "classes": counts,
        "rare class": f"{record.pos_label} ({record.counts[record.pos_label] / rows:.2%})",
        "rule": record.rule,
        "source": record.source,
        "licence": record.licence,
        "notes": record.notes,
    }
    lines = [f"{word + ':':12} {text}" for word, text in facts.items() if text]
    return lines + [f"{'difference:':12} {text}" for text in record.differences]
