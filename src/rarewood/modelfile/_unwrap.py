"""What is kept of a model: the tree or forest that predicts, without what only fitting needed."""

from __future__ import annotations

import sys
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from rarewood.modelfile._models import CLASSES

__all__ = ["unwrap"]

_LONGEST = 1000


def unwrap(model: Any) -> tuple[Any, list[str]]:
    """Return the classifier inside samplers, and a line on each sampler that is left out.

    Parameters
    ----------
    model : estimator
        A tree or forest of ours; a ``SamplingWrapperClassifier`` or a pipeline of samplers around
        one.

    Returns
    -------
    classifier : RareTreeClassifier or RareForestClassifier
        Fitted.
    left_out : list of str
        What was around it, outermost first.
    """
    left_out: list[str] = []
    while type(model) not in CLASSES.values():
        if isinstance(model, Pipeline):
            left_out += _steps(model)
            model = model.steps[-1][1]
        elif _is_wrapper(model):
            check_is_fitted(model)
            left_out.append(
                f"SamplingWrapperClassifier: undersample_level_={model.undersample_level_}, "
                f"smote_level_={model.smote_level_}"
            )
            model = model.estimator_
        else:
            raise TypeError(_cannot(type(model).__name__))
    check_is_fitted(model)
    return model, left_out


def _is_wrapper(model: Any) -> bool:
    sampling = sys.modules.get("rarewood.sampling")  # it needs imbalanced-learn: never import it
    return sampling is not None and type(model) is sampling.SamplingWrapperClassifier


def _steps(pipeline: Pipeline) -> list[str]:
    """Return the samplers of a pipeline; an error for a step that predicting needs."""
    samplers = []
    for name, step in pipeline.steps[:-1]:
        if step is None or step == "passthrough":
            continue
        if not hasattr(step, "fit_resample"):
            raise TypeError(
                f"{_cannot('Pipeline')} Its step {name!r} ({type(step).__name__}) changes the "
                "columns when predicting; only samplers are idle then."
            )
        samplers.append(f"{name}: {repr(step)[:_LONGEST]}")
    return samplers


def _cannot(kind: str) -> str:
    return (
        f"rarewood.save cannot keep a {kind}. It keeps RareTreeClassifier, RareForestClassifier, "
        "and either of them in a SamplingWrapperClassifier, after samplers in a pipeline, or in a "
        "ThresholdedClassifier. For other models use skops.io.dump, or joblib.dump if all who open "
        "the file trust you."
    )
