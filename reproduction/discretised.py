"""Trees on discretised data, as the data of CCPDT are said to have been, and their leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.discretize import MDLDiscretizer
from reproduction.reasons import Reason, measured
from reproduction.result import ReproducedCell, Reproduction

__all__ = ["AS_CATEGORIES", "IN_ORDER", "discretised", "leaves_reason"]

IN_ORDER = "discretised by MDL, bins in order"
AS_CATEGORIES = "discretised by MDL, bins as categories"


def discretised(make: Callable[[], Any], *, as_categories: bool) -> Any:
    """Return a tree on bins that are chosen on its training samples."""
    from sklearn.pipeline import make_pipeline

    if not as_categories:
        return make_pipeline(MDLDiscretizer(), make())
    bins = MDLDiscretizer(output="intervals").set_output(transform="pandas")
    return make_pipeline(bins, make())


def leaves_reason(result: Reproduction) -> Reason:
    """Return whether discretised data explain the printed numbers of leaves, by pruning method.

    They do if trees on bins are smaller than trees on raw values, and nearer to the printed ones.
    """
    kinds = {"error pruning": "_error", "Fisher pruning": "_fisher"}
    told = [_told(result, words, ending) for words, ending in kinds.items()]
    return measured(
        "trees on bins that are fitted on each training set (Fayyad and Irani), against trees on "
        "raw values. Median ratio of reproduced to printed leaves, and typical factor between "
        f"them: {'; '.join(told)}."
    )


def _told(result: Reproduction, pruning: str, ending: str) -> str:
    ratios = {"raw values": _ratios(result.cells, ending)}
    for words in (IN_ORDER, AS_CATEGORIES):
        cells = [cell for one in result.readings if one.label == words for cell in one.cells]
        ratios[words.removeprefix("discretised by MDL, ")] = _ratios(cells, ending)
    middle = {words: float(np.median(own)) for words, own in ratios.items()}
    off = {words: float(np.exp(np.median(np.abs(np.log(own))))) for words, own in ratios.items()}
    listed = ", ".join(f"{words} {middle[words]:.2f} and {off[words]:.2f}" for words in ratios)
    raw, *bins = ratios
    nearer = [words for words in bins if middle[words] < middle[raw] and off[words] < off[raw]]
    verdict = f"explain it ({' and '.join(nearer)})" if nearer else "do not explain it"
    return f"{pruning}: {listed}, so discretised data {verdict}"


def _ratios(cells: list[ReproducedCell], ending: str) -> NDArray[np.float64]:
    return np.array([cell.ours / cell.printed for cell in cells if cell.column.endswith(ending)])
