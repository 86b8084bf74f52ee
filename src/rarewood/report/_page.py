"""The report as one HTML file."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from rarewood._imports import require
from rarewood._version import __version__
from rarewood.modelfile._atomic import replacing
from rarewood.report._summary import FORMAT
from rarewood.report._verdict import inside_sentence

# In this order: later scripts use definitions of earlier ones.
_SCRIPTS = (
    "drawing", "ranking", "operating", "costs", "opening", "curves", "scores", "cases", "main",
)  # fmt: skip
# Characters that could end the element of the data, or a line of a script.
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def _p_value(value: float) -> str:
    if value < 0.0001:
        return "< 1e-300" if value < 1e-300 else f"{value:.1e}"
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}"


def _number(value: float) -> str:
    if 1000 <= abs(value) < 1e9:
        return f"{value:,.0f}"
    return f"{value:.4g}" if value == 0 or abs(value) >= 1e-4 else f"{value:.3g}"


# Formats of numbers in the templates; None is a dash.
_FORMATS: dict[str, Callable[[float], str]] = {
    "count": lambda v: f"{v:,.0f}",
    "number": _number,
    "plain": lambda v: f"{v:.10g}",  # in an input field
    "amount": lambda v: f"{v:.3f}" if abs(v) < 10 else f"{v:,.0f}",
    "percent": lambda v: f"{v:.2%}" if 0 < abs(v) < 0.01 else f"{v:.1%}",
    "ratio": lambda v: f"{v:,.1f}" if v < 100 else f"{v:,.0f}",
    "score": lambda v: f"{v:.3f}" if abs(v) < 100 else f"{v:.4g}",
    "p_value": _p_value,
}


# A number after a comparison, as in the conditions of rules; categories follow "=" or "in".
_COMPARED = re.compile(r"((?:<=|>=|<|>) -?)(\d{5,})")


def _grouped(text: str) -> str:
    """Separate the thousands of the thresholds in a condition."""
    return _COMPARED.sub(lambda found: f"{found[1]}{int(found[2]):,}", text)


def _filter(form: Callable[[float], str]) -> Callable[[float | None], str]:
    return lambda value: "–" if value is None else form(value)


def render(summary: Mapping[str, Any]) -> str:
    """Render a summary as an HTML page.

    Parameters
    ----------
    summary : dict
        Summary by :func:`summarize`, also if read from JSON.

    Returns
    -------
    html : str
        Page with all styles, scripts and data inline. Its content security policy forbids it to
        load anything.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, report
    >>> from rarewood.evaluate import compare
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> results = compare({"hddt": presets.hddt}, {"cancer": (X, y)}, store=None,
    ...                   keep_predictions=True)
    >>> page = report.render(report.summarize(results, X, y))
    >>> page.startswith("<!DOCTYPE html>"), "<title>cancer: " in page
    (True, True)
    """
    if summary.get("format") != FORMAT:
        raise ValueError(
            f"rarewood {__version__} cannot render a summary of format {summary.get('format')!r}; "
            f"expected format {FORMAT}. Create it again with report.summarize."
        )
    summary = {"cases": None, **summary}  # of an earlier version
    jinja2 = require("jinja2", "The report", "rarewood[report]")
    markup = require("markupsafe", "The report", "rarewood[report]").Markup
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("rarewood.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {name: _filter(form) for name, form in _FORMATS.items()}
    environment.filters |= {"grouped": _grouped, "inside": inside_sentence}
    style, script = _static("report.css") + _static("cases.css"), _script()
    html: str = environment.get_template("report.html.j2").render(
        **summary,
        shown=dict(zip(summary["ranking"]["models"], summary["ranking"]["labels"], strict=True)),
        version=__version__,
        style=markup(style),
        script=markup(script),
        policy=_policy(style, script),
        page_data=markup(_embedded(summary)),
    )
    return html


def write(summary: Mapping[str, Any], path: str | os.PathLike[str]) -> Path:
    """Write the page of a summary to a file.

    Parameters
    ----------
    summary : dict
        Summary by :func:`summarize`.
    path : str or Path
        File to write. It is replaced atomically.

    Returns
    -------
    path : Path
        The file.
    """
    text = render(summary)
    with replacing(path, "the report") as part:
        part.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


def _static(name: str) -> str:
    return (files("rarewood.report") / "static" / name).read_text(encoding="utf-8")


def _script() -> str:
    """Return all scripts in one function scope."""
    parts = "\n".join(_static(f"{name}.js") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows only this style and this script."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _embedded(summary: Mapping[str, Any]) -> str:
    """Return the data of the script as JSON that is safe inside an HTML element."""
    names = ("ranking", "models", "chosen", "goal", "opening", "cases")
    needed = {name: summary[name] for name in names}
    needed["importances"] = [one["importances"] for one in summary["explanations"]]
    text = json.dumps(needed, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for letter, code in _UNSAFE.items():
        text = text.replace(letter, code)
    return text
