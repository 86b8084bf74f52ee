"""The estimator of a fit: a model of the registry, with a sampler if one is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from rarewood._imports import require
from rarewood.workflow._model_entry import ModelEntry
from rarewood.workflow._models import find_model

_SAMPLINGS = ("none", "pattern", "smote", "random-over", "random-under", "wrapper")
_NEIGHBOURS = 5
_FEW_ROWS = 10_000  # for which one thread of another package is faster on a busy machine
_KEPT_BY_SKOPS = ("scikit-learn", "imbalanced-learn")


def find_entry(model: Any) -> ModelEntry | None:
    """Return the entry of a name, whose model can be made and saved; None for a classifier."""
    if not isinstance(model, str):
        return None
    entry = find_model(model)
    if not entry.is_installed:  # raises with what to install
        require(entry.package, f"The model {entry.name}", entry.install)
    if entry.group in _KEPT_BY_SKOPS and find_spec("skops") is None:
        require("skops", f"A model file of {entry.group}", "skops")
    return entry


def make_classifier(
    model: Any,
    entry: ModelEntry | None,
    params: Mapping[str, Any] | None,
    random_state: int,
    n_jobs: int | None,
) -> Any:
    """Return the classifier to fit, with valid parameters."""
    if entry is not None and not entry.is_own:
        _check_names(params, entry.parameters(), entry.label)
        return entry.make(**(params or {}), random_state=random_state, n_jobs=n_jobs)
    from sklearn.base import clone

    from rarewood._validation import check_parameters
    from rarewood.model._sampling_schemes import as_scheme

    classifier = clone(model) if entry is None else entry.make()
    known = classifier.get_params(deep=False)
    _check_names(params, sorted(known), type(classifier).__name__)
    common = {"random_state": random_state, "n_jobs": n_jobs}  # C4.5 has neither
    common = {name: value for name, value in common.items() if name in known}
    classifier.set_params(**(params or {}), **common)
    check_parameters(classifier)
    as_scheme(getattr(classifier, "balance", False))
    return classifier


def _check_names(params: Mapping[str, Any] | None, known: list[str], model: str) -> None:
    from rarewood.intake._errors import did_you_mean

    for name in params or ():
        if name in ("random_state", "n_jobs"):
            raise ValueError(f"Set {name} with `{name}`, not as a parameter of the model.")
        if name not in known:
            hint = did_you_mean(name, known)
            raise ValueError(f"{model} has no parameter {name!r}.{hint} It has {', '.join(known)}.")


def for_table(entry: ModelEntry | None, classifier: Any, X: Any) -> Any:
    """Return a classifier that takes a table: one of another package with its preparation."""
    if entry is None or entry.is_own:
        return classifier
    from rarewood.evaluate._inputs import gaps
    from rarewood.evaluate._prepare import needs_preparation
    from rarewood.evaluate._prepare import prepared as with_preparation
    from rarewood.foreign import ForeignClassifier
    from rarewood.foreign._classifier import in_one_thread

    if len(X) < _FEW_ROWS:
        in_one_thread(classifier)
    # Also for missing values in new rows; of complete numbers the preparation changes nothing.
    if needs_preparation(classifier, gaps(X)[0], True):
        classifier = with_preparation(classifier)
    return ForeignClassifier(classifier)


def check_sampling(sampling: str | None) -> str:
    """Return the name of a way of sampling, empty for none."""
    from rarewood.intake._errors import check_choice

    name = (sampling or "none").lower().replace("_", "-")
    return "" if check_choice(name, _SAMPLINGS, "`sampling`") == "none" else name


def with_sampling(name: str, classifier: Any, X: Any, n_rare: int, random_state: int) -> Any:
    """Return a classifier with a sampler before it; each fit has ``n_rare`` rare rows at least."""
    if not name:
        return classifier
    from rarewood import sampling  # raises with what to install if imbalanced-learn is missing

    if name == "wrapper":
        return sampling.SamplingWrapperClassifier(classifier, random_state=random_state)
    from imblearn.over_sampling import RandomOverSampler
    from imblearn.pipeline import make_pipeline
    from imblearn.under_sampling import RandomUnderSampler

    if name == "smote":
        return make_pipeline(_smote(X, n_rare, random_state), classifier)
    kinds = {
        "pattern": sampling.PatternOverSampler,
        "random-over": RandomOverSampler,
        "random-under": RandomUnderSampler,
    }
    return make_pipeline(kinds[name](random_state=random_state), classifier)


def _smote(X: Any, n_rare: int, random_state: int) -> Any:
    """Return the variant of SMOTE for the kinds of the features."""
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC

    missing = [str(name) for name in X.columns[X.isna().any()]]
    if missing:
        raise ValueError(
            f"`sampling` smote needs complete rows, and {missing[0]!r} has missing values. Use "
            "pattern or random-over, or impute them."
        )
    if n_rare < 2:
        raise ValueError(
            "`sampling` smote needs two rows of the rare class in every fold. Use random-over."
        )
    options = {"k_neighbors": min(_NEIGHBOURS, n_rare - 1), "random_state": random_state}
    categorical = [place for place, kind in enumerate(X.dtypes) if str(kind) == "category"]
    if not categorical:
        return SMOTE(**options)
    if len(categorical) == X.shape[1]:
        return SMOTEN(**options)
    return SMOTENC(categorical, **options)
