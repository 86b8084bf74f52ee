"""``rarewood rules``: the rules of a model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rarewood.cli import _options as opt
from rarewood.cli._errors import note


class Format(StrEnum):
    """Formats of rules."""

    text = "text"
    csv = "csv"
    json = "json"
    sql = "sql"


_DEPTH = (
    "Number of splits after which paths are cut off. Default: 3 for a forest, whose full rules are "
    "long and cover few rows; no limit for a tree."
)
_FORMAT = "Output format. Default: by the suffix of --out, or text."
_OUT = "Output file. Default: the standard output."


def rules(
    model: opt.ModelFile,
    top: Annotated[int, typer.Option(min=1, help="Number of rules.")] = 20,
    label: Annotated[
        str | None,
        typer.Option("--class", metavar="CLASS", help="Class. Default: the rare class."),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help=_DEPTH)] = None,
    form: Annotated[Format | None, typer.Option("--format", help=_FORMAT)] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help=_OUT)] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="Table to select from, for SQL.")
    ] = None,
) -> None:
    """Print the strongest rules of a model, by p-value.

    The p-values are computed on the training rows, so they are too small.
    """
    from rarewood import workflow
    from rarewood.modelfile._atomic import replacing
    from rarewood.workflow._files import check_not_input, check_writable

    suffix = "" if out is None else out.suffix[1:].lower()
    form = form or (Format(suffix) if suffix in list(Format) else Format.text)
    if out is not None:
        out = check_writable(out)
        check_not_input(out, model)
    text = _written(workflow.rules(model, pos_label=label, max_depth=depth), form, table, top)
    if out is None:
        print(text, end="")
        return
    with replacing(out, "the rules") as temporary:
        temporary.write_text(text, encoding="utf-8")
    note(f"wrote {out}")


def _written(rules: Any, form: Format, table: str | None, top: int) -> str:
    found = rules[:top]
    if form is Format.text:
        longest = max(found["depth"].tolist(), default=0)
        head = f"{len(found)} of {len(rules):,} rules by p-value, at most {longest} conditions each"
        return f"{head}\n{found.to_text(len(found)).rstrip()}\n"
    if form is Format.sql:
        return str(found.to_sql(table, style="flags")) + "\n"
    frame = found.to_frame()
    if form is Format.csv:
        return str(frame.to_csv(index=False, lineterminator="\n"))
    return str(frame.to_json(orient="records", indent=1, double_precision=15)) + "\n"
