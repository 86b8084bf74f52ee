"""What is around a tree or a forest and changes what it says: as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood._validation import check_parameters
from rarewood.modelfile._error import ModelFileError
from rarewood.modelfile._models import model_from_json
from rarewood.modelfile._thresholded import threshold_from_json, threshold_to_json
from rarewood.modelfile._trees import Arrays
from rarewood.modelfile._values import from_json, to_json

__all__ = ["wrapped_from_json", "wrapped_to_json"]

_THRESHOLD, _PRIOR = "ThresholdedClassifier", "PriorCorrectedClassifier"


def wrapped_to_json(wrapper: Any, inner: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return a wrapper with the JSON of what is in it; and its arrays."""
    if type(wrapper).__name__ == _THRESHOLD:
        return threshold_to_json(wrapper, inner)
    content = {
        "class": _PRIOR,
        "parameters": {
            name: to_json(getattr(wrapper, name), f"The parameter {name}")
            for name in ("trained_prior", "true_prior")
        },
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
    """Return a model with all that is around it, no wrapper twice."""
    name = content["class"]
    if name not in known:
        return model_from_json(content, arrays, schema, classes)
    others = tuple(one for one in known if one != name)
    inner = wrapped_from_json(content["estimator"], arrays, schema, classes, others)
    if name == _THRESHOLD:
        return threshold_from_json(content, arrays, inner)
    return _prior_from_json(content, inner)


def _prior_from_json(content: Any, estimator: Any) -> Any:
    from rarewood.operating import PriorCorrectedClassifier

    given = {name: from_json(value) for name, value in content["parameters"].items()}
    if set(given) != {"trained_prior", "true_prior"}:
        raise ModelFileError(f"{_PRIOR} has other parameters.")
    model = PriorCorrectedClassifier(clone(estimator), **given)
    check_parameters(model)
    prior = np.array(content["true_prior"], dtype=np.float64)
    if prior.shape != (len(estimator.classes_),) or not ((prior >= 0) & (prior <= 1)).all():
        raise ModelFileError("Its true prior has not a share for each class.")
    model._keep_estimator(estimator)
    model.true_prior_ = prior
    return model
