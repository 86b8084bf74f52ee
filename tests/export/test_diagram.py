"""Trees as the texts of diagrams, from trees made by hand.

``RAREWOOD_UPDATE=1 pytest tests/export/test_diagram.py`` writes the golden files again.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from rarewood import RareForestClassifier, RareTreeClassifier, export_graphviz, export_mermaid
from rarewood.export._diagram import _dot, _mermaid
from support.handmade import complete, leaf, plane, split, tree

GOLDEN = Path(__file__).parent / "golden"


def mixed():
    """A cut, a multiway node and a hyperplane; missing values leave the larger branch."""
    root = split(
        "age",
        30.5,
        split("colour", [["green"], ["blue", "red"], []], leaf(40, 0), leaf(9, 3), leaf(1, 1),
              missing=2),
        plane({"age": 0.53, "income": -1.2}, 3.1, leaf(2, 12), leaf(8, 0)),
        missing=1,
    )  # fmt: skip
    return tree(root, {"age": None, "colour": ["blue", "green", "red"], "income": None})


def awkward():
    """Names that mean something to Graphviz or Mermaid."""
    root = split('say "a" & <b>', [["#1; %%", "back\\slash"], ["two\nlines", "`é` *x*"]],
                 split("hairstyle: x", 1.0, leaf(3, 0), leaf(0, 1)), leaf(0, 2))  # fmt: skip
    columns = {
        'say "a" & <b>': ["#1; %%", "back\\slash", "two\nlines", "`é` *x*"],
        "hairstyle: x": None,
    }
    return tree(root, columns, classes=("1. <no>", "end|yes"))


TREES = {
    "mixed": (mixed, {}),
    "awkward": (awkward, {}),
    "cut": (mixed, {"max_depth": 1, "max_children": 2, "rotate": True, "show_p_values": False}),
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize(("export", "suffix"), [(export_graphviz, "dot"), (export_mermaid, "mmd")])
def test_golden_texts(export, suffix, name):
    make, options = TREES[name]
    text = export(make(), **options)
    path = GOLDEN / f"tree_{name}.{suffix}"
    if os.environ.get("RAREWOOD_UPDATE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_deep_and_wide_trees_say_what_is_left_out():
    text = export_graphviz(tree(complete(3), {"x": None}), max_depth=2)
    assert text.count('label="... 2 leaves"') == 4
    assert text.count("style=dashed") == 4
    letters = [chr(97 + i) for i in range(26)]
    leaves = [leaf(10 + i, i == 20) for i in range(26)]
    wide = tree(split("c", [[x] for x in letters], *leaves), {"c": letters})
    text = export_mermaid(wide, max_children=5)
    assert "... 21 more branches" in text
    assert "= u" in text  # the only branch with a row of the rare class is the most telling one
    assert text.count("-->") == 5
    assert export_mermaid(wide).count("-->") == 26


def test_many_classes_are_listed_by_size():
    view = tree(leaf(1, 5, 3, 0, 4, 2), {"x": None}, classes=tuple("abcdef"))
    assert "samples: 5 b, 4 e, 3 c, 2 f, 1 others" in export_graphviz(view)
    assert "class: b (0.29)" in export_graphviz(view)


def test_a_single_leaf_is_a_diagram():
    assert export_graphviz(tree(leaf(3, 1), {"x": None})).count("->") == 0
    assert len(export_mermaid(tree(leaf(3, 1), {"x": None})).splitlines()) == 3


def test_names_and_digits_can_be_chosen():
    text = export_graphviz(
        mixed(), feature_names=["years", "tint", "pay"], class_names=["well", "ill"], decimals=3
    )
    assert '" <= 30.500 "' in text
    assert "0.5300*years - 1.200*pay" in text
    assert "40 well" in text
    with pytest.raises(ValueError, match="feature_names must have 3 names, got 1"):
        export_mermaid(mixed(), feature_names=["a"])


def test_texts_go_to_files(tmp_path):
    path, stream = tmp_path / "tree.dot", io.StringIO()
    assert export_graphviz(awkward(), path) is None
    assert path.read_text(encoding="utf-8") == export_graphviz(awkward())
    assert export_mermaid(awkward(), stream) is None
    assert stream.getvalue() == export_mermaid(awkward())


@pytest.mark.parametrize("export", [export_graphviz, export_mermaid])
def test_what_cannot_be_drawn_is_refused(export):
    forest = RareForestClassifier(3, random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(TypeError, match=rf"has 3 trees.*{export.__name__}\(forest.estimators_\[0"):
        export(forest)
    with pytest.raises(TypeError, match="fitted RareTreeClassifier"):
        export(RareTreeClassifier())
    with pytest.raises(ValueError, match="max_depth must be at least 0"):
        export(mixed(), max_depth=-1)
    with pytest.raises(ValueError, match="max_children must be at least 2"):
        export(mixed(), max_children=1)


def unquoted(text: str) -> str:
    """What Graphviz reads in a quoted string."""
    assert text[0] == text[-1] == '"'
    lines = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), text[1:-1])
    return lines.replace("&amp;", "&")


@pytest.mark.parametrize("text", ['a"b', "a\\", "\\n", "a\nb", "&lt;", "<b>", "é\u2264", "{|}"])
def test_dot_strings_come_back(text):
    assert '"' not in re.sub(r"\\.", "", _dot(text)[1:-1])
    assert "\n" not in _dot(text)
    assert unquoted(_dot(text)) == text


@pytest.mark.parametrize(
    "text",
    ['a"b', "#quot;", "a & b", "<= 3", "`code`", "0.5*a - 1*b", "100%%", "1. x", "- x", "_x_",
     "x_1", "style: #1;", "a\\b", "é|{}[]()", "end", ""],
)  # fmt: skip
def test_mermaid_strings_come_back_and_mean_nothing(text):
    escaped = _mermaid(text)
    bare = re.sub(r"#\d+;", "", escaped)
    assert not set(bare) & set('"#&<>`*\\')
    assert "%%" not in bare
    assert not re.match(r"(\d+[.)]|[-+]) ", escaped)
    assert not re.search(r"(style|classDef).*:", escaped)
    assert re.sub(r"#(\d+);", lambda found: chr(int(found[1])), escaped) == text


def test_names_with_ordinary_underscores_stay_readable():
    assert _mermaid("feature_10 <= 3.50") == "feature_10 #60;= 3.50"


def test_real_trees_can_be_exported():
    X = [[float(i % 7), float(i % 5)] for i in range(60)]
    model = RareTreeClassifier().fit(X, [i % 11 == 0 for i in range(60)])
    for export in (export_graphviz, export_mermaid):
        text = export(model)
        assert text.count("class: ") == model.get_n_leaves()
        assert text == export(model.tree_)
