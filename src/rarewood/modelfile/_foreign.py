"""Classifiers of other packages in model files.

The parsers of these packages are not hardened, so a file with such a part opens only if its source
is trusted. Everything around it, such as categories and labels, is JSON that is checked as usual.
The bytes of a package are an array of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from rarewood.evaluate._prepare import Preparation
from rarewood.foreign._adapters import EncodedLabels, NativeCategories, PlainNames
from rarewood.foreign._classifier import ForeignClassifier
from rarewood.modelfile._archive import ModelFileError, UntrustedModelError
from rarewood.modelfile._foreign_formats import FORMATS, format_of
from rarewood.modelfile._header import schema_from_json, schema_to_json
from rarewood.modelfile._transformers import (
    MOST_FEATURES,
    transformer_from_json,
    transformer_to_json,
    whole,
)
from rarewood.modelfile._values import are_distinct, array_from_json, array_to_json

FOREIGN, NATIVE = "ForeignClassifier", "native model"
_MOST_ROWS = 2**53


def _native_to_json(part: Any, writer: Any) -> dict[str, Any]:
    if not any(type(one) is ForeignClassifier for one in writer.models):
        raise TypeError(
            f"rarewood.save does not support {type(part).__name__} by itself. Put it, with its "
            "preparation, into a rarewood.foreign.ForeignClassifier, which remembers the columns."
        )
    name = format_of(part) or ""
    package = FORMATS[name].package
    data = np.frombuffer(FORMATS[name].write(part), dtype=np.uint8)
    version = str(import_module(package).__version__)
    writer.packages[package] = version
    return {
        "class": NATIVE,
        "format": name,
        "version": version,
        "classes": array_to_json(np.asarray(part.classes_), "A class label")
        if hasattr(part, "classes_")
        else None,
        "prefix": writer.keep({"bytes": data}),
    }


def _native_from_json(content: Any, reader: Any) -> Any:
    name = content["format"]
    if not isinstance(name, str) or name not in FORMATS:
        raise ModelFileError(f"It has a model of the unknown format {str(name)[:40]!r}.")
    if not reader.trusts_foreign:
        raise UntrustedModelError(
            f"has a model of {FORMATS[name].title}, whose own reader opens it. Unlike the models "
            "of rarewood, it is not safe if the file comes from someone you do not trust. If you "
            "do, open it with `trust_foreign`."
        )
    data = reader.own_arrays(content)["bytes"]
    if data.dtype != np.uint8 or data.ndim != 1:
        raise ModelFileError("A model of another package is not bytes.")
    given = content["classes"]
    classes = np.empty(0) if given is None else array_from_json(given)
    reader.packages[FORMATS[name].package] = str(content["version"])
    return FORMATS[name].read(data.tobytes(), classes)


# ---------------------------------------------------------------- what is around them


def _classifier_to_json(part: Any, writer: Any) -> dict[str, Any]:
    writer.models.append(part)
    return {
        "class": FOREIGN,
        "classes": array_to_json(part.classes_, "A class label"),
        "class_counts": part.class_counts_.tolist(),
        "schema": schema_to_json(part._schema),
        "prefix": writer.keep({"reference": part.reference_}),
        "estimator": writer.write(part.estimator_),
    }


def _classifier_from_json(content: Any, reader: Any) -> Any:
    schema, classes = schema_from_json(content["schema"]), array_from_json(content["classes"])
    if not len(classes) or not are_distinct(classes.tolist()):
        raise ModelFileError("It has no classes, or duplicate classes.")
    counts = [whole(n, 0, _MOST_ROWS) for n in content["class_counts"]]
    if len(counts) != len(classes):
        raise ModelFileError("It does not have one number of training samples per class.")
    reference = reader.own_arrays(content)["reference"]
    sizes = [len(schema.categories[j]) if j in schema.categories else np.inf
             for j in range(schema.n_features)]  # fmt: skip
    if reference.dtype != np.float64 or reference.ndim != 2 or not len(reference):
        raise ModelFileError("It has no reference rows.")
    low, high = np.where(np.isinf(sizes), -np.inf, 0), np.array(sizes)
    if reference.shape[1] != schema.n_features or (reference < low).any():
        raise ModelFileError("Its reference rows do not have its columns.")
    if (reference >= high).any():
        raise ModelFileError("Its reference rows have unknown categories.")
    estimator = reader.read(content["estimator"])
    if len(estimator.classes_) != len(classes):
        raise ModelFileError("It does not have the classes of its model.")
    model = ForeignClassifier(clone(estimator))
    model._keep(estimator, schema, classes, np.array(counts, dtype=np.int64), reference)
    return model


def _preparation_to_json(part: Any, writer: Any) -> dict[str, Any]:
    def written(inner: Any) -> Any:
        return transformer_to_json(inner) if hasattr(inner, "n_features_in_") else None

    return {
        "class": "Preparation",
        "n_features": int(part.n_features_in_),
        "encoder": written(part.encoder_),
        "imputer": written(part.imputer_),
    }


def _preparation_from_json(content: Any, reader: Any) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    part = Preparation()
    part.n_features_in_ = whole(content["n_features"], 1, MOST_FEATURES)
    for name, kind in (("encoder", OneHotEncoder), ("imputer", SimpleImputer)):
        inner = None if content[name] is None else transformer_from_json(content[name])
        if inner is not None and type(inner) is not kind:
            raise ModelFileError(f"Its preparation has a {type(inner).__name__} as {name}.")
        setattr(part, f"{name}_", inner)
    return part


def _encoded_labels_to_json(part: Any, writer: Any) -> dict[str, Any]:
    classes = array_to_json(part.classes_, "A class label")
    return {
        "class": "EncodedLabels",
        "classes": classes,
        "estimator": writer.write(part.estimator_),
    }


def _encoded_labels_from_json(content: Any, reader: Any) -> Any:
    estimator = reader.read(content["estimator"])
    part = EncodedLabels(clone(estimator))
    part.classes_, part.estimator_ = array_from_json(content["classes"]), estimator
    return part


def _native_categories_to_json(part: Any, writer: Any) -> dict[str, Any]:
    classes = array_to_json(part.classes_, "A class label")
    inner = writer.write(part.classifier_)
    return {"class": "NativeCategories", "classes": classes, "classifier": inner}


def _native_categories_from_json(content: Any, reader: Any) -> Any:
    classifier = reader.read(content["classifier"])
    part = NativeCategories(clone(classifier))
    part.classes_, part.classifier_ = array_from_json(content["classes"]), classifier
    return part


class Part(NamedTuple):
    """How a part around a model is written, with a Writer, and read, with a Reader."""

    kind: Any
    write: Callable[[Any, Any], dict[str, Any]]
    read: Callable[[Any, Any], Any]


PARTS: dict[str, Part] = {
    FOREIGN: Part(ForeignClassifier, _classifier_to_json, _classifier_from_json),
    "Preparation": Part(Preparation, _preparation_to_json, _preparation_from_json),
    "PlainNames": Part(
        PlainNames, lambda part, writer: {"class": "PlainNames"}, lambda *_: PlainNames()
    ),
    "EncodedLabels": Part(EncodedLabels, _encoded_labels_to_json, _encoded_labels_from_json),
    "NativeCategories": Part(
        NativeCategories, _native_categories_to_json, _native_categories_from_json
    ),
    NATIVE: Part(None, _native_to_json, _native_from_json),
}


def part_of(part: Any) -> Part | None:
    """Return how an object is written; None if it is not one of this module."""
    found = PARTS.get(type(part).__name__)
    if found is not None and type(part) is found.kind:
        check_is_fitted(part)
        return found
    return PARTS[NATIVE] if format_of(part) is not None else None
