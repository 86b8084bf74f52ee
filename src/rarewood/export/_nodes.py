"""Nodes of a diagram: which are shown, their texts and their colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rarewood.export._palette import class_colors, mixed
from rarewood.export._wording import Wording, given_names

_MOST_CLASSES = 4  # listed in a node


@dataclass(frozen=True)
class Cell:
    """A node of a diagram, or a mark with a text for nodes that are left out.

    ``node`` is -1 for a mark, ``parent`` the index of the parent cell (-1 for the root), and
    ``branch`` the position among the children of the parent (-1 for the root and for a mark).
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


@dataclass(frozen=True)
class NodeText:
    """Texts and colours of the nodes of a tree."""

    view: Any
    wording: Wording
    class_names: list[str]
    colors: list[str]
    show_p_values: bool

    @classmethod
    def of(
        cls,
        view: Any,
        feature_names: Sequence[str] | None,
        class_names: Sequence[str] | None,
        decimals: int,
        show_p_values: bool,
    ) -> Self:
        """Return the texts for a tree, by default with the names of its training data."""
        names = given_names(class_names, view.classes.tolist(), "class_names")
        wording = Wording.of(view, feature_names, decimals)
        return cls(view, wording, names, class_colors(view.counts[0]), show_p_values)

    def title(self, node: int) -> str:
        """Return the subject of a split, or the class of a leaf with its probability."""
        if self.view.n_children[node]:
            return self.wording.question(self.view, node)[0]
        number = int(self.view.prediction[node])
        probability = self.view.probabilities[node, number]
        return f"class: {self.class_names[number]} ({probability:.{self.wording.decimals}f})"

    def lines(self, cell: Cell) -> list[str]:
        """Return the lines of a node, or the text of a mark."""
        if cell.node < 0:
            return [cell.text]
        counts = self.view.counts[cell.node].tolist()
        order = sorted((-n, number) for number, n in enumerate(counts) if n > 0)
        shown = [f"{-n} {self.class_names[number]}" for n, number in order[:_MOST_CLASSES]]
        rest = -sum(n for n, _ in order[_MOST_CLASSES:])
        shown += [f"{rest} others"] if rest else []
        lines = [self.title(cell.node), f"samples: {', '.join(shown)}"]
        if self.show_p_values and cell.node > 0:
            lines.append(f"p-value: {self.p_value(cell.node)}")
        return lines

    def p_value(self, node: int) -> str:
        """Return the p-value of a node."""
        value = float(self.view.p_values[node])
        return f"{value:.2g}" if value > 0 else "< 1e-300"

    def color(self, node: int) -> str:
        """Return the mixed colour of the classes of a node."""
        weights = self.view.weighted_counts[node]
        return mixed(self.colors, weights / weights.sum())

    def answer(self, cells: list[Cell], cell: Cell) -> str:
        """Return the answer that leads to a cell from its parent; empty for a mark."""
        if cell.branch < 0:
            return ""
        return self.wording.question(self.view, cells[cell.parent].node, "auto")[1][cell.branch]
