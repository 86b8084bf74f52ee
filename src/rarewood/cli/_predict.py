"""``rarewood predict``: labels and probabilities for the rows of a table."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rarewood.cli import _goals as goals
from rarewood.cli import _options as opt
from rarewood.cli._achieved import achieved
from rarewood.cli._errors import note
from rarewood.cli._heartbeat import Heartbeat

_OUT = "Output file: .csv, .csv.gz, .tsv or .parquet; - for the standard output."
_ID = (
    "Column to keep beside the predictions. Repeatable. Default: the identifiers of the training "
    "table, if present."
)
_ALL = "Write the probabilities of both classes of a binary model."
_THRESHOLD = "Lowest probability at which the rare class is predicted. Default: that of the model."


def predict(
    model: opt.ModelFile,
    data: opt.Data,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help=_OUT)],
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
) -> None:
    """Predict every row of a table, in its order.

    Columns that the model does not have, such as the target, are ignored. Rows are read and written
    in chunks, so a table may be larger than memory. --cost, --alerts or --recall choose another
    threshold, from the held-out scores that the model file contains.
    """
    from rarewood import workflow

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
            threshold=threshold if goal is None else goal,
            chunk_rows=chunk_rows,
            n_jobs=n_jobs,
            delimiter=opt.parse_delimiter(delimiter),
        )
    for text in found.notes:
        note(f"note: {text}")
    rule = "most probable class"
    if found.threshold is not None:
        chosen = "" if goal is None or found.point is None else f"; {found.point.rule}"
        rule = f"{found.pos_label} if its probability is at least {found.threshold:.4g}{chosen}"
    if found.point is not None and found.point.n_bootstrap:
        note(f"expected on rows like those of training: {achieved(found.point)}")
    counts = ", ".join(f"{label} {n:,}" for label, n in list(found.counts.items())[:8])
    where = "the standard output" if out == "-" else out
    note(f"{found.n_rows:,} rows written to {where}: {counts} ({rule})")
