"""Models as ONNX, C, trees of scikit-learn and plain data predict what the model predicts."""

from fuzz.exports import laws
from fuzz.tables.law import Law, Laws
from fuzz.tables.shrink import smaller
from fuzz.target import Target

EXPORT_LAWS = Laws(
    {
        "onnx": Law(laws.onnx, n=12),
        "c": Law(laws.c),  # a compiler takes a hundred times as long as a fit
        "data": Law(laws.data, "tree forest", 4),
        "scikit-learn": Law(laws.scikit_learn, "tree", 4, table={"categorical": 0.0}),
        "text": Law(laws.text, n=4),
    }
)
EXPORTS = Target(
    "exports",
    "models as ONNX, C, plain data, trees of scikit-learn, text and diagrams",
    EXPORT_LAWS.draw,
    EXPORT_LAWS.check,
    smaller,
    share=0.05,
)
