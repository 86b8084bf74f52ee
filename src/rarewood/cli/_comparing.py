"""A comparison on one table: computed, kept in its folder, and told."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rarewood.cli._errors import CommandError
from rarewood.cli._folder import RunFolder
from rarewood.cli._plan import Plan
from rarewood.workflow._models import choose_models

if TYPE_CHECKING:
    from rarewood.evaluate import Cell, Results
    from rarewood.intake import Findings, PreparedTable

__all__ = ["check_plan", "compute", "describe_run", "finish", "processes"]

_OVERHEAD = 300 << 20  # bytes of a process with its libraries
_COPIES = 4  # of the table, in a process that fits a model
_KINDS = {"numeric": "number", "categorical": "category", "boolean": "yes/no"}


def check_plan(plan: Plan, prepared: PreparedTable) -> None:
    """Raise before any work is done if the folds could not be made."""
    from rarewood.intake._errors import count

    folds = plan.make_protocol().n_splits
    findings = prepared.findings
    if findings.n_rare < folds:
        fewer = "Take fewer folds, such as --protocol 5x2, or name" if folds > 2 else "Name"
        raise CommandError(
            f"The rare class {findings.pos_label!r} has {count(findings.n_rare, 'row')}, which "
            f"cannot be dealt to {folds} folds. {fewer} another class with --rare."
        )


def processes(n_jobs: int | None, table: Any) -> int:
    """Return how many processes to use: by default as many as cores and memory allow."""
    from rarewood.table._memory import available_memory

    if n_jobs is not None:
        from joblib import effective_n_jobs

        return int(effective_n_jobs(n_jobs))
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    free = available_memory()
    if free is None:
        return max(1, n_cores or 1)
    each = _OVERHEAD + _COPIES * int(table.memory_usage(deep=True).sum())
    return max(1, min(n_cores or 1, free // each))


def compute(
    plan: Plan,
    prepared: PreparedTable,
    folder: RunFolder,
    *,
    n_jobs: int = 1,
    on_cell: Callable[[Cell, int, int], None] | None = None,
    only_finished: bool = False,
) -> Results:
    """Compute the cells that the store of the folder does not have, and return all of them."""
    from rarewood.datasets import Dataset
    from rarewood.evaluate import compare

    record = Dataset(prepared.findings.name, prepared.X, prepared.y, prepared.pos_label)
    models = {entry.name: entry.make for entry in choose_models(plan.models)[0]}
    return compare(
        models,
        record,
        protocol=plan.make_protocol(),
        store=folder.store,
        n_jobs=n_jobs,
        keep_predictions=True,
        progress=False,
        on_cell=on_cell,
        compute=not only_finished,
    )


def describe_run(plan: Plan, findings: Findings, command: str, state: str) -> dict[str, Any]:
    """Return what ``run.json`` holds."""
    import platform

    from rarewood._version import __version__

    return {
        "format": 1,
        "state": state,
        "written": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "command": command,
        "plan": plan.to_dict(),
        "findings": findings.to_dict(),
        "versions": {"rarewood": __version__, "python": platform.python_version()},
    }


def finish(
    plan: Plan, prepared: PreparedTable, results: Results, folder: RunFolder, command: str
) -> dict[str, Any]:
    """Write the table of results, the summary and the report; return the summary."""
    from rarewood import report

    folder.write_text(folder.table, results.to_frame("pandas").to_csv(index=False))
    entries, _ = choose_models(plan.models)
    summary: dict[str, Any] = report.summarize(
        results,
        prepared.X,
        prepared.y,
        models={one.name: one.make() for one in entries if one.name in results.models},
        metric=plan.metric,
        findings=_for_report(prepared.findings),
        settings={"command": command, **plan.to_dict()},
        random_state=plan.seed,
    )
    summary["against_best"] = _against_best(results, plan.metric)
    folder.write_json(folder.summary, summary)
    folder.write_text(folder.report, report.render(summary))
    return summary


def _against_best(results: Results, metric: str) -> dict[str, Any]:
    """P-values of the comparisons with the best model, by names."""
    from rarewood.evaluate import against_best

    n_train, n_test = (
        sum(getattr(cell, name) for cell in results.cells) for name in ("n_train", "n_test")
    )
    found = against_best(results.scores(metric)[0], n_train, n_test, results.metrics[metric])
    return {
        "best": results.models[found.best],
        "metric": metric,
        "holm": {
            name: None if p != p else float(p)
            for name, p in zip(results.models, found.holm, strict=True)
        },
    }


def _for_report(findings: Findings) -> dict[str, Any]:
    """What was found, in the words of :func:`rarewood.report.summarize`."""
    about = findings.about
    unlabelled = [f"{findings.n_unlabelled:,} rows without a label were left out"]
    return {
        "source": about.get("source") or about.get("file") or findings.name,
        "columns": [
            {
                "name": column.name,
                "kind": _KINDS.get(column.kind, column.kind),
                "n_missing": column.n_missing,
                "n_distinct": column.n_distinct,
                "note": column.reason,
            }
            for column in findings.columns
            if column.used
        ],
        "skipped": [{"name": c.name, "reason": c.reason} for c in findings.skipped],
        "warnings": [f"{c.name}: {c.reason}" for c in findings.columns if c.used and c.reason],
        "notes": [*findings.notes, *(unlabelled if findings.n_unlabelled else [])],
    }
