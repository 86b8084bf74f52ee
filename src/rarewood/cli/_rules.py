"""``rarewood rules``: the rules of a model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rarewood.cli import _options as opt
from rarewood.cli._errors import note
from rarewood.cli._heartbeat import Heartbeat


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
_VALIDATE = (
    "Table with the target, of rows that the model was not fitted on: measures and p-values of the "
    "rules on these rows."
)
_MODEL_RULES = (
    "Rules of an oblique forest itself, with hyperplanes. Default: those of a surrogate, a tree "
    "with ordinary splits that stands for it, with its fidelity."
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
    validate: Annotated[str | None, typer.Option(metavar="DATA", help=_VALIDATE)] = None,
    model_rules: Annotated[bool, typer.Option("--model-rules", help=_MODEL_RULES)] = False,
    delimiter: opt.Delimiter = None,
    trust_foreign: opt.Trust = False,
) -> None:
    """Print the strongest rules of a model, by p-value.

    The p-values are computed on the training rows, so they are too small; --validate tests the
    rules on other rows.
    """
    from rarewood import workflow
    from rarewood.workflow._files import check_not_input, check_writable

    suffix = "" if out is None else out.suffix[1:].lower()
    form = form or (Format(suffix) if suffix in list(Format) else Format.text)
    if out is not None:
        out = check_writable(out)
        check_not_input(out, model)
    char = opt.parse_delimiter(delimiter)
    trust: Any = {"trust_foreign": trust_foreign}
    how: Any = {"pos_label": label, "max_depth": depth, "model_rules": model_rules, **trust}
    with Heartbeat("finding the rules"):
        found = workflow.rules(model, **how)
        n_all = len(found)
        found = found[:top]
        if validate is not None:
            found = workflow.rules(model, **how, n_rules=top, validate=validate, delimiter=char)
        same = None if model_rules else workflow.fidelity(model, validate, delimiter=char, **trust)
    text = _written(found, form, table, n_all, validate)
    if same is not None and form is Format.text:
        text = f"{_fidelity(same, validate)}\n{text}"
    elif same is not None:
        note(f"note: {_fidelity(same, validate)}")
    if out is None:
        print(text, end="")
        return
    from rarewood.modelfile._atomic import replacing

    with replacing(out, "the rules") as temporary:
        temporary.write_text(text, encoding="utf-8")
    note(f"wrote {out}")


def _fidelity(found: dict[str, Any], validate: str | None) -> str:
    """Return how well a surrogate agrees with its model."""
    rows = f"{found['n_rows']:,} {'rows of ' + validate if validate else 'held-out rows'}"
    text = (
        "rules of a surrogate: a tree with ordinary splits that stands for the model. Fidelity on "
        f"{rows}: it decides like the model for {found['agreement']:.1%}"
    )
    if found["alerts_reproduced"] is not None:
        text += f" and finds {found['alerts_reproduced']:.0%} of its {found['n_alerts']:,} alerts"
    if found["alerts_shared"] is not None:
        text += f"; {found['alerts_shared']:.0%} of the alerts of the surrogate are the model's"
    own = "; --model-rules prints the rules of the forest itself" if found["model_rules"] else ""
    return f"{text}{own}"


def _written(found: Any, form: Format, table: str | None, n_all: int, validate: str | None) -> str:
    if form is Format.text:
        longest = max(found["depth"].tolist(), default=0)
        head = f"{len(found)} of {n_all:,} rules by p-value, at most {longest} conditions each"
        text = found.to_text(len(found)).rstrip()
        text = text.replace("validate(X, y) with held-out samples", "--validate with other rows")
        text = text.replace("the samples passed to validate", f"the rows of {validate}")
        return f"{head}\n{text}\n"
    if form is Format.sql:
        return str(found.to_sql(table, style="flags")) + "\n"
    frame = found.to_frame()
    if form is Format.csv:
        return str(frame.to_csv(index=False, lineterminator="\n"))
    return str(frame.to_json(orient="records", indent=1, double_precision=15)) + "\n"
