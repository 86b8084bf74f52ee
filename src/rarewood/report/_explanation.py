"""Explanations of the compared models: importances, rules and a tree of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rarewood import presets
from rarewood.evaluate._cell import Table
from rarewood.report._half_model import HalfModel
from rarewood.report._importances import importances
from rarewood.report._read_rules import can_be_read, own_tree, surrogate_tree

_STAND_IN = "CCPDT tree"


def explain_all(
    table: Table,
    models: Mapping[str, Any],
    described: list[dict[str, Any]],
    *,
    seed: int,
    max_depth: int,
    progress: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Return an explanation of every described model, as JSON-safe data, and refer to it.

    ``models`` are the unfitted models by name; a CCPDT tree takes the place of those that are not
    known. The key "explanation" of a described model is the number of its explanation.
    """
    explained: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    for number, about in enumerate(described):
        name = about["name"] if about["name"] in models else _STAND_IN
        if name not in places:
            progress(f"explaining {about['label']}, {number + 1} of {len(described)}")
            places[name] = len(explained)
            model = models.get(name, presets.ccpdt())
            found = _explain(table, model, _threshold(about), seed, max_depth)
            label = about["label"] if name in models else _STAND_IN
            explained.append({"model": name, "label": label, "is_compared": name in models} | found)
        about["explanation"] = places[name]
    return explained


def _threshold(about: Mapping[str, Any]) -> float | None:
    """Return the threshold that the page opens with; None for a model without scores."""
    if about["curve"] is None:
        return None
    return float((about["goal"] or about["best_f"])["threshold"])


def _explain(
    table: Table, model: Any, threshold: float | None, seed: int, max_depth: int
) -> dict[str, Any]:
    try:
        half = HalfModel.fit(table, model, seed)
        shown = importances(half, seed)
        if can_be_read(model):
            read = own_tree(half, model, seed, max_depth)
        else:
            read = surrogate_tree(half, threshold, seed, max_depth)
    except Exception as error:  # a model of another package on half of the rows
        nothing = dict.fromkeys(("surrogate", "tree", "rules", "importances"))
        return {"error": f"{type(error).__name__}: {error}", **nothing}
    return {"error": None, "importances": shown, **read}
