"""What prediction needs of a fitted model, taken out of its wrappers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SUPPORTED = (
    "a fitted RareTreeClassifier, RareForestClassifier, C45Classifier or Dask estimator, also in a "
    "ThresholdedClassifier, PriorCorrectedClassifier or SamplingWrapperClassifier, or after "
    "samplers in a pipeline"
)


@dataclass(frozen=True)
class Correction:
    """A correction of probabilities: each is multiplied by its ratio, then rows are normalised."""

    ratio: NDArray[np.float64]
    true_prior: NDArray[np.float64]
    """Probabilities of a row whose products are all zero."""


@dataclass(frozen=True)
class Scorer:
    """Trees whose mean is corrected, and the threshold of the decision."""

    trees: list[Any]
    """Fitted trees; a single one may be a FractionalTree."""
    schema: Any
    classes: NDArray[Any]
    corrections: list[Correction]
    threshold: tuple[int, float] | None
    """Number of the positive class, and its lowest probability; None: the most probable class."""

    @property
    def divides_missing(self) -> bool:
        """Whether samples with missing values are divided among children, as C4.5 does."""
        return bool(self.trees[0].divides_missing)

    @property
    def feature_names(self) -> list[str]:
        """Names of the features; ``feature_0`` and so on without names."""
        if self.schema.names is None:
            return [f"feature_{index}" for index in range(self.schema.n_features)]
        return [str(name) for name in self.schema.names]


def scorer_of(model: Any, function: str) -> Scorer:
    """Return what prediction needs of a model; a TypeError for one that cannot be exported.

    ``function`` is the name of the public function, for the error message. Models are recognised by
    their attributes, since this package is below the estimators.
    """
    corrections: list[Correction] = []
    threshold: tuple[int, float] | None = None
    is_decided = False  # by the outermost wrapper that decides
    given = model
    while (fitted := _trees_of(model)) is None:
        kind = type(model).__name__
        if type(model).__module__.startswith("rarewood.") and hasattr(model, "estimator"):
            _check_fitted(model)
            if kind == "PriorCorrectedClassifier":
                corrections.insert(0, _correction(model))
                is_decided = True
            elif kind == "ThresholdedClassifier":
                if not is_decided:
                    number = model.classes_.tolist().index(model.pos_label_)
                    threshold = (number, float(model.threshold_))
                is_decided = True
            model = model.estimator_
        elif hasattr(model, "steps"):
            model = _without_samplers(model, function)
        else:
            _check_fitted(model)
            raise TypeError(f"{function} needs {_SUPPORTED}; got {type(given).__name__}.")
    trees, view = fitted
    return Scorer(trees, view.schema, view.classes, corrections, threshold)


def _trees_of(model: Any) -> tuple[list[Any], Any] | None:
    """Return the trees of an estimator, or of its fitted tree or forest."""
    for view in (getattr(model, "forest_", model), getattr(model, "tree_", model)):
        if hasattr(view, "compiled_trees"):
            return view.trees, view
        if hasattr(view, "divides_missing"):
            return [view], view
    return None


def _check_fitted(model: Any) -> None:
    if hasattr(model, "fit"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)


def _correction(model: Any) -> Correction:
    """Return a correction with the arithmetic of ``correct_prior``."""
    true = model.true_prior_ / model.true_prior_.sum()
    if isinstance(model.trained_prior, str):  # balanced
        return Correction(true / np.full(len(true), 1 / len(true)), true)
    trained = np.asarray(model.trained_prior, dtype=np.float64)
    return Correction(true / (trained / trained.sum()), true)


def _without_samplers(pipeline: Any, function: str) -> Any:
    """Return the last step of a pipeline whose other steps only sample."""
    for name, step in pipeline.steps[:-1]:
        is_passed = step is None or isinstance(step, str)
        if not is_passed and not hasattr(step, "fit_resample"):
            raise TypeError(
                f"{function} exports trees, not the step {name!r} ({type(step).__name__}) of a "
                "pipeline, which changes the features. Export the last step, "
                "pipeline[-1], and convert the other steps with their own tool, such as skl2onnx."
            )
    return pipeline.steps[-1][1]
