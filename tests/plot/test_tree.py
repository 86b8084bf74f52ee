"""Drawn trees: the layout as numbers, and the artists of the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from rarewood import RareForestClassifier, RareTreeClassifier, plot
from rarewood.export._nodes import NodeText, outline
from rarewood.export._palette import BLUE, GREY, VERMILION, class_colors, mixed
from rarewood.plot._axes import shortened, wrapped
from rarewood.plot._tree_layout import Layout, Sizes, rows_of
from support.handmade import complete, leaf, plane, split, tree


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def artists(ax, start):
    """The artists whose name begins with something, by the rest of the name."""
    found = [*ax.patches, *ax.texts]
    return {a.get_gid(): a for a in found if a.get_gid() and a.get_gid().startswith(start)}


def boxes(ax):
    renderer = ax.figure.canvas.get_renderer()
    return {name: a.get_window_extent(renderer) for name, a in artists(ax, "node-").items()}


def assert_readable(ax):
    """No two nodes overlap, texts stay inside their node, answers touch no node."""
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    nodes = boxes(ax)
    names = list(nodes)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            assert not nodes[one].overlaps(nodes[other]), (one, other)
    for kind in ("title-", "details-"):
        for name, text in artists(ax, kind).items():
            box, inside = nodes[name.replace(kind, "node-")], text.get_window_extent(renderer)
            assert box.x0 <= inside.x0 <= inside.x1 <= box.x1 + 1, (name, text.get_text())
            assert box.y0 <= inside.y0 + 1 <= inside.y1 <= box.y1 + 1, (name, text.get_text())
    for name, text in artists(ax, "answer-").items():
        if text.get_text():
            own = text.get_window_extent(renderer)
            assert not any(own.overlaps(box) for box in nodes.values()), (name, text.get_text())
    for text in artists(ax, "title-").values():
        for bar in artists(ax, "bar-").values():
            own = text.get_window_extent(renderer).shrunk(1, 0.75)  # its box has some air
            assert not own.overlaps(bar.get_window_extent(renderer)), text.get_text()


# ---------------------------------------------------------------- the layout


def test_rows_put_parents_in_the_middle():
    view = tree(split("x", 1, leaf(1, 0), split("x", 2, leaf(1, 0), leaf(0, 1))), {"x": None})
    cells = outline(view, None)
    assert [cell.node for cell in cells] == [0, 1, 2, 3, 4]
    assert rows_of(cells).tolist() == [0.75, 0, 1.5, 1, 2]


def test_marks_take_the_place_of_what_is_left_out():
    view = tree(complete(3), {"x": None})
    cells = outline(view, 1)
    assert [cell.text for cell in cells if cell.node < 0] == ["... 4 leaves"] * 2
    assert [cell.depth for cell in cells] == [0, 1, 1, 2, 2]
    assert rows_of(cells).tolist() == [0.5, 0, 1, 0, 1]
    assert len(outline(view, 3)) == len(outline(view, None)) == 15


def test_the_most_telling_children_are_shown():
    children = [leaf(50, 0), leaf(30, 9), leaf(2, 0), leaf(1, 0)]
    view = tree(split("c", [["a"], ["b"], ["d"], ["e"]], *children), {"c": list("abde")})
    cells = outline(view, None, max_children=2)
    assert [(cell.node, cell.branch) for cell in cells[1:]] == [(1, 0), (2, 1), (-1, -1)]
    assert cells[-1].text == "... 2 more branches"


SIZES = Sizes(9, 7, 0.2, 0.1, 0.1, trunk=0.2, row_gap=0.1, least_width=0.5, clearance=0.1)


def lay_out(view, width=0.01):
    """Lay out a tree in a font whose letters have the same width."""
    words = NodeText.of(view, None, None, 2, True)
    text_width = lambda text, size, is_bold: width * size * len(text)  # noqa: E731
    return Layout.of(words, outline(view, None), SIZES, text_width)


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4, 5])
def test_cells_never_overlap(depth):
    layout = lay_out(tree(complete(depth), {"x": None}))
    for i in range(len(layout.left)):
        for j in range(i):
            apart_x = abs(layout.left[i] - layout.left[j]) >= 0.5 + min(layout.width[[i, j]])
            apart_y = abs(layout.middle[i] - layout.middle[j]) >= layout.height
            assert apart_x or apart_y
    assert layout.height == pytest.approx(0.8)  # title, bar, numbers, and three paddings
    assert layout.size[1] == pytest.approx(2**depth * 0.9 - 0.1)


def test_columns_follow_each_other():
    view = tree(split("a long name", 1, leaf(1, 0), leaf(0, 1)), {"a long name": None})
    layout = lay_out(view)
    assert layout.titles[0] == ["a long name"]
    assert layout.answers == [[], ["<= 1.00"], ["> 1.00"]]
    assert layout.width[0] == pytest.approx(0.01 * 9 * 11 + 0.2)
    assert layout.left.tolist() == [0, *[pytest.approx(layout.width[0] + 0.01 * 7 * 7 + 0.5)] * 2]
    assert lay_out(view, 0.001).width.tolist() == [0.7] * 3  # the least width and two paddings


# ---------------------------------------------------------------- the figure


def test_four_full_levels_are_readable():
    ax = plot.tree(tree(complete(4, (1234, 56)), {"x": None}))
    assert len(boxes(ax)) == 31
    assert_readable(ax)


def test_titles_numbers_and_answers():
    view = tree(split("age", 30.5, leaf(9, 1), leaf(0, 4), missing=1), {"age": None})
    ax = plot.tree(view)
    texts = [text.get_text() for text in ax.texts]
    assert ax.get_title(loc="left") == "Tree with 2 leaves, 14 samples"
    assert {"age", "no (0.83)", "yes (0.83)", "<= 30.50", "> 30.50 or missing"} <= set(texts)
    assert artists(ax, "details-")["details-0"].get_text() == "9 / 5"
    assert artists(ax, "details-")["details-1"].get_text() == "9 / 1   p = 0.005"
    assert not any(" p = " in t.get_text() for t in plot.tree(view, show_p_values=False).texts)
    renamed = plot.tree(view, feature_names=["years"], class_names=["well", "ill"], decimals=1)
    assert {"years", "well (0.8)", "<= 30.5"} <= {text.get_text() for text in renamed.texts}


def test_bars_have_the_shares_of_the_classes():
    ax = plot.tree(tree(split("x", 0, leaf(6, 2), leaf(0, 2)), {"x": None}))
    for node, shares in [("0", [0.6, 0.4]), ("1", [0.75, 0.25]), ("2", [1.0])]:
        bars = [p for p in ax.patches if p.get_gid() == f"bar-{node}"]
        widths = np.array([bar.get_width() for bar in bars])
        assert widths / widths.sum() == pytest.approx(shares)
    colors = {plt.matplotlib.colors.to_hex(b.get_facecolor()).upper() for b in ax.patches
              if b.get_gid() == "bar-2"}  # fmt: skip
    assert colors == {VERMILION}


def test_multiway_and_hyperplane_nodes_with_long_names_are_readable():
    names = [f"a rather long category number {i}" for i in range(14)]
    wide = split("channel", [[name] for name in names], *[leaf(30 + i, i % 3) for i in range(14)])
    sets = split("channel", [names[:6], names[6:]], leaf(10, 2), leaf(3, 4), missing=1)
    weights = {"the_amount_of_the_transaction_in_euro": -0.5, "channel_number_$x$": 1e-7}
    root = split("x" * 60, 1e-9, wide, plane(weights, 12345.678, sets, leaf(4, 0)))
    columns = {"x" * 60: None, "channel": names, **dict.fromkeys(weights)}
    ax = plot.tree(tree(root, columns))
    assert_readable(ax)
    texts = [text.get_text() for text in ax.texts]
    assert "... 4 more branches" in texts
    assert any(text.endswith("or missing") for text in texts)
    assert (
        "-0.500*the_amount_of_the_\ntransaction_in_euro +\n1.00e-07*channel_number_\\$x\\$" in texts
    )


def test_deep_trees_are_cut_with_a_mark():
    view = tree(complete(6), {"x": None})
    ax = plot.tree(view)
    assert len(boxes(ax)) == 31
    assert [t.get_text() for t in ax.texts].count("... 4 leaves") == 16
    assert len(boxes(plot.tree(view, max_depth=None))) == 127
    assert len(boxes(plot.tree(view, max_depth=0))) == 1


def test_many_classes_have_counts_in_one_number_and_one_grey():
    view = tree(split("x", 0, leaf(*range(1, 13)), leaf(*range(12, 0, -1))), {"x": None},
                classes=tuple("abcdefghijkl"))  # fmt: skip
    ax = plot.tree(view)
    assert artists(ax, "details-")["details-0"].get_text() == "156 samples"
    assert "4 others" in [t.get_text() for t in ax.texts]
    assert_readable(ax)


def test_given_axes_are_used_and_texts_become_smaller():
    figure, ax = plt.subplots(figsize=(5, 4))
    view = tree(complete(4), {"x": None})
    assert plot.tree(view, ax=ax) is ax
    assert ax.figure is figure
    assert_readable(ax)
    sizes = {t.get_fontsize() for t in artists(ax, "title-").values()}
    assert sizes.pop() < 6


def test_a_fitted_tree_and_a_single_leaf():
    X = np.arange(40.0).reshape(20, 2)
    model = RareTreeClassifier().fit(X, np.arange(20) % 5 == 0)
    assert_readable(plot.tree(model))
    assert len(boxes(plot.tree(RareTreeClassifier().fit(X, [1] * 20)))) == 1


def test_what_cannot_be_drawn_is_refused():
    forest = RareForestClassifier(2, random_state=0).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match=r"has 2 trees.*plot.tree\(forest.estimators_\[0\]\)"):
        plot.tree(forest)
    with pytest.raises(TypeError, match="fitted RareTreeClassifier"):
        plot.tree(RareTreeClassifier())
    with pytest.raises(TypeError, match="ax must be matplotlib axes"):
        plot.tree(tree(leaf(1, 1), {"x": None}), ax="here")
    with pytest.raises(ValueError, match=r"would be 1024 nodes high.* Set max_depth"):
        plot.tree(tree(complete(10), {"x": None}), max_depth=None)


# ---------------------------------------------------------------- colours and texts


def test_the_rarest_class_is_vermilion():
    assert class_colors([3, 90, 7]) == [VERMILION, BLUE, "#009E73"]
    assert class_colors([5, 5]) == [BLUE, VERMILION]
    assert class_colors([1]) == [VERMILION]
    many = class_colors(range(20, 0, -1))
    assert many.count(GREY) == 12
    assert many[-1] == VERMILION
    assert mixed(["#000000", "#FFFFFF"], [0.5, 0.5], strength=1.0) in ("#808080", "#7F7F7F")


def test_long_texts_are_shortened():
    assert shortened("abc", 3) == "abc"
    assert shortened("a\nlong  text here", 10) == "a long..."
    assert wrapped("one_two_three four", 9, 3) == ["one_two_", "three", "four"]
    assert wrapped("aa bb cc dd ee ff gg", 8, 2) == ["aa bb cc", "dd e ..."]
    assert wrapped("x" * 20, 8, 5) == ["xxxxxxxx", "xxxxxxxx", "xxxx"]
