"""``rarewood rules``: what a model has learnt, as rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rarewood.cli._model import ModelPath, open_model
from rarewood.cli.errors import CommandError, check_writable, say

__all__ = ["rules"]


class Form(StrEnum):
    """How rules are written."""

    text = "text"
    csv = "csv"
    json = "json"
    sql = "sql"


def rules(
    model: ModelPath,
    top: Annotated[int, typer.Option(min=1, help="How many rules.")] = 20,
    target: Annotated[
        str | None,
        typer.Option("--class", metavar="CLASS", help="Rules for this class; else the rare one."),
    ] = None,
    form: Annotated[
        Form | None,
        typer.Option("--format", help="Else what the name of the output says, or text."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="A file; else printed.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="SQL: the table to select from.")
    ] = None,
) -> None:
    """Print the strongest rules of a model, by p-value.

    The p-values are computed on the training rows, so they are too small.
    """
    from rarewood._atomic import replacing
    from rarewood.rules import extract

    chosen = form or _form_of(out)
    place = None if out is None else check_writable(out)
    loaded = open_model(model)
    label = loaded.rare if target is None else _label(loaded.classes, target)
    found = extract(loaded.classifier, target=label)
    n_all = len(found)
    text = _written(_for_class(found)[:top], chosen, table, n_all)
    if place is None:
        print(text, end="")
        return
    with replacing(place, "the rules") as temporary:
        temporary.write_text(text, encoding="utf-8")
    say(f"wrote {place}")


def _form_of(out: Path | None) -> Form:
    suffix = "" if out is None else out.suffix[1:].lower()
    return Form(suffix) if suffix in list(Form) else Form.text


def _label(classes: list[Any], text: str) -> Any:
    from rarewood.intake.errors import did_you_mean

    for label in classes:
        if str(label) == text:
            return label
    known = list(map(str, classes))
    raise CommandError(
        f"The model has no class {text!r}.{did_you_mean(text, known)} Its classes are "
        f"{', '.join(known)}."
    )


def _for_class(found: Any) -> Any:
    """Return the rules that speak for the class; those against it are as significant."""
    return found[found["lift"] > 1]


def _written(found: Any, form: Form, table: str | None, n_all: int) -> str:
    if form is Form.text:
        head = f"{len(found)} of {n_all:,} rules, by p-value\n"
        return head + str(found.to_text(len(found)))
    if form is Form.sql:
        return str(found.to_sql(table, style="flags")) + "\n"
    frame = found.to_frame()
    if form is Form.csv:
        return str(frame.to_csv(index=False, lineterminator="\n"))
    return str(frame.to_json(orient="records", indent=1, double_precision=15)) + "\n"
