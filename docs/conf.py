"""Configuration of the documentation; `make docs` builds it."""

import sys
from pathlib import Path

from rarewood import __version__

sys.path.insert(0, str(Path(__file__).parent))  # example_order, mathml

project = "rarewood"
author = "rarewood developers"
copyright = "2026, rarewood developers"
release = version = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "mathml",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "generated/backreferences", "tutorial/index.rst"]
templates_path = ["_templates"]

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"  # numpydoc's parameter sections have the types
numpydoc_show_class_members = False  # the template of autosummary lists them
numpydoc_xref_param_type = False

# Each folder of examples becomes a section. All examples run; an error ends the build.
SECTIONS = ["tutorial", "howto", "explanation", "figures"]
sphinx_gallery_conf = {
    "examples_dirs": [f"../examples/{name}" for name in SECTIONS],
    "gallery_dirs": SECTIONS,
    "filename_pattern": r"/(plot|run)_",
    "within_subsection_order": "example_order.position",
    "abort_on_example_error": True,
    "capture_repr": (),  # pages show what is printed, not the value of the last expression
    "doc_module": ("rarewood",),
    "reference_url": {"rarewood": None},
    "backreferences_dir": "generated/backreferences",
    "default_thumb_file": str(Path(__file__).parent / "_static" / "program.svg"),
    "download_all_examples": False,
    "min_reported_time": float("inf"),
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
}

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = f"rarewood {release}"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {
    "logo": {"text": project},
    "footer_start": ["rarewood-version", "copyright"],
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_end": ["theme-switcher"],
    "show_nav_level": 1,
}
html_sidebars = {"index": []}
