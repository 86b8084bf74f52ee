"""Fitted trees as text and as diagrams.

>>> from rarewood import export
>>> sorted(export.__all__)
['export_graphviz', 'export_mermaid', 'export_text']
"""

from rarewood.export._diagram import export_graphviz, export_mermaid
from rarewood.export._text import export_text

__all__ = ["export_graphviz", "export_mermaid", "export_text"]
