"""The result of a comparison on one table: ranking, summary and report."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood.workflow._models import choose_models
from rarewood.workflow._run_folder import Plan, RunFolder

if TYPE_CHECKING:
    from rarewood.evaluate import Results
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
                **{key: main["values"][place][key] for key in ("mean", "low", "high")},
                "p_value": main["p_best"][place],
                "scores": {key: one["values"][place]["mean"] for key, one in metrics.items()},
            }
            for place, name in enumerate(ranking["models"])
        ]

    @property
    def ties(self) -> list[str]:
        """Models that the best one is not significantly better than."""
        alpha = self.summary["ranking"]["alpha"]
        p_values = [(one["model"], one["p_value"]) for one in self.ranking[1:]]
        return [name for name, p in p_values if p is None or p >= alpha]


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
    folder.write_json(folder.summary, summary)
    folder.write_text(folder.report, library.render(summary))
    return summary
