"""The JSON of a model file: versions, columns, classes, training facts, notes and the model."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from rarewood._version import __version__
from rarewood.modelfile._archive import ModelFileError, UntrustedModelError
from rarewood.modelfile._values import (
    SCALARS,
    are_distinct,
    array_from_json,
    array_to_json,
    from_json,
    to_json,
)
from rarewood.table._columns import column_label
from rarewood.table._schema import Categories, Schema

_FORMAT = "rarewood model"
_VERSION = 5  # the newest


def make_header(
    classifier: Any,
    content: dict[str, Any],
    *,
    target: str | None,
    left_out: list[str],
    notes: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return the JSON of a file, given that of its model."""
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target must be a string, got {target!r}.")
    return {
        "format": _FORMAT,
        "format_version": _format_version(classifier, content),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {
            "rarewood": __version__,
            "numpy": np.__version__,
            "scikit-learn": sklearn.__version__,
            "python": platform.python_version(),
        },
        "target": target,
        "classes": array_to_json(classifier.classes_, "A class label"),
        "training": _training(classifier),
        "left_out": left_out,
        "notes": _plain(notes),
        "schema": schema_to_json(classifier._schema),
        "model": content,
    }


def _format_version(classifier: Any, content: dict[str, Any]) -> int:
    """Return the oldest format that has all that a model needs.

    5: models of other packages. 4: parts of scikit-learn. 3: monotonic constraints. 2: bins.
    """
    if "parts" in content:
        return 5 if "packages" in content else 4
    fitted = classifier._fitted
    trees = fitted.compiled_trees if hasattr(fitted, "compiled_trees") else [fitted.compiled]
    if trees[0].monotonic.size:
        return 3
    return 1 if classifier._schema.bins is None else 2


def _training(classifier: Any) -> dict[str, Any]:
    """Return the number of training samples of nonzero weight, in total and of each class."""
    if hasattr(classifier, "class_counts_"):  # of another package
        counts = classifier.class_counts_.tolist()
    elif hasattr(classifier, "tree_"):
        counts = classifier.tree_.counts[0].tolist()
    else:
        counts = list(classifier.forest_.row_sampling.class_counts)  # unknown in old pickles
    return {"n_rows": sum(counts) if counts else None, "class_counts": counts or None}


def _plain(notes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return notes as they are read back from JSON."""
    if notes is None:
        return {}
    try:
        plain = json.loads(json.dumps(dict(notes), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"notes must be a JSON-serialisable dict of text, finite numbers, booleans, None, "
            f"lists and dicts ({error})."
        ) from error
    return dict(plain)


@contextmanager
def explaining(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn errors of inconsistent content into a ModelFileError with the path.

    Content reaches the constructors and checks of many classes, so any error may be one of it.
    """
    try:
        yield
    except MemoryError:  # sizes are plausible: the model is large, not damaged
        raise
    except UntrustedModelError as error:
        raise UntrustedModelError(f"{path} {error}") from None
    except ImportError as error:
        raise ImportError(f"{path} cannot be opened. {error}") from error
    except Exception as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ModelFileError(
            f"{path} is a damaged model file: {reason[:500].rstrip('.')}. Copy the file again, or "
            "save the model again."
        ) from error


def read_header(
    path: str | os.PathLike[str], header: dict[str, Any]
) -> tuple[Schema, NDArray[Any]]:
    """Return the schema and the classes of a file, if its format is supported."""
    version = header.get("format_version")
    if header.get("format") != _FORMAT or not isinstance(version, int) or version < 1:
        raise ModelFileError(
            f"{path} has a model.json, but is not a model file of rarewood: its format is not "
            f"{_FORMAT!r}."
        )
    if version > _VERSION:
        versions = header.get("versions")
        writer = versions.get("rarewood") if isinstance(versions, dict) else None
        raise ModelFileError(
            f"{path} has format {version} and was written by rarewood {writer or '(unknown)'}; "
            f"this is rarewood {__version__}, which reads up to format {_VERSION}. Update it with: "
            "pip install -U rarewood"
        )
    with explaining(path):
        schema = schema_from_json(header["schema"])
        classes = array_from_json(header["classes"])
        if not len(classes) or not are_distinct(classes.tolist()):
            raise ModelFileError("It has no classes, or duplicate classes.")
    return schema, classes


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """Return the names, kinds and categories of the columns."""
    columns: list[dict[str, Any]] = []
    for index in range(schema.n_features):
        column: dict[str, Any] = {}
        if schema.names is not None:
            column["name"] = str.__str__(schema.names[index])
        column["kind"] = "categorical" if index in schema.categories else "numeric"
        if index in schema.categories:
            what = f"A category of {column_label(index, schema.names)}"
            values = schema.categories[index].values.tolist()
            column["categories"] = [to_json(value, what) for value in values]
        columns.append(column)
    content = {"columns": columns, "by_dtype": schema.by_dtype, "has_missing": schema.has_missing}
    return content if schema.bins is None else content | {"max_bins": schema.bins.max_bins}


def schema_from_json(value: Any) -> Schema:
    """Invert :func:`schema_to_json`."""
    columns = value["columns"]
    names = [column.get("name") for column in columns]
    if any(name is not None for name in names) and not all(isinstance(n, str) for n in names):
        raise ModelFileError("Some of its columns have no name.")
    if not columns or any(column["kind"] not in ("numeric", "categorical") for column in columns):
        raise ModelFileError("It has no columns, or one of an unknown kind.")
    categories = {
        index: _categories(column["categories"])
        for index, column in enumerate(columns)
        if column["kind"] == "categorical"
    }
    return Schema(
        len(columns),
        None if names[0] is None else np.array(names, dtype=object),
        categories,
        by_dtype=bool(value["by_dtype"]),
        has_missing=bool(value["has_missing"]),
    )


def _categories(values: list[Any]) -> Categories:
    decoded = from_json(values)
    if not isinstance(decoded, list) or not all(isinstance(v, (*SCALARS, tuple)) for v in decoded):
        raise ModelFileError("A categorical column has no list of categories.")
    if not are_distinct(decoded):
        raise ModelFileError("A categorical column has duplicate categories.")
    return Categories(decoded)
