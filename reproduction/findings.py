"""Findings of the reproduction: the texts of docs/reproduction.md."""

from __future__ import annotations

INTRODUCTION = """\
Every table and figure with numbers of the five papers that the criteria and forests of rarewood
come from, reproduced on the data sets that are available. The page is written by
`python -m reproduction page`; `make reproduce TABLE=hddt-table2` reproduces one table on your
machine, and `reproduction.printed("hddt-table2")` is the printed table as data. The code is in the
folder `reproduction/` of the repository; it is not part of the package.

How to read it:

- **A cell agrees** if our mean is within two printed standard deviations of the printed one; where
  none are printed, within 0.02 of an AUC, F-measure or accuracy (2 points where the table is in per
  cent, half a point for the test errors of BEAT). Ranks, levels, gains, leaves and counts of wins
  are shown, but not counted.
- **A conclusion** of a paper is a function of a table. It is evaluated on our cells, on the printed
  ones, and on the printed ones of the available data sets. It *holds*; or it *does not hold*; or it
  *cannot be judged*, since the available data sets do not show it even with the printed cells.
- **Other readings.** Where printed numbers contradict the text, other set-ups were measured too.
  They are listed beside the one in the table.
- Data sets that were not available: Calmodulin, E-State, PhosS, Splice (HDDT, CCPDT), Compustat,
  DNA and those of HDDT (HeDEx), lung, musk, transfusion (iHD), WPBC (BEAT). SPARCCC is not
  reproduced yet. Some slow tables have fewer repeats or rows than in print, as noted there.

Results:

1. **The columns of HDDT are reproduced cell by cell**: all 30 cells of HDDT and DKM in table 2 that
   can be reproduced agree. With two classes both criteria choose the same splits, so their columns
   are equal except for ties; the paper prints 4 of 19 rows in which they are not.
2. **C4.5 is the gain ratio there.** The printed column fits trees that maximise the gain ratio, as
   the program of Quinlan does (15 of 15 cells, 0.001 off on average), better than trees that
   maximise the information gain, which the text of the paper describes (12 of 15, 0.008). HDDT is
   significantly better than the former; it is better than the latter, but not significantly.
3. **CCPDT compares smoothed with unsmoothed trees.** Its text describes Laplace leaves for all. The
   columns of C4.5 and CART fit unsmoothed leaves of at least two samples, to 0.001 on average;
   those of the CCP trees and HDDT fit Laplace leaves. With the same leaves for all, CCP trees have
   no advantage over C4.5 and CART.
4. **The table of iHD on imbalanced data is not reproduced.** Its cells are single 10-fold
   cross-validations of data sets with as few as 20 rare samples; over three shuffles of ours no
   criterion is better than another. On the balanced data sets iHDw and iHD do have the best ranks,
   more clearly over three shuffles. The paper reports more significant differences than the Nemenyi
   test finds, in print too.
5. **The tables of HeDEx are reproduced**, and so are its conclusions about HeDEx and HeDExh. Its
   bagged HDDT seems to split categorical features in two rather than into all categories.
6. **Sampling by the wrapper raises the AUC of all trees a little** here, also that of HDDT and DKM,
   which decreases in the paper of HDDT; C4.5 and CART gain more, as in the paper.
7. **Smoothing matters more than the criterion.** In the tables of HDDT, CCPDT and iHD, replacing
   raw leaves by the Laplace estimate raises the AUC of single trees by 0.06 to 0.08 on average,
   several times the difference between the criteria.
"""

_CART = (
    "the printed CART is no unpruned tree with Laplace leaves, which the text describes: ours are "
    "better nearly everywhere. Of the readings of table 2, raw leaves of at least 7 rows (the "
    "smallest that R's rpart makes) fit best."
)
_SMOOTHING = (
    "the column fits raw leaves of at least 2 rows (Weka's defaults), not the Laplace estimate "
    "that the text describes; see the readings of table 4."
)
_EXCHANGED = "the printed cells of Ism and Letter are exchanged."
_PHONEME = (
    "the paper prints 2700 rows for Phoneme, half of the data set: its trees had half the rows to "
    "learn from."
)
_OIL = "41 rare rows: HDDT's table 2 prints deviations of 0.04 to 0.07 here."
_SPREAD = "HDDT's table 2 prints deviations of 0.01 to 0.02 for the same data."
_SMALL = (
    "single 10-fold cross-validations, mostly of small data sets, and other folds than the "
    "paper's: see below how far another shuffle moves a cell."
)
_BEAT = (
    "our trees are better throughout, a single C4.5 and BRF most, and the order is the same. The "
    "paper does not say how its trees take missing values, of which the thyroid sets are full, nor "
    "which cuts they look at; page blocks, which misses nothing, differs least."
)
_HEDEX = (
    "the paper leaves open the number of logistic regressions and their penalty, the size of the "
    "validation tree's leaves, and C4.5's settings."
)
_NOMINAL = (
    "categorical features: with two-way splits most cells of the AUC agree; see the readings below."
)
_GLASS = "214 rows in 6 classes; the rarest has 9 rows, 4 or 5 of them in a fold."
_OIL_PATTERNS = "937 rows of which 41 are rare, 49 columns; 20 or 21 rare rows in a fold."

