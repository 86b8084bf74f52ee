"""Sums in a fixed order."""

from __future__ import annotations

from rarewood.export._onnx._graph import Graph


def sum_in_order(graph: Graph, values: str, n_terms: int) -> str:
    """Return the sums over the second axis, added one after another as in the core.

    ReduceSum may add in any order, which can change the last bit, and with it the class of a tie or
    the side of a threshold that is equal to a score.
    """
    sums = graph.add("CumSum", values, graph.constant(1))
    return graph.add("Gather", sums, graph.constant(n_terms - 1), axis=1)
