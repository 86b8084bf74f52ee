"""Positions and texts of the nodes of a drawn tree: levels from left to right, a row per leaf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewood.export._nodes import Cell, NodeText
from rarewood.plot._axes import shortened, wrapped

Floats = NDArray[np.float64]
_WRAP = 28  # characters


class Sizes(NamedTuple):
    """Font sizes, and lengths of a drawing in its unit."""

    title: float
    small: float
    line: float
    bar: float
    pad: float
    trunk: float
    row_gap: float
    least_width: float
    clearance: float


@dataclass(frozen=True)
class Layout:
    """Texts of the cells of an outline, and their positions without overlap.

    The positions are left borders, vertical centres and widths; all cells have the same height.
    """

    titles: list[list[str]]
    answers: list[list[str]]
    details: list[str]
    left: Floats
    middle: Floats
    width: Floats
    height: float
    size: tuple[float, float]

    @classmethod
    def of(
        cls,
        words: NodeText,
        cells: list[Cell],
        sizes: Sizes,
        text_width: Callable[[str, float, bool], float],
    ) -> Layout:
        """Lay out the cells; ``text_width`` is that of a text in a font size, bold or not."""
        titles = [_title_lines(words, cell) for cell in cells]
        answers = [_answer_lines(words.answer(cells, cell)) for cell in cells]
        details = [_details(words, cell) for cell in cells]
        depth = np.array([cell.depth for cell in cells])
        widths, gaps = np.full(depth.max() + 1, sizes.least_width), np.zeros(depth.max() + 1)
        for place, level in enumerate(depth):
            texts = [text_width(line, sizes.title, True) for line in titles[place]]
            texts.append(text_width(details[place], sizes.small, False))
            widths[level] = max(widths[level], *texts)
            lines = [text_width(line, sizes.small, False) for line in answers[place]]
            gaps[level] = max(gaps[level], *lines, 0.0)
        widths += 2 * sizes.pad
        gaps += 2 * sizes.trunk + sizes.clearance
        left, width = np.append(0.0, np.cumsum(widths[:-1] + gaps[1:]))[depth], widths[depth]
        n_lines = max(map(len, titles)) + 1
        height = n_lines * sizes.line + sizes.bar + 3 * sizes.pad
        middle = rows_of(cells) * (height + sizes.row_gap) + height / 2
        size = (float((left + width).max()), float(middle.max()) + height / 2)
        return cls(titles, answers, details, left, middle, width, height, size)


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


def _title_lines(words: NodeText, cell: Cell) -> list[str]:
    """Return the title of a node, in up to three lines."""
    if cell.node < 0:
        return []
    text = words.title(cell.node)
    if not words.view.n_children[cell.node]:
        label, probability = text.removeprefix("class: ").rsplit(" ", 1)
        return [f"{shortened(label, _WRAP - len(probability) - 1)} {probability}"]
    return wrapped(text, _WRAP, 3)


def _answer_lines(text: str) -> list[str]:
    """Return the lines of an answer, always with "or missing"."""
    if len(text) <= _WRAP:
        return [text] if text else []
    body = text.removesuffix(" or missing")
    return wrapped(body, _WRAP, 3) + ([] if body == text else ["or missing"])


def _details(words: NodeText, cell: Cell) -> str:
    """Return the numbers of a node, or the text of a mark."""
    if cell.node < 0:
        return cell.text
    counts = words.view.counts[cell.node].tolist()
    text = " / ".join(f"{n:,}" for n in counts) if len(counts) < 4 else sample_count(sum(counts))
    if words.show_p_values and cell.node > 0:
        value = words.p_value(cell.node)
        text += f"   p {value}" if value.startswith("<") else f"   p = {value}"
    return text


def sample_count(number: int) -> str:
    """Return a number of samples."""
    return "1 sample" if number == 1 else f"{number:,} samples"
