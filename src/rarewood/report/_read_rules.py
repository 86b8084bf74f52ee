"""Rules and tree of a model, or of a surrogate tree where the model itself cannot be read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood import rules
from rarewood.c45 import C45Classifier
from rarewood.evaluate import Protocol, holm
from rarewood.evaluate._cell import Table, _seeded
from rarewood.report._half_model import HalfModel, fit_rows
from rarewood.report._plain import plain, text
from rarewood.report._tree_drawing import draw_tree
from rarewood.rules._surrogate import (
    blank_surrogate,
    count_labels,
    held_out_fidelity,
    surrogate_rules,
)
from rarewood.tree import RareTreeClassifier

_RULE_DEPTH, _N_RULES = 4, 10
_MOST_ROWS = 50_000  # that a surrogate is grown on


def can_be_read(model: Any) -> bool:
    """Whether a model is a single tree without hyperplanes."""
    is_tree = isinstance(model, (RareTreeClassifier, C45Classifier))
    return is_tree and getattr(model, "splitter", "") != "oblique"


def own_tree(half: HalfModel, model: Any, seed: int, depth: int) -> dict[str, Any]:
    """Return the drawing of a tree fitted on all rows, and rules found on half of the rows.

    The rules are tested on the other half: p-values on the rows that a tree was grown on are far
    too small, since its rules are the best of very many.
    """
    fitted = fit_rows(half.table, model, None, seed)
    return {
        "surrogate": None,
        "tree": draw_tree(fitted, depth) | {"n_rows": len(half.table.y)},
        "rules": _own_rules(half, _seeded(model, seed)),
    }


def _own_rules(half: HalfModel, blank: Any) -> dict[str, Any]:
    table, label = half.table, half.table.classes[half.table.pos_index]
    tree, depth = half.model, None
    if isinstance(blank, RareTreeClassifier):
        depth = _RULE_DEPTH if blank.max_depth is None else min(blank.max_depth, _RULE_DEPTH)
        tree = blank.set_params(max_depth=depth).fit(table.rows(half.known), table.y[half.known])
    found = rules.extract(tree, pos_label=label, decimals=3, max_depth=_RULE_DEPTH)
    n_all = len(found)
    found = found[found["lift"] > 1][:_N_RULES]
    tested = found.validate(table.rows(half.other), table.y[half.other])
    p_holm = tested["p_holm"]
    return _listed(found, tested, p_holm, text(label)) | {
        "n_leaves": n_all,
        "max_depth": depth or _RULE_DEPTH,
        "n_found_on": len(half.known),
        "n_tested_on": len(half.other),
        "n_rare_tested_on": int(half.is_rare.sum()),
    }


def surrogate_tree(
    half: HalfModel, threshold: float | None, seed: int, depth: int
) -> dict[str, Any]:
    """Return a tree that stands for the decisions of a model on rows that it was not fitted on.

    The labels of these rows are not used for the tree, so its rules are tested on them.
    """
    half = _with_fewer_rows(half, seed)
    alerts, table = half.alerts(threshold), half.table
    names = np.array(_class_names(table))
    decided, y = names[alerts.astype(int)], names[half.is_rare.astype(int)]
    n_alerts = int(alerts.sum())
    about: dict[str, Any] = {"threshold": threshold, "n_alerts": n_alerts, "n_rows": len(y)}
    if not 2 <= n_alerts <= len(y) - 2:
        return {"surrogate": about, "tree": None, "rules": None}
    X, label = table.rows(half.other), names[1]
    tree = blank_surrogate(len(y), seed).fit(X, decided)
    counts = count_labels(tree, X, y, tree.classes_)
    splits = Protocol(2, 1, seed).splits(decided)
    fidelity = held_out_fidelity(
        lambda rows: table.rows(half.other[rows]), decided, splits, label, seed
    )
    found = surrogate_rules(tree, counts, label, None)
    n_all = len(found)
    p_holm = holm(found["p_value"].tolist())
    is_lifted = np.asarray(found["lift"] > 1)
    shown = found[is_lifted][:_N_RULES]
    listed = _listed(shown, shown, p_holm[is_lifted][:_N_RULES], label)
    rare = int(np.flatnonzero(tree.classes_ == label)[0])
    return {
        "surrogate": about | (fidelity or {}),
        "tree": draw_tree(tree, depth, counts[:, rare]) | {"n_rows": len(y)},
        "rules": listed
        | {
            "n_leaves": n_all,
            "max_depth": tree.max_depth,
            "n_found_on": len(y),
            "n_tested_on": len(y),
            "n_rare_tested_on": int(half.is_rare.sum()),
        },
    }


def _with_fewer_rows(half: HalfModel, seed: int) -> HalfModel:
    if len(half.other) <= _MOST_ROWS:
        return half
    rng = np.random.default_rng(seed)
    some = np.sort(rng.choice(half.other, _MOST_ROWS, replace=False))
    return HalfModel(half.table, half.model, half.known, some)


def _class_names(table: Table) -> list[str]:
    """Return the names of the other rows and of the rare class."""
    rare = text(table.classes[table.pos_index])
    others = [text(label) for label in table.classes if text(label) != rare]
    return [others[0] if len(others) == 1 else f"other than {rare}", rare]


def _listed(found: Any, tested: Any, p_holm: NDArray[Any], label: str) -> dict[str, Any]:
    """Return rules by their p-values on the rows that they are tested on."""
    order = sorted(range(len(tested)), key=lambda i: (float(tested["p_value"][i]), i))
    rare = f"support_{label}"
    return {
        "rules": [
            {
                "rule": text(found["rule"][i]),
                "found_rows": int(found["support"][i]),
                "found_rare": int(found[rare][i]),
                "rows": int(tested["support"][i]),
                "rare": int(tested[rare][i]),
                "confidence": plain(tested["confidence"][i]),
                "recall": plain(tested["class_confidence"][i]),
                "lift": plain(tested["lift"][i]),
                "p_value": plain(tested["p_value"][i]),
                "p_holm": plain(p_holm[i]),
            }
            for i in order
        ]
    }