CELLS: dict[str, dict[str, str]] = {
    "hddt-table2": {"cart": _CART},
    "hddt-table3": {
        "cart": _CART,
        "SVMguide1": "printed deviations of 0.001, the smallest of the table.",
        "": "few repeats here.",
    },
    "ccpdt-table4": {
        "c45": _SMOOTHING,
        "cart": _SMOOTHING,
        "Ism, hddt": _EXCHANGED,
        "Letter, hddt": _EXCHANGED,
        "Phoneme": _PHONEME,
        "Boundary": "123 rare rows: HDDT's table 2 prints deviations of 0.03 to 0.04 here.",
    },
    "ccpdt-table5": {"Phoneme": _PHONEME, "Oil": _OIL, "": _SPREAD},
    "ccpdt-table7": {"cart": _SMOOTHING, "Phoneme": _PHONEME, "Oil": _OIL, "": _SPREAD},
    "ihd-table3": {
        "digits": "the printed cells fit the 1797 rows that scikit-learn bundles (entropy 87.3, "
        "Gini 85.5 under the same protocol), not the 5620 rows that the paper describes.",
        "lymphography": "148 rows, and 15 categorical features, whose codes the paper's program "
        "may have taken for numbers.",
        "": _SMALL,
    },
    "ihd-table4": {
        "hayes_roth": "132 rows; all criteria are above the printed cells by about the same, so "
        "it is the folds that differ.",
        "": _SMALL,
    },
    "beat-table1": {"": _BEAT},
    "beat-table1-errors": {"": _BEAT},
    **{
        f"hedex-table{number}": {
            **{
                f"{row}, {column}": _NOMINAL
                for row in ("car", "breast-y", "credit-g")
                for column in ("c45", "c45_s", "hddt", "hddt_s")
            },
            "glass": _GLASS,
            "oil": _OIL_PATTERNS,
            "breast-y": "286 rows.",
            "": _HEDEX,
        }
        for number in (7, 8)
    },
}

_LEVELS = (
    "Our wrapper stops raising a level as soon as the AUC falls, and samples far less than the "
    "paper's: it removes 6 to 7% of the larger class and adds 65 to 107% to the smaller one on "
    "average, where 25 to 34% and 240 to 281% are printed. Less sampling does less harm, which is "
    "the likely reason why HDDT and DKM gain a little here and lose in print."
)

REMARKS: dict[str, tuple[str, ...]] = {
    "hddt-table3": (
        "C4.5 is the worst here, since CART, with smoothed leaves, is better than in print; the "
        "column of C4.5 itself agrees.",
    ),
    "hddt-table4": (_LEVELS,),
    "hddt-table5": (_LEVELS,),
    "hddt-figure6": (_LEVELS,),
    "ccpdt-table7": (
        "That CCP-CART is the best of all rests on unsmoothed leaves of CART, on error pruning, "
        "which removes too much where a class is rare, and on the wrapper's columns of another "
        "paper.",
    ),
    "hddt-table2": (
        "With the information gain for C4.5, 49 of 60 cells (82%) agree; with the gain ratio for "
        "C4.5 and raw leaves of at least 7 rows for CART, 55 of 60 (92%).",
        "CART has the worst rank only if C4.5 maximises the information gain, or if CART's leaves "
        "are not smoothed.",
        "The vowels, which table 1 describes for Letter, cannot be meant: on them single trees "
        "have an AUC of 0.960 (gain ratio) to 0.967, where 0.990 is printed.",
    ),
    "ccpdt-table4": (
        "CCP-C4.5 beats C4.5, and CCP-CART beats CART, on all available data sets if the latter "
        "have raw leaves: that is the effect of smoothing, not of the criterion.",
    ),
    "ccpdt-table5": (
        "Fisher pruning is better than error pruning on 11 data sets and worse on 4, for both "
        "trees; with 15 data sets that is p = 0.07. The direction agrees.",
    ),
    "ccpdt-table6": (
        "Our trees are larger where the paper's data were discretised (Phoneme, Pima, Covtype, "
        "Page), since raw values offer more cuts.",
    ),
    "ihd-table3": (
        "The two best and the three worst criteria are those of the paper over three shuffles.",
        "In print, too, iHDw is not significantly better than entropy and HDDT by the "
        "Nemenyi test.",
    ),
    "hedex-table7-wins": (
        "The data sets on which patterns help most in print (boundary, cam, compustat, estate, "
        "PhosS) are not available or were left out; without them most comparisons are draws.",
    ),
    "hedex-table8-wins": (
        "The single win of bagged C4.5 and HDDT is on car, where both suffer from multiway splits "
        "of categorical features without patterns; all others draw or lose, as in print.",
    ),
    "ihd-table4": (
        "Raw leaves fit; with the Laplace estimate all criteria are 6 to 9 points above the "
        "printed cells. That estimate is worth more than the choice among the eight criteria.",
    ),
}
