"""Which nodes of a tree a drawing shows, and where it says that something is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Cell", "outline"]


@dataclass(frozen=True)
class Cell:
    """A node of a drawing, or a mark in the place of nodes that are left out.

    Parameters
    ----------
    node : int
        The node; -1 for a mark.
    parent : int
        The cell above; -1 for the root.
    branch : int
        Which child of its parent the node is; -1 for the root and for a mark.
    depth : int
        Distance from the root.
    text : str, default=""
        What a mark says.
    """

    node: int
    parent: int
    branch: int
    depth: int
    text: str = ""


def outline(view: Any, max_depth: int | None, max_children: int | None = None) -> list[Cell]:
    """Choose the nodes to draw.

    Parameters
    ----------
    view : FittedTree
        The tree.
    max_depth : int or None
        What is deeper is left out; a mark says how many leaves that are.
    max_children : int or None, default=None
        Of a node with more children, those with the smallest p-values are shown; a mark counts
        the others.

    Returns
    -------
    cells : list of Cell
        Parents before their children, children in order and one after the other.
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
    """Return the number of leaves of the subtree of each node; children come after parents."""
    n_leaves: list[int] = (view.n_children == 0).astype(int).tolist()
    for node, parent in reversed(list(enumerate(view.parent.tolist()))[1:]):
        n_leaves[parent] += n_leaves[node]
    return n_leaves
