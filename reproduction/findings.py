"""Texts of docs/reproduction.md that are not computed: terms, reasons and remarks."""

from __future__ import annotations

from reproduction.reasons import Reason, guess, measured
from reproduction.searches import OTHER_SEARCHES, named

__all__ = ["CELLS", "INTRODUCTION", "REMARKS"]

INTRODUCTION = """\
All tables, and all figures with numbers, of the five papers on which the criteria and forests of
rarewood are based, reproduced on the available data sets. `make reproduce` computes the tables and
writes this page; an interrupted run resumes. `make reproduce TABLE=hddt-table2` computes one table,
and `reproduction.printed("hddt-table2")` returns the printed table as data. The code is in the
folder `reproduction/` of the repository; it is not part of the package.

Terms:

- **A cell agrees** if the reproduced mean is within two printed standard deviations of the printed
  mean or, if none are printed, within 0.02 for AUC, F-measure and accuracy (2 points for tables in
  per cent, half a point for the test errors of BEAT). Ranks, levels, gains, leaves and counts of
  wins are listed, but not counted.
- **A conclusion** of a paper is a function of a table. It is evaluated on the reproduced cells, on
  the printed cells, and on the printed cells of the available data sets. The rule is the same
  whoever looks better. It *cannot be judged* if the printed cells of the available data sets do not
  support it, although those of all data sets do: then the available data sets are not sufficient,
  whatever was reproduced. Otherwise the reproduced cells decide: it *holds* or *does not hold*;
  equal values are a *tie*; and if the answer changes when a single row is left out (for counts of
  wins: a single win or loss), the verdict is *one row*. Two kinds of conclusions have no *one row*:
  a significance test, at 95%, since it allows for chance itself; and a statement about every row,
  which one row refutes. That a test finds no difference is weaker than equality, the more so with
  few data sets.
- **Reasons** for cells that disagree are *measured*, and then their numbers are on this page, or
  they are *guesses*. A measured reason is that the cell agrees on other data of its row, or under
  the interpretation of its column that makes most cells agree, if at least two more cells of the
  row or column agree with it than in the table. Several interpretations were tried, so some cells
  may agree by chance.
- **Alternative interpretations**: where printed numbers contradict the text, or the text leaves
  something open, other set-ups were evaluated too. They are listed below the table.
"""

_FOLDS = guess("other folds than in the paper; the effect of the shuffle is given below.")
_PRINTED_SPREAD = guess(
    "other folds than in the paper; table 2 of HDDT prints standard deviations of 0.01 to 0.02 for "
    "most of the same data, and of 0.04 to 0.07 for Oil."
)
_UNSMOOTHED = guess(
    "unsmoothed leaves, which fit this column in another table of the paper; not measured with the "
    "set-up of this table."
)
_FEW = guess("few samples of the rare class: 41 in oil, 9 in glass, 85 in breast-y.")
_OPEN = guess(
    "what the paper does not specify: number and penalty of the logistic regressions, settings of "
    "C4.5, and the rounds of generation and validation of patterns."
)

CELLS: dict[str, dict[str, Reason]] = {
    "hddt-table3": {"cart": _UNSMOOTHED},
    "ccpdt-table4": {
        "Ism, hddt": measured("the printed cells of Ism and Letter are interchanged."),
        "Letter, hddt": measured("the printed cells of Ism and Letter are interchanged."),
        "sparccc": guess(
            "other parameters, of which the paper prints none; every interpretation below is "
            "better than printed on average, those by predicted classes least."
        ),
    },
    "ccpdt-table5": {"": _PRINTED_SPREAD},
    "ccpdt-table7": {
        "cart": _UNSMOOTHED,
        "Phoneme": guess(
            "the paper prints 2700 samples for Phoneme, half of the data set; see table 5."
        ),
        "": _PRINTED_SPREAD,
    },
    "beat-table1-errors": {
        "": guess("as for the F-scores of the same models; see the interpretations of beat-table1.")
    },
    "ihd-table3": {"": _FOLDS},
    "ihd-table4": {"": _FOLDS},
    **{
        f"hedex-table{number}": {
            **dict.fromkeys(("glass", "oil", "breast-y"), _FEW),
            **dict.fromkeys(("lr", "c45"), _OPEN),
            **{f"{name}_s": _OPEN for name in ("lr", "c45", "et", "hddt", "hedex", "hedexh")},
        }
        for number in (7, 8)
    },
}

_SEARCH = measured(
    "levels, gains and verdicts of all searches are [side by side](#wrapper-searches)."
)

REMARKS: dict[str, tuple[Reason, ...]] = {
    "hddt-table3": (_SEARCH,),
    "hddt-table4": (_SEARCH,),
    "hddt-table5": (_SEARCH,),
    "hddt-figure6": (_SEARCH,),
    "ccpdt-table7": (_SEARCH,),
}

for _table in ("hddt-table3", "hddt-table4", "hddt-table5", "hddt-figure6", "ccpdt-table7"):
    for _other in OTHER_SEARCHES:
        CELLS[named(_table, _other)] = CELLS.get(_table, {})
        REMARKS[named(_table, _other)] = REMARKS[_table]
