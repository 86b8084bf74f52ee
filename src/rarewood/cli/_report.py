"""``rarewood report``: the page of a run, made again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rarewood.cli._errors import CommandError, check_no_input, check_writable

__all__ = ["report"]


def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A folder that 'rarewood compare' made.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The page; else RUN/report.html."),
    ] = None,
) -> None:
    """Write the report of a run again, also of one that was interrupted."""
    from rarewood import report as library
    from rarewood.cli._ranking import print_ranking
    from rarewood.workflow._run_folder import RunFolder

    folder = RunFolder.find(run)
    place = check_writable(out or folder.report)
    check_no_input(place, folder.run, folder.store, folder.table, folder.summary)
    about = folder.read_json(folder.run) if folder.run.is_file() else {"state": "finished"}
    if about.get("state") == "finished" and folder.summary.is_file():
        summary = folder.read_json(folder.summary)
    else:
        summary = _from_store(folder, about)
    folder.write_text(place, library.render(summary))
    print_ranking(summary)
    print(f"report: {place}")


def _from_store(folder: Any, about: dict[str, Any]) -> dict[str, Any]:
    """Summarise what there is of a run that is not finished."""
    from rarewood.workflow._compare import compute, finish
    from rarewood.workflow._plan import Plan

    try:
        plan, command = Plan(**about["plan"]), str(about["command"])
    except (KeyError, TypeError) as error:
        raise CommandError(f"{folder.run} is damaged: it does not say what was asked.") from error
    if not folder.store.is_file():
        raise CommandError(f"{folder.path} has no results yet: nothing was finished.")
    prepared = plan.take()
    try:
        results = compute(plan, prepared, folder, only_finished=True)
    except ValueError as error:
        raise CommandError(
            f"{folder.path} has no results for {plan.data} as it is now: nothing was finished, or "
            "the table or a package has changed since. Give the command again: "
            f"{command}"
        ) from error
    n_cells = len(results.models) * len(plan.make_protocol())
    print(f"unfinished: {len(results)} of {n_cells} fits of {len(results.models)} models")
    return finish(plan, prepared, results, folder, command)
