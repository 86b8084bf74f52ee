"""describe: what is in a model file, without the model."""

from __future__ import annotations

import os
from typing import Any

from rarewood.modelfile._archive import read_json
from rarewood.modelfile._header import explaining, read_header
from rarewood.modelfile._values import from_json

__all__ = ["describe"]


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Tell what is in a model file, without the model.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    facts : dict
        "created", "versions", "class" of the estimator, "target", "classes" (a list), "columns"
        (a list of dicts with "name", "kind" and, if nominal, "categories"), "training" ("n_rows",
        "class_counts"), "threshold" and "pos_label" (None without a threshold), "left_out"
        (samplers) and "notes".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rarewood
    >>> model = rarewood.RareTreeClassifier().fit([[0.0], [1.0], [1.0]], ["no", "yes", "yes"])
    >>> path = Path(tempfile.mkdtemp()) / "small.rarewood"
    >>> rarewood.save(model, path, notes={"why": "an example"})
    >>> facts = rarewood.modelfile.describe(path)
    >>> facts["classes"], facts["training"]["class_counts"], facts["notes"]
    (['no', 'yes'], [1, 2], {'why': 'an example'})
    """
    header = read_json(path)
    schema, classes = read_header(path, header)
    columns: list[dict[str, Any]] = []
    for index in range(schema.n_features):
        column = {"name": None if schema.names is None else schema.names[index], "kind": "numeric"}
        if index in schema.categories:
            column |= {"kind": "nominal", "categories": schema.categories[index].values.tolist()}
        columns.append(column)
    with explaining(path):
        point = header["model"].get("operating_point", {})
        kept = ("created", "versions", "target", "training", "left_out", "notes")
        return {
            **{name: header[name] for name in kept},
            "class": header["model"]["class"],
            "threshold": point.get("threshold"),
            "pos_label": from_json(point.get("pos_label")),
            "classes": classes.tolist(),
            "columns": columns,
        }
