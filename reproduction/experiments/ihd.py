"""iHD: P. S. Akash and others, "Inter-node Hellinger distance based decision tree", IJCAI 2019."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rarewood import RareTreeClassifier
from rarewood.evaluate import Protocol, ScoreMatrix
from reproduction.checks import all_of, best_rank, better_by_nemenyi
from reproduction.conclusions import Conclusion, chosen
from reproduction.counts import each_wins, fewer_wins, more_wins, size_within, wins_most
from reproduction.experiment import Experiment, Measured, Run, Variant, scores_of
from reproduction.models import J48, label
from reproduction.printed_table import read_columns
from reproduction.sources import Source

__all__ = ["EXPERIMENTS"]

Floats = NDArray[np.float64]
SOURCE = "Akash, Kadir, Ali and Shoyaib, IJCAI 2019"
CRITERIA = ("entropy", "gini", "gain_ratio", "dcsm", "hddt", "ccpdt", "ihd", "ihdw")
_NAMES = {"hddt": "hellinger", "ccpdt": "ccp_entropy"}
OLD = CRITERIA[:6]
_c45 = tuple(Variant("gain_ratio", words, model) for words, model in J48.items())


def tree(criterion: str, leaf: Literal["raw", "laplace"] = "raw") -> Any:
    """Return an unpruned two-way tree of a criterion."""
    return RareTreeClassifier(_NAMES.get(criterion, criterion), leaf=leaf)


TREES = Run({name: partial(tree, name) for name in CRITERIA}, Protocol(10))

_BALANCED = {
    "appendicitis": "appendicitis", "australian": "australian", "breast": "wdbc",
    "cardio": "cardio", "digits": "digits", "german": "credit_g", "liver": "liver", "lung": "lung",
    "lymphography": "lymphography", "musk": "musk", "segment": "segment_7", "semeion": "semeion",
    "sonar": "sonar", "spambase": "spambase", "steel": "steel", "transfusion": "transfusion",
    "vowel": "vowel", "waveform": "waveform", "wine": "wine", "yeast": "yeast",
}  # fmt: skip
_IMBALANCED = (
    "balance", "dermatology", "ecoli_0_1_vs_2_3_5", "ecoli_0_1_4_6_vs_5",
    "ecoli_0_1_4_7_vs_2_3_5_6", "ecoli_0_6_7_vs_5", "ecoli2", "haberman", "hayes_roth",
    "new_thyroid", "new_thyroid1", "pageblocks", "paw02a_600_5_70_BI", "penbased", "vehicle3",
    "winequality_red_4", "wisconsin", "yeast_0_2_5_6_vs_3_7_8_9", "yeast_0_3_5_9_vs_7_8",
    "yeast_2_vs_4",
)  # fmt: skip
SETUP = (
    "10-fold cross-validation; unpruned two-way trees, categorical features split into two "
    "sets; multiclass: Hellinger distance of one class against the rest, AUC of Hand and Till. "
)
CRITICAL = (
    "The critical value F(7, 133) is printed as 2.31; it is 2.079.",
    "The marks of significance imply a critical difference below 2.0; that of the Nemenyi test "
    "is 2.348 for 8 models on 20 data sets.",
)


def _conclusions(outperformed: tuple[str, ...]) -> tuple[Conclusion, ...]:
    worse = ", ".join(map(label, outperformed))
    return (
        Conclusion("iHDw has the best average rank", best_rank("ihdw")),
        Conclusion(
            "iHDw is significantly better than all six other criteria (Nemenyi, 95%)",
            better_by_nemenyi("ihdw", OLD),
        ),
        Conclusion(
            f"iHD is significantly better than {worse} (Nemenyi, 95%)",
            better_by_nemenyi("ihd", outperformed),
        ),
        Conclusion("iHDw is better than HDDT on most data sets", wins_most("ihdw", "hddt")),
        Conclusion("iHDw is better than entropy on most data sets", wins_most("ihdw", "entropy")),
    )


# Wins, ties and losses as printed below tables 3 and 4: of iHD against the six other criteria, and
# of iHDw against these and iHD.
PRINTED_WINS = {
    3: {
        "ihd": "14/1/5 18/0/2 14/2/4 14/2/4 14/0/6 15/0/5",
        "ihdw": "18/0/2 19/0/1 17/1/2 16/1/3 15/2/3 16/1/3 7/1/12",
    },
    4: {
        "ihd": "13/0/7 19/0/1 10/0/10 12/0/8 12/0/8 12/1/7",
        "ihdw": "18/1/1 20/0/0 13/0/7 16/1/3 16/1/3 15/1/4 12/5/3",
    },
}
PAIRS = [("ihd", old) for old in OLD] + [("ihdw", old) for old in (*OLD, "ihd")]
WIN_ROWS = [f"{one} against {other}" for one, other in PAIRS]


def _printed_wins(number: int) -> tuple[list[str], list[str], Floats, Floats]:
    texts = [text for line in PRINTED_WINS[number].values() for text in line.split()]
    values = np.array([text.split("/") for text in texts], dtype=np.float64)
    return WIN_ROWS, ["win", "tie", "loss"], values, np.full_like(values, np.nan)


def _wins(table: ScoreMatrix) -> Floats:
    """Count wins, ties and losses of the cells, as printed with two decimals."""
    counts = []
    for one, other in PAIRS:
        pair = chosen(table, (one, other)).values
        diffs = np.round(pair[:, 0], 2) - np.round(pair[:, 1], 2)
        is_tie = np.abs(diffs) < 0.005
        counts.append([((diffs > 0) & ~is_tie).sum(), is_tie.sum(), ((diffs < 0) & ~is_tie).sum()])
    return np.array(counts, dtype=np.float64)


def _wins_of(metric: str, measured: Measured) -> tuple[ScoreMatrix, Floats]:
    values = _wins(scores_of(metric, CRITERIA, 100.0)(measured)[0])
    return ScoreMatrix(values, WIN_ROWS, ["win", "tie", "loss"], "data sets"), np.full_like(
        values, np.nan
    )


def _wins_at_hand(number: int, datasets: Sequence[str]) -> Floats:
    rows, columns, values, _ = read_columns(f"ihd-table{number}")
    kept = [rows.index(name) for name in datasets]
    return _wins(ScoreMatrix(values[kept], list(datasets), columns, "cells"))


def _nodes(measured: Measured) -> tuple[ScoreMatrix, Floats]:
    """Nodes of two-way trees, from their leaves."""
    leaves, spread = scores_of("n_leaves", CRITERIA)(measured)
    values = 2 * leaves.values - 1
    table = ScoreMatrix(values, leaves.datasets, list(CRITERIA), "nodes", False)
    return table, 2 * spread


def _small_digits() -> tuple[Any, Any]:
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True, as_frame=True)
    return X, y.to_numpy().astype(str)


def _nothing_printed() -> tuple[list[str], list[str], Floats, Floats]:
    return [], [], np.empty((0, 0)), np.empty((0, 0))


def _more_tables(
    number: int, metric: str, sources: dict[str, Source], best: str
) -> tuple[Experiment, ...]:
    """Return the rows of wins below a table, and the numbers of nodes of its trees."""
    kind = "balanced" if number == 3 else "imbalanced"
    return (
        Experiment(
            name=f"ihd-table{number}-wins",
            title=f"Wins, ties and losses of iHD and iHDw, {kind} data sets",
            source=f"{SOURCE}, table {number}, rows W/T/L",
            setup=SETUP + "Cells are compared with two decimals, as printed.",
            sources=sources,
            runs=(TREES,),
            measure=partial(_wins_of, metric),
            columns=("win", "tie", "loss"),
            derived=partial(_printed_wins, number),
            at_hand=partial(_wins_at_hand, number),
            conclusions=(
                Conclusion(
                    "iHD wins more often than it loses against each of the six other criteria",
                    each_wins(model="ihd"),
                ),
                Conclusion(
                    "iHDw wins more often than it loses against each of the six other criteria",
                    all_of(*(more_wins("ihdw", old) for old in OLD)),
                ),
                Conclusion(
                    f"Of iHD and iHDw, {'iHD' if number == 3 else 'iHDw'} wins more often",
                    more_wins("ihdw", "ihd") if number == 4 else fewer_wins("ihdw", "ihd"),
                ),
            ),
        ),
        Experiment(
            name=f"ihd-table{number}-nodes",
            title=f"Number of nodes, {kind} data sets",
            source=f"{SOURCE}, table {number}; the text mentions the nodes and prints no numbers",
            setup=SETUP + "Mean number of nodes of the trees of table "
            f"{number}. The paper finds no major difference between iHD or iHDw and the best of "
            f"the other criteria, {label(best)} by its average rank. Taken as major: a factor of "
            "1.25 in the geometric mean.",
            sources=sources,
            runs=(TREES,),
            measure=_nodes,
            columns=CRITERIA,
            higher_is_better=False,
            derived=_nothing_printed,
            conclusions=(
                Conclusion(
                    f"Trees of iHD and iHDw have about as many nodes as those of {label(best)}",
                    size_within(("ihd", "ihdw"), (best,), 1.25),
                ),
            ),
        ),
    )


BALANCED = {row: Source(name) for row, name in _BALANCED.items()}
IMBALANCED = {name: Source(name) for name in _IMBALANCED}

EXPERIMENTS = (
    Experiment(
        name="ihd-table3",
        title="Accuracy in per cent, balanced data sets",
        source=f"{SOURCE}, table 3",
        setup=SETUP + "Accuracy does not depend on leaf smoothing, except for ties.",
        sources=BALANCED,
        runs=(TREES,),
        measure=scores_of("accuracy", CRITERIA, 100.0),
        columns=CRITERIA,
        tolerance=2.0,
        other_data={
            "digits": ("the 1797 samples of scikit-learn", Source("digits", make=_small_digits)),
            "lymphography": (
                "categories as numbers, in the order of the file",
                Source("lymphography", as_numbers=True),
            ),
        },
        ranks=dict(zip(CRITERIA, (4.70, 5.55, 5.88, 5.15, 4.55, 4.93, 2.80, 2.45), strict=True)),
        conclusions=_conclusions(("gini", "gain_ratio", "dcsm", "ccpdt")),
        metric="accuracy",
        scale=100.0,
        variants=_c45,
        misprints=(
            *CRITICAL,
            "Table 2: from liver to steel the numbers are shifted relative to the names.",
        ),
        notes=("The printed statistics, chi-square 35.77 and F 6.52, follow from the cells.",),
    ),
    Experiment(
        name="ihd-table4",
        title="AUC in per cent, imbalanced data sets",
        source=f"{SOURCE}, table 4",
        setup=SETUP + "The paper does not specify the leaf probabilities; raw fractions are used.",
        sources=IMBALANCED,
        runs=(TREES,),
        measure=scores_of("auc", CRITERIA, 100.0),
        columns=CRITERIA,
        tolerance=2.0,
        ranks=dict(zip(CRITERIA, (4.80, 6.40, 4.28, 4.98, 4.43, 5.05, 3.80, 2.28), strict=True)),
        conclusions=_conclusions(("gini",)),
        scale=100.0,
        variants=(
            *(Variant(name, "Laplace", partial(tree, name, "laplace")) for name in CRITERIA),
            *_c45,
        ),
        misprints=(
            *CRITICAL,
            "The statistics are printed as 32.42 and 5.72; the cells give 32.51 and 5.75.",
            "The average ranks of entropy and gain ratio are printed as 4.80 and 4.28; the cells "
            "give 4.82 and 4.25.",
            "Table 2 prints 3 classes for dermatology, which has 6.",
        ),
    ),
    *_more_tables(3, "accuracy", BALANCED, "hddt"),
    *_more_tables(4, "auc", IMBALANCED, "gain_ratio"),
)
