"""Reproduction of the tables of five papers on trees for rare classes.

:func:`printed` returns a table as printed, with its known misprints; :func:`reproduce` reproduces
it from data sets in a folder and judges the conclusions of the paper.
"""

from reproduction.conclusions import Conclusion, Finding, Verdict
from reproduction.experiment import Experiment
from reproduction.printed_table import PrintedTable
from reproduction.registry import names, printed
from reproduction.result import OtherReading, ReproducedCell, Reproduction
from reproduction.run import reproduce

__all__ = [
    "Conclusion",
    "Experiment",
    "Finding",
    "OtherReading",
    "PrintedTable",
    "ReproducedCell",
    "Reproduction",
    "Verdict",
    "names",
    "printed",
    "reproduce",
]
