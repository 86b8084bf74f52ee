"""The ranked table at the end of a comparison, and which differences are more than chance."""

from __future__ import annotations

from typing import Any

from rarewood.cli._console import make_console, make_table

__all__ = ["print_ranking", "verdict"]

_FURTHER = ("average_precision", "auc", "f_measure", "brier")


def print_ranking(summary: dict[str, Any]) -> None:
    """Print what a summary of :mod:`rarewood.report` says of the models, the best first.

    Parameters
    ----------
    summary : dict
        What :func:`rarewood.report.summarize` returned.
    """
    ranking = summary["ranking"]
    metrics = {metric["name"]: metric for metric in ranking["metrics"]}
    first = ranking["metric"]
    others = [name for name in _FURTHER if name in metrics and name != first]
    percent = f"{ranking['level']:.0%} interval"
    table = make_table("model", first, percent, "p against the best", *others, numbers=1)
    for place, name in enumerate(ranking["models"]):
        value = metrics[first]["values"][place]
        p = metrics[first]["p_holm"][0][place] if place else None
        cells = [_number(metrics[other]["values"][place]["mean"]) for other in others]
        between = f"{_number(value['low'])} to {_number(value['high'])}"
        table.add_row(
            name,
            _number(value["mean"]),
            between if value["low"] is not None else "",
            "best" if place == 0 else _p_value(p),
            *cells,
        )
    make_console().print(table)
    for failure in summary["failures"]:
        error = " ".join(failure["error"].split())
        print(f"{failure['model']} failed in {failure['n']} of {failure['n_folds']} folds: {error}")
    print(verdict(ranking))


def verdict(ranking: dict[str, Any]) -> str:
    """Return in words which models are not told apart from the best.

    Parameters
    ----------
    ranking : dict
        The part "ranking" of a summary.

    Returns
    -------
    text : str
        Two sentences.
    """
    metric = next(m for m in ranking["metrics"] if m["name"] == ranking["metric"])
    best, *others = ranking["models"]
    near = [
        name
        for place, name in enumerate(others, start=1)
        if metric["p_holm"][0][place] is None or metric["p_holm"][0][place] >= ranking["alpha"]
    ]
    how = (
        "p-values: corrected resampled t-test over the folds, adjusted by Holm for all pairs of "
        f"models, at the level {ranking['alpha']:g}."
    )
    if not others:
        return f"{best} is the only model."
    if not near:
        return f"{best} is significantly better than every other model here. {how}"
    if len(near) == len(others):
        return f"{best} is first, but not significantly better than any other. {how}"
    return f"{best} is first, but not significantly better than {', '.join(near)}. {how}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _p_value(p: float | None) -> str:
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
