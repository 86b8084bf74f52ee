"""Statistics of a comparison as rows of a page: mean ranks, tests and losses by metric.

Scores are tables by models, one DataFrame per metric; higher is better for all of them, so losses
such as the Brier score have a minus sign.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from rarewood.evaluate import (
    ScoreMatrix,
    friedman,
    holm,
    nemenyi,
    nemenyi_critical_difference,
    wilcoxon,
)

METRICS = {
    "auc": "AUC",
    "average_precision": "average precision",
    "brier": "Brier score",
    "log_loss": "log loss",
}
LOWER_IS_BETTER = {"brier", "log_loss"}
SAME = 1e-12  # smaller differences are rounding errors of a mean, not wins
Rows = list[dict[str, str]]
Scores = dict[str, pd.DataFrame]


def _matrix(scores: pd.DataFrame) -> ScoreMatrix:
    """Return the scores for rank tests; failures are ranked last."""
    values = scores.fillna(-np.inf).to_numpy()
    return ScoreMatrix(values, list(scores.index), list(scores.columns), "score")


def average_ranks(scores: pd.DataFrame) -> pd.Series:
    """Return the average rank of every model; 1 is the best."""
    return pd.Series(_matrix(scores).ranks().values.mean(axis=0), scores.columns)


def best_peer(scores: pd.DataFrame, ours: str) -> str:
    """Return the peer with the best average rank."""
    return str(average_ranks(scores).drop(ours).idxmin())


def oriented(values: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return values of a metric as scores: higher is better."""
    return -values if metric in LOWER_IS_BETTER else values


def summary(scores: Scores, seconds: pd.DataFrame | None, by: str = "auc") -> Rows:
    """Return the mean and mean rank of every model, sorted by the rank in one metric."""
    ranks = {metric: average_ranks(table) for metric, table in scores.items()}
    rows: Rows = []
    for model in ranks[by].sort_values(kind="stable").index:
        row = {"model": str(model)}
        for metric, word in METRICS.items():
            row[word] = f"{abs(scores[metric][model].mean()):.4f}"
            row[f"{word}, rank"] = f"{ranks[metric][model]:.2f}"
        if seconds is not None:
            row["fit, s"] = f"{seconds[model].mean():.3f}"
        rows.append(row)
    return rows


def differences(scores: Scores) -> Rows:
    """Friedman test and Nemenyi critical difference for every metric."""
    rows: Rows = []
    for metric, word in METRICS.items():
        test = friedman(_matrix(scores[metric]))
        distance = nemenyi_critical_difference(test.n_models, test.n_datasets)
        rows.append(
            {
                "metric": word,
                "Friedman chi2": f"{test.chi2_tie_corrected:.1f}",
                "p": format_p(test.pvalue_tie_corrected),
                "Iman-Davenport F": f"{test.f_tie_corrected:.1f}",
                "p of F": format_p(test.f_pvalue_tie_corrected),
                "Nemenyi critical difference (0.05)": f"{distance:.2f}",
            }
        )
    return rows


def pairs(scores: Scores, ours: str) -> Rows:
    """Compare rarewood with every peer; gains are positive if rarewood is better."""
    rows: Rows = []
    for metric, word in METRICS.items():
        table = scores[metric]
        best, place = best_peer(table, ours), table.columns.get_loc(ours)
        peers = list(table.columns.drop(ours))
        both = {peer: table[[ours, peer]].dropna() for peer in peers}
        pvalues = [float(wilcoxon(pair).pvalue[0, 1]) for pair in both.values()]
        all_pairs = dict(zip(table.columns, nemenyi(_matrix(table))[place], strict=True))
        for peer, p, adjusted in zip(peers, pvalues, holm(pvalues), strict=True):
            gain = both[peer][ours] - both[peer][peer]
            gain = gain.where(gain.abs() > SAME, 0.0)
            counts = ((gain > 0).sum(), (gain == 0).sum(), (gain < 0).sum())
            rows.append(
                {
                    "metric": word,
                    "peer": f"{peer} (best peer)" if peer == best else peer,
                    "mean gain": f"{gain.mean():+.4f}",
                    "wins/draws/losses": "/".join(map(str, counts)),
                    "Wilcoxon p": format_p(p),
                    "Holm p": format_p(adjusted),
                    "Nemenyi p": format_p(all_pairs[peer]),
                }
            )
    return rows


def format_p(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-4 else f"{p:.0e}"
