"""The tables of five papers on trees for rare classes, as data, and the experiments behind them.

:func:`printed` gives a table as it is printed, with its known misprints; :func:`reproduce` makes it
again from data sets in a folder and says which of the paper's conclusions hold.
"""

from reproduction.conclusions import Conclusion, Finding, Verdict
from reproduction.experiment import Experiment
from reproduction.printed_table import PrintedTable
from reproduction.registry import list_names as list
from reproduction.registry import printed
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
    "list",
    "printed",
    "reproduce",
]
