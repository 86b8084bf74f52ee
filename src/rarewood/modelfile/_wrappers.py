"""Wrappers of a tree or a forest as JSON and arrays, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood import _core
from rarewood._validation import check_parameters
from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._models import model_from_json
from rarewood.modelfile._trees import Arrays, smallest, whole_numbers
from rarewood.modelfile._values import from_json, parameters_to_json, to_json

__all__ = ["wrapped_from_json", "wrapped_to_json"]

_THRESHOLD, _PRIOR = "ThresholdedClassifier", "PriorCorrectedClassifier"
_PARAMETERS = (
    "by", "cv", "pos_label", "response_method", "unreachable", "n_bootstrap", "confidence",
    "random_state", "n_jobs",
)  # fmt: skip
_COUNTS = ("tp", "fp", "fn", "tn")


def wrapped_to_json(wrapper: Any, inner: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return the JSON of a wrapper around that of its estimator, and its arrays."""
    if type(wrapper).__name__ == _THRESHOLD:
        return _threshold_to_json(wrapper, inner)
    content = {
        "class": _PRIOR,
        "parameters": parameters_to_json(wrapper, ("trained_prior", "true_prior")),
        "true_prior": wrapper.true_prior_.tolist(),
        "estimator": inner,
    }
    return content, {}


def wrapped_from_json(
    content: Any,
    arrays: Mapping[str, NDArray[Any]],
    schema: Any,
    classes: NDArray[Any],
    known: tuple[str, ...] = (_THRESHOLD, _PRIOR),
) -> Any:
    """Return a model with its wrappers, none of them twice."""
    name = content["class"]
    if name not in known:
        return model_from_json(content, arrays, schema, classes)
    others = tuple(one for one in known if one != name)
    inner = wrapped_from_json(content["estimator"], arrays, schema, classes, others)
    if name == _THRESHOLD:
        return _threshold_from_json(content, arrays, inner)
    return _prior_from_json(content, inner)


def _prior_from_json(content: Any, estimator: Any) -> Any:
    from rarewood.operating import PriorCorrectedClassifier

    given = {name: from_json(value) for name, value in content["parameters"].items()}
    if set(given) != {"trained_prior", "true_prior"}:
        raise ModelFileError(f"Its parameters are not those of {_PRIOR}.")
    model = PriorCorrectedClassifier(clone(estimator), **given)
    check_parameters(model)
    prior = np.array(content["true_prior"], dtype=np.float64)
    if prior.shape != (len(estimator.classes_),) or not ((prior >= 0) & (prior <= 1)).all():
        raise ModelFileError("Its true prior does not have one frequency per class.")
    model._keep_estimator(estimator)
    model.true_prior_ = prior
    return model


def _threshold_to_json(model: Any, inner: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return the JSON of a threshold around that of its estimator, and the curve."""
    point, curve = model.operating_point_, model.curve_
    content = {
        "class": _THRESHOLD,
        "parameters": parameters_to_json(model, _PARAMETERS),
        "operating_point": {
            field.name: to_json(getattr(point, field.name), field.name) for field in fields(point)
        },
        "n_effective": [to_json(n, "n_effective") for n in curve.n_effective],
        "estimator": inner,
    }
    arrays = {f"curve_{name}": smallest(getattr(curve, name)) for name in _COUNTS}
    return content, {"curve_threshold": curve.threshold, **arrays}


def _threshold_from_json(content: Any, arrays: Mapping[str, NDArray[Any]], estimator: Any) -> Any:
    """Invert :func:`_threshold_to_json`, around a fitted estimator."""
    from rarewood.operating import OperatingPoint, ThresholdedClassifier

    given = content["parameters"]
    unknown = sorted(set(given) - set(_PARAMETERS))
    if unknown:
        raise ModelFileError(f"{_THRESHOLD} has no parameters {unknown[:5]}.")
    parameters = {name: from_json(value) for name, value in given.items()}
    is_prefit = parameters.get("cv") == "prefit"
    model = ThresholdedClassifier(estimator if is_prefit else clone(estimator), **parameters)
    check_parameters(model)
    stored = content["operating_point"]
    point = OperatingPoint(**{name: from_json(value) for name, value in stored.items()})
    classes = estimator.classes_.tolist()
    if (
        len(classes) != 2
        or point.pos_label not in classes
        or not isinstance(point.threshold, float)
    ):
        raise ModelFileError("Its threshold does not belong to one of two classes.")
    model._keep(estimator, _curve(content, arrays, point.pos_label), point)
    return model


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
        raise ModelFileError("Its curve does not have one count per threshold.")
    if not (np.diff(threshold) < 0).all() or not _are_running(counts):
        raise ModelFileError("The counts of its curve are inconsistent.")
    n_effective = tuple(float(from_json(n)) for n in content["n_effective"])
    if len(n_effective) != 2 or not all(n > 0 for n in n_effective):
        raise ModelFileError("Its curve has invalid sample sizes.")
    return OperatingCurve(
        **counts,
        threshold=threshold,
        pos_label=pos_label,
        n_effective=(n_effective[0], n_effective[1]),
    )


def _are_running(counts: dict[str, NDArray[Any]]) -> bool:
    """Whether alerts start at 0 and do not fall, with constant totals of both classes."""
    for found, missed in (("tp", "fn"), ("fp", "tn")):
        alerts, total = counts[found], counts[found] + counts[missed]
        is_sound = (
            np.isfinite(total).all()
            and alerts[0] == 0 < total[0]
            and (np.diff(alerts) >= 0).all()
            and counts[missed].min() >= 0
            and np.allclose(total, total[0], rtol=1e-9)
            and total[0] <= _core.MAX_ROWS * 2**20  # a generous limit of weights
        )
        if not is_sound:
            return False
    return True
