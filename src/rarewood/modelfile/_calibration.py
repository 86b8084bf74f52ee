"""Classifiers of scikit-learn around others: frozen, calibrated and thresholded."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood.modelfile._archive import ModelFileError
from rarewood.modelfile._models import parameters_from_json, parameters_to_json
from rarewood.modelfile._transformers import floats_from_json, floats_to_json, number
from rarewood.modelfile._values import are_distinct, array_from_json, array_to_json

Write = Callable[[Any], dict[str, Any]]
Read = Callable[[Any], Any]
_MOST_CLASSES = 1000


class Wrapper(NamedTuple):
    """How one class is written, and read."""

    write: Callable[[Any, Write], dict[str, Any]]
    read: Callable[[Any, Read], Any]


def _table_of(model: Any, estimator: Any) -> Any:
    """Set the attributes of a wrapper that come from its fitted estimator."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(model, name, getattr(estimator, name))
    return model


def _stub(classes: NDArray[Any]) -> tuple[Any, NDArray[Any], NDArray[Any]]:
    """Return a fitted classifier with these classes, and the table that it was fitted on."""
    from sklearn.tree import DecisionTreeClassifier

    places = np.repeat(np.arange(len(classes)), 2)
    X, y = places[:, np.newaxis].astype(np.float64), classes[places]
    return DecisionTreeClassifier().fit(X, y), X, y


def _classes(content: Any) -> NDArray[Any]:
    classes = array_from_json(content)
    if not 2 <= len(classes) <= _MOST_CLASSES or not are_distinct(classes.tolist()):
        raise ModelFileError("A calibrated model does not have its classes.")
    return classes


# ---------------------------------------------------------------- frozen estimators


def _frozen_to_json(part: Any, write: Write) -> dict[str, Any]:
    return {"class": "FrozenEstimator", "estimator": write(part.estimator)}


def _frozen_from_json(content: Any, read: Read) -> Any:
    from sklearn.frozen import FrozenEstimator

    return FrozenEstimator(read(content["estimator"]))


# ---------------------------------------------------------------- calibration


def _calibrated_to_json(part: Any, write: Write) -> dict[str, Any]:
    members = [
        {
            "estimator": write(member.estimator),
            "calibrators": [_calibrator_to_json(one) for one in member.calibrators],
        }
        for member in part.calibrated_classifiers_
    ]
    return {
        "class": "CalibratedClassifierCV",
        "parameters": parameters_to_json(part),
        "classes": array_to_json(part.classes_, "A class label"),
        "members": members,
    }


