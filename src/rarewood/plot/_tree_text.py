"""Texts of a drawn tree, wrapped to its boxes."""

from __future__ import annotations

from rarewood.export._nodes import Cell, NodeText
from rarewood.plot._axes import shortened, wrapped

__all__ = ["answer_lines", "details", "sample_count", "title_lines"]

_WRAP = 28  # characters


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
