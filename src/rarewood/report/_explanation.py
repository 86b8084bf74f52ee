"""The sections about one of our own models: its tree, its importances and its rules."""

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

__all__ = ["describe_own", "strongest_rules"]

_RULE_DEPTH, _N_RULES = 4, 10


@dataclass(frozen=True)
class _Own:
    """A model of ours, and what it is called."""

    name: str
    model: Any
    is_compared: bool = True


def describe_own(
    table: Table,
    models: Mapping[str, Any] | None,
    order: Sequence[str],
    chosen: str,
    *,
    seed: int,
    max_depth: int,
) -> dict[str, Any]:
    """Return the tree, the importances and the rules of the best of our models.

    Parameters
    ----------
    table : Table
        All rows.
    models : mapping or None
        The compared models by name, as they were given to ``compare``.
    order : sequence of str
        Names, the best first.
    chosen : str
        The model that the report opens with: preferred here if it is one of ours.
    seed : int
        For models without a ``random_state``, for the halves and for the permutations.
    max_depth : int
        Levels of the tree that are drawn.

    Returns
    -------
    own : dict
        "tree", "importances" and "rules", each JSON-safe or None, with who they are about.
    """
    mine = _ours(models, [chosen, *(name for name in order if name != chosen)])
    tree = next((own for own in mine if isinstance(own.model, RareTreeClassifier)), None)
    tree = tree or _Own("CCPDT tree", presets.ccpdt(), is_compared=False)
    whole = mine[0] if mine else tree
    split = Protocol(2, 1, seed).split(table.y, 0, 0)
    halves = (split.train, split.test)
    fitted = _seeded(tree.model, seed).fit(table.X, table.y)
    ranked = fitted if whole is tree else _seeded(whole.model, seed).fit(table.X, table.y)
    drawn = {"model": tree.name, "is_compared": tree.is_compared}
    return {
        "tree": {**drawn, **draw_tree(fitted, max_depth)},
        "importances": {
            "model": whole.name,
            "is_compared": whole.is_compared,
            **importances(table, ranked, _seeded(whole.model, seed), halves, seed),
        },
        "rules": {**drawn, **strongest_rules(table, _seeded(tree.model, seed), halves)},
    }


def _ours(models: Mapping[str, Any] | None, names: Sequence[str]) -> list[_Own]:
    """Models of ours, in the order of the names."""
    if not models:
        return []
    made = as_models(models)
    return [_Own(n, made[n]) for n in names if isinstance(made.get(n), RareClassifier)]


def _seeded(model: Any, seed: int) -> Any:
    from sklearn.base import clone

    copy = clone(model)
    if copy.get_params().get("random_state", 0) is None:
        copy.set_params(random_state=seed)
    return copy


def strongest_rules(
    table: Table, tree: RareTreeClassifier, halves: tuple[Any, Any], n_rules: int = _N_RULES
) -> dict[str, Any]:
    """Return rules that are found on one half of the rows and tested on the other.

    A tree chooses its rules as the best of very many, so that their p-values on the same rows are
    far too small. On rows that it has not seen they are honest.

    Parameters
    ----------
    table : Table
        All rows.
    tree : RareTreeClassifier
        Not fitted; grown here to four levels at most.
    halves : (ndarray, ndarray)
        Rows to find rules on, and rows to test them on.
    n_rules : int, default=10
        How many are tested: those with the smallest p-values on the first half.

    Returns
    -------
    rules : dict
        "rules" with their counts on both halves, and the numbers of rows; the strongest first, by
        the p-value on the second half.
    """
    found_on, tested_on = halves
    depth = _RULE_DEPTH if tree.max_depth is None else min(tree.max_depth, _RULE_DEPTH)
    tree.set_params(max_depth=depth)
    tree.fit(table.rows(found_on), table.y[found_on])
    label = table.classes[table.pos_index]
    found = rules.extract(tree, pos_label=label, decimals=3)
    n_all = len(found)
    found = found[found["lift"] > 1][:n_rules]
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
