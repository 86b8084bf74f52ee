"""Layout of a drawn tree: boxes with positions, sizes and texts."""

from __future__ import annotations

from typing import Any

from rarewood.export._nodes import Cell, NodeText, outline
from rarewood.plot._axes import shortened
from rarewood.plot._tree_layout import Layout, Sizes

_SIZES = Sizes(  # pixels
    title=12.5, small=11.0, line=16.0, bar=8.0, pad=8.0, trunk=14.0, row_gap=12.0,
    least_width=120.0, clearance=6.0,
)  # fmt: skip
_WIDEST, _LEAST_DEPTH = 1200.0, 2  # the page shrinks a drawing to its width, but not much
_MOST_CHILDREN = 8
# Widths of letters in units of the font size; others are in _em.
_WIDTHS = {
    0.34: "ijl.,:;|'` /\\",
    0.42: "ftrI()[]-!",
    0.5: '"_*',
    0.84: "<>=+&#~^",
    1.0: "mwMW@%",
}


def draw_tree(model: Any, max_depth: int, n_rare: Any = None) -> dict[str, Any]:
    """Return a drawing of a fitted tree, from left to right.

    Nodes below ``max_depth`` are replaced by a mark with their number of leaves; a drawing that is
    too wide for the page has fewer levels. The drawing has a "size" in pixels, "boxes" in the order
    of the outline, "classes" with their colours, and the size of the tree. ``n_rare`` are the
    numbers of rare rows in the nodes of a surrogate, whose own classes are decisions.
    """
    view = model.tree_
    words = NodeText.of(view, None, None, 2, True)
    depth = max_depth
    while True:
        cells = outline(view, depth, _MOST_CHILDREN)
        layout = Layout.of(words, cells, _SIZES, text_width)
        if layout.size[0] <= _WIDEST or depth <= _LEAST_DEPTH:
            break
        depth -= 1
    return {
        "size": list(layout.size),
        "height": layout.height,
        "boxes": [_box(view, layout, place, cell, n_rare) for place, cell in enumerate(cells)],
        "classes": [
            {"label": shortened(name, 24), "color": color}
            for name, color in zip(words.class_names, words.colors, strict=True)
        ],
        "n_leaves": int(view.n_leaves),
        "max_depth": int(depth),
    }


def _box(view: Any, layout: Layout, place: int, cell: Cell, n_rare: Any) -> dict[str, Any]:
    """Return a node or a mark: where it is, and its texts."""
    is_mark = cell.node < 0
    weights = view.weighted_counts[max(cell.node, 0)]
    details = layout.details[place]
    if n_rare is not None and not is_mark:
        details = f"{int(n_rare[cell.node]):,} rare of {int(view.counts[cell.node].sum()):,}"
    return {
        "node": cell.node,
        "parent": cell.parent,
        "x": float(layout.left[place]),
        "middle": float(layout.middle[place]),
        "width": float(layout.width[place]),
        "title": layout.titles[place],
        "answer": layout.answers[place],
        "details": details,
        "fractions": [] if is_mark else (weights / weights.sum()).tolist(),
        "is_leaf": not is_mark and not bool(view.n_children[cell.node]),
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
