"""Texts and colours of the nodes of a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from rarewood.export._outline import Cell
from rarewood.export._palette import class_colors, mixed
from rarewood.export._wording import Wording, given_names

__all__ = ["NodeText"]

_MOST_CLASSES = 4  # listed in a node


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

    def lines(self, node: int) -> list[str]:
        """Return the lines of a node."""
        lines = [self.title(node), f"samples: {self._counts(node)}"]
        if self.show_p_values and node > 0:
            lines.append(f"p-value: {self.p_value(node)}")
        return lines

    def _counts(self, node: int) -> str:
        counts = self.view.counts[node]
        order = sorted((-n, number) for number, n in enumerate(counts.tolist()) if n > 0)
        shown = [f"{-n} {self.class_names[number]}" for n, number in order[:_MOST_CLASSES]]
        rest = -sum(n for n, _ in order[_MOST_CLASSES:])
        return ", ".join([*shown, f"{rest} others"] if rest else shown)

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
