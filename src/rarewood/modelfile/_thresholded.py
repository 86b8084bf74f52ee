"""A ThresholdedClassifier around a tree or a forest as JSON and arrays, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood import _core
from rarewood._validation import check_parameters
from rarewood.modelfile._error import ModelFileError
from rarewood.modelfile._trees import Arrays, smallest, whole_numbers
from rarewood.modelfile._values import from_json, to_json

if TYPE_CHECKING:
    from rarewood.operating import OperatingPoint

__all__ = ["threshold_from_json", "threshold_to_json"]

_NAME = "ThresholdedClassifier"
_PARAMETERS = (
    "by", "cv", "pos_label", "response_method", "unreachable", "n_bootstrap", "confidence",
    "random_state", "n_jobs",
)  # fmt: skip
_COUNTS = ("tp", "fp", "fn", "tn")


def threshold_to_json(model: Any, inner: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return what is around an estimator, whose own JSON is ``inner``; and the curve."""
    parameters = {
        name: _value_to_json(getattr(model, name), f"The parameter {name}") for name in _PARAMETERS
    }
    point, curve = model.operating_point_, model.curve_
    content = {
        "class": _NAME,
        "parameters": parameters,
        "operating_point": {
            field.name: _value_to_json(getattr(point, field.name), field.name)
            for field in fields(point)
        },
        "n_effective": [to_json(n, "n_effective") for n in curve.n_effective],
        "estimator": inner,
    }
    arrays = {f"curve_{name}": smallest(getattr(curve, name)) for name in _COUNTS}
    return content, {"curve_threshold": curve.threshold, **arrays}


def threshold_from_json(content: Any, arrays: Mapping[str, NDArray[Any]], estimator: Any) -> Any:
    """Return the model that :func:`threshold_to_json` was given, around a fitted estimator."""
    from rarewood.operating import ThresholdedClassifier

    given = content["parameters"]
    unknown = sorted(set(given) - set(_PARAMETERS))
    if unknown:
        raise ModelFileError(f"{_NAME} has no parameters {unknown[:5]}.")
    parameters = {name: _value_from_json(value) for name, value in given.items()}
    is_prefit = parameters.get("cv") == "prefit"
    model = ThresholdedClassifier(estimator if is_prefit else clone(estimator), **parameters)
    check_parameters(model)
    point = _point(content["operating_point"])
    classes = estimator.classes_.tolist()
    if (
        len(classes) != 2
        or point.pos_label not in classes
        or not isinstance(point.threshold, float)
    ):
        raise ModelFileError("Its threshold does not belong to one of two classes.")
    model._keep(estimator, _curve(content, arrays, point.pos_label), point)
    return model


def _records() -> dict[str, Any]:
    """Return the classes of :mod:`rarewood.operating` that a file can contain, by name."""
    from rarewood.operating._achieved import Achieved
    from rarewood.operating._confusion import Confusion
    from rarewood.operating._limits import AlertBudget, PrecisionFloor, RecallFloor
    from rarewood.operating._rules import BestF, GivenThreshold, LowestCost

    rules = [AlertBudget, BestF, GivenThreshold, LowestCost, PrecisionFloor, RecallFloor]
    return {one.__name__: one for one in (*rules, Achieved, Confusion)}


def _value_to_json(value: Any, what: str) -> Any:
    """Like :func:`to_json`, for rules, counts and measures too."""
    kind = type(value).__name__
    if _records().get(kind) is not type(value):
        return to_json(value, what)
    return {"type": "record", "class": kind, "values": _fields_to_json(value)}


def _fields_to_json(value: Any) -> dict[str, Any]:
    return {one.name: to_json(getattr(value, one.name), one.name) for one in fields(value)}


def _value_from_json(value: Any) -> Any:
    if not isinstance(value, dict) or value.get("type") != "record":
        return from_json(value)
    record = _records().get(value["class"])
    if record is None:
        raise ModelFileError(f"It has a record of the unknown class {str(value['class'])[:40]!r}.")
    return record(**{name: from_json(item) for name, item in value["values"].items()})


def _point(content: Any) -> OperatingPoint:
    from rarewood.operating import OperatingPoint

    return OperatingPoint(**{name: _value_from_json(value) for name, value in content.items()})


def _curve(content: Any, arrays: Mapping[str, NDArray[Any]], pos_label: Any) -> Any:
    from rarewood.operating import OperatingCurve

    threshold = arrays["curve_threshold"]
    counts = {}
    for name in _COUNTS:
        array = arrays[f"curve_{name}"]
        counts[name] = array if array.dtype == np.float64 else whole_numbers(array, np.int64, name)
    if threshold.dtype != np.float64 or threshold.ndim != 1 or not len(threshold):
        raise ModelFileError("Its curve has no thresholds.")
    if any(array.shape != threshold.shape for array in counts.values()):
        raise ModelFileError("Its curve has not one count for every threshold.")
    if not (np.diff(threshold) < 0).all() or not _are_running(counts):
        raise ModelFileError("Its curve does not count what falling thresholds find.")
    n_effective = tuple(float(from_json(n)) for n in content["n_effective"])
    if len(n_effective) != 2 or not all(n > 0 for n in n_effective):
        raise ModelFileError("Its curve says nothing of its rows.")
    return OperatingCurve(
        **counts,
        threshold=threshold,
        pos_label=pos_label,
        n_effective=(n_effective[0], n_effective[1]),
    )


def _are_running(counts: dict[str, NDArray[Any]]) -> bool:
    """Whether alerts begin at none, only grow, and the rows of both kinds stay as many."""
    for found, missed in (("tp", "fn"), ("fp", "tn")):
        alerts, total = counts[found], counts[found] + counts[missed]
        is_sound = (
            np.isfinite(total).all()
            and alerts[0] == 0 < total[0]
            and (np.diff(alerts) >= 0).all()
            and counts[missed].min() >= 0
            and np.allclose(total, total[0], rtol=1e-9)
            and total[0] <= _core.MAX_ROWS * 2**20  # weights may be large, but not absurd
        )
        if not is_sound:
            return False
    return True
