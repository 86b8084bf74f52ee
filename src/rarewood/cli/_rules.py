"""``rarewood rules``: what a model has learnt, as rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rarewood.cli._errors import CommandError, check_no_input, check_writable, say
from rarewood.cli._model import ModelPath, open_model

__all__ = ["rules"]


_FOREST_DEPTH = 3


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
    depth: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Cut the ways through the trees off after so many splits. By default 3 for a "
            "forest, whose full rules are long and of a few rows each, and none for a tree.",
        ),
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
    from rarewood.modelfile._atomic import replacing
    from rarewood.rules import extract

    chosen = form or _form_of(out)
    place = None if out is None else check_writable(out)
    if place is not None:
        check_no_input(place, model)
    loaded = open_model(model)
    label = loaded.rare if target is None else _label(loaded.classes, target)
    if depth is None and hasattr(loaded.classifier, "estimators_"):
        depth = _FOREST_DEPTH
    found = extract(loaded.classifier, pos_label=label, max_depth=depth)
    text = _written(found, chosen, table, top, depth)
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
    from rarewood.intake._errors import did_you_mean

    for label in classes:
        if str(label) == text:
            return label
    known = list(map(str, classes))
    raise CommandError(
        f"The model has no class {text!r}.{did_you_mean(text, known)} Its classes are "
        f"{', '.join(known)}."
    )


def _written(rules: Any, form: Form, table: str | None, top: int, depth: int | None) -> str:
    found = rules[rules["lift"] > 1][:top]  # rules against the class are as significant
    if form is Form.text:
        cut = "" if depth is None else f", cut off at depth {depth}"
        head = f"{len(found)} of {len(rules):,} rules{cut}, by p-value\n"
        return head + str(found.to_text(len(found)))
    if form is Form.sql:
        return str(found.to_sql(table, style="flags")) + "\n"
    frame = found.to_frame()
    if form is Form.csv:
        return str(frame.to_csv(index=False, lineterminator="\n"))
    return str(frame.to_json(orient="records", indent=1, double_precision=15)) + "\n"
