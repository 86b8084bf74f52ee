"""``rarewood export``: a model in another format."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rarewood.cli import _options as opt
from rarewood.cli._errors import note


class Dtype(StrEnum):
    """Types of numeric inputs."""

    float64 = "float64"
    float32 = "float32"


class Inputs(StrEnum):
    """Inputs of an ONNX graph."""

    auto = "auto"
    matrix = "matrix"
    columns = "columns"


_OUT = "Output file: .onnx for ONNX, .c for C99."
_INPUTS = (
    "Inputs of ONNX: one matrix, or one input per column, which takes raw categories. Default: "
    "columns if one is categorical."
)


def export(
    model: opt.ModelFile,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help=_OUT)],
    dtype: Annotated[Dtype, typer.Option(help="Numeric inputs of ONNX.")] = Dtype.float64,
    inputs: Annotated[Inputs, typer.Option(help=_INPUTS)] = Inputs.auto,
    prefix: Annotated[
        str, typer.Option(metavar="NAME", help="Beginning of the names in C.")
    ] = "rarewood",
) -> None:
    """Export a model to ONNX or to C, for use without Python."""
    from rarewood import workflow

    found = workflow.export(model, out, dtype=dtype.value, inputs=inputs.value, prefix=prefix)
    for text in found["notes"]:
        note(f"note: {text}")
    note(f"wrote {found['path']} ({found['n_bytes']:,} bytes)")
