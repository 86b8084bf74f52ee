"""Explanation of a rarewood model: its tree, feature importances and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rarewood import presets, rules
from rarewood.evaluate import Protocol
from rarewood.evaluate._cell import Table
from rarewood.evaluate._inputs import as_models
from rarewood.model._base import RareClassifier
from rarewood.report._importances import importances
from rarewood.report._plain import plain, text
from rarewood.report._tree_drawing import draw_tree
from rarewood.tree import RareTreeClassifier

__all__ = ["explain"]

_RULE_DEPTH, _N_RULES = 4, 10


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
