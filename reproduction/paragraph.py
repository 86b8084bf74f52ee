"""One paragraph about a table: what was done, what came out, what the paper says, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from reproduction.conclusions import WORDS, Verdict
from reproduction.models import label
from reproduction.reasons import Reason, reason_of
from reproduction.result import Reproduction

__all__ = ["paragraph", "share"]


def paragraph(result: Reproduction, given: Mapping[str, Reason]) -> str:
    """Return the paragraph, without line breaks."""
    parts = [_done(result), _came_out(result), _paper(result.verdicts), _differs(result, given)]
    return " ".join(part for part in parts if part)


def _done(result: Reproduction) -> str:
    experiment = result.experiment
    words = f"**What was done:** {experiment.setup.rstrip()} Reproduced with {result.protocol}"
    n_all = len(experiment.sources)
    words += f" on {result.n_datasets} of {n_all} data sets"
    if result.missing:
        words += f"; not available: {', '.join(result.missing)}"
    if result.left_out:
        words += f"; omitted: {', '.join(result.left_out)}"
    words += "."
    if result.failures:
        words += f" Failed: {'; '.join(result.failures)}."
    return words


def _came_out(result: Reproduction) -> str:
    if not result.inside()[1]:
        return f"**What came out:** {_means(result)}."
    columns = {name: result.inside([name]) for name in result.ours.models}
    by_column = ", ".join(f"{label(name)} {a} of {n}" for name, (a, n) in columns.items())
    return f"**What came out:** {share(result.inside())} cells agree ({by_column})."


def _means(result: Reproduction) -> str:
    """Return the mean of every column, reproduced and printed, on the same rows."""
    ours, printed = result.ours.values, result.printed_here().values
    texts = []
    for j, name in enumerate(result.ours.models):
        text = f"{label(name)} {np.nanmean(ours[:, j]):.4g}"
        if not np.isnan(printed[:, j]).all():
            text += f" ({np.nanmean(printed[:, j]):.4g})"
        texts.append(text)
    is_printed = not np.isnan(printed).all()
    return f"means over the rows{' (printed)' if is_printed else ''}: {', '.join(texts)}"


def _paper(verdicts: Sequence[Verdict]) -> str:
    """Return the conclusions of the paper, grouped by verdict."""
    if not verdicts:
        return ""
    words = {
        "holds": "holds here",
        "does not hold": "does not hold here",
        "tie": "is a tie here",
        "one row": "depends on one row here",
        "cannot be judged": "cannot be judged with the available data",
    }
    groups: dict[str, list[str]] = {word: [] for word in WORDS}
    for verdict in verdicts:
        supported = verdict.printed is None or verdict.printed.holds
        mark = "" if supported else " (nor do the printed cells support it)"
        if not supported and verdict.word == "holds":
            mark = " (although the printed cells do not support it)"
        groups[verdict.word].append(f'"{verdict.text}"{mark}')
    told = [f"{words[word]}: {'; '.join(texts)}" for word, texts in groups.items() if texts]
    return "**What the paper says:** " + ". ".join(_capital(text) for text in told) + "."


def _differs(result: Reproduction, given: Mapping[str, Reason]) -> str:
    """Return how many differences have which kind of reason."""
    outside = [cell for cell in result.cells if cell.is_inside is False]
    if not result.inside()[1]:
        return ""
    if not outside:
        return "**Where it differs:** in no cell."
    kinds: Counter[str] = Counter(reason_of(cell, result, given).kind for cell in outside)
    signs = [cell.difference > 0 for cell in outside]
    parts = [
        f"{kinds[kind]} {words}"
        for kind, words in (
            ("measured", "with a measured reason"),
            ("guess", "for which there is only a guess"),
            ("not explained", "without explanation"),
        )
        if kinds[kind]
    ]
    cells = "cell" if len(outside) == 1 else "cells"
    return (
        f"**Where it differs, and why:** in {len(outside)} {cells}, {sum(signs)} above the "
        f"printed value and {len(signs) - sum(signs)} below: {', '.join(parts)} (listed below)."
    )


def share(pair: tuple[int, int]) -> str:
    """Return a count out of a number, with per cent."""
    n_inside, n = pair
    return f"{n_inside} of {n} ({100 * n_inside / n:.0f}%)" if n else "not counted"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
