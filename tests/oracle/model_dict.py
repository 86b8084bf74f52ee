"""Predictions of ``export.to_dict``, as its documentation says."""

from __future__ import annotations

from bisect import bisect_left
from math import isnan

import numpy as np


def is_missing(value):
    return value is None or (isinstance(value, float) and isnan(value))


def snapped(feature, value):
    if "edges" not in feature or is_missing(value):
        return value
    return feature["coordinates"][bisect_left(feature["edges"], value)]


def child_of(node, row):
    """Return which child a row goes to, as the documentation of ``to_dict`` says."""
    if "terms" in node:
        values = [row[j] for j, _ in node["terms"]]
        if any(map(is_missing, values)):
            return node["missing_child"]
        total = node["terms"][0][1] * values[0]
        for (_, weight), value in zip(node["terms"][1:], values[1:], strict=True):
            total += weight * value
        return int(total > node["threshold"])
    value = row[node["feature"]]
    if "categories" in node:
        places = [i for i, part in enumerate(node["categories"]) if value in part]
        return places[0] if places else node["missing_child"]
    if is_missing(value):
        return node["missing_child"]
    return int(value > node["threshold"]) if "threshold" in node else 0


def probabilities(made, row):
    row = [snapped(*pair) for pair in zip(made["features"], row, strict=True)]
    found = []
    for nodes in made["trees"]:
        node = nodes[0]
        while "children" in node:
            node = nodes[node["children"][child_of(node, row)]]
        found.append(node["probabilities"])
    return np.mean(found, axis=0)
