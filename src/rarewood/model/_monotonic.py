"""Monotonic constraints of the features of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rarewood.table._schema import Schema


def resolve_monotonic(given: Any, schema: Schema, n_classes: int) -> list[int]:
    """Return the constraint of each feature; empty if there are none.

    ``given`` is the parameter ``monotonic_cst``: None, an array or a mapping of names.
    """
    if given is None:
        return []
    constraints = _of_names(given, schema) if isinstance(given, Mapping) else np.asarray(given)
    if constraints.ndim != 1 or len(constraints) != schema.n_features:
        raise ValueError(
            f"monotonic_cst has shape {len(constraints) if constraints.ndim else 0} but the input "
            f"data X has {schema.n_features} features."
        )
    if constraints.dtype.kind not in "iuf" or not np.isin(constraints, (-1, 0, 1)).all():
        raise ValueError(
            "monotonic_cst must be None or an array-like of -1, 0 or 1, or a dict of such values "
            f"by feature name; got {given!r}."
        )
    found = [int(constraint) for constraint in constraints]
    if not any(found):
        return []
    categorical = [f for f in schema.categories if found[f] != 0]
    if categorical:
        labels = [str(f if schema.names is None else schema.names[f]) for f in categorical]
        raise ValueError(
            f"monotonic_cst constrains categorical features, which have no order: {labels[:5]}. "
            "Set them to 0, or make the columns numeric."
        )
    if n_classes > 2:
        raise ValueError(
            "Monotonicity constraints are not supported with multiclass classification: y has "
            f"{n_classes} classes. Set monotonic_cst=None, or predict one class against the rest."
        )
    return found if n_classes == 2 else []


def _of_names(given: Mapping[Any, Any], schema: Schema) -> Any:
    if schema.names is None:
        raise ValueError(
            "monotonic_cst is a dict of feature names, and X has no names: pass a DataFrame with "
            "string column names, or an array."
        )
    place = {name: number for number, name in enumerate(schema.names.tolist())}
    unknown = [name for name in given if name not in place]
    if unknown:
        raise ValueError(
            f"monotonic_cst contains {len(unknown)} unexpected feature names: {unknown[:5]}. The "
            f"features are: {list(place)[:20]}."
        )
    constraints = np.zeros(schema.n_features, dtype=object)
    for name, constraint in given.items():
        constraints[place[name]] = constraint
    try:
        return constraints.astype(np.float64)
    except (TypeError, ValueError):
        return constraints  # refused by the caller
