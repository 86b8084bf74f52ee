"""The JSON of a model file but for the model: versions, columns, classes, training facts, notes."""

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
from rarewood.modelfile._error import ModelFileError
from rarewood.modelfile._schema_json import schema_from_json, schema_to_json
from rarewood.modelfile._values import array_from_json, array_to_json
from rarewood.table._schema import Schema
from rarewood.tree import RareTreeClassifier

__all__ = ["explaining", "make_header", "read_header"]

_FORMAT = "rarewood model"
_VERSION = 1
_DAMAGE = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, MemoryError)


def make_header(
    classifier: Any,
    content: dict[str, Any],
    *,
    target: str | None,
    left_out: list[str],
    notes: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return the JSON of a file for a tree or a forest, with its own JSON inside."""
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target must be a name, got {target!r}.")
    return {
        "format": _FORMAT,
        "format_version": _VERSION,
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


def _training(classifier: Any) -> dict[str, Any]:
    """Return how many rows of each class the model was fitted on, those of weight zero left out."""
    if isinstance(classifier, RareTreeClassifier):
        counts = classifier.tree_.counts[0].tolist()
    else:
        counts = list(classifier.forest_.sample.class_counts)  # not known to an old pickle
    return {"n_rows": sum(counts) if counts else None, "class_counts": counts or None}


def _plain(notes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return notes as they will come back from JSON."""
    if notes is None:
        return {}
    try:
        plain = json.loads(json.dumps(dict(notes), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"notes must be a dict of what JSON can hold: text, finite numbers, booleans, None, "
            f"lists and dicts ({error})."
        ) from error
    return dict(plain)


@contextmanager
def explaining(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say of which file it is that its content does not fit together."""
    try:
        yield
    except (*_DAMAGE, RecursionError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ModelFileError(
            f"{path} is a damaged model file: {reason[:500].rstrip('.')}. Get the file again, or "
            "save the model again."
        ) from error


def read_header(
    path: str | os.PathLike[str], header: dict[str, Any]
) -> tuple[Schema, NDArray[Any]]:
    """Return the columns and the classes of a file in a format that we know."""
    version = header.get("format_version")
    if header.get("format") != _FORMAT or not isinstance(version, int) or version < 1:
        raise ModelFileError(
            f"{path} is a zip with a model.json, but not a model file of rarewood: it does not say "
            f"that its format is {_FORMAT!r}."
        )
    if version > _VERSION:
        versions = header.get("versions")
        writer = versions.get("rarewood") if isinstance(versions, dict) else None
        raise ModelFileError(
            f"{path} has format {version} and was written by rarewood {writer or 'of later'}; this "
            f"is rarewood {__version__}, which reads up to format {_VERSION}. Update it: "
            "pip install -U rarewood."
        )
    with explaining(path):
        schema = schema_from_json(header["schema"])
        classes = array_from_json(header["classes"])
        if not len(classes) or len(set(classes.tolist())) < len(classes):
            raise ModelFileError("It has no classes, or one of them twice.")
    return schema, classes
