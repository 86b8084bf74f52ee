"""What explains the leaves of CCPDT: discretised data, as are said to have been used, or Weka."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.discretize import MDLDiscretizer
from reproduction.reasons import Reason, measured
from reproduction.result import ReproducedCell, Reproduction

__all__ = ["AS_CATEGORIES", "IN_ORDER", "WEKA", "discretised", "leaves_reason", "weka_reason"]

IN_ORDER = "discretised by MDL, bins in order"
AS_CATEGORIES = "discretised by MDL, bins as categories"
WEKA = "J48 of Weka"
_WHAT = "Median ratio of reproduced to printed leaves, and typical factor between them"


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
    labels = {"bins in order": IN_ORDER, "bins as categories": AS_CATEGORIES}
    told = []
    for words, ending in (("error pruning", "_error"), ("Fisher pruning", "_fisher")):
        columns = [name for name in result.ours.models if name.endswith(ending)]
        ratios = {"raw values": _ratios(result.cells, columns)}
        ratios |= {bins: _ratios(_read(result, name), columns) for bins, name in labels.items()}
        told.append(f"{words}: {_told(ratios, 'discretised data')}")
    return measured(
        "trees on bins that are fitted on each training set (Fayyad and Irani), against trees on "
        f"raw values. {_WHAT}: {'; '.join(told)}."
    )


def weka_reason(result: Reproduction) -> Reason:
    """Return whether the rules of Weka explain the printed leaves of C4.5 with error pruning."""
    columns = ["c45_error"]
    ratios = {
        "C4.5 of the table": _ratios(result.cells, columns),
        WEKA: _ratios(_read(result, WEKA), columns),
    }
    told = _told(ratios, f"the rules of {WEKA}")
    return measured(f"C4.5 with error pruning on raw values. {_WHAT}: {told}.")


def _read(result: Reproduction, name: str) -> list[ReproducedCell]:
    return [cell for one in result.readings if one.label == name for cell in one.cells]


def _told(ratios: Mapping[str, NDArray[np.float64]], subject: str) -> str:
    """Return the ratios, and whether those after the first are smaller and nearer to 1."""
    middle = {words: float(np.median(own)) for words, own in ratios.items()}
    off = {words: float(np.exp(np.median(np.abs(np.log(own))))) for words, own in ratios.items()}
    listed = ", ".join(f"{words} {middle[words]:.2f} and {off[words]:.2f}" for words in ratios)
    first, *others = ratios
    nearer = [own for own in others if middle[own] < middle[first] and off[own] < off[first]]
    which = f" ({' and '.join(nearer)})" if nearer and len(others) > 1 else ""
    return f"{listed}, so {subject} {'explain' if nearer else 'do not explain'} it{which}"


def _ratios(cells: list[ReproducedCell], columns: list[str]) -> NDArray[np.float64]:
    return np.array([cell.ours / cell.printed for cell in cells if cell.column in columns])
