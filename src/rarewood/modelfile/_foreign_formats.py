"""Models of other packages as bytes, each in a format of its package that runs no code."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from rarewood._imports import require
from rarewood.foreign._adapters import YdfClassifier
from rarewood.foreign._classifier import predicting_alike
from rarewood.foreign._lightgbm import LoadedLightGBM
from rarewood.modelfile._archive import ModelFileError

_SKOPS = "rarewood[peers]"


class Format(NamedTuple):
    """How the models of one package become bytes, and bytes a model with the given classes."""

    title: str
    package: str
    write: Callable[[Any], bytes]
    read: Callable[[bytes, NDArray[Any]], Any]


# Classifiers of scikit-learn and imbalanced-learn that a file may contain, by module.
_SKOPS_CLASSIFIERS = {
    "sklearn.ensemble": (
        "ExtraTreesClassifier", "HistGradientBoostingClassifier", "RandomForestClassifier",
    ),
    "sklearn.linear_model": ("LogisticRegression",),
    "imblearn.ensemble": (
        "BalancedBaggingClassifier", "BalancedRandomForestClassifier", "EasyEnsembleClassifier",
        "RUSBoostClassifier",
    ),
}  # fmt: skip
# Types inside them that skops does not know.
_SKOPS_TYPES = frozenset(
    {
        "functools.partial",
        "imblearn.ensemble._bagging.BalancedBaggingClassifier",
        "imblearn.ensemble._easy_ensemble.EasyEnsembleClassifier",
        "imblearn.ensemble._forest.BalancedRandomForestClassifier",
        "imblearn.ensemble._weight_boosting.RUSBoostClassifier",
        "imblearn.pipeline.Pipeline",
        "imblearn.under_sampling._prototype_selection._random_under_sampler.RandomUnderSampler",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.tree._tree.Tree",
        "sklearn.utils.validation.check_array",
    }
)


def _skops() -> Any:
    return require("skops.io", "A model file of scikit-learn or imbalanced-learn", _SKOPS)


def _skops_from_bytes(data: bytes, classes: NDArray[Any]) -> Any:
    library = _skops()
    found = library.get_untrusted_types(data=data)
    if unknown := sorted(set(found) - _SKOPS_TYPES):
        raise ModelFileError(f"It has objects of the type {unknown[0][:80]!r}.")
    model = library.loads(data, trusted=found)
    if _skops_package(model) is None:
        raise ModelFileError(f"It has a {type(model).__name__}, which is not a known classifier.")
    return predicting_alike(model)


def _skops_package(model: Any) -> str | None:
    """Return the package of a classifier of the list; None for another object."""
    package, name = type(model).__module__.split(".")[0], type(model).__name__
    for module, names in _SKOPS_CLASSIFIERS.items():
        if module.split(".")[0] == package and name in names:
            return package if getattr(import_module(module), name) is type(model) else None
    return None


def _xgboost_from_bytes(data: bytes, classes: NDArray[Any]) -> Any:
    model = require("xgboost", "This model", "xgboost").XGBClassifier(n_jobs=1)
    model.load_model(bytearray(data))
    return model


def _catboost_to_bytes(model: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.cbm"
        model.save_model(str(path), format="cbm")
        return path.read_bytes()


def _catboost_from_bytes(data: bytes, classes: NDArray[Any]) -> Any:
    catboost = require("catboost", "This model", "catboost")
    return catboost.CatBoostClassifier().load_model(blob=data, format="cbm")


def _ydf_from_bytes(data: bytes, classes: NDArray[Any]) -> Any:
    model = YdfClassifier()
    model.model_ = require("ydf", "This model", "ydf").deserialize_model(data)
    return model


FORMATS: dict[str, Format] = {
    "lightgbm text": Format(
        "LightGBM", "lightgbm",
        lambda model: model.booster_.model_to_string(num_iteration=-1).encode(),
        lambda data, classes: LoadedLightGBM(data.decode(), classes.tolist()),
    ),
    "xgboost json": Format(
        "XGBoost", "xgboost",
        lambda model: bytes(model.get_booster().save_raw("json")), _xgboost_from_bytes,
    ),
    "catboost cbm": Format("CatBoost", "catboost", _catboost_to_bytes, _catboost_from_bytes),
    "ydf": Format("YDF", "ydf", lambda model: model.model_.serialize(), _ydf_from_bytes),
    "skops sklearn": Format(
        "scikit-learn", "sklearn", lambda model: _skops().dumps(model), _skops_from_bytes
    ),
    "skops imblearn": Format(
        "imbalanced-learn", "imblearn", lambda model: _skops().dumps(model), _skops_from_bytes
    ),
}  # fmt: skip
_CLASSES = {
    "LGBMClassifier": "lightgbm text",
    "LoadedLightGBM": "lightgbm text",
    "XGBClassifier": "xgboost json",
    "CatBoostClassifier": "catboost cbm",
    "YdfClassifier": "ydf",
}


def format_of(model: Any) -> str | None:
    """Return the name of the format of a classifier of another package; None for other objects."""
    package = _skops_package(model)
    if package is not None:
        return f"skops {package}"
    name = _CLASSES.get(type(model).__name__)
    modules = ("rarewood", name.split()[0]) if name else ()
    return name if type(model).__module__.split(".")[0] in modules else None
