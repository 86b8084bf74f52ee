"""The tables of five papers on trees for rare classes, as data, and the experiments behind them.

:func:`printed` gives a table as it is printed, with its known misprints; :func:`reproduce` makes it
again from data sets in a folder and says which of the paper's conclusions hold.
"""

from rarewood.papers.conclusions import Conclusion, Finding, Verdict
from rarewood.papers.experiment import Experiment
from rarewood.papers.making import reproduce
from rarewood.papers.registry import list_names as list
from rarewood.papers.registry import printed
from rarewood.papers.reproduction import OtherReading, ReproducedCell, Reproduction
from rarewood.papers.tables import PrintedTable

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
