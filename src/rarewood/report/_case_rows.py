"""Which rows of a table are shown as cases: the strongest alerts, misses and false alarms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

N_CASES = 5  # of each kind
KINDS = {
    "alerts": "Strongest alerts",
    "misses": "Worst misses",
    "false_alarms": "Worst false alarms",
}


def choose_cases(
    is_rare: NDArray[np.bool_], score: NDArray[np.float64], n_cases: int = N_CASES
) -> dict[str, NDArray[np.intp]]:
    """Return positions of rows by kind, the most extreme first.

    Alerts are the rows with the highest scores, misses the rare rows with the lowest scores, and
    false alarms the other rows with the highest. Of equal scores the first row is taken. The cases
    of a table are among those of any division of its rows.
    """
    falling = np.lexsort([np.arange(len(score)), -score])
    rising = np.lexsort([np.arange(len(score)), score])
    return {
        "alerts": falling[:n_cases],
        "misses": rising[is_rare[rising]][:n_cases],
        "false_alarms": falling[~is_rare[falling]][:n_cases],
    }
