"""The ranked table at the end of a comparison, and which differences are more than chance."""

from __future__ import annotations

from typing import Any

from rarewood.cli._console import make_console, make_table, stacked

__all__ = ["print_ranking", "verdict"]

_FURTHER = ("average_precision", "auc", "f_measure", "brier")
_NARROW = 25  # length of model names that leaves room for three further metrics


def print_ranking(summary: dict[str, Any]) -> None:
    """Print what a summary says of the models, the best first, in no more than 80 columns.

    Parameters
    ----------
    summary : dict
        What :func:`rarewood.report.summarize` returned, with "against_best".
    """
    ranking = summary["ranking"]
    metrics = {metric["name"]: metric for metric in ranking["metrics"]}
    first = ranking["metric"]
    others = [name for name in _FURTHER if name in metrics and name != first]
    others = others[: 3 if max(map(len, ranking["models"])) <= _NARROW else 2]
    interval = f"{ranking['level']:.0%}\ninterval"
    heads = [stacked(first), interval, "p vs\nbest", *map(stacked, others)]
    table = make_table("model", *heads)
    for place, name in enumerate(ranking["models"]):
        value = metrics[first]["values"][place]
        low, high = _number(value["low"]), _number(value["high"])
        table.add_row(
            name,
            _number(value["mean"]),
            f"{low}-{high}" if low else "",
            _p_value(summary["against_best"]["holm"].get(name)),
            *(_number(metrics[other]["values"][place]["mean"]) for other in others),
        )
    print()
    make_console().print(table)
    print()
    for failure in summary["failures"]:
        error = " ".join(failure["error"].split())
        print(f"{failure['model']} failed in {failure['n']} of {failure['n_folds']} folds: {error}")
    print(verdict(summary["against_best"], ranking["alpha"]))


def verdict(found: dict[str, Any], alpha: float) -> str:
    """Return in words which models are not told apart from the best.

    Parameters
    ----------
    found : dict
        The part "against_best" of a summary: the best model, and p-values by the others' names.
    alpha : float
        The level.

    Returns
    -------
    text : str
        Two sentences.
    """
    best = found["best"]
    others = {name: p for name, p in found["holm"].items() if name != best}
    near = [name for name, p in others.items() if p is None or p >= alpha]
    if not others:
        return f"{best} is the only model."
    how = (
        f"p: corrected resampled t-test over the folds, adjusted by Holm for the {len(others)} "
        f"comparisons with the best; level {alpha:g}."
    )
    if not near:
        return f"{best} is significantly better than every other model here. {how}"
    if len(near) == len(others):
        return f"{best} is first, but not significantly better than any other. {how}"
    return f"{best} is first, but not significantly better than {', '.join(near)}. {how}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _p_value(p: float | None) -> str:
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
