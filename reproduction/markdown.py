"""Markdown sections of the page of reproductions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from reproduction.conclusions import WORDS, Verdict
from reproduction.models import label
from reproduction.paragraph import paragraph, share
from reproduction.reasons import Reason, reason_of
from reproduction.result import OtherReading, ReproducedCell, Reproduction, count
from reproduction.text import number

__all__ = ["section", "summary"]

_MOST_CELLS = 10  # named one by one


def summary(results: Sequence[Reproduction]) -> str:
    """Return one table with a row for every reproduction."""
    lines = [
        "| table | data sets | cells that agree | conclusions that hold | do not hold | tie | "
        "one row | cannot be judged |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for result in results:
        words = [verdict.word for verdict in result.verdicts]
        counts = [words.count(word) for word in WORDS]
        name = result.experiment.name
        cells = [f"[{name}](#{name})", _made(result), share(result.inside()), *map(str, counts)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _made(result: Reproduction) -> str:
    return f"{result.n_datasets} of {len(result.experiment.sources)}"


def section(
    result: Reproduction,
    reasons: Mapping[str, Reason],
    remarks: Sequence[str] = (),
    figure: str = "",
) -> str:
    """Return the section of the page about one table.

    Parameters
    ----------
    result : Reproduction
        Reproduced table.
    reasons : dict of str to Reason
        Reason for a disagreement, by "row, column", by column or by row.
    remarks : list of str
        Further findings.
    figure : str
        Markdown of a figure.

    Returns
    -------
    text : str
        Markdown.
    """
    return "\n".join(_lines(result, reasons, remarks, figure))


def _lines(
    result: Reproduction, reasons: Mapping[str, Reason], remarks: Sequence[str], figure: str
) -> Iterator[str]:
    experiment = result.experiment
    yield f"({experiment.name})="
    yield f"### {experiment.name}: {experiment.title}"
    yield ""
    yield f"{experiment.source}."
    yield ""
    yield paragraph(result, reasons)
    yield ""
    if figure:
        yield figure
        yield ""
    yield from _table(result)
    yield from _outside(result, reasons)
    yield from _readings(result)
    yield from _other_data(result)
    yield from _conclusions(result)
    yield from _notes(result, remarks)


def _typical_spread(result: Reproduction) -> float:
    return median(cell.our_sd for cell in result.cells if not math.isnan(cell.our_sd))


def _table(result: Reproduction) -> Iterator[str]:
    columns, k = result.ours.models, len(result.ours.models)
    yield f"| | {' | '.join(map(label, columns))} |"
    yield "| --- |" + " --- |" * k
    for i, row in enumerate(result.ours.datasets):
        cells = result.cells[i * k : (i + 1) * k]
        yield f"| {_row(row)} | {' | '.join(map(_cell, cells))} |"
    test = result.friedman() if result.has_ranks else None
    if result.has_ranks:
        ranks = (f"{a:.2f} ({b:.2f})" for a, b in result.average_ranks().values())
        yield f"| average rank | {' | '.join(ranks)} |"
    yield ""
    if any(not math.isnan(cell.printed) for cell in result.cells):
        bold = "; bold if they disagree" if result.inside()[1] else ""
        yield f"Reproduced values, with the printed values in parentheses{bold}."
    if result.printed_rows_are_counts and result.missing:
        yield (
            f"The printed counts are those of all {len(result.experiment.sources)} data sets, the "
            f"reproduced ones those of {result.n_datasets}."
        )
    if result.inside()[1] and all(math.isnan(cell.printed_sd) for cell in result.cells):
        yield (
            f"No standard deviations are printed; cells within {result.experiment.tolerance:g} "
            "agree. The median standard deviation over the folds is "
            f"{number(_typical_spread(result))}."
        )
    if test is not None:
        yield (
            f"Friedman test of the reproduced cells: chi-square {test.chi2:.2f}, F {test.f:.2f}, "
            f"p = {test.f_pvalue:.2g}."
        )
    yield ""


def _row(name: str) -> str:
    one, _, other = name.partition(" against ")
    return f"{label(one)} against {label(other)}" if other else name


def _cell(cell: ReproducedCell) -> str:
    is_score = not math.isnan(cell.allowed)
    ours = number(cell.ours, is_score)
    if cell.is_inside is False:
        ours = f"**{ours}**"
    if math.isnan(cell.printed):
        return ours
    spread = "" if math.isnan(cell.printed_sd) else f" ± {number(cell.printed_sd)}"
    return f"{ours} ({number(cell.printed, is_score)}{spread})"


def _outside(result: Reproduction, reasons: Mapping[str, Reason]) -> Iterator[str]:
    groups: dict[Reason, list[ReproducedCell]] = {}
    for cell in result.cells:
        if cell.is_inside is False:
            groups.setdefault(reason_of(cell, result, reasons), []).append(cell)
    if groups:
        yield "Cells that disagree:"
        yield ""
    for reason in sorted(groups, key=lambda one: ("mgn".index(one.kind[0]), one.text)):
        yield f"- {_names(groups[reason])}: {reason}"
    if groups:
        yield ""


def _names(cells: Sequence[ReproducedCell]) -> str:
    """List the cells and their differences; by row if there are many."""
    if len(cells) <= _MOST_CELLS:
        return ", ".join(f"{c.row} {label(c.column)} {c.difference:+.3f}" for c in cells)
    texts = []
    for row in dict.fromkeys(cell.row for cell in cells):
        found = [cell.difference for cell in cells if cell.row == row]
        size = f"{found[0]:+.2f}" if len(found) == 1 else f"{min(found):+.2f} to {max(found):+.2f}"
        texts.append(f"{row} ({len(found)}: {size})")
    return ", ".join(texts)


def _readings(result: Reproduction) -> Iterator[str]:
    if not result.readings:
        return
    yield "Alternative interpretations of the columns:"
    yield ""
    yield "| column | interpretation | cells that agree | mean difference | mean distance |"
    yield "| --- | --- | --- | --- | --- |"
    told = dict.fromkeys(reading.column for reading in result.readings)
    for column in told:
        cells = [cell for cell in result.cells if cell.column == column]
        own = OtherReading(column, "in the table", cells)
        others = [reading for reading in result.readings if reading.column == column]
        for reading in (own, *others):
            yield (
                f"| {label(column)} | {reading.label} | {share(count(reading.cells))} | "
                f"{reading.mean_difference:+.3f} | {reading.mean_absolute_difference:.3f} |"
            )
    yield ""


def _other_data(result: Reproduction) -> Iterator[str]:
    if not result.other_data:
        return
    columns = result.ours.models
    yield "Rows on other data:"
    yield ""
    yield f"| | {' | '.join(map(label, columns))} |"
    yield "| --- |" + " --- |" * len(columns)
    for other in result.other_data:
        yield f"| {other.row}, {other.label} | {' | '.join(map(_cell, other.cells))} |"
    yield ""


def _conclusions(result: Reproduction) -> Iterator[str]:
    if not result.verdicts:
        return
    has_other = bool(result.other_verdicts)
    other = " alternative interpretations |" if has_other else ""
    yield f"| conclusion of the paper | verdict | reproduced | printed |{other}"
    yield "| --- | --- | --- | --- |" + (" --- |" if has_other else "")
    for i, verdict in enumerate(result.verdicts):
        more = f" {_other(result.other_verdicts[i])} |" if has_other else ""
        printed = _printed(verdict)
        yield f"| {verdict.text} | **{verdict.word}** | {verdict.ours.why} | {printed} |{more}"
    yield ""


def _other(verdict: Verdict) -> str:
    return f"{verdict.word}: {verdict.ours.why}"


_STATES = {
    "yes": "",
    "no": "not supported: ",
    "tie": "a tie: ",
    "one row": "depends on one row: ",
    "too few rows": "",
}


def _printed(verdict: Verdict) -> str:
    """Return the numbers in print, and those of the available rows if they are others."""
    printed, here = verdict.printed, verdict.printed_here
    if printed is None:
        return "none printed"
    words = _STATES[printed.state] + printed.why
    if here is not None and here != printed:
        words += f"; available rows: {_STATES[here.state]}{here.why}"
    return words


def _notes(result: Reproduction, remarks: Sequence[str]) -> Iterator[str]:
    for text in remarks:
        yield f"- {text}"
    for text in result.printed.misprints:
        yield f"- Misprint: {text}"
    for text in result.printed.notes:
        yield f"- {text}"
    for row, texts in result.differences.items():
        yield f"- {row}: {'; '.join(texts)}."
    yield ""
