"""The estimator of a fit: a tree or forest of the registry, with a sampler if one is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rarewood.workflow._models import ModelEntry, find_model, models

_SAMPLINGS = ("none", "pattern", "smote", "random-over", "random-under", "wrapper")
_NEIGHBOURS = 5


def find_own(name: str) -> ModelEntry:
    """Return the tree or forest of rarewood with a name, or raise with those that exist."""
    return find_model(name, [entry.name for entry in models() if entry.group == "rarewood"])


def make_classifier(
    model: Any, params: Mapping[str, Any] | None, random_state: int, n_jobs: int | None
) -> Any:
    """Return the tree or forest to fit, with valid parameters."""
    from sklearn.base import clone

    from rarewood._validation import check_parameters
    from rarewood.intake._errors import did_you_mean
    from rarewood.model._sampling_schemes import as_scheme

    classifier = find_own(model).make() if isinstance(model, str) else clone(model)
    known = sorted(classifier.get_params(deep=False))
    for name in params or ():
        if name in ("random_state", "n_jobs"):
            raise ValueError(f"Set {name} with `{name}`, not as a parameter of the model.")
        if name not in known:
            kind, hint = type(classifier).__name__, did_you_mean(name, known)
            raise ValueError(f"{kind} has no parameter {name!r}.{hint} It has {', '.join(known)}.")
    classifier.set_params(**(params or {}), random_state=random_state, n_jobs=n_jobs)
    check_parameters(classifier)
    as_scheme(getattr(classifier, "balance", False))
    return classifier


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
