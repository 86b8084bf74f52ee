"""``rarewood predict``: labels and probabilities for the rows of a table."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from rarewood.cli import _goals as goals
from rarewood.cli import _options as opt
from rarewood.cli._achieved import achieved
from rarewood.cli._console import make_console, make_table
from rarewood.cli._errors import note
from rarewood.cli._heartbeat import Heartbeat

_OUT = (
    "Output file: .csv, .csv.gz, .tsv or .parquet; - for the standard output. With --top the "
    "default is a table to read."
)
_ID = (
    "Column to keep beside the predictions. Repeatable. Default: the identifiers of the training "
    "table, if present."
)
_ALL = "Write the probabilities of both classes of a binary model."
_TOP = "Only the rows with the highest probabilities of the rare class, highest first."
_WHY = (
    "Add the three strongest reasons of each row. Without --top they take several times as long as "
    "the predictions."
)
_THRESHOLD = "Lowest probability at which the rare class is predicted. Default: that of the model."


def predict(
    model: opt.ModelFile,
    data: opt.Data,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help=_OUT)] = None,
    top: Annotated[int | None, typer.Option(min=1, metavar="N", help=_TOP)] = None,
    why: Annotated[bool, typer.Option("--why", help=_WHY)] = False,
    id: Annotated[list[str] | None, typer.Option(metavar="COL", help=_ID)] = None,
    no_id: Annotated[bool, typer.Option("--no-id", help="Keep no column of the table.")] = False,
    all_classes: Annotated[bool, typer.Option("--all-classes", help=_ALL)] = False,
    threshold: Annotated[float | None, typer.Option(min=0.0, max=1.0, help=_THRESHOLD)] = None,
    cost: goals.Cost = None,
    alerts: goals.Alerts = None,
    rows_per_day: goals.RowsPerDay = None,
    recall: goals.Recall = None,
    chunk_rows: Annotated[
        int, typer.Option(min=1, help="Number of rows in memory at once.")
    ] = 65_536,
    n_jobs: opt.Threads = -1,
    delimiter: opt.Delimiter = None,
    trust_foreign: opt.Trust = False,
) -> None:
    """Predict every row of a table, in its order, or rank those most likely to be rare.

    Columns that the model does not have, such as the target, are ignored. Rows are read and written
    in chunks, so a table may be larger than memory. --cost, --alerts or --recall choose another
    threshold, from the held-out scores that the model file contains.
    """
    from rarewood import workflow
    from rarewood.operating._goals import rule_in_rows

    if out is None and top is None:
        raise ValueError("Name the output file with -o, or print the highest rows with --top 50.")
    if id and no_id:
        raise ValueError("--id and --no-id exclude each other: use one of them.")
    goal = goals.parse_goal(cost, alerts, rows_per_day, recall)
    if goal is not None and threshold is not None:
        raise ValueError("--threshold excludes --cost, --alerts and --recall: use one of them.")
    with Heartbeat(f"predicting {data}"):
        found = workflow.predict(
            model,
            data,
            out=sys.stdout if out == "-" else out,
            id=[] if no_id else id or None,
            all_classes=all_classes,
            top=top,
            why=why,
            threshold=threshold if goal is None else goal,
            chunk_rows=chunk_rows,
            n_jobs=n_jobs,
            delimiter=opt.parse_delimiter(delimiter),
            trust_foreign=trust_foreign,
        )
    for text in found.notes:
        note(f"note: {text}")
    rule = "most probable class"
    if found.threshold is not None:
        chosen = (
            "" if goal is None or found.point is None else f"; {rule_in_rows(found.point.rule)}"
        )
        is_beyond = found.threshold > 1.0  # by a rule that no threshold fulfils but alerting no one
        least = "above 1" if is_beyond else f"at least {found.threshold:.4g}"
        rule = f"{found.pos_label} if its probability is {least}{chosen}"
    if found.point is not None and found.point.n_bootstrap:
        note(f"expected on rows like those of training: {achieved(found.point)}")
    counts = ", ".join(f"{label} {n:,}" for label, n in list(found.counts.items())[:8])
    if out is None:
        _print_ranked(found.frame, f"probability_{found.pos_label}", why)
    where = "the standard output" if out in ("-", None) else out
    written = "rows" if top is None else f"rows predicted, {min(top, found.n_rows):,} of them"
    note(f"{found.n_rows:,} {written} written to {where}: {counts} ({rule})")


def _print_ranked(frame: Any, probability: str, why: bool) -> None:
    """Print the rows, the highest first, with a line for each reason."""
    reasons = [name for name in frame if name.startswith("reason_")] if why else []
    others = [name for name in frame if name not in (*reasons, "rank", "row", "prediction")]
    ids = [name for name in others if not name.startswith("probability_")]
    shown = ["rank", "row", *ids, "prediction", probability]
    table = make_table(*shown[:-1], "score", *(["why"] if why else []), numbers=len(shown) - 1)
    if why:
        table.columns[-1].justify, table.columns[-1].no_wrap = "left", False
    for row in frame.to_dict("records"):
        texts = [
            f"{row[name]:,}" if name in ("rank", "row") else str(row[name]) for name in shown[:-1]
        ]
        lines = "\n".join(row[name] for name in reasons if isinstance(row[name], str))
        table.add_row(*texts, f"{row[probability]:.4f}", *([lines] if why else []))
    print(f"score: {probability.replace('_', ' of ', 1)}")
    make_console().print(table)
