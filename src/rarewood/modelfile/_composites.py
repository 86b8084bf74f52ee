"""Models that contain parts of scikit-learn: pipelines, calibrated and thresholded classifiers.

Parts are JSON objects in each other. The arrays of each model of rarewood have a prefix of their
own. Only parts of a closed list are written, and only these are ever created: parts of scikit-learn
without a public constructor for their state come from a fit on a few rows, see ``_transformers``.
"""

from __future__ import annotations

import os
import string
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from rarewood.modelfile import _calibration, _column_transformer
from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._bins import with_bins
from rarewood.modelfile._header import schema_from_json, schema_to_json
from rarewood.modelfile._models import CLASSES, model_from_json, model_to_json
from rarewood.modelfile._transformers import (
    MOST_FEATURES,
    TRANSFORMERS,
    kind_of,
    transformer_from_json,
    transformer_to_json,
    whole,
)
from rarewood.modelfile._trees import Arrays
from rarewood.modelfile._values import are_distinct, array_from_json, array_to_json
from rarewood.modelfile._wrappers import kind_of_wrapper, wrapped_to_json, wrapper_from_json

_MOST_DEPTH, _MOST_PARTS = 20, 500
_OURS = ("ThresholdedClassifier", "PriorCorrectedClassifier")
_MODEL, _FOREIGN = "model", "ForeignClassifier"
# The parts of models of other packages: see _foreign.
_FOREIGN_PARTS = (
    _FOREIGN, "Preparation", "PlainNames", "EncodedLabels", "NativeCategories", "native model",
)  # fmt: skip


def is_composite(model: Any) -> bool:
    """Whether a model has parts of scikit-learn that prediction needs."""
    while True:
        if _wrapper_of(model) is not None:
            return True
        if isinstance(model, Pipeline):
            steps = [step for _, step in model.steps[:-1]]
            if any(not _is_passed(step) and not hasattr(step, "fit_resample") for step in steps):
                return True
            model = model.steps[-1][1]
        elif kind_of_wrapper(model) is not None and hasattr(model, "estimator_"):
            model = model.estimator_
        else:
            return _foreign_part(model) is not None


def _wrapper_of(model: Any) -> str | None:
    """Return the name of a classifier of scikit-learn around others, if it is one of the list."""
    name = type(model).__name__
    is_known = name in _calibration.WRAPPERS and type(model).__module__.startswith("sklearn.")
    return name if is_known else None


def _foreign_part(model: Any) -> Any:
    """Return how a part of a model of another package is written; None for other objects."""
    if type(model) in CLASSES.values():
        return None
    from rarewood.modelfile._foreign import part_of  # its imports are needed for such models only

    return part_of(model)


def _is_passed(step: Any) -> bool:
    return step is None or (isinstance(step, str) and step == "passthrough")


def _prefixes() -> Iterator[str]:
    """Yield a_, b_, ..., aa_, ab_, ..."""
    letters = string.ascii_lowercase
    yield from (f"{one}_" for one in letters)
    yield from (f"{one}{two}_" for one in letters for two in letters)


@dataclass
class Writer:
    """Parts as JSON; it gathers their arrays, the models inside, and the packages of others."""

    keep_rows: bool
    arrays: Arrays = field(default_factory=dict)
    models: list[Any] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    packages: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._prefixes = _prefixes()

    def write(self, part: Any) -> dict[str, Any]:
        """Return the JSON of a fitted part; a TypeError for one that a file cannot contain."""
        name = _wrapper_of(part)
        if name is not None:
            check_is_fitted(part)
            return _calibration.WRAPPERS[name].write(part, self.write)
        if isinstance(part, Pipeline):
            return self._pipeline(part)
        if _column_transformer.is_one(part):
            return _column_transformer.to_json(part, self.write)
        foreign = _foreign_part(part)
        if foreign is not None:
            written: dict[str, Any] = foreign.write(part, self)
            return written
        if kind_of(part) is not None:
            check_is_fitted(part)
            return transformer_to_json(part)
        return self._model(part)

    def _model(self, part: Any) -> dict[str, Any]:
        kind = kind_of_wrapper(part)
        if kind in _OURS:
            check_is_fitted(part)
            content, arrays = wrapped_to_json(part, self.write(part.estimator_))
            return {**content, "prefix": self.keep(arrays)}
        if kind == "SamplingWrapperClassifier":
            check_is_fitted(part)
            self.left_out.append(kind)
            return self.write(part.estimator_)
        if kind is not None:  # of Dask
            return self.write(part.to_local())
        if type(part) not in CLASSES.values():
            known = sorted((*TRANSFORMERS, "ColumnTransformer", *_calibration.WRAPPERS))
            raise TypeError(
                f"rarewood.save does not support {type(part).__name__} as a part of a model. Of "
                f"scikit-learn it supports Pipeline, {', '.join(known)}. For others use "
                "skops.io.dump, or joblib.dump if everyone who opens the file trusts you."
            )
        check_is_fitted(part)
        self.models.append(part)
        content, arrays = model_to_json(part, keep_rows=self.keep_rows)
        return {
            "class": _MODEL,
            "prefix": self.keep(arrays),
            "classes": array_to_json(part.classes_, "A class label"),
            "schema": schema_to_json(part._schema),
            "content": content,
        }

    def keep(self, arrays: Arrays) -> str:
        """Add arrays, and return the prefix of their names."""
        prefix = next(self._prefixes)
        self.arrays |= {prefix + name: array for name, array in arrays.items()}
        return prefix

    def _pipeline(self, part: Pipeline) -> dict[str, Any]:
        if part.memory is not None or part.transform_input is not None:
            raise TypeError(
                "rarewood.save does not support a Pipeline with memory or transform_input."
            )
        steps: list[Any] = []
        for name, step in part.steps:
            if not _is_passed(step) and hasattr(step, "fit_resample"):
                self.left_out.append(f"{name}: {type(step).__name__}")
                continue
            steps.append([name, None if _is_passed(step) else self.write(step)])
        if len(steps) == 1 < len(part.steps):  # only samplers before the model
            inner: dict[str, Any] = steps[0][1]
            return inner
        return {"class": "Pipeline", "steps": steps, "verbose": bool(part.verbose)}


