"""A reproduction as plain text."""

from __future__ import annotations

import math
from collections.abc import Iterator

from reproduction.models import label
from reproduction.result import ReproducedCell, Reproduction, count

__all__ = ["describe", "number"]


def describe(result: Reproduction) -> str:
    """Return both tables, ranks, the test and the conclusions as text."""
    return "\n".join(_lines(result))


def _lines(result: Reproduction) -> Iterator[str]:
    experiment = result.experiment
    yield f"{experiment.name}: {experiment.title}"
    yield f"{experiment.source}. {experiment.setup}"
    yield f"Reproduced with {result.protocol}, {result.n_datasets} data sets."
    if result.missing:
        yield f"Not available: {', '.join(result.missing)}."
    if result.left_out:
        yield f"Omitted: {', '.join(result.left_out)}."
    yield ""
    yield from _table(result)
    yield ""
    yield from _ranks(result)
    n_inside, n = result.inside()
    if n:
        yield f"{n_inside} of {n} cells agree with the printed ones ({100 * n_inside / n:.0f}%)."
    for reading in result.readings:
        n_inside, n = count(reading.cells)
        yield (
            f"Alternative interpretation: {label(reading.column)}, {reading.label}: {n_inside} "
            f"of {n} cells, {reading.mean_difference:+.3f} on average."
        )
    yield ""
    for verdict in result.verdicts:
        yield f"[{verdict.word}] {verdict.text}"
        yield f"    reproduced: {verdict.ours.why}"
        if verdict.printed is not None:
            yield f"    printed: {verdict.printed.why}"
        if verdict.printed_here not in (None, verdict.printed):
            yield f"    printed, available rows: {verdict.printed_here.why}"
    for verdict in result.other_verdicts:
        yield f"[alternative interpretations: {verdict.word}] {verdict.text} ({verdict.ours.why})"
    yield from (f"Misprint: {text}" for text in result.printed.misprints)
    yield from (f"Failed: {text}" for text in result.failures)


def number(value: float, is_score: bool = True) -> str:
    """Return a score with three decimals (two from 10, one from 100), or a count unchanged."""
    if math.isnan(value):
        return "-"
    if not is_score:
        return f"{value:.4g}"
    digits = 3 if abs(value) < 10 else 2 if abs(value) < 100 else 1
    return f"{value:.{digits}f}"


def _cell(cell: ReproducedCell) -> str:
    mark = {True: "", False: " !", None: ""}[cell.is_inside]
    is_score = not math.isnan(cell.allowed)
    ours, printed = number(cell.ours, is_score), number(cell.printed, is_score)
    if math.isnan(cell.printed):
        return ours
    spread = "" if math.isnan(cell.printed_sd) else f"±{number(cell.printed_sd)}"
    return f"{ours} ({printed}{spread}, {cell.difference:+.3f}){mark}"


def _table(result: Reproduction) -> Iterator[str]:
    """Reproduced value (printed value, difference); "!" marks disagreement."""
    columns = result.ours.models
    k = len(columns)
    rows = [["", *map(label, columns)]]
    for i, name in enumerate(result.ours.datasets):
        rows.append([name, *map(_cell, result.cells[i * k : (i + 1) * k])])
    widths = [max(len(row[j]) for row in rows) for j in range(k + 1)]
    for row in rows:
        yield "  ".join(text.ljust(w) for text, w in zip(row, widths, strict=True)).rstrip()


def _ranks(result: Reproduction) -> Iterator[str]:
    if not result.has_ranks:
        return
    ranks = result.average_ranks()
    texts = (f"{label(name)} {ours:.2f} ({printed:.2f})" for name, (ours, printed) in ranks.items())
    yield "Average ranks (of the printed cells of the same rows): " + ", ".join(texts)
    test = result.friedman()
    if test is None:
        return
    yield (
        f"Friedman: chi-square {test.chi2:.2f} (p = {test.pvalue:.2g}), "
        f"F {test.f:.2f} (p = {test.f_pvalue:.2g})."
    )
