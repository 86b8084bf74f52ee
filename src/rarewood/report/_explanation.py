"""Explanation of a rarewood model: its tree, feature importances and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rarewood import presets, rules
from rarewood.evaluate import Protocol
from rarewood.evaluate._cell import Table
from rarewood.evaluate._inputs import as_models
from rarewood.explain._shap import sum_over_trees
from rarewood.model._base import RareClassifier
from rarewood.report._plain import plain, text
from rarewood.report._tree_drawing import draw_tree
from rarewood.tree import RareTreeClassifier

_RULE_DEPTH, _N_RULES = 4, 10
_MOST_COLUMNS, _MOST_ROWS, _N_SHUFFLES = 20, 4000, 5
_MOST_SHAP_ROWS = 500  # they take the time of many predictions


@dataclass(frozen=True)
class _Named:
    """A rarewood model with its name."""

    name: str
    model: Any
    is_compared: bool = True

    def about(self) -> dict[str, Any]:
        return {"model": self.name, "is_compared": self.is_compared}

    def blank(self, seed: int) -> Any:
        """Return an unfitted copy with a seed."""
        from sklearn.base import clone

        copy = clone(self.model)
        if copy.get_params().get("random_state", 0) is None:
            copy.set_params(random_state=seed)
        return copy


def explain(
    table: Table,
    models: Mapping[str, Any] | None,
    order: Sequence[str],
    chosen: str,
    *,
    seed: int,
    max_depth: int,
) -> dict[str, Any]:
    """Return the tree, importances and rules of the best rarewood models, as JSON-safe data.

    ``order`` has the names of the models, the best first; ``chosen`` is preferred if it is a
    rarewood model. ``seed`` is for models without a ``random_state``, halves and permutations.
    """
    made = as_models(models) if models else {}
    names = [chosen, *(name for name in order if name != chosen)]
    found = [_Named(n, made[n]) for n in names if isinstance(made.get(n), RareClassifier)]
    tree = next((one for one in found if isinstance(one.model, RareTreeClassifier)), None)
    tree = tree or _Named("CCPDT tree", presets.ccpdt(), is_compared=False)
    best = found[0] if found else tree
    split = Protocol(2, 1, seed).split(table.y, 0, 0)
    halves = (split.train, split.test)
    fitted = tree.blank(seed).fit(table.X, table.y)
    ranked = fitted if best is tree else best.blank(seed).fit(table.X, table.y)
    return {
        "tree": tree.about() | draw_tree(fitted, max_depth),
        "importances": best.about() | importances(table, ranked, best.blank(seed), halves, seed),
        "rules": tree.about() | _rules(table, tree.blank(seed), halves),
    }


def _rules(table: Table, tree: RareTreeClassifier, halves: tuple[Any, Any]) -> dict[str, Any]:
    """Return rules found on one half of the rows and tested on the other.

    P-values on the rows that a tree was grown on are far too small, since its rules are the best
    of very many. The rules with the smallest of these are tested on held-out rows.
    """
    found_on, tested_on = halves
    depth = _RULE_DEPTH if tree.max_depth is None else min(tree.max_depth, _RULE_DEPTH)
    tree.set_params(max_depth=depth)
    tree.fit(table.rows(found_on), table.y[found_on])
    label = table.classes[table.pos_index]
    found = rules.extract(tree, pos_label=label, decimals=3)
    n_all = len(found)
    found = found[found["lift"] > 1][:_N_RULES]
    tested = found.validate(table.rows(tested_on), table.y[tested_on])
    order = sorted(range(len(found)), key=lambda i: (float(tested["p_value"][i]), i))
    rare = f"support_{label}"
    listed = [
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
            "p_holm": plain(tested["p_holm"][i]),
        }
        for i in order
    ]
    return {
        "rules": listed,
        "n_leaves": n_all,
        "max_depth": depth,
        "n_found_on": len(found_on),
        "n_tested_on": len(tested_on),
        "n_rare_tested_on": int((table.y[tested_on] == label).sum()),
    }


def importances(
    table: Table, fitted: RareClassifier, blank: RareClassifier, halves: tuple[Any, Any], seed: int
) -> dict[str, Any]:
    """Return the importances of the 20 features with the largest gain.

    "gain" is the fraction of the total gain of ``fitted``, a model of all rows. "drop" is the mean
    loss of average precision over five permutations of a feature in the second half, and "spread"
    its standard deviation, for the model ``blank`` after fitting it on the first half. "shap" is
    the mean absolute SHAP value for the rare class in at most 500 rows of the second half.
    "average_precision" is the score before permutation; None if a half has no rare row.
    """
    gains = np.asarray(fitted.feature_importances_, dtype=np.float64)
    order = np.argsort(-gains, kind="stable")
    order = order[: max(min(int(np.count_nonzero(gains)), _MOST_COLUMNS), 1)]
    drops, shap, before = _held_out(table, blank, halves, order, seed)
    names = _names(table.X)
    columns = [
        {
            "name": names[j],
            "gain": float(gains[j]),
            "shap": float(shap[k]),
            "drop": float(drops[k].mean()),
            "spread": float(drops[k].std(ddof=1)),
        }
        for k, j in enumerate(order.tolist())
    ]
    return {
        "columns": sorted(columns, key=lambda c: -c["drop"]),
        "n_columns": len(gains),
        "average_precision": before,
        "n_rows": int(min(len(halves[1]), _MOST_ROWS)),
        "n_shuffles": _N_SHUFFLES,
        "n_shap_rows": int(min(len(halves[1]), _MOST_SHAP_ROWS)),
    }


def _held_out(
    table: Table,
    model: RareClassifier,
    halves: tuple[Any, Any],
    columns: NDArray[np.intp],
    seed: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], float | None]:
    """Return losses of shape (n_features, n_shuffles), mean absolute SHAP values, and the score.

    The score is None, and all else 0, without rare rows.
    """
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(seed)
    known, other = halves
    if len(other) > _MOST_ROWS:
        other = np.sort(rng.choice(other, _MOST_ROWS, replace=False))
    model.fit(table.rows(known), table.y[known])
    is_rare = table.y[other] == table.classes[table.pos_index]
    number = np.flatnonzero(model.classes_ == table.classes[table.pos_index])
    if not len(number) or not is_rare.any():
        return np.zeros((len(columns), _N_SHUFFLES)), np.zeros(len(columns)), None
    # Encoded once, since a table may have many columns. The copy protects the table of the caller.
    matrix = model._encode(table.rows(other)).copy()
    explained, _ = sum_over_trees(model, matrix[:_MOST_SHAP_ROWS])
    shap = np.abs(explained[:, columns, number[0]]).mean(axis=0)

    def quality() -> float:
        return float(average_precision_score(is_rare, model._proba(matrix)[:, number[0]]))

    before = quality()
    drops = np.zeros((len(columns), _N_SHUFFLES))
    for k, j in enumerate(columns.tolist()):
        values = matrix[:, j].copy()
        for shuffle in range(_N_SHUFFLES):
            matrix[:, j] = values[rng.permutation(len(is_rare))]
            drops[k, shuffle] = before - quality()
        matrix[:, j] = values
    return drops, shap, before


def _names(X: Any) -> list[str]:
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return [text(name) for name in frame.columns]
    return [f"feature_{j}" for j in range(np.asarray(X).shape[1])]
