"""Positions and texts of the nodes of a drawn tree: levels from left to right, a row per leaf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarewood.export._nodes import Cell, NodeText
from rarewood.plot._axes import shortened, wrapped

Floats = NDArray[np.float64]
_WRAP = 28  # characters


@dataclass(frozen=True)
class Layout:
    """Left borders, vertical centres and widths of nodes, and the size of the tree, in inches."""

    left: Floats
    middle: Floats
    width: Floats
    height: float
    size: tuple[float, float]

    @classmethod
    def of(
        cls,
        cells: Sequence[Cell],
        widths: Sequence[float],
        gaps: Sequence[float],
        height: float,
        row_gap: float,
    ) -> Layout:
        """Place the cells of an outline without overlap.

        ``widths`` are those of the levels, ``gaps`` the distances between consecutive levels, and
        ``row_gap`` is the distance between rows.
        """
        depth = np.array([cell.depth for cell in cells])
        steps = np.asarray(widths, dtype=float)[:-1] + np.asarray(gaps, dtype=float)
        left = np.append(0.0, np.cumsum(steps))[depth]
        width = np.asarray(widths, dtype=float)[depth]
        middle = rows_of(cells) * (height + row_gap) + height / 2
        size = (float((left + width).max()), float(middle.max()) + height / 2)
        return cls(left, middle, width, height, size)


def rows_of(cells: Sequence[Cell]) -> Floats:
    """Return the row of each cell: leaves in consecutive rows, parents in the middle."""
    children: list[list[int]] = [[] for _ in cells]
    for place, cell in enumerate(cells):
        if cell.parent >= 0:
            children[cell.parent].append(place)
    rows = np.zeros(len(cells))
    next_row, stack = 0, [0]
    while stack:  # leaves get their rows in depth-first order
        place = stack.pop()
        if not children[place]:
            rows[place] = next_row
            next_row += 1
        stack.extend(reversed(children[place]))
    for place in range(len(cells) - 1, -1, -1):
        if children[place]:
            rows[place] = (rows[children[place][0]] + rows[children[place][-1]]) / 2
    return rows


def title_lines(words: NodeText, cell: Cell) -> list[str]:
    """Return the title of a node, in up to three lines."""
    if cell.node < 0:
        return []
    text = words.title(cell.node)
    if not words.view.n_children[cell.node]:
        label, probability = text.removeprefix("class: ").rsplit(" ", 1)
        return [f"{shortened(label, _WRAP - len(probability) - 1)} {probability}"]
    return wrapped(text, _WRAP, 3)


def answer_lines(text: str) -> list[str]:
    """Return the lines of an answer, always with "or missing"."""
    if len(text) <= _WRAP:
        return [text] if text else []
    body = text.removesuffix(" or missing")
    return wrapped(body, _WRAP, 3) + ([] if body == text else ["or missing"])


def details(words: NodeText, cell: Cell) -> str:
    """Return the numbers of a node, or the text of a mark."""
    if cell.node < 0:
        return cell.text
    counts = words.view.counts[cell.node].tolist()
    text = " / ".join(map(str, counts)) if len(counts) < 4 else sample_count(sum(counts))
    if words.show_p_values and cell.node > 0:
        value = words.p_value(cell.node)
        text += f"   p {value}" if value.startswith("<") else f"   p = {value}"
    return text


def sample_count(number: int) -> str:
    """Return a number of samples."""
    return "1 sample" if number == 1 else f"{number} samples"
