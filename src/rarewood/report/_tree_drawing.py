"""Layout of a drawn tree: boxes with positions, sizes and texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarewood.export._nodes import NodeText, outline
from rarewood.plot._axes import shortened
from rarewood.plot._tree_layout import Layout, answer_lines, details, title_lines

# Pixels.
_TITLE, _SMALL = 12.5, 11.0
_LINE, _BAR, _PAD, _TRUNK = 16.0, 8.0, 8.0, 14.0
_ROW_GAP, _LEAST = 12.0, 90.0
_MOST_CHILDREN = 8
# Widths of letters in units of the font size; others are in _em.
_WIDTHS = {
    0.34: "ijl.,:;|'` /\\",
    0.42: "ftrI()[]-!",
    0.5: '"_*',
    0.84: "<>=+&#~^",
    1.0: "mwMW@%",
}


def draw_tree(model: Any, max_depth: int) -> dict[str, Any]:
    """Return a drawing of a fitted tree, from left to right.

    Nodes below ``max_depth`` are replaced by a mark with their number of leaves. The drawing has a
    "size" in pixels, "boxes" in the order of the outline, "classes" with their colours, and the
    size of the tree.
    """
    view = model.tree_
    words = NodeText.of(view, None, None, 2, True)
    cells = outline(view, max_depth, _MOST_CHILDREN)
    titles = [title_lines(words, cell) for cell in cells]
    answers = [answer_lines(words.answer(cells, cell)) for cell in cells]
    notes = [details(words, cell) for cell in cells]
    depths = np.array([cell.depth for cell in cells])
    widths, gaps = [], []
    for depth in range(int(depths.max()) + 1):
        here = np.flatnonzero(depths == depth).tolist()
        texts = [text_width(t, _TITLE, is_bold=True) for i in here for t in titles[i]]
        texts += [text_width(notes[i], _SMALL) for i in here]
        widths.append(max(_LEAST, *texts) + 2 * _PAD)
        gaps.append(max([text_width(t, _SMALL) for i in here for t in answers[i]], default=0.0))
    n_lines = max(len(lines) for lines in titles)
    height = n_lines * _LINE + _BAR + _LINE + 3 * _PAD
    between = [gap + 2 * _TRUNK + 6 for gap in gaps[1:]]
    layout = Layout.of(cells, widths, between, height, _ROW_GAP)
    boxes = []
    for place, cell in enumerate(cells):
        is_mark = cell.node < 0
        weights = view.weighted_counts[max(cell.node, 0)]
        boxes.append(
            {
                "node": cell.node,
                "parent": cell.parent,
                "x": float(layout.left[place]),
                "middle": float(layout.middle[place]),
                "width": float(layout.width[place]),
                "title": titles[place],
                "answer": answers[place],
                "details": notes[place],
                "fractions": [] if is_mark else (weights / weights.sum()).tolist(),
                "is_leaf": not is_mark and not bool(view.n_children[cell.node]),
            }
        )
    return {
        "size": list(layout.size),
        "height": height,
        "boxes": boxes,
        "classes": [
            {"label": shortened(name, 24), "color": color}
            for name, color in zip(words.class_names, words.colors, strict=True)
        ],
        "n_leaves": int(view.n_leaves),
        "max_depth": int(max_depth),
        "n_rows": int(view.counts[0].sum()),
    }


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the width of a text in pixels, assuming a wide font (DejaVu Sans)."""
    return size * sum(_em(letter) for letter in text) * (1.13 if is_bold else 1.0)


def _em(letter: str) -> float:
    if ord(letter) >= 0x2E80:  # Chinese, Japanese, Korean, and emoji
        return 1.05
    for width, letters in _WIDTHS.items():
        if letter in letters:
            return width
    return 0.74 if letter.isupper() else 0.64
