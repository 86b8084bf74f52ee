"""The parts of a model that prediction needs."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from rarewood.modelfile._models import CLASSES

__all__ = ["Layers", "unwrap"]

_LONGEST = 1000


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
        kind = _kind(model)
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


def _kind(model: Any) -> str | None:
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
        f"rarewood.save does not support {kind}. It supports RareTreeClassifier and "
        "RareForestClassifier, alone, in a SamplingWrapperClassifier, after samplers in a "
        "pipeline, or in a ThresholdedClassifier or PriorCorrectedClassifier. For other models use "
        "skops.io.dump, or joblib.dump if everyone who opens the file trusts you."
    )
