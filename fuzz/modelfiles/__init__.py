"""Golden model files, mutated: loading works or raises ModelFileError, in bounded time."""

from fuzz.modelfiles.check import check
from fuzz.modelfiles.mutations import draw, smaller
from fuzz.target import Target

MODEL_FILES = Target(
    "modelfiles",
    "mutated model files: bytes, members of the zip, JSON and headers of arrays",
    draw,
    check,
    smaller,
    share=0.33,
)
