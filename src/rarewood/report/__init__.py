"""The report of a comparison: data first, then one HTML file that needs no network.

:func:`summarize` puts together what there is to say as a dict that JSON can hold, :func:`render`
makes a page of it, and :func:`write` puts that into a file.
"""

from rarewood.report._page import render, write
from rarewood.report._summary import summarize

__all__ = ["render", "summarize", "write"]
