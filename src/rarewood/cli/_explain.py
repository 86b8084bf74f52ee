"""``rarewood explain``: why a model says what it says of a row."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rarewood.cli._errors import CommandError, say
from rarewood.cli._model import ModelPath, open_model
from rarewood.cli._options import Data, Delimiter

if TYPE_CHECKING:
    from rarewood.intake import RawTable

__all__ = ["explain"]


class Form(StrEnum):
    """How an explanation is written."""

    text = "text"
    json = "json"


def explain(
    model: ModelPath,
    data: Data,
    row: Annotated[
        int, typer.Option("--row", "-r", min=1, help="Which row: 1 is the first below the header.")
    ],
    top: Annotated[int, typer.Option(min=1, help="How many columns and rules to show.")] = 10,
    depth: Annotated[
        int, typer.Option(min=1, help="A forest's rules: so many conditions of each way.")
    ] = 3,
    form: Annotated[Form, typer.Option("--format", help="For people, or for programs.")] = (
        Form.text
    ),
    delimiter: Delimiter = None,
) -> None:
    """Explain what a model predicts for one row of a table.

    For a tree: the way of the row from the root to its leaf. For a forest: by how much each column
    moves the probability, from that of any row to that of this one, and the strongest rules that
    hold for the row.
    """
    from rarewood.cli._explaining import explanation, show
    from rarewood.cli._features import FeatureMaker
    from rarewood.cli._options import mark
    from rarewood.intake import open_table

    loaded = open_model(model)
    source = open_table(data, delimiter=mark(delimiter))
    ids = [name for name in loaded.ids if name in source.columns]
    maker = FeatureMaker(loaded, source, ids)
    table = _one_row(source, maker, ids, row)
    features = maker.make(table)
    found = explanation(loaded, features, top, depth)
    found = {"row": row, "ids": {name: str(table[name].iloc[0]) for name in ids}, **found}
    for note in maker.notes():
        say(f"note: {note}")
    if form is Form.json:
        print(json.dumps(found, indent=1, default=str))
    else:
        show(found, source.name)


def _one_row(source: RawTable, maker: Any, ids: list[str], row: int) -> Any:
    types = {**dict.fromkeys(ids, "text"), **maker.types}
    n_before = 0
    for chunk in source.chunks(columns=[*ids, *maker.columns], types=types):
        if row <= n_before + len(chunk):
            return chunk.iloc[row - n_before - 1 : row - n_before].reset_index(drop=True)
        n_before += len(chunk)
    raise CommandError(f"{source.name} has {n_before:,} rows: there is no row {row:,}.")
