"""Criteria at extreme rarity: the rare class of large tables is thinned in nested steps.

``python benchmarks/rarity.py run --data FOLDER`` fits the default forest with each criterion on
halves of large tables, with the rarity of the table and at 1:100, 1:1,000 and 1:10,000, and judges
it on the other halves; an interrupted run resumes. ``... report`` writes the page. FOLDER (or
RAREWOOD_DATA) has the tables in "large".
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from common import BUILD, comparison_parser
from imbalance_judged import Judged
from rarewood import RareForestClassifier
from rarewood.evaluate import Metric, Outcome, Protocol, Results, compare
from rarewood.operating import OperatingCurve, operating_curve
from tables import LARGE, load_large

STORE = BUILD / "rarity.sqlite"
CRITERIA = ["gini", "entropy", "hellinger", "dkm", "ccp_gini", "alpha"]
N_TREES = 50
FEWEST = 5  # rare training samples
# Splits by rarity: the number of common samples to a rare one; 0 is the rarity of the table.
REPEATS = {0: 3, 100: 3, 1_000: 5, 10_000: 10}


@dataclass(frozen=True)
class Thinned(Protocol):
    """Stratified halves; of the rare training samples (label 1) only one in so many is kept.

    The samples that are kept at a higher rarity are some of those at a lower one.
    """

    one_in: int = 0

    def places(self) -> list[tuple[int, int]]:
        return [(repeat, 0) for repeat in range(self.n_repeats)]

    def split(self, y: Any, repeat: int, fold: int) -> Any:
        whole = super().split(y, repeat, fold)
        if not self.one_in:
            return whole
        is_rare = np.asarray(y)[whole.train] == 1
        rare = whole.train[is_rare]
        order = np.random.RandomState(self.model_seed(repeat, fold)).permutation(len(rare))
        kept = rare[order[: n_kept(is_rare, self.one_in)]]
        return whole._replace(train=np.sort(np.append(whole.train[~is_rare], kept)))

    @property
    def key(self) -> str:
        return f"{super().key}:1:{self.one_in}"


def n_kept(is_rare: np.ndarray, one_in: int) -> int:
    """Return the number of rare samples at a rarity."""
    n_rare = int(is_rare.sum())
    return round((len(is_rare) - n_rare) / one_in) if one_in else n_rare


def rarities(y: np.ndarray) -> list[int]:
    """Return the rarities at which a table has enough rare training samples, and fewer than all."""
    natural = (len(y) - y.sum()) / y.sum()
    is_enough = {one_in: n_kept(y == 1, one_in) >= 2 * FEWEST for one_in in REPEATS}
    return [one_in for one_in in REPEATS if not one_in or (natural < one_in and is_enough[one_in])]


def weighted_curve(outcome: Outcome, one_in: int) -> OperatingCurve:
    """Return the operating curve of the test half, its rare samples weighted to the rarity."""
    is_rare = outcome.y == 1
    weights = np.where(is_rare, rare_weight(is_rare, one_in), 1.0)
    return operating_curve(is_rare, outcome.scores[:, 1], pos_label=True, sample_weight=weights)


def rare_weight(is_rare: np.ndarray, one_in: int) -> float:
    n_rare = is_rare.sum()
    return float((len(is_rare) - n_rare) / one_in / n_rare) if one_in else 1.0


def _on_curve(measure: Any, one_in: int) -> Any:
    return lambda outcome: float(measure(weighted_curve(outcome, one_in), outcome))


def _log_loss(one_in: int, outcome: Outcome) -> float:
    is_rare = outcome.y == 1
    tiny = np.finfo(np.float64).eps
    chosen = np.clip(outcome.scores[np.arange(len(is_rare)), outcome.y], tiny, 1 - tiny)
    weights = np.where(is_rare, rare_weight(is_rare, one_in), 1.0)
    return float(np.average(-np.log(chosen), weights=weights))


def metrics(one_in: int) -> list[Metric]:
    """Return the metrics of the weighted test half, under names of their own."""
    on_curve = {
        "average_precision_rare": lambda curve, outcome: curve.average_precision,
        "auc_rare": lambda curve, outcome: curve.auc,
        "f_half_rare": lambda curve, outcome: curve.at(0.5).f(),
        "f_tuned_rare": lambda curve, outcome: curve.at(outcome.model.thresholds_["f_tuned"]).f(),
    }
    found = [Metric(name, _on_curve(measure, one_in)) for name, measure in on_curve.items()]
    return [
        *found,
        Metric("log_loss_rare", partial(_log_loss, one_in), False),
        Metric("fit_cpu", lambda outcome: outcome.model.fit_cpu_, False),
    ]


def results_of(options: argparse.Namespace, name: str, one_in: int, compute: bool) -> Results:
    """Return the cells of a table at a rarity."""
    forests = {c: Judged(RareForestClassifier(N_TREES, criterion=c, n_jobs=1)) for c in CRITERIA}
    return compare(
        forests,
        {name: load_large(options.data, name)},
        protocol=Thinned(2, REPEATS[one_in], one_in=one_in),
        metrics=metrics(one_in),
        store=options.store,
        prepare=False,
        progress=False,
        compute=compute,
    )


def run(options: argparse.Namespace) -> None:
    """Compute the missing cells, the most extreme rarity first."""
    options.store.parent.mkdir(exist_ok=True)
    names = options.tables.split(",")
    for one_in in sorted(REPEATS, reverse=True):
        for name in names:
            if one_in in rarities(load_large(options.data, name)[1]):
                found = results_of(options, name, one_in, True)
                seconds = sum(cell.scores.get("fit_cpu", 0.0) for cell in found.cells)
                print(
                    f"1:{one_in} {name}: {seconds:.0f} s, {len(found.failures())} failed",
                    flush=True,
                )


def report(options: argparse.Namespace) -> None:
    """Write the page from the stored cells."""
    from rarity_report import write

    cells, missing = {}, []
    for name in options.tables.split(","):
        for one_in in rarities(load_large(options.data, name)[1]):
            try:
                cells[name, one_in] = results_of(options, name, one_in, False)
            except ValueError:  # no finished cell
                missing.append((name, one_in))
    write(cells, missing)


def main() -> None:
    parser = comparison_parser(__doc__.split("\n")[0], LARGE, STORE)
    options = parser.parse_args()
    if options.data is None:
        parser.error("Give the folder of the tables: --data FOLDER, or RAREWOOD_DATA.")
    {"run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    main()
