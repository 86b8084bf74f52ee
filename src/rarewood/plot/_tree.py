"""Figure of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rarewood.export._nodes import Cell, NodeText, outline
from rarewood.export._palette import GREY, INK
from rarewood.export._wording import tree_view
from rarewood.plot._axes import axes_or_new, plain, pyplot, rectangle, shortened, text_width
from rarewood.plot._tree_layout import Layout, Sizes, rows_of, sample_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Inches and points.
_TITLE, _SMALL = 9.0, 7.5
_LINE, _BAR, _PAD = 0.15, 0.09, 0.07
_ROW_GAP, _TRUNK = 0.14, 0.14
_HEAD, _FOOT, _SIDE = 0.75, 0.35, 0.15
_SIZES = Sizes(_TITLE, _SMALL, _LINE, _BAR, _PAD, _TRUNK, _ROW_GAP, least_width=0.9, clearance=0.08)
_MOST_ROWS = 500


def tree(
    tree: Any,
    *,
    max_depth: int | None = 4,
    max_children: int | None = 10,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    decimals: int = 2,
    show_p_values: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw a tree from left to right.

    A node shows its split, or the class of a leaf with its probability. The bar shows the fractions
    of the classes among the training samples, vermilion for the rarest class and blue for the most
    common one. Below it are the numbers of samples, in the order of the classes, and the p-value.

    Parameters
    ----------
    tree : RareTreeClassifier or FittedTree
        A fitted estimator, or its ``tree_``.
    max_depth : int, default=4
        Maximum depth; None for all nodes. Leaves below it are counted in a mark.
    max_children : int, default=10
        Maximum number of children per node, those with the smallest p-values; None for all. A mark
        counts the others.
    feature_names, class_names, decimals, show_p_values
        See :func:`rarewood.export_graphviz`.
    ax : matplotlib axes, default=None
        Axes to draw on, with texts small enough to fit. By default those of a new figure, as large
        as the tree needs.

    Returns
    -------
    ax : matplotlib axes
        The axes.

    See Also
    --------
    rarewood.export_text : Exports to text.
    rarewood.export_graphviz : Exports to Graphviz.
    rarewood.export_mermaid : Exports to Mermaid, for Markdown.

    Examples
    --------
    >>> from rarewood import RareTreeClassifier, plot
    >>> X = [[20.0], [30.0], [40.0], [50.0]]
    >>> model = RareTreeClassifier().fit(X, ["no", "no", "no", "yes"])
    >>> ax = plot.tree(model, feature_names=["age"])
    >>> ax.get_title(loc="left")
    'Tree with 2 leaves, 4 samples'
    """
    view = tree_view(tree, "plot.tree")
    pyplot()
    words = NodeText.of(view, feature_names, class_names, decimals, show_p_values)
    cells = outline(view, max_depth, max_children)
    if ax is None and (n_rows := rows_of(cells).max() + 1) > _MOST_ROWS:
        raise ValueError(
            f"The figure would be {n_rows:.0f} nodes high, but at most {_MOST_ROWS} are supported. "
            "Set max_depth or max_children, or use rarewood.export_graphviz."
        )
    drawing = _Drawing(words, cells, Layout.of(words, cells, _SIZES, text_width))
    width, height = drawing.size
    if ax is None:
        figure = pyplot().figure(figsize=(width, height))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax = axes_or_new(ax, (width, height))
    ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    ax.set_axis_off()
    drawing.draw(ax, _scale(ax, width, height))
    return ax


def _scale(ax: Axes, width: float, height: float) -> float:
    """Return the scale of texts, 1 if the axes are large enough.

    Small letters are relatively wider, since they are snapped to pixels.
    """
    box, dpi = ax.get_window_extent(), float(ax.figure.dpi)
    scale = min(float(box.width) / dpi / width, float(box.height) / dpi / height)
    return 1.0 if scale > 0.99 else 0.94 * scale


