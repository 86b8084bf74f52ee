"""Layout of a drawn tree: boxes with positions, sizes and texts."""

from __future__ import annotations

from typing import Any

from rarewood.export._nodes import NodeText, outline
from rarewood.plot._axes import shortened
from rarewood.plot._tree_layout import Layout, Sizes

_SIZES = Sizes(  # pixels
    title=12.5, small=11.0, line=16.0, bar=8.0, pad=8.0, trunk=14.0, row_gap=12.0, least_width=90.0,
    clearance=6.0,
)  # fmt: skip
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
    layout = Layout.of(words, cells, _SIZES, text_width)
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
                "title": layout.titles[place],
                "answer": layout.answers[place],
                "details": layout.details[place],
                "fractions": [] if is_mark else (weights / weights.sum()).tolist(),
                "is_leaf": not is_mark and not bool(view.n_children[cell.node]),
            }
        )
    return {
        "size": list(layout.size),
        "height": layout.height,
        "boxes": boxes,
        "classes": [
            {"label": shortened(name, 24), "color": color}
            for name, color in zip(words.class_names, words.colors, strict=True)
        ],
        "n_leaves": int(view.n_leaves),
        "max_depth": int(max_depth),
        "n_rows": int(view.counts[0].sum()),
    }


def text_width(text: str, size: float, is_bold: bool) -> float:
    """Return the width of a text in pixels, assuming a wide font (DejaVu Sans)."""
    return size * sum(_em(letter) for letter in text) * (1.13 if is_bold else 1.0)


def _em(letter: str) -> float:
    if ord(letter) >= 0x2E80:  # Chinese, Japanese, Korean, and emoji
        return 1.05
    for width, letters in _WIDTHS.items():
        if letter in letters:
            return width
    return 0.74 if letter.isupper() else 0.64
