"""The report of a comparison, written again from the folder of the run."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood.workflow._compare import compute_fits
from rarewood.workflow._comparison import Comparison, summarize_run
from rarewood.workflow._drift import drift
from rarewood.workflow._files import check_exists, check_not_input, check_writable
from rarewood.workflow._listener import Listener
from rarewood.workflow._models import choose_models
from rarewood.workflow._run_folder import Plan, RunFolder

if TYPE_CHECKING:
    from rarewood.evaluate import Results


def report(
    run: str | os.PathLike[str] | Comparison,
    out: str | os.PathLike[str] | None = None,
    *,
    cases: bool = True,
    compare_with: Any = None,
    delimiter: str | None = None,
    listener: Listener | None = None,
) -> Comparison:
    """Write the report of a comparison again, also of one that is unfinished.

    Parameters
    ----------
    run : str, Path or Comparison
        Folder that :func:`compare` wrote, or one of its files.
    out : str or Path, default=None
        The HTML page; by default "report.html" in the folder.
    cases : bool, default=True
        Whether the page shows rows of the table, unless the comparison was made without. "False" is
        for pages that are passed on; the data in the folder stay as they are.
    compare_with : str, Path or DataFrame, default=None
        A table to compare with that of the run, see :func:`drift`. The page and its data are then
        "report-NAME.html" and "summary-NAME.json" by default, beside those without it.
    delimiter : str, default=None
        Delimiter of ``compare_with``; detected by default.
    listener : Listener, default=None
        Receives the progress.

    Returns
    -------
    comparison : Comparison
        As from :func:`compare`, with the finished fits. The ``results`` are None if a finished run
        was read from its summary.
    """
    folder = RunFolder.find(run.folder if isinstance(run, Comparison) else Path(run))
    check_exists(compare_with)
    name = None if compare_with is None else _name(compare_with)
    default = folder.report if name is None else folder.path / f"report-{name}.html"
    place = check_writable(out or default)
    check_not_input(place, folder.run, folder.store, folder.table, folder.summary)
    listener = listener or Listener()
    listener.on_step("loading libraries")
    from rarewood import report as library
    from rarewood.report._summary import FORMAT

    about = folder.read_json(folder.run) if folder.run.is_file() else {"state": "finished"}
    summary: dict[str, Any] | None = None
    results, n_done, n_fits = None, 0, 0
    if about.get("state") == "finished" and folder.summary.is_file():
        summary = folder.read_json(folder.summary)
        n_done, n_fits = int(about.get("n_done", 0)), int(about.get("n_fits", 0))
    if summary is None or (summary.get("format") != FORMAT and "plan" in about):
        listener.on_step("reading the finished fits")
        summary, results, n_fits = _from_store(folder, about, listener)
        n_done = len(results)
    if not cases:
        summary = {**summary, "cases": None}
    if name is not None:
        listener.on_step(f"comparing with {name}")
        summary = {**summary, "drift": drift(folder.path, compare_with, delimiter=delimiter)}
        folder.write_json(folder.path / f"summary-{name}.json", summary)
    listener.on_step("writing the report")
    folder.write_text(place, library.render(summary))
    return Comparison(folder.path, place, summary, n_done, n_fits, results)


def _name(table: Any) -> str:
    """Return the name of a table, as a part of the name of a file."""
    if not isinstance(table, (str, os.PathLike)):
        return "table"
    return re.sub(r"[^0-9A-Za-z_.-]+", "_", Path(table).stem) or "table"


def _from_store(
    folder: RunFolder, about: dict[str, Any], listener: Listener
) -> tuple[dict[str, Any], Results, int]:
    """Summarize the finished fits of a run that is not finished, or of an older version."""
    from rarewood.evaluate._damage import DamagedStoreError

    try:
        plan, command = Plan(**about["plan"]), str(about["command"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"{folder.run} is damaged: it has no plan of the comparison.") from error
    if not folder.store.is_file():
        raise ValueError(f"{folder.path} has no results: no fit was finished.")
    prepared = plan.read()
    try:
        results = compute_fits(plan, prepared, folder, only_finished=True)
    except DamagedStoreError:
        raise
    except ValueError as error:
        again = f": {command}" if command else "."
        raise ValueError(
            f"{folder.path} has no results for {plan.data} as it is now: no fit was finished, or "
            f"the table or a package has changed since. Run the comparison again{again}"
        ) from error
    summary = summarize_run(plan, prepared, results, folder, command, listener=listener)
    n_models = len(choose_models(plan.models)[0])
    return summary, results, n_models * len(plan.make_protocol())
