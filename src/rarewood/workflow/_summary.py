"""The summary and the report of a comparison on one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rarewood.workflow._models import choose_models
from rarewood.workflow._plan import Plan
from rarewood.workflow._run_folder import RunFolder

if TYPE_CHECKING:
    from rarewood.evaluate import Results
    from rarewood.intake import Findings, PreparedTable

__all__ = ["summarize_run"]

_KINDS = {"numeric": "number", "categorical": "category", "boolean": "yes/no"}


def summarize_run(
    plan: Plan, prepared: PreparedTable, results: Results, folder: RunFolder, command: str
) -> dict[str, Any]:
    """Write the table of results, the summary and the report; return the summary."""
    from rarewood import report as library

    folder.write_text(folder.table, results.to_frame("pandas").to_csv(index=False))
    entries, _ = choose_models(plan.models)
    summary: dict[str, Any] = library.summarize(
        results,
        prepared.X,
        prepared.y,
        models={one.name: one.make() for one in entries if one.name in results.models},
        metric=plan.metric,
        findings=_for_report(prepared.findings),
        settings={"command": command, **plan.to_dict()},
        random_state=plan.random_state,
    )
    summary["against_best"] = _against_best(results, plan.metric)
    folder.write_json(folder.summary, summary)
    folder.write_text(folder.report, library.render(summary))
    return summary


def _against_best(results: Results, metric: str) -> dict[str, Any]:
    """Return the p-values of the comparisons with the best model, by name."""
    from rarewood.evaluate import against_best

    n_train, n_test = (
        sum(getattr(cell, name) for cell in results.cells) for name in ("n_train", "n_test")
    )
    found = against_best(results.scores(metric)[0], n_train, n_test, results.metrics[metric])
    p_values = zip(results.models, found.holm, strict=True)
    holm = {name: None if p != p else float(p) for name, p in p_values}
    return {"best": results.models[found.best], "metric": metric, "holm": holm}


def _for_report(findings: Findings) -> dict[str, Any]:
    """Return the findings in the form that :func:`rarewood.report.summarize` takes."""
    about = findings.about
    notes = list(findings.notes)
    if findings.n_unlabelled:
        notes.append(f"{findings.n_unlabelled:,} rows without a label were left out")
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
        "notes": notes,
    }
