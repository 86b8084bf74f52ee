"""Compare models on one table: fit every fold, keep the results in a folder, write a report."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rarewood.workflow._comparison import Comparison, summarize_run
from rarewood.workflow._estimate_time import estimate_time
from rarewood.workflow._explain_cases import explain_cases
from rarewood.workflow._files import check_exists, check_writable
from rarewood.workflow._listener import Listener
from rarewood.workflow._model_size import size_metric
from rarewood.workflow._models import choose_models
from rarewood.workflow._reading import Reading
from rarewood.workflow._run_folder import (
    RUNS,
    Plan,
    RunFolder,
    check_protocol,
    full_path,
)

if TYPE_CHECKING:
    from rarewood.evaluate import Results
    from rarewood.intake._findings import Findings
    from rarewood.intake._prepare import PreparedTable

_OVERHEAD = 300 << 20  # bytes of a process with its libraries
_COPIES = 4  # of the table, in a process that fits a model
_QUICK_ROWS, _QUICK_VALUES, _QUICK_PROTOCOL = 20_000, 600_000, "cv3"


def compare(
    data: Any,
    target: str | None = None,
    *,
    pos_label: Any = None,
    models: Sequence[str] = (),
    protocol: str | None = None,
    metric: str = "average_precision",
    goal: str | None = None,
    quick: bool = False,
    cases: bool = True,
    out: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    listener: Listener | None = None,
    command: str = "",
    **reading: Unpack[Reading],
) -> Comparison:
    """Compare models on a table, and write a report.

    Every finished fit is kept in the folder of the run: the same call resumes an
    interrupted run.

    Parameters
    ----------
    data : str, Path or DataFrame
        A file, a folder of Parquet files, or the name of a data set; see
        :func:`rarewood.intake.open_table`.
    target : str, default=None
        Column to predict; by default that of the data set.
    pos_label : label, default=None
        The rare class; by default the one with the fewest samples. With more than two classes and a
        ``pos_label``, all others are merged.
    models : list of str, default=()
        Names of :func:`models`, or "rarewood", "peers" (the default models of rarewood and of other
        packages) and "all" (every model that is installed). By default "rarewood" and "peers".
    protocol : str, default=None
        "5x2", the default, is 5 times 2-fold cross-validation, "cv10" is 10-fold cross-validation.
    metric : str, default="average_precision"
        Metric to rank the models by, one of :func:`rarewood.evaluate.metric_names`.
    goal : str, default=None
        What counts, instead of the metric: costs, "cost:fp=10,fn=500"; a capacity,
        "alerts<=50/2000" (50 alerts for 2,000 rows a day) or "alerts<=2%"; or a recall,
        "recall>=0.9". The models are ranked by expected cost, by recall at the capacity, or by
        alerts for the recall.
    quick : bool, default=False
        Whether to compare on a random sample of at most 20,000 rows, fewer if there are more than
        30 columns, by 3-fold cross-validation; ``sample`` and ``protocol`` still apply.
    cases : bool, default=True
        Whether to show rows of the table: the strongest alerts, misses and false alarms of each
        model, with the reasons and similar rows. False keeps rows out of the report and its data.
    out : str or Path, default=None
        Folder of the run; by default a folder of "rarewood-runs" that is named by the table, the
        protocol, the sample and a hash of the data, so that no run replaces another one.
    n_jobs : int, default=None
        Number of processes; -1 for all cores. By default what cores and memory allow.
    random_state : int, default=0
        Seed of folds, models and samples of rows.
    listener : Listener, default=None
        Receives the progress.
    command : str, default=""
        Command to show in the report.
    **reading
        ``columns``, ``keep``, ``drop``, ``sample``, ``delimiter`` and ``memory`` (bytes, or a text
        such as "4GB"): see :func:`rarewood.intake.prepare`.

    Returns
    -------
    comparison : Comparison
        Attributes: ``folder`` of the run; ``report``, the HTML page; ``summary``, the data of the
        page, see :func:`rarewood.report.summarize`; ``n_done`` and ``n_fits``, numbers of
        finished fits and of all; ``results``, a :class:`rarewood.evaluate.Results`; ``metric`` and
        ``best``, names; ``ranking``, a dict for each model, best first, with "model", the "mean" of
        the metric over the folds, its "label", the bounds "low" and "high" of its confidence
        interval, the
        "p_value" of the difference from the best model, and the means of all metrics, "scores"
        (unknown numbers are None); ``verdict``, a dict with the recommended model, the differences
        of the others from it, and a "sentence" that says it; ``ties``, the models that the best one
        is not significantly better than.

    Examples
    --------
    >>> import tempfile
    >>> from rarewood import workflow
    >>> found = workflow.compare(
    ...     "wine", models=["hddt", "cart"], protocol="cv2", n_jobs=1, out=tempfile.mkdtemp()
    ... )
    >>> sorted(model["model"] for model in found.ranking), found.n_fits, found.report.name
    (['cart', 'hddt'], 4, 'report.html')
    """
    listener = listener or Listener()
    protocol = protocol or (_QUICK_PROTOCOL if quick else "5x2")
    entries, absent = choose_models(models)
    goal = _check_words(metric, goal, protocol)
    check_exists(data)
    place = check_writable(out or RUNS, is_folder=True)
    RunFolder(place).check(data)
    _import_libraries(listener)
    if quick and reading.get("sample") is None:
        reading["sample"] = _quick_sample(data, reading)
    plan = Plan(
        full_path(data), target, pos_label, list(models), protocol, metric, random_state, goal,
        quick, cases, {name: value for name, value in reading.items() if value},
    )  # fmt: skip
    listener.on_step(f"reading {Path(plan.data).name}")
    prepared = plan.read(None if isinstance(data, (str, os.PathLike)) else data)
    _check_folds(plan, prepared.findings)
    folder = RunFolder(place if out else plan.default_folder(prepared))
    folder.check(data, plan.key(prepared))
    listener.on_table(prepared.findings, None)
    names = [entry.name for entry in entries]
    n_fits = len(names) * len(plan.make_protocol())
    n_jobs = min(n_fits, _processes(n_jobs, prepared.X))
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.write_json(folder.run, _describe(plan, prepared, command, "unfinished"))
    folder.mark_latest()
    listener.on_comparison(
        folder.path, names, [] if models else absent, plan.make_protocol(), n_jobs
    )
    estimate_time(entries, prepared, plan, folder, n_jobs, listener)
    results = compute_fits(plan, prepared, folder, n_jobs, listener)
    listener.on_step("writing the report")
    summary = summarize_run(plan, prepared, results, folder, command, data, listener)
    folder.write_json(folder.run, _describe(plan, prepared, command, "finished", summary))
    return Comparison(folder.path, folder.report, summary, len(results), n_fits, results)


def _check_words(metric: str, goal: Any, protocol: str) -> str | None:
    """Raise if a word is unknown, before slow imports; return the goal as the text of its rule."""
    from rarewood.evaluate._metrics import metric_names
    from rarewood.intake._errors import check_choice
    from rarewood.operating._goals import as_goal
    from rarewood.operating._rule_text import rule_text

    check_choice(metric, metric_names(), "metric")
    check_protocol(protocol)
    rule = as_goal(goal)
    return None if rule is None else rule_text(rule)


def _import_libraries(listener: Listener) -> None:
    """Import what takes time on a busy machine, as a step of its own."""
    listener.on_step("loading libraries")
    from rarewood import evaluate, intake  # noqa: F401


def _quick_sample(data: Any, reading: Reading) -> int:
    """Return the number of rows of a quick comparison: fewer if there are many columns."""
    from rarewood.intake import open_table
    from rarewood.intake._raw_table import parse_size

    memory = parse_size(reading.get("memory"))
    source = open_table(data, delimiter=reading.get("delimiter"), memory=memory)
    n_columns = len(reading.get("columns") or source.columns)
    return max(1000, min(_QUICK_ROWS, _QUICK_VALUES // max(n_columns, 1) // 1000 * 1000))


def _check_folds(plan: Plan, findings: Findings) -> None:
    from rarewood.intake._errors import count

    folds = plan.make_protocol().n_splits
    if findings.n_rare < folds:
        fewer = "Use fewer folds with `protocol`, or" if folds > 2 else "Choose"
        raise ValueError(
            f"The rare class {findings.pos_label!r} has {count(findings.n_rare, 'row')}, too few "
            f"for {folds} folds. {fewer} another class with `pos_label`."
        )


def _processes(n_jobs: int | None, table: Any) -> int:
    """Return the number of processes, by default as many as cores and memory allow."""
    from joblib import effective_n_jobs

    from rarewood.table._memory import available_memory

    if n_jobs is not None:
        return int(effective_n_jobs(n_jobs))
    n_cores, free = int(effective_n_jobs(-1)), available_memory()
    each = _OVERHEAD + _COPIES * int(table.memory_usage(deep=True).sum())
    return n_cores if free is None else max(1, min(n_cores, free // each))


def compute_fits(
    plan: Plan,
    prepared: PreparedTable,
    folder: RunFolder,
    n_jobs: int = 1,
    listener: Listener | None = None,
    only_finished: bool = False,
) -> Results:
    """Compute the fits that the store of the folder does not have, and return all of them."""
    from rarewood import evaluate
    from rarewood.datasets import Dataset

    entries, _ = choose_models(plan.models)
    try:
        return evaluate.compare(
            {entry.name: entry.make for entry in entries},
            Dataset(prepared.findings.name, prepared.X, prepared.y, prepared.pos_label),
            protocol=plan.make_protocol(),
            metrics=[*evaluate.metric_names(), size_metric()],
            store=folder.store,
            n_jobs=n_jobs,
            keep_predictions=True,
            progress=False,
            on_cell=None if listener is None else listener.on_fit_done,
            compute=not only_finished,
            annotate=explain_cases,
        )
    except sqlite3.Error as error:
        raise OSError(
            f"Cannot write {folder.store}: {error}. Finished fits are kept; the same call resumes."
        ) from error


def _describe(
    plan: Plan,
    prepared: PreparedTable,
    command: str,
    state: str,
    summary: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the content of run.json."""
    import platform

    from rarewood._version import __version__

    n_fits = len(choose_models(plan.models)[0]) * len(plan.make_protocol())
    return {
        "format": 2,
        "state": state,
        "written": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "command": command,
        "key": plan.key(prepared),
        "n_fits": n_fits,
        "n_done": 0 if summary is None else n_fits,
        "verdict": None if summary is None else summary["verdict"]["sentence"],
        "plan": asdict(plan),
        "findings": prepared.findings.to_dict(),
        "versions": {"rarewood": __version__, "python": platform.python_version()},
    }