@dataclass
class Reader:
    """Parts from JSON, with limits of their number and of their depth."""

    arrays: Mapping[str, NDArray[Any]]
    trusts_foreign: bool = False
    n_parts: int = 0
    depth: int = 0
    packages: dict[str, str] = field(default_factory=dict)

    def read(self, content: Any) -> Any:
        """Invert :meth:`Writer.write`."""
        self.n_parts += 1
        self.depth += 1
        if self.n_parts > _MOST_PARTS or self.depth > _MOST_DEPTH:
            raise ModelFileError("It has too many parts.")
        part = self._read(content)
        if type(part).__module__.startswith("sklearn.") and hasattr(part, "_parameter_constraints"):
            part._validate_params()  # as fit does; what a method expects of its parameters
        self.depth -= 1
        return part

    def _read(self, content: Any) -> Any:
        name = content["class"]
        if not isinstance(name, str):
            raise ModelFileError("A part of it has no class.")
        if name == _MODEL:
            return self._model(content)
        if name in _OURS:
            inner = self.read(content["estimator"])
            return wrapper_from_json(content, self.own_arrays(content), inner)
        if name in _calibration.WRAPPERS:
            return _calibration.WRAPPERS[name].read(content, self.read)
        if name == "Pipeline":
            return self._pipeline(content)
        if name == "ColumnTransformer":
            return _column_transformer.from_json(content, self.read)
        if name in TRANSFORMERS:
            return transformer_from_json(content)
        if name in _FOREIGN_PARTS:
            from rarewood.modelfile._foreign import PARTS

            return PARTS[name].read(content, self)
        raise ModelFileError(f"It has a part of the unknown class {name[:60]!r}.")

    def own_arrays(self, content: Any) -> Arrays:
        """Return the arrays of a part."""
        prefix = content["prefix"]
        if not isinstance(prefix, str) or not prefix:
            raise ModelFileError("A part of it has no arrays.")
        return {
            name[len(prefix) :]: array
            for name, array in self.arrays.items()
            if name.startswith(prefix)
        }

    def _model(self, content: Any) -> Any:
        arrays, schema = self.own_arrays(content), schema_from_json(content["schema"])
        classes = array_from_json(content["classes"])
        if not len(classes) or not are_distinct(classes.tolist()):
            raise ModelFileError("It has no classes, or duplicate classes.")
        if "max_bins" in content["schema"]:
            schema = with_bins(schema, content["schema"]["max_bins"], arrays)
        return model_from_json(content["content"], arrays, schema, classes)

    def _pipeline(self, content: Any) -> Pipeline:
        steps = []
        for name, step in content["steps"]:
            if not isinstance(name, str):
                raise ModelFileError("A step of a pipeline has no name.")
            steps.append((name, "passthrough" if step is None else self.read(step)))
        if not steps or not are_distinct([name for name, _ in steps]):
            raise ModelFileError("A pipeline has no steps, or two of the same name.")
        return Pipeline(steps, verbose=content["verbose"] is True)


def first_model(writer: Writer) -> Any:
    """Return the first model among the parts that describes its columns."""
    if not writer.models:
        raise TypeError("rarewood.save needs a model of rarewood among the parts; there is none.")
    return writer.models[0]


def columns_of(header: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the columns that a model takes, as far as a file tells."""
    part = header["model"].get("parts")
    while part is not None and part["class"] not in (_MODEL, _FOREIGN):
        if part["class"] == "Pipeline":
            part = next(step for _, step in part["steps"] if step is not None)
        elif "estimator" in part:
            part = part["estimator"]
        elif "members" in part:
            part = part["members"][0]["estimator"]
        else:
            names = part["names"] or [None] * whole(part["n_features"], 0, MOST_FEATURES)
            return [{"name": name, "kind": "unknown"} for name in names]
    found: list[dict[str, Any]] = (header if part is None else part)["schema"]["columns"]
    return found


def tell_version(path: str | os.PathLike[str], written: Mapping[str, Any]) -> None:
    """Warn if parts of scikit-learn or imbalanced-learn are of another version than this one.

    ``written`` are versions by the name of the module, compared by their first two numbers.
    """
    titles = {"sklearn": "scikit-learn", "imblearn": "imbalanced-learn"}
    for package in titles.keys() & written.keys():
        version, own = str(written[package])[:20], str(import_module(package).__version__)
        if version.split(".")[:2] != own.split(".")[:2]:
            warnings.warn(
                f"{path} has parts of {titles[package]} {version}, and this is {own}: their "
                "predictions may differ. Save the model again with this version, or load it with "
                "the other one.",
                stacklevel=3,
            )
