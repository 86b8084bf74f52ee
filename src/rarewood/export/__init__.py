"""Fitted models in other forms: text, diagrams, plain data for JSON, ONNX and C.

>>> from rarewood import export
>>> sorted(export.__all__)
['export_graphviz', 'export_mermaid', 'export_text', 'to_c', 'to_dict', 'to_onnx']
"""

from rarewood.export._c._export import to_c
from rarewood.export._diagram import export_graphviz, export_mermaid
from rarewood.export._dict import to_dict
from rarewood.export._onnx._export import to_onnx
from rarewood.export._text import export_text

__all__ = ["export_graphviz", "export_mermaid", "export_text", "to_c", "to_dict", "to_onnx"]