@dataclass(frozen=True)
class _Drawing:
    """A tree with the texts and positions of its nodes."""

    words: NodeText
    cells: list[Cell]
    layout: Layout

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches, with header and footer."""
        width, height = self.layout.size
        legend = sum(0.37 + text_width(name, _SMALL) for name, _ in self._legend())
        needed = text_width(self._note(), _SMALL), text_width(self._headline(), 11.0), legend
        return max(width, *needed, 3.5) + 2 * _SIDE, height + _HEAD + _FOOT

    def draw(self, ax: Axes, scale: float) -> None:
        for place, cell in enumerate(self.cells):
            if cell.parent >= 0:
                self._branch(ax, place, scale)
            if cell.node < 0:
                x, y = self._left(place), self._middle(place)
                ax.text(x + 0.03, y, cell.text, va="center", color=INK, fontsize=_SMALL * scale)
            else:
                self._node(ax, place, scale)
        self._annotate(ax, scale)

    def _left(self, place: int) -> float:
        return float(self.layout.left[place]) + _SIDE

    def _middle(self, place: int) -> float:
        return float(self.layout.middle[place]) + _HEAD

    def _branch(self, ax: Axes, place: int, scale: float) -> None:
        """Draw the line from the parent, with the answer."""
        parent = self.cells[place].parent
        begin = self._left(parent) + float(self.layout.width[parent])
        trunk, end, y = begin + _TRUNK, self._left(place), self._middle(place)
        is_mark = self.cells[place].node < 0
        ax.plot(
            [begin, trunk, trunk, end], [self._middle(parent), self._middle(parent), y, y],
            color=GREY, linewidth=scale, linestyle=":" if is_mark else "-", zorder=1,
        )  # fmt: skip
        ax.text(
            trunk + 0.05, y - 0.02, plain("\n".join(self.layout.answers[place])), color=INK,
            fontsize=_SMALL * scale, va="bottom", gid=f"answer-{place}",
        )  # fmt: skip

    def _node(self, ax: Axes, place: int, scale: float) -> None:
        """Draw a box with a title, a bar and the numbers."""
        layout, node = self.layout, self.cells[place].node
        x, top = self._left(place), self._middle(place) - layout.height / 2
        width, is_leaf = float(layout.width[place]), not self.words.view.n_children[node]
        ax.add_patch(
            rectangle(
                x, top, width, layout.height, rounding=0.05, gid=f"node-{node}", linewidth=scale,
                facecolor="#F4F4F4" if is_leaf else "white", edgecolor=INK if is_leaf else GREY,
            )
        )  # fmt: skip
        lines, inner = layout.titles[place], x + _PAD
        below = top + layout.height - _PAD - _LINE  # top of the numbers
        ax.text(
            inner, (top + below - _BAR) / 2, plain("\n".join(lines)), weight="bold",
            va="center", color=INK, fontsize=_TITLE * scale, linespacing=1.1, gid=f"title-{node}",
        )  # fmt: skip
        self._bar(ax, node, inner, below - _PAD / 2 - _BAR, width - 2 * _PAD)
        ax.text(
            inner, below + _LINE / 2, plain(layout.details[place]), va="center",
            color=INK, fontsize=_SMALL * scale, gid=f"details-{node}",
        )  # fmt: skip

    def _bar(self, ax: Axes, node: int, x: float, y: float, width: float) -> None:
        """Draw the fractions of the classes."""
        weights = self.words.view.weighted_counts[node]
        fractions = weights / weights.sum()
        for fraction, color in zip(fractions.tolist(), self.words.colors, strict=True):
            part = fraction * width
            if part > 0:
                ax.add_patch(
                    rectangle(x, y, part, _BAR, facecolor=color, linewidth=0, gid=f"bar-{node}")
                )
            x += part

    def _headline(self) -> str:
        view = self.words.view
        n_leaves = "1 leaf" if view.n_leaves == 1 else f"{view.n_leaves} leaves"
        return f"Tree with {n_leaves}, {sample_count(int(view.counts[0].sum()))}"

    def _note(self) -> str:
        note, names = "bar: fractions of the classes;  samples", self.words.class_names
        note += f": {' / '.join(shortened(n, 15) for n in names)}" if len(names) < 4 else ""
        return note + (";  p: Fisher's exact test" if self.words.show_p_values else "")

    def _legend(self) -> list[tuple[str, str]]:
        """Return names and colours of the classes, with one entry for all grey ones."""
        pairs = list(zip(self.words.class_names, self.words.colors, strict=True))
        named = [(shortened(name, 20), color) for name, color in pairs if color != GREY]
        n_others = len(pairs) - len(named)
        return [*named, (f"{n_others} others", GREY)] if n_others else named

    def _annotate(self, ax: Axes, scale: float) -> None:
        """Add title, legend and note."""
        width, height = self.size
        ax.set_title(self._headline(), loc="left", x=_SIDE / width, y=1.0, pad=-16 * scale,
                     fontsize=11 * scale)  # fmt: skip
        y, x = 0.5, _SIDE
        for name, color in self._legend():
            ax.add_patch(rectangle(x, y - 0.06, 0.12, 0.12, facecolor=color, linewidth=0))
            ax.text(x + 0.17, y, plain(name), va="center", color=INK, fontsize=_SMALL * scale)
            x += 0.17 + text_width(name, _SMALL) + 0.2
        ax.text(
            _SIDE, height - _FOOT / 2, plain(self._note()), va="center", color="0.35",
            fontsize=_SMALL * scale,
        )  # fmt: skip
