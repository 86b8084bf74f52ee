"""Parameters of ``fit`` that a wrapper passes on to its estimator and to its folds."""

from __future__ import annotations

from typing import Any, NamedTuple

from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

from rarewood._validation import routing_enabled


class FitParameters(NamedTuple):
    """What the parameters of ``fit`` of a wrapper are for."""

    estimator: dict[str, Any]
    """Parameters of ``fit`` of its estimator."""
    groups: Any
    """Groups of samples that its folds keep together; None for none."""


def routed_parameters(wrapper: Any, params: dict[str, Any]) -> FitParameters:
    """Return the parameters of ``fit`` that a wrapper passes on.

    Without metadata routing, groups are for the folds, and for the estimator if it takes them.
    """
    params = {name: value for name, value in params.items() if value is not None}
    if not params:
        return FitParameters({}, None)
    if routing_enabled():
        routed = process_routing(wrapper, "fit", **params)
        of_folds = routed["splitter"].split if "splitter" in routed else {}
        return FitParameters(dict(routed.estimator.fit), of_folds.get("groups"))
    groups = params.pop("groups", None)
    return FitParameters(with_groups(wrapper.estimator, params, groups), groups)


def with_groups(estimator: Any, params: dict[str, Any], groups: Any) -> dict[str, Any]:
    """Return parameters of ``fit`` with the groups, if the estimator takes them."""
    takes_groups = (
        getattr(estimator, "_passes_groups_on", False)
        or isinstance(estimator, GridSearchCV | RandomizedSearchCV)
        or has_fit_parameter(estimator, "groups")
    )
    return {"groups": groups, **params} if groups is not None and takes_groups else params
