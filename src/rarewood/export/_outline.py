"""The nodes of a tree that a diagram shows, and marks for those left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Cell", "outline"]


@dataclass(frozen=True)
class Cell:
    """A node of a diagram, or a mark for nodes that are left out.

    Parameters
    ----------
    node : int
        Index of the node; -1 for a mark.
    parent : int
        Index of the parent cell; -1 for the root.
    branch : int
        Position among the children of its parent; -1 for the root and for a mark.
    depth : int
        Distance from the root.
    text : str, default=""
        Text of a mark.
    """

    node: int
    parent: int
    branch: int
    depth: int
    text: str = ""


def outline(view: Any, max_depth: int | None, max_children: int | None = None) -> list[Cell]:
    """Return the cells to draw, parents before children and siblings together.

    Deeper nodes than ``max_depth`` are replaced by a mark with their number of leaves. Of a node
    with more than ``max_children`` children, those with the smallest p-values are shown, and a mark
    counts the others.
    """
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be at least 0, or None for all levels; got {max_depth}.")
    if max_children is not None and max_children < 2:
        raise ValueError(f"max_children must be at least 2, or None for all; got {max_children}.")
    n_leaves = _leaves_below(view)
    cells = [Cell(0, -1, -1, 0)]
    place = 0
    while place < len(cells):
        cell = cells[place]
        if cell.node >= 0 and view.n_children[cell.node]:
            if max_depth is not None and cell.depth >= max_depth:
                text = f"... {n_leaves[cell.node]} leaves"
                cells.append(Cell(-1, place, -1, cell.depth + 1, text))
            else:
                cells.extend(_children(view, cell, place, max_children))
        place += 1
    return cells


def _children(view: Any, cell: Cell, place: int, max_children: int | None) -> list[Cell]:
    first, n_children = int(view.first_child[cell.node]), int(view.n_children[cell.node])
    shown, depth = np.arange(n_children), cell.depth + 1
    if max_children is not None and n_children > max_children:
        p_values = view.p_values[first : first + n_children]
        shown = np.sort(np.argsort(p_values, kind="stable")[:max_children])
    cells = [Cell(first + branch, place, branch, depth) for branch in shown.tolist()]
    if len(cells) < n_children:
        text = f"... {n_children - len(cells)} more branches"
        cells.append(Cell(-1, place, -1, depth, text))
    return cells


def _leaves_below(view: Any) -> list[int]:
    """Return the number of leaves below each node; children have higher indices than parents."""
    n_leaves: list[int] = (view.n_children == 0).astype(int).tolist()
    for node, parent in reversed(list(enumerate(view.parent.tolist()))[1:]):
        n_leaves[parent] += n_leaves[node]
    return n_leaves
