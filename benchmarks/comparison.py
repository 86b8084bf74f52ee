"""Statistics of several models over several tables (Demšar 2006).

Every function takes scores as a DataFrame, one row a table and one column a model, where more is
better: negate what should be small. A missing score means that the model failed on the table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scikit_posthocs
from scipy import stats

SAME = 1e-12  # a smaller difference is the rounding of a mean, not a win


@dataclass(frozen=True)
class Friedman:
    """Do the models differ at all: Friedman's test, and Iman and Davenport's sharper one."""

    n_tables: int
    chi2: float
    p: float
    f: float
    f_p: float


def ranks(scores: pd.DataFrame) -> pd.DataFrame:
    """Ranks within each table, 1 for the best; equals share their mean, a failure is last."""
    # Scores that differ by rounding only have to tie, and rank() compares exactly.
    return scores.round(12).rank(axis=1, ascending=False, method="average", na_option="bottom")


def friedman(scores: pd.DataFrame) -> Friedman:
    """Test whether all models have the same mean rank (corrected for ties)."""
    ranked = ranks(scores).to_numpy()
    n, k = ranked.shape
    chi2, p = (float(value) for value in stats.friedmanchisquare(*ranked.T))
    rest = n * (k - 1) - chi2
    f = (n - 1) * chi2 / rest if rest > 0 else np.inf
    return Friedman(n, chi2, p, f, float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))))


def critical_difference(n_models: int, n_tables: int, alpha: float = 0.05) -> float:
    """Nemenyi: mean ranks that differ by less are not told apart, all pairs considered."""
    q = stats.studentized_range.ppf(1 - alpha, n_models, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_models * (n_models + 1) / (6 * n_tables)))


def nemenyi(scores: pd.DataFrame, ours: str) -> pd.Series:
    """P-values of our mean rank against each other model's, all pairs considered."""
    # Negated ranks keep the ties that rounding in the scores would break.
    p: pd.DataFrame = scikit_posthocs.posthoc_nemenyi_friedman(-ranks(scores))
    return p[ours].drop(ours)


def holm(p: pd.Series) -> pd.Series:
    """Holm's step-down correction of a family of p-values."""
    order = p.sort_values(kind="stable")
    steps = order * np.arange(len(order), 0, -1)
    return steps.cummax().clip(upper=1.0).reindex(p.index)


def wilcoxon(scores: pd.DataFrame, ours: str) -> pd.Series:
    """P-values (two-sided) of Wilcoxon's signed-rank test of ours against each other model.

    Tables with equal scores are split evenly between the two sides, as Demšar advises; tables on
    which either of the two failed are left out of that pair.
    """
    return pd.Series({peer: _wilcoxon(gain) for peer, gain in _gains(scores, ours).items()})


def _wilcoxon(gain: pd.Series) -> float:
    if not gain.any():
        return 1.0
    return float(stats.wilcoxon(gain, zero_method="zsplit").pvalue)


def mean_gain(scores: pd.DataFrame, ours: str) -> pd.Series:
    """Mean of ours minus each other model."""
    return pd.Series({peer: gain.mean() for peer, gain in _gains(scores, ours).items()})


def wins_draws_losses(scores: pd.DataFrame, ours: str) -> pd.DataFrame:
    """Tables on which ours is better than, equal to and worse than each other model."""
    counts = {
        peer: [(gain > 0).sum(), (gain == 0).sum(), (gain < 0).sum()]
        for peer, gain in _gains(scores, ours).items()
    }
    return pd.DataFrame.from_dict(counts, orient="index", columns=["wins", "draws", "losses"])


def _gains(scores: pd.DataFrame, ours: str) -> dict[str, pd.Series]:
    gains = {}
    for peer in scores.columns.drop(ours):
        gain = (scores[ours] - scores[peer]).dropna()
        gains[peer] = gain.where(gain.abs() > SAME, 0.0)
    return gains


def best_peer(scores: pd.DataFrame, ours: str) -> str:
    """The other model with the best mean rank."""
    return str(ranks(scores).mean().drop(ours).idxmin())


def largest_losses(scores: pd.DataFrame, ours: str, peer: str, n: int) -> pd.DataFrame:
    """The tables on which ours is furthest behind a peer, and who was best there."""
    others = scores.drop(columns=ours)
    table = pd.DataFrame(
        {
            "ours": scores[ours],
            "peer": scores[peer],
            "loss": scores[peer] - scores[ours],
            "best": others.idxmax(axis=1),
            "best score": others.max(axis=1),
        }
    )
    return table[table["loss"] > SAME].nlargest(n, "loss")


def by_family(scores: pd.DataFrame, families: pd.Series) -> pd.DataFrame:
    """One row for each source: the mean of its tables."""
    return scores.groupby(families.reindex(scores.index)).mean()
