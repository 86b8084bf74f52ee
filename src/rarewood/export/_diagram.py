"""Fitted trees as diagrams for Graphviz or Mermaid."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rarewood._docstrings import documented
from rarewood.export._nodes import NodeText, outline
from rarewood.export._wording import tree_view


@documented
def export_graphviz(
    tree: Any,
    out_file: Any = None,
    *,
    max_depth: int | None = None,
    max_children: int | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    decimals: int = 2,
    show_p_values: bool = True,
    rotate: bool = False,
) -> str | None:
    r"""Export a tree in the DOT language of Graphviz.

    A node shows its split, the training samples of each class and its p-value. Its colour mixes
    those of the classes: vermilion for the rarest, blue for the most common one.

    Parameters
    ----------
    tree : RareTreeClassifier or FittedTree
        A fitted estimator, or its ``tree_``.
    out_file : path or file object, default=None
        Where to write the text, in UTF-8. By default it is returned.
    max_depth : int, default=None
        Maximum depth. Leaves below it are counted in a mark. By default all nodes are shown.
    max_children : int, default=None
        Maximum number of children per node, those with the smallest p-values. By default all are
        shown.
    {feature_names, class_names}
    decimals : int, default=2
        Digits after the decimal point.
    show_p_values : bool, default=True
        Whether to show p-values (one-sided Fisher exact test); see ``tree_.p_values``.
    rotate : bool, default=False
        Draw from left to right instead of top to bottom.

    Returns
    -------
    text : str or None
        The diagram; None if ``out_file`` is given.

    See Also
    --------
    export_mermaid : Exports to Mermaid, for Markdown.
    rarewood.plot.tree : Draws with matplotlib.

    Examples
    --------
    >>> import rarewood
    >>> X = [[20.0], [30.0], [40.0], [50.0]]
    >>> tree = rarewood.RareTreeClassifier().fit(X, ["no", "no", "no", "yes"])
    >>> print(rarewood.export_graphviz(tree, feature_names=["age"]), end="")
    digraph tree {
        node [shape=box, style="rounded,filled", margin="0.18,0.08", fontname="Helvetica"]
        edge [fontname="Helvetica", fontsize=12]
        n0 [label="age\nsamples: 3 no, 1 yes", fillcolor="#A4BDC8"]
        n1 [label="class: no (0.80)\nsamples: 3 no\np-value: 0.25", fillcolor="#8CC0DC"]
        n2 [label="class: yes (0.67)\nsamples: 1 yes\np-value: 0.25", fillcolor="#ECB78C"]
        n0 -> n1 [label=" <= 45.00 "]
        n0 -> n2 [label=" > 45.00 "]
    }
    """
    view = tree_view(tree, "export_graphviz")
    words = NodeText.of(view, feature_names, class_names, decimals, show_p_values)
    lines = ["digraph tree {"]
    lines += ["    rankdir=LR"] if rotate else []
    lines += [
        '    node [shape=box, style="rounded,filled", margin="0.18,0.08", fontname="Helvetica"]',
        '    edge [fontname="Helvetica", fontsize=12]',
    ]
    cells, edges = outline(view, max_depth, max_children), []
    for place, cell in enumerate(cells):
        style = "shape=plaintext, style=solid"
        if cell.node >= 0:
            style = f'fillcolor="{words.color(cell.node)}"'
        label = _dot("\n".join(words.lines(cell)))
        lines.append(f"    n{place} [label={label}, {style}]")
        if cell.parent >= 0:
            answer = words.answer(cells, cell)
            option = f"label={_dot(f' {answer} ')}" if answer else "style=dashed"
            edges.append(f"    n{cell.parent} -> n{place} [{option}]")
    return _write([*lines, *edges, "}"], out_file)


def export_mermaid(
    tree: Any,
    out_file: Any = None,
    *,
    max_depth: int | None = None,
    max_children: int | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    decimals: int = 2,
    show_p_values: bool = True,
    rotate: bool = False,
) -> str | None:
    """Export a tree as a Mermaid flowchart, which GitHub and many Markdown tools render.

    Place it in a code block with the language ``mermaid``. Nodes and colours are those of
    :func:`export_graphviz`. Mermaid renders at most 500 edges by default, so large trees need
    ``max_depth``.

    Parameters
    ----------
    tree, out_file, max_depth, max_children, feature_names, class_names, decimals, show_p_values, \
rotate
        See :func:`export_graphviz`.

    Returns
    -------
    text : str or None
        The diagram; None if ``out_file`` is given.

    Examples
    --------
    >>> import rarewood
    >>> X = [[20.0], [30.0], [40.0], [50.0]]
    >>> tree = rarewood.RareTreeClassifier().fit(X, ["no", "no", "no", "yes"])
    >>> print(rarewood.export_mermaid(tree, feature_names=["age"], max_depth=0), end="")
    flowchart TD
        n0["age<br/>samples: 3 no, 1 yes"]
        style n0 fill:#A4BDC8,stroke:#8C8C8C,color:#222222
        n1["... 2 leaves"]
        style n1 fill:none,stroke:none
        n0 -.-> n1
    """
    view = tree_view(tree, "export_mermaid")
    words = NodeText.of(view, feature_names, class_names, decimals, show_p_values)
    lines = [f"flowchart {'LR' if rotate else 'TD'}"]
    cells, edges = outline(view, max_depth, max_children), []
    for place, cell in enumerate(cells):
        style = "fill:none,stroke:none"
        if cell.node >= 0:
            style = f"fill:{words.color(cell.node)},stroke:#8C8C8C,color:#222222"
        label = "<br/>".join(map(_mermaid, words.lines(cell)))
        lines += [f'    n{place}["{label}"]', f"    style n{place} {style}"]
        if cell.parent >= 0:
            answer = words.answer(cells, cell)
            arrow = f'-->|"{_mermaid(answer)}"|' if answer else "-.->"
            edges.append(f"    n{cell.parent} {arrow} n{place}")
    return _write([*lines, *edges], out_file)


def _dot(text: str) -> str:
    r"""Return a quoted string of DOT, in which ``\n`` ends a line."""
    for character, code in [("\\", r"\\"), ('"', r"\""), ("&", "&amp;"), ("\r", ""), ("\n", r"\n")]:
        text = text.replace(character, code)
    return f'"{text}"'


def _mermaid(text: str) -> str:
    """Return a text escaped for a quoted string of Mermaid, on one line.

    Mermaid escapes characters as ``#number;``: those special in Mermaid, HTML and Markdown (also at
    the start of a list item), the second percent sign of a comment, and colons if the text contains
    "style" or "classDef", which Mermaid would parse as a statement.
    """
    text = re.sub(r"\s+", " ", text).strip()
    special = r'["#&<>`*\\]|(?<=%)%|(?<![^\W_])_|_(?![^\W_])|^[-+](?= )|(?<=^\d)[.)](?= )'
    special += r"|(?<=^\d\d)[.)](?= )"
    if "style" in text or "classDef" in text:
        special += "|:"
    return re.sub(special, lambda found: f"#{ord(found[0])};", text)


def _write(lines: list[str], out_file: Any) -> str | None:
    text = "".join(f"{line}\n" for line in lines)
    if out_file is None:
        return text
    if isinstance(out_file, (str, os.PathLike)):
        Path(out_file).write_text(text, encoding="utf-8")
    else:
        out_file.write(text)
    return None