def _calibrated_from_json(content: Any, read: Read) -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.frozen import FrozenEstimator

    parameters = parameters_from_json(content["parameters"], CalibratedClassifierCV)
    classes = _classes(content["classes"])
    tree, X, y = _stub(classes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stub = CalibratedClassifierCV(
            FrozenEstimator(tree), method=parameters["method"], cv=2, ensemble=False
        ).fit(X, y)
    members = [
        _member_from_json(member, stub.calibrated_classifiers_[0], classes, read)
        for member in content["members"]
    ]
    if not members:
        raise ModelFileError("A calibrated model has no members.")
    estimator = members[0].estimator
    model = CalibratedClassifierCV(clone(estimator), **parameters)
    model.classes_ = classes
    model.calibrated_classifiers_ = members
    return _table_of(model, estimator)


def _member_from_json(content: Any, stub: Any, classes: NDArray[Any], read: Read) -> Any:
    """Return a calibrated classifier: a copy of one with other content."""
    estimator = read(content["estimator"])
    # With temperature scaling, scikit-learn numbers texts before it fits the estimator.
    if estimator.classes_.tolist() not in (classes.tolist(), list(range(len(classes)))):
        raise ModelFileError("A calibrated model does not have the classes of its members.")
    found = content["calibrators"]
    if len(found) != len(stub.calibrators):
        raise ModelFileError("A calibrated model does not have a calibrator for each class.")
    member = copy(stub)
    member.estimator, member.classes = estimator, classes
    pairs = zip(found, stub.calibrators, strict=True)
    member.calibrators = [_calibrator_from_json(one, of_stub) for one, of_stub in pairs]
    return member


def _calibrator_to_json(part: Any) -> dict[str, Any]:
    if hasattr(part, "X_thresholds_"):
        what = "A threshold of a calibrator"
        return {
            "x": floats_to_json(part.X_thresholds_, what),
            "y": floats_to_json(part.y_thresholds_, what),
        }
    names = ("a_", "b_") if hasattr(part, "a_") else ("beta_",)
    return {name: float(getattr(part, name)) for name in names}


def _calibrator_from_json(content: Any, stub: Any) -> Any:
    """Return a calibrator: a copy of one of its class with other numbers."""
    part = copy(stub)
    if hasattr(stub, "X_thresholds_"):
        x, y = floats_from_json(content["x"]), floats_from_json(content["y"])
        is_sound = x.shape == y.shape and x.dtype.kind == y.dtype.kind == "f" and len(x)
        if not is_sound or not (np.diff(x) > 0).all() or not np.isfinite(x).all():
            raise ModelFileError("The thresholds of a calibrator do not ascend.")
        if not (np.diff(y) >= 0).all() or not np.isfinite(y).all():
            raise ModelFileError("The probabilities of a calibrator do not ascend.")
        return clone(part).fit(x, y)  # an increasing function is its own isotonic regression
    if sorted(content) != sorted(name for name in ("a_", "b_", "beta_") if hasattr(stub, name)):
        raise ModelFileError("A calibrator does not have the numbers of its method.")
    for name, value in content.items():
        setattr(part, name, number(value))
    return part


# ---------------------------------------------------------------- thresholds


def _fixed_to_json(part: Any, write: Write) -> dict[str, Any]:
    return {
        "class": "FixedThresholdClassifier",
        "parameters": parameters_to_json(part),
        "estimator": write(part.estimator_),
    }


def _fixed_from_json(content: Any, read: Read) -> Any:
    from sklearn.model_selection import FixedThresholdClassifier

    estimator = read(content["estimator"])
    parameters = parameters_from_json(content["parameters"], FixedThresholdClassifier)
    model = FixedThresholdClassifier(clone(estimator), **parameters)
    model.estimator_ = estimator
    return _table_of(model, estimator)


def _tuned_to_json(part: Any, write: Write) -> dict[str, Any]:
    return {
        "class": "TunedThresholdClassifierCV",
        "parameters": parameters_to_json(part),
        "estimator": write(part.estimator_),
        "best_threshold": float(part.best_threshold_),
        "best_score": float(part.best_score_),
    }


def _tuned_from_json(content: Any, read: Read) -> Any:
    from sklearn.model_selection import TunedThresholdClassifierCV

    estimator = read(content["estimator"])
    parameters = parameters_from_json(content["parameters"], TunedThresholdClassifierCV)
    if not isinstance(parameters.get("scoring"), str):
        raise ModelFileError("A tuned threshold has no scoring.")
    tree, X, y = _stub(_classes(array_to_json(estimator.classes_, "A class label")))
    # A fit on a few rows makes the scorer, which knows the positive class.
    model = TunedThresholdClassifierCV(
        tree, scoring=parameters["scoring"], cv="prefit", refit=False, thresholds=2
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    model.set_params(estimator=clone(estimator), **parameters)
    model.estimator_ = estimator
    model.best_threshold_ = number(content["best_threshold"])
    model.best_score_ = number(content["best_score"])
    return _table_of(model, estimator)


WRAPPERS: dict[str, Wrapper] = {
    "CalibratedClassifierCV": Wrapper(_calibrated_to_json, _calibrated_from_json),
    "FixedThresholdClassifier": Wrapper(_fixed_to_json, _fixed_from_json),
    "FrozenEstimator": Wrapper(_frozen_to_json, _frozen_from_json),
    "TunedThresholdClassifierCV": Wrapper(_tuned_to_json, _tuned_from_json),
}
