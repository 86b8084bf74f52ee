"""HDDT: the data sets and models of its tables, and what is measured for each."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from rarewood import presets
from rarewood.evaluate import ScoreMatrix, five_by_two
from reproduction.experiment import Measured, Run, scores_of
from reproduction.models import LEVELS, wrapped
from reproduction.printed_table import read_columns
from reproduction.sources import Source

__all__ = [
    "BASELINE",
    "SOURCES",
    "TREES",
    "WRAPPED",
    "WRAPPER",
    "all_ranks",
    "gains",
    "levels",
    "printed_gains",
    "printed_table_2",
    "printed_table_4",
    "wrapper_scores",
]

Floats = NDArray[np.float64]
TREES = ("c45", "dkm", "cart", "hddt")
WRAPPED = tuple(f"wrapper_{tree}" for tree in TREES)

SOURCES = {
    "Boundary": Source("boundary", as_numbers=True),
    "Breast-w": Source("wdbc"),
    "Calmodoulin": Source("cam"),
    "E-State": Source("estate"),
    "Forest Cover": Source("covtype"),
    "Fourclass": Source("fourclass"),
    "German.numer": Source("german_numer"),
    "Letter": Source("letter"),
    "Mammography": Source("mammography"),
    "Oil": Source("oil"),
    "Page": Source("page"),
    "Pendigits": Source("pendigits"),
    "Phoneme": Source("phoneme"),
    "PhosS": Source("phoss"),
    "Pima": Source("pima"),
    "Satimage": Source("sat_4"),
    "Segment": Source("segment"),
    "Splice": Source("splice"),
    "SVMguide1": Source("svmguide1"),
}
OTHER_NAMES = {"German.number": "German.numer", "PhoS": "PhosS"}  # as table 2 prints them
TABLE_4_NAMES = {
    "Cam": "Calmodoulin",
    "Covtype": "Forest Cover",
    "Estate": "E-State",
    "ism": "Mammography",
}

MAKERS = {
    "c45": presets.gain_ratio_tree,  # what Quinlan's program maximises
    "dkm": presets.dkm,
    "cart": presets.cart,
    "hddt": presets.hddt,
}
BASELINE = Run(MAKERS, five_by_two())
WRAPPER = Run(
    {f"wrapper_{name}": partial(wrapped, make) for name, make in MAKERS.items()},
    five_by_two(),
    LEVELS,
)


def _renamed(name: str, names: dict[str, str]) -> tuple[list[str], list[str], Floats, Floats]:
    rows, columns, values, deviations = read_columns(name)
    return [names.get(row, row) for row in rows], columns, values, deviations


def wrapper_scores(measured: Measured) -> tuple[ScoreMatrix, Floats]:
    """Table 3: the AUC of the trees behind the wrapper."""
    matrix, spread = scores_of("auc", WRAPPED)(measured)
    return ScoreMatrix(matrix.values, matrix.datasets, list(TREES), "auc"), spread


def all_ranks(measured: Measured) -> tuple[ScoreMatrix, Floats]:
    """Table 4: ranks of the AUC among all eight."""
    matrix, _ = scores_of("auc", (*TREES, *WRAPPED))(measured)
    ranks = matrix.ranks()
    return ranks, np.full_like(ranks.values, np.nan)


def levels(measured: Measured) -> tuple[ScoreMatrix, Floats]:
    """Table 5: mean levels of undersampling and SMOTE."""
    columns, parts = [], []
    for tree in TREES:
        for what in ("undersample", "smote"):
            matrix, _ = scores_of(f"{what}_level", [f"wrapper_{tree}"])(measured)
            columns.append(f"{tree}_{what}")
            parts.append(matrix.values)
    values = np.hstack(parts)
    return ScoreMatrix(values, matrix.datasets, columns, "level"), np.full_like(values, np.nan)


def _gain(before: Floats, after: Floats) -> Floats:
    return 100 * (after / before - 1)


def gains(measured: Measured) -> tuple[ScoreMatrix, Floats]:
    """Figure 6: by how many per cent the wrapper raises the AUC."""
    plain, _ = scores_of("auc", TREES)(measured)
    sampled, _ = scores_of("auc", WRAPPED)(measured)
    values = _gain(plain.values, sampled.values)
    return ScoreMatrix(values, plain.datasets, list(TREES), "gain"), np.full_like(values, np.nan)


def printed_gains() -> tuple[list[str], list[str], Floats, Floats]:
    """What follows for figure 6 from the printed tables 2 and 3."""
    rows, columns, before, _ = _renamed("hddt-table2", OTHER_NAMES)
    after = read_columns("hddt-table3")[2]
    gains = _gain(before, after)
    return rows, columns, gains, np.full_like(gains, np.nan)


def printed_table_2() -> tuple[list[str], list[str], Floats, Floats]:
    """Return table 2 with the row names of table 3."""
    return _renamed("hddt-table2", OTHER_NAMES)


def printed_table_4() -> tuple[list[str], list[str], Floats, Floats]:
    """Return table 4 with the row names of table 3."""
    return _renamed("hddt-table4", TABLE_4_NAMES)
