"""The summary and the report of a comparison on one table."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rarewood.workflow._models import choose_models
from rarewood.workflow._plan import Plan
from rarewood.workflow._run_folder import RunFolder

if TYPE_CHECKING:
    from rarewood.evaluate import Results
    from rarewood.intake import PreparedTable


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
        findings=prepared.findings,
        settings={"command": command, **asdict(plan)},
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
