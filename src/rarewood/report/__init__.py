"""The report of a comparison: first as data, then as one self-contained HTML file.

:func:`summarize` returns the content of the report as JSON-safe data, :func:`render` turns it into
an HTML page, and :func:`write` writes the page to a file.
"""

from rarewood.report._page import render, write
from rarewood.report._summary import summarize

__all__ = ["render", "summarize", "write"]
