"""Sphinx extension: formulas as MathML, which browsers draw without a script or a network."""

from docutils import nodes
from latex2mathml.converter import convert


def inline(self, node):
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def display(self, node):
    self.body.append(convert(node.astext(), display="block"))
    raise nodes.SkipNode


def setup(app):
    """Register the renderer; `html_math_renderer` selects it."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
