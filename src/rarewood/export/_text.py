"""Fitted trees as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from rarewood._docstrings import documented
from rarewood.export._wording import COORDINATES, Wording, given_names, tree_view

_BRANCH, _INDENT = "|--- ", "|   "


@documented
def export_text(
    tree: Any,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    max_depth: int = 10,
    decimals: int = 2,
    show_counts: bool = True,
    show_probabilities: bool = True,
    show_missing: bool | Literal["auto"] = "auto",
) -> str:
    """Export a tree as text, one line for each branch and each leaf.

    A last line says if the tree compares the coordinates of bins instead of values (``max_bins`` of
    oblique trees).

    Parameters
    ----------
    tree : RareTreeClassifier or FittedTree
        A fitted estimator, or its ``tree_``.
    {feature_names, class_names}
    max_depth : int, default=10
        Maximum depth. Deeper branches are replaced by a line with their depth.
    decimals : int, default=2
        Digits after the decimal point of thresholds and probabilities. Numbers of a hyperplane have
        ``decimals + 1`` significant digits.
    show_counts : bool, default=True
        Whether to show the training samples of each class in a leaf, and their weights if there are
        any.
    show_probabilities : bool, default=True
        Whether to show the class probabilities of a leaf.
    show_missing : bool or "auto", default="auto"
        Whether to show the branch of missing values. "auto" shows it if training had missing
        values, and wherever they do not follow the larger branch.

    Returns
    -------
    text : str
        Lines that each end in a line feed.

    Examples
    --------
    >>> import rarewood
    >>> X = [[20.0], [30.0], [40.0], [50.0]]
    >>> tree = rarewood.RareTreeClassifier().fit(X, ["no", "no", "no", "yes"])
    >>> print(rarewood.export_text(tree, feature_names=["age"]), end="")
    |--- age <= 45.00
    |   |--- class: no, counts [3, 0], p [0.80, 0.20]
    |--- age > 45.00
    |   |--- class: yes, counts [0, 1], p [0.33, 0.67]
    """
    view = tree_view(tree, "export_text")
    wording = Wording.of(view, feature_names, decimals)
    names = given_names(class_names, view.classes.tolist(), "class_names")
    lines = []
    stack = [(0, 0, "")]  # node, depth, condition
    while stack:
        node, depth, condition = stack.pop()
        if condition:
            lines.append(_INDENT * (depth - 1) + _BRANCH + condition)
        start = _INDENT * depth + _BRANCH
        if view.n_children[node] == 0:
            leaf = _leaf(view, node, names, wording, show_counts, show_probabilities)
            lines.append(start + leaf)
        elif depth >= max_depth:
            lines.append(start + f"truncated branch of depth {_height(view, node)}")
        else:
            subject, answers = wording.question(view, node, show_missing)
            children = list(enumerate(answers, start=int(view.first_child[node])))
            stack.extend((c, depth + 1, f"{subject} {text}") for c, text in reversed(children))
    if view.schema.bins is not None:
        lines.append(COORDINATES)
    return "".join(f"{line}\n" for line in lines)


def _height(view: Any, node: int) -> int:
    """Return the number of levels below a node."""
    levels, nodes = -1, np.array([node])
    while nodes.size:
        levels, nodes = levels + 1, view.children_of(nodes)
    return levels


def _leaf(
    view: Any,
    node: int,
    class_names: list[str],
    wording: Wording,
    show_counts: bool,
    show_probabilities: bool,
) -> str:
    counts, weights, proba = view.counts[node], view.weighted_counts[node], view.probabilities[node]
    parts = [f"class: {class_names[int(proba.argmax())]}"]
    if show_counts:
        parts.append(f"counts [{', '.join(map(str, counts.tolist()))}]")
        if not np.array_equal(counts, weights):
            parts.append(f"weights [{', '.join(map(wording.number, weights))}]")
    if show_probabilities:
        parts.append(f"p [{', '.join(f'{p:.{wording.decimals}f}' for p in proba)}]")
    return ", ".join(parts)
