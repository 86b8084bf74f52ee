"""Contributions of columns, node by node, as one would do it by hand."""

from __future__ import annotations

import numpy as np


def naive_contributions(view, matrix, number: int) -> tuple[float, np.ndarray]:
    """The prior, and what each column contributes to each row, of one tree."""
    values = np.zeros((len(matrix), view.n_features))
    p = view.probabilities[:, number]
    for i in range(len(matrix)):
        node = 0
        while view.n_children[node]:
            terms = view.plane_terms(node)
            columns = [column for column, _ in terms] or [int(view.feature[node])]
            child = next_node(view, node, matrix[i])
            for column in columns:
                values[i, column] += (p[child] - p[node]) / len(columns)
            node = child
    return p[0], values


def next_node(view, node: int, row: np.ndarray) -> int:
    terms = view.plane_terms(node)
    value = sum(w * float(row[c]) for c, w in terms) if terms else float(row[view.feature[node]])
    place = int(view.missing_child[node])
    if value == value and not np.isnan(view.threshold[node]):
        place = 0 if value <= view.threshold[node] else 1
    elif value == value:
        here = slice(*view.category_offset[node : node + 2])
        known = dict(zip(view.category[here], view.category_child[here], strict=True))
        place = int(known.get(int(value), place))
    return int(view.first_child[node]) + place
