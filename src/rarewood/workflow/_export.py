"""A model file as an ONNX graph or as C code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

from rarewood._docstrings import documented
from rarewood.workflow._features import fitted_recipe
from rarewood.workflow._files import check_not_input, check_writable
from rarewood.workflow._model_file import LoadedModel, open_model

_SUFFIXES = (".onnx", ".c")


@documented
def export(
    model: Any,
    out: str | os.PathLike[str],
    *,
    dtype: Literal["float64", "float32"] = "float64",
    inputs: Literal["auto", "matrix", "columns"] = "auto",
    prefix: str = "rarewood",
) -> dict[str, Any]:
    """Export a model file to ONNX or to C, by the suffix of the output.

    The exported model includes a threshold. It takes the features that the model was fitted on: how
    they differ from the columns of the table is in the notes.

    Parameters
    ----------
    {model_file}
    out : path
        File to write, with the suffix ".onnx" or ".c". It is written atomically.
    dtype : {"float64", "float32"}, default="float64"
        Type of numeric inputs, for ONNX.
    inputs : {"auto", "matrix", "columns"}, default="auto"
        Inputs, for ONNX; see :func:`rarewood.export.to_onnx`.
    prefix : str, default="rarewood"
        Beginning of all names, for C.

    Returns
    -------
    facts : dict
        "path", "n_bytes" and "notes".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> folder = Path(tempfile.mkdtemp())
    >>> fitted = workflow.fit("wine", out=folder / "wine.rarewood", pos_label="class_2")
    >>> workflow.export(fitted, folder / "wine.c")["path"].name
    'wine.c'
    """
    from rarewood.export import to_c, to_onnx
    from rarewood.modelfile._atomic import replacing

    suffix = Path(out).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ValueError(f"{out}: expected a name that ends in .onnx or .c.")
    path = check_writable(out)
    loaded = open_model(model)
    check_not_input(path, loaded.path)
    if loaded.is_foreign:
        raise ValueError(
            f"{loaded.path} has a model of another package, which rarewood does not export. Use "
            "the exporters of that package."
        )
    if suffix == ".c":
        data = str(to_c(loaded.model, prefix=prefix)).encode("ascii")
    else:
        data = to_onnx(loaded.model, dtype=dtype, inputs=inputs).SerializeToString()
    with replacing(path, "the export") as temporary:
        temporary.write_bytes(data)
    return {"path": path, "n_bytes": len(data), "notes": _notes(loaded)}


def _notes(loaded: LoadedModel) -> list[str]:
    """Return how features differ from the columns that the model was fitted on."""
    ways = {
        "days": "days since 1970-01-01",
        "boolean": "the text True or False",
    }
    names = [column["name"] for column in loaded.facts["columns"]]
    recipe = fitted_recipe(loaded, names) or []
    return [
        f"the feature {step['name']!r} is given as {ways[step['as']]}"
        for step in recipe
        if step["as"] in ways
    ]
