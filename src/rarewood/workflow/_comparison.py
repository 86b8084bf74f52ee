"""The result of a comparison on one table: ranking, summary and report."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood.workflow._find_cases import find_cases
from rarewood.workflow._listener import Listener
from rarewood.workflow._models import choose_models
from rarewood.workflow._run_folder import Plan, RunFolder, check_protocol

if TYPE_CHECKING:
    from rarewood.evaluate import Results
    from rarewood.intake._findings import Findings
    from rarewood.intake._prepare import PreparedTable


@dataclass(frozen=True, eq=False)
class Comparison:
    """Result of :func:`compare`, which describes the attributes."""

    folder: Path
    report: Path
    summary: dict[str, Any]
    n_done: int
    n_fits: int
    results: Results | None = None

    @property
    def metric(self) -> str:
        """Metric that the models are ranked by."""
        return str(self.summary["ranking"]["metric"])

    @property
    def best(self) -> str:
        """Name of the best model."""
        return str(self.ranking[0]["model"])

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """The models, best first."""
        ranking = self.summary["ranking"]
        metrics = {metric["name"]: metric for metric in ranking["metrics"]}
        main = metrics[self.metric]
        return [
            {
                "model": name,
                "label": ranking["labels"][place],
                **{key: main["values"][place][key] for key in ("mean", "low", "high")},
                "p_value": main["p_best"][place],
                "scores": {key: one["values"][place]["mean"] for key, one in metrics.items()},
            }
            for place, name in enumerate(ranking["models"])
        ]

    @property
    def ties(self) -> list[str]:
        """Models that the best one is not significantly better than."""
        return list(self.verdict["ties"])

    @property
    def verdict(self) -> dict[str, Any]:
        """What to conclude; "sentence" says it in words."""
        found: dict[str, Any] = self.summary["verdict"]
        return found


def _caveats(plan: Plan, findings: Findings) -> list[str]:
    """Return what limits the verdict, in sentences."""
    found = []
    if plan.quick:
        n_rows, n_all = findings.n_rows, findings.about.get("n_rows_before_sampling")
        folds, _ = check_protocol(plan.protocol)
        part = "all rows" if not plan.reading.get("sample") else f"a sample of {n_rows:,} rows"
        if n_all and n_all > n_rows:
            part = f"a random sample of {n_rows:,} of {n_all:,} rows"
        found.append(
            f"Quick comparison on {part} with {folds} folds: models fitted on more rows score "
            "higher, by different amounts, so the order may change. Compare without --quick before "
            "you decide."
        )
    if question := findings.majority_question:
        found.append(question)
    return found


def summarize_run(
    plan: Plan,
    prepared: PreparedTable,
    results: Results,
    folder: RunFolder,
    command: str,
    data: Any = None,
    listener: Listener | None = None,
) -> dict[str, Any]:
    """Write the table of results, the summary and the report; return the summary.

    ``data`` is the table if it is not that of the plan.
    """
    from rarewood import report as library

    folder.write_text(folder.table, results.to_frame("pandas").to_csv(index=False))
    entries = [one for one in choose_models(plan.models)[0] if one.name in results.models]
    summary: dict[str, Any] = library.summarize(
        results,
        prepared.X,
        prepared.y,
        models={one.name: one.make() for one in entries},
        metric=plan.metric,
        goal=plan.goal,
        labels={one.name: one.label for one in entries},
        simple=[one.name for one in entries if one.is_simple],
        caveats=_caveats(plan, prepared.findings),
        findings=prepared.findings,
        settings={"command": command, **asdict(plan)},
        cases=plan.cases,
        progress=(listener or Listener()).on_step,
        random_state=plan.random_state,
    )
    (listener or Listener()).on_step("writing the report")
    if summary["cases"] is not None:
        source = plan.data if data is None else data
        find_cases(summary["cases"], source, plan.reading.get("delimiter"), prepared)
    folder.write_json(folder.summary, summary)
    folder.write_text(folder.report, library.render(summary))
    return summary
