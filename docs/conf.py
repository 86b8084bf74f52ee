"""Configuration of the documentation; `make docs` builds it."""

import sys
from pathlib import Path

from rarewood import __version__

sys.path.insert(0, str(Path(__file__).parent))
from figures import draw

project = "rarewood"
author = "rarewood developers"
copyright = "2026, rarewood developers"
release = version = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's parameter sections have the types
numpydoc_show_class_members = False  # the template of autosummary lists them
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = f"rarewood {release}"
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_end": ["theme-switcher"],
}
html_sidebars = {"*": []}  # single pages need no list of sections; the reference has one


def setup(app):
    page = Path(app.srcdir) / "gallery.md"
    app.connect("builder-inited", lambda app: draw(page))
