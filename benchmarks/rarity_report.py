"""Page of the criteria at extreme rarity, from stored cells."""

from __future__ import annotations

import pandas as pd

from common import machine, write_report
from rankings import Rows
from rarewood.evaluate import Results
from rarity import CRITERIA, FEWEST, N_TREES, REPEATS
from study_report import Change

MEASURES = {
    "auc_rare": "AUC",
    "average_precision_rare": "average precision",
    "log_loss_rare": "log loss x 1000",
    "f_half_rare": "F at 1/2",
    "f_tuned_rare": "F at a tuned threshold",
}
SCALES = {"log_loss_rare": -1000.0}  # higher is better for scaled values
BASE = "gini"


def write(cells: dict[tuple[str, int], Results], missing: list[tuple[str, int]]) -> None:
    """Write docs/benchmarks/rarity.md."""
    frames = {
        one_in: pd.concat([complete(r) for (_, n), r in cells.items() if n == one_in])
        for one_in in REPEATS
        if any(n == one_in for _, n in cells)
    }
    means = {n: f.groupby(["dataset", "model"])[list(MEASURES)].mean() for n, f in frames.items()}
    tables: dict[str, Rows] = {}
    for one_in, some in means.items():
        n_tables = some.index.unique("dataset").size
        tables[f"{words(one_in)}: {n_tables} tables"] = at_rarity(some)
    tables["Hellinger distance against Gini impurity, table by table"] = by_table(frames)
    tables["Threshold or criterion"] = thresholds(means)
    write_report("rarity", "Criteria at extreme rarity", notes(frames, means, missing), tables)


def complete(results: Results) -> pd.DataFrame:
    """Return the cells of the splits on which all criteria have run."""
    frame = results.to_frame()
    n_run = frame.groupby("repeat")["model"].transform("size")
    return frame[n_run == len(CRITERIA)]


def words(one_in: int) -> str:
    return f"One rare sample in {one_in:,}" if one_in else "As rare as in the table"


def change(means: pd.DataFrame, one: str, other: str, metric: str) -> Change:
    """Return the difference of two criteria; positive if the first is better."""
    values = SCALES.get(metric, 1.0) * means[metric].unstack("model")
    return Change(values[one], values[other], metric)


def at_rarity(means: pd.DataFrame) -> Rows:
    """Return the means of the criteria, and their gains over Gini impurity."""
    rows = []
    for criterion in CRITERIA:
        row = {"criterion": criterion}
        for metric, word in MEASURES.items():
            value = SCALES.get(metric, 1.0) * means[metric].xs(criterion, level="model").mean()
            row[word] = f"{abs(value):.4f}"
            if criterion != BASE:
                row[f"{word}, gain"] = change(means, criterion, BASE, metric).text()
            else:
                row[f"{word}, gain"] = "-"
        rows.append(row)
    return rows


def by_table(frames: dict[int, pd.DataFrame]) -> Rows:
    """Return mean differences over splits, with their standard errors."""
    rows = []
    for one_in, frame in frames.items():
        for name, some in frame.groupby("dataset"):
            row = {"rarity": words(one_in), "table": str(name)}
            row["splits"] = str(some["repeat"].nunique())
            for metric, word in MEASURES.items():
                values = some.pivot(index="repeat", columns="model", values=metric)
                gain = SCALES.get(metric, 1.0) * (values["hellinger"] - values[BASE])
                row[word] = f"{gain.mean():+.4f} (se {gain.std() / len(gain) ** 0.5:.4f})"
            rows.append(row)
    return rows


def thresholds(means: dict[int, pd.DataFrame]) -> Rows:
    """Return the effect of a tuned threshold, and of the criterion, on F."""
    rows = []
    for one_in, some in means.items():
        half, tuned = (some[m].unstack("model") for m in ("f_half_rare", "f_tuned_rare"))
        steps = {
            "Gini, tuned threshold vs 1/2": (tuned[BASE], half[BASE]),
            "Hellinger vs Gini, both at 1/2": (half["hellinger"], half[BASE]),
            "Hellinger vs Gini, both thresholds tuned": (tuned["hellinger"], tuned[BASE]),
            "Hellinger at 1/2 vs Gini tuned": (half["hellinger"], tuned[BASE]),
        }
        row = {"rarity": words(one_in), "F of Gini at 1/2": f"{half[BASE].mean():.4f}"}
        rows.append(row | {name: Change(*pair, "f").text() for name, pair in steps.items()})
    return rows


def finding(means: dict[int, pd.DataFrame]) -> str:
    """Return the differences in average precision by rarity in a sentence."""
    parts = []
    for one_in, some in means.items():
        gain = change(some, "hellinger", BASE, "average_precision_rare")
        spread = some["average_precision_rare"].unstack("model").mean()
        parts.append(
            f"{words(one_in).lower()}: {gain.tables.mean():+.4f} "
            f"({int((gain.tables > 0).sum())} tables better, {int((gain.tables < 0).sum())} "
            f"worse; all criteria between {spread.min():.4f} and {spread.max():.4f})"
        )
    return (
        "**Hellinger distance against Gini impurity in average precision.** "
        + "; ".join(parts)
        + "."
    )


def notes(frames: dict, means: dict, missing: list[tuple[str, int]]) -> list[str]:
    left = "; ".join(f"{name}, {words(one_in).lower()}" for name, one_in in missing)
    failed = sum(int(frame["error"].notna().sum()) for frame in frames.values())
    repeats = ", ".join(f"{words(n).lower()}: {REPEATS[n]}" for n in frames)
    where = machine(["rarewood", "numpy", "scikit-learn"]).rsplit("; ", 1)[0]
    return [
        "Does a skew-insensitive criterion matter when the rare class is very rare? The "
        "[study](../study.md) has small tables and ordinary trees and forests; here, the default "
        f"forest ({N_TREES} trees, otherwise as it is) is fitted to large tables.",
        finding(means),
        "Each table is divided into stratified halves. The rare class of the training half is "
        "thinned in nested steps, all common samples are kept. The test half is complete; its rare "
        "samples get weights that make them as rare as in the training half, which measures the "
        "same as thinning with less noise. AUC does not depend on the weights. A rarity is left "
        f"out if it leaves fewer than {FEWEST} rare training samples, so the tables differ between "
        f"rarities. Splits: {repeats}.",
        "The tuned threshold has the best F on a third of the training half, for a forest fitted "
        "to the other two thirds. Leaves, their smoothing and the collapse of subtrees are chosen "
        "by the pilot for every criterion. Gains are means over tables, positive if the named "
        "criterion is better than Gini impurity, with the numbers of tables won and lost and the "
        "p-value of the Wilcoxon test over tables, without correction; with three tables it cannot "
        "be below 0.25. With two classes dkm and hellinger order all splits alike.",
        f"Failed fits: {failed}. Not run: {left or 'nothing'}. {where}.",
    ]
