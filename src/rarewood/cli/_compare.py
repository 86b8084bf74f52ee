"""``rarewood compare``: which model is best on a table, and what can be said of it."""

from __future__ import annotations

import re
import shlex
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rarewood.cli._errors import CommandError, check_writable
from rarewood.cli._options import (
    Columns,
    Data,
    Delimiter,
    Drop,
    Keep,
    Memory,
    Rare,
    Sample,
    Seed,
    Target,
    check_jobs,
    names_in,
    say_findings,
)

if TYPE_CHECKING:
    from rarewood.cli._folder import RunFolder
    from rarewood.cli._plan import Plan
    from rarewood.evaluate import Results
    from rarewood.intake import PreparedTable

__all__ = ["compare"]


def compare(
    data: Data,
    target: Target = None,
    rare: Rare = None,
    models: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Models to compare; else ours, and those of other packages where installed. "
            "'ours', 'peers', 'all', or names, those of presets included.",
        ),
    ] = None,
    protocol: Annotated[
        str,
        typer.Option(
            metavar="NxK|cvK", help="5x2 is 5 times 2-fold cross-validation, cv10 10-fold."
        ),
    ] = "5x2",
    metric: Annotated[
        str, typer.Option(help="What the models are ranked by.")
    ] = "average_precision",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Folder of the run; else rarewood-NAME, here."
        ),
    ] = None,
    n_jobs: Annotated[
        int | None,
        typer.Option(
            "--n-jobs",
            "-j",
            callback=check_jobs,
            help="Processes; -1 for all cores; else what cores and memory allow.",
        ),
    ] = None,
    seed: Seed = 0,
    columns: Columns = None,
    keep: Keep = None,
    drop: Drop = None,
    sample: Sample = None,
    delimiter: Delimiter = None,
    memory: Memory = None,
) -> None:
    """Compare models on a table, and write a report.

    A run that is interrupted goes on where it was when the same command is given again.
    """
    from rarewood.cli._comparing import check_plan
    from rarewood.cli._folder import RunFolder
    from rarewood.cli._plan import Plan, parse_protocol
    from rarewood.workflow._models import choose_models

    _check_metric(metric)
    parse_protocol(protocol, seed)
    _, absent = choose_models(names_in(models) or [])
    reading = {
        "columns": columns, "keep": keep, "drop": drop, "sample": sample, "delimiter": delimiter,
        "memory": memory,
    }  # fmt: skip
    plan = Plan.of(
        data, target=target, rare=rare, models=names_in(models) or [], protocol=protocol,
        metric=metric, seed=seed, reading={k: v for k, v in reading.items() if v},
    )  # fmt: skip
    folder = RunFolder(check_writable(out or _default_folder(data), is_folder=True))
    folder.check(data)
    prepared = plan.take()
    check_plan(plan, prepared)
    say_findings(prepared)
    if absent and models is None:
        print(f"not installed, so not compared: {', '.join(absent)}")
    folder.make()
    results = _compute(plan, prepared, folder, n_jobs)
    try:
        _finish(plan, prepared, results, folder)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"Interrupted. All fits are done and kept in {folder.path}: give the same command "
            "again for the report."
        ) from None


def _check_metric(metric: str) -> None:
    from rarewood.evaluate import metric_names
    from rarewood.intake._errors import did_you_mean

    if metric not in metric_names():
        names = metric_names()
        raise CommandError(
            f"There is no metric {metric!r}.{did_you_mean(metric, names)} There are "
            f"{', '.join(names)}."
        )


def _default_folder(data: str) -> Path:
    """A folder for the runs on a table: the same for the same name, so that they go on."""
    from rarewood.intake._open import SUFFIXES

    base = Path(data).name
    found = max((s for s in SUFFIXES if base.lower().endswith(s)), key=len, default="")
    base = base[: len(base) - len(found)]
    return Path(f"rarewood-{re.sub(r'[^0-9A-Za-z_.-]+', '_', base) or 'run'}")


def _command() -> str:
    return shlex.join(["rarewood", *sys.argv[1:]])


def _compute(plan: Plan, prepared: PreparedTable, folder: RunFolder, n_jobs: int | None) -> Results:
    from rarewood.cli._comparing import compute, describe_run, processes
    from rarewood.cli._live import LiveTable, Tally
    from rarewood.evaluate._metrics import METRICS
    from rarewood.intake._errors import count
    from rarewood.workflow._models import choose_models

    names = [entry.name for entry in choose_models(plan.models)[0]]
    protocol = plan.make_protocol()
    n_cells = len(names) * len(protocol)
    folder.write_json(folder.run, describe_run(plan, prepared.findings, _command(), "unfinished"))
    used = min(n_cells, processes(n_jobs, prepared.X))
    print(
        f"comparing {count(len(names), 'model')} by {protocol.n_repeats} x "
        f"{protocol.n_splits}-fold cross-validation: {count(n_cells, 'fit')}, {used} at a time",
        flush=True,
    )
    live = LiveTable(Tally(names, plan.metric, METRICS[plan.metric].higher_is_better), n_cells)
    try:
        with live:
            return compute(plan, prepared, folder, n_jobs=used, on_cell=live)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"Interrupted. {live.n_done} of {n_cells} fits are done and kept in {folder.path}: "
            "give the same command again to go on, or 'rarewood report "
            f"{shlex.quote(str(folder.path))}' for a report of what is there."
        ) from None
    except sqlite3.Error as error:
        raise CommandError(
            f"{folder.store} cannot be written: {error}. {live.n_done} of {n_cells} fits are done "
            "and kept: mend that, and give the same command again to go on."
        ) from error


def _finish(plan: Plan, prepared: PreparedTable, results: Results, folder: RunFolder) -> None:
    from rarewood.cli._comparing import describe_run, finish
    from rarewood.cli._ranking import print_ranking

    summary: dict[str, Any] = finish(plan, prepared, results, folder, _command())
    folder.write_json(folder.run, describe_run(plan, prepared.findings, _command(), "finished"))
    print_ranking(summary)
    print(f"report: {folder.report}")
