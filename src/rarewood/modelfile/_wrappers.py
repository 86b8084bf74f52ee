"""Wrappers of a tree or a forest: separated from it, as JSON and arrays, and back."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from rarewood import _core
from rarewood._validation import check_parameters
from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._models import (
    CLASSES,
    model_from_json,
    parameters_from_json,
    parameters_to_json,
)
from rarewood.modelfile._trees import Arrays, smallest, whole_numbers
from rarewood.modelfile._values import from_json, number_from_json, to_json

_LONGEST = 1000
_THRESHOLD, _PRIOR = "ThresholdedClassifier", "PriorCorrectedClassifier"
_COUNTS = ("tp", "fp", "fn", "tn")


class Layers(NamedTuple):
    """The parts of a model."""

    classifier: Any
    """The fitted RareTreeClassifier or RareForestClassifier inside."""
    wrappers: list[Any]
    """Wrappers that change its probabilities or labels, outermost first."""
    left_out: list[str]
    """A description of each sampler, which prediction does not need."""


def unwrap(model: Any) -> Layers:
    """Return the parts of a model; a TypeError for a part that a file cannot contain."""
    wrappers: list[Any] = []
    left_out: list[str] = []
    while type(model) not in CLASSES.values():
        kind = kind_of_wrapper(model)
        if isinstance(model, Pipeline):
            left_out += _samplers(model)
            model = model.steps[-1][1]
        elif kind == "SamplingWrapperClassifier":
            check_is_fitted(model)
            levels = f"{model.undersample_level_}, smote_level_={model.smote_level_}"
            left_out.append(f"{kind}: undersample_level_={levels}")
            model = model.estimator_
        elif kind in ("ThresholdedClassifier", "PriorCorrectedClassifier"):
            check_is_fitted(model)
            if any(type(one) is type(model) for one in wrappers):
                raise TypeError(f"rarewood.save does not support a {kind} in another one.")
            wrappers.append(model)
            model = model.estimator_
        elif kind in ("DaskRareTreeClassifier", "DaskRareForestClassifier"):
            model = model.to_local()
        else:
            raise TypeError(_unsupported(type(model).__name__))
    check_is_fitted(model)
    return Layers(model, wrappers, left_out)


def kind_of_wrapper(model: Any) -> str | None:
    """Return the name of a class of rarewood, without importing its package."""
    for package in ("rarewood.sampling", "rarewood.operating", "rarewood.dask"):
        module = sys.modules.get(package)
        name = type(model).__name__
        if module is not None and getattr(module, name, None) is type(model):
            return name
    return None


def _samplers(pipeline: Pipeline) -> list[str]:
    """Return the samplers of a pipeline; an error for a step that prediction needs."""
    samplers = []
    for name, step in pipeline.steps[:-1]:
        if step is None or step == "passthrough":
            continue
        if not hasattr(step, "fit_resample"):
            raise TypeError(
                f"{_unsupported('Pipeline')} Its step {name!r} ({type(step).__name__}) changes the "
                "features for prediction; only samplers are supported."
            )
        samplers.append(f"{name}: {repr(step)[:_LONGEST]}")
    return samplers


def _unsupported(kind: str) -> str:
    return (
        f"rarewood.save does not support {kind}. It supports RareTreeClassifier, "
        "RareForestClassifier and C45Classifier, alone, in a SamplingWrapperClassifier, after "
        "samplers in a pipeline, or in a ThresholdedClassifier or PriorCorrectedClassifier. For "
        "other models use skops.io.dump, or joblib.dump if everyone who opens the file trusts you."
    )


def wrapped_to_json(wrapper: Any, inner: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return the JSON of a wrapper around that of its estimator, and its arrays."""
    if type(wrapper).__name__ == _THRESHOLD:
        return _threshold_to_json(wrapper, inner)
    content = {
        "class": _PRIOR,
        "parameters": parameters_to_json(wrapper),
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
    return wrapper_from_json(content, arrays, inner)


def wrapper_from_json(content: Any, arrays: Mapping[str, NDArray[Any]], estimator: Any) -> Any:
    """Return a wrapper around a fitted estimator."""
    if content["class"] == _THRESHOLD:
        return _threshold_from_json(content, arrays, estimator)
    return _prior_from_json(content, estimator)


def _prior_from_json(content: Any, estimator: Any) -> Any:
    from rarewood.operating import PriorCorrectedClassifier

    parameters = parameters_from_json(content["parameters"], PriorCorrectedClassifier)
    model = PriorCorrectedClassifier(clone(estimator), **parameters)
    check_parameters(model)
    prior = np.array([number_from_json(fraction) for fraction in content["true_prior"]])
    if prior.shape != (len(estimator.classes_),) or abs(prior.sum() - 1) > 1e-6:
        raise ModelFileError("Its true prior does not have one frequency per class.")
    model._keep_estimator(estimator)
    model.true_prior_ = prior
    return model


def _threshold_to_json(model: Any, inner: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return the JSON of a threshold around that of its estimator, and the curve."""
    point, curve = model.operating_point_, model.curve_
    content = {
        "class": _THRESHOLD,
        "parameters": parameters_to_json(model),
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

    parameters = parameters_from_json(content["parameters"], ThresholdedClassifier)
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
        or np.isnan(point.threshold)
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
    n_effective = tuple(number_from_json(n) for n in content["n_effective"])
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
