"""The result of a comparison on one table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewood.evaluate import Results


@dataclass(frozen=True, eq=False)
class Comparison:
    """Models compared on one table.

    Attributes
    ----------
    folder : Path
        Folder of the run.
    report : Path
        The HTML page.
    summary : dict
        What the page is made of; see :func:`rarewood.report.summarize`. The entry "against_best"
        holds the p-values of the comparisons with the best model.
    n_done, n_fits : int
        Number of finished fits and of all.
    results : Results or None
        Scores of every fit. None if :func:`report` read a finished run from its summary.
    """

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
        return str(self.summary["against_best"]["best"])

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """The models, best first.

        Each is a dict with "model", the "mean" of the metric over the folds, the bounds "low" and
        "high" of its confidence interval, the "p_value" of the difference from the best model, and
        the means of all metrics, "scores". Unknown numbers are None.
        """
        ranking = self.summary["ranking"]
        metrics = {metric["name"]: metric["values"] for metric in ranking["metrics"]}
        return [
            {
                "model": name,
                **{key: metrics[self.metric][place][key] for key in ("mean", "low", "high")},
                "p_value": self.summary["against_best"]["holm"].get(name),
                "scores": {metric: values[place]["mean"] for metric, values in metrics.items()},
            }
            for place, name in enumerate(ranking["models"])
        ]

    @property
    def ties(self) -> list[str]:
        """Models that the best one is not significantly better than."""
        alpha = self.summary["ranking"]["alpha"]
        p_values = self.summary["against_best"]["holm"]
        return [n for n, p in p_values.items() if n != self.best and (p is None or p >= alpha)]
