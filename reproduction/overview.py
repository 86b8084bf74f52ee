"""The main results, as sentences whose numbers are computed from the reproductions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from reproduction.conclusions import WORDS
from reproduction.models import COUNTS, label
from reproduction.paragraph import share
from reproduction.result import OtherReading, Reproduction, count
from reproduction.searches import OTHER_SEARCHES, named
from reproduction.text import number

__all__ = ["computed_remarks", "main_results"]

Results = Mapping[str, Reproduction]


def main_results(results: Results) -> str:
    """Return a numbered list."""
    found = [text for write in _WRITERS for text in write(results)]
    return "\n".join(f"{i}. {text}" for i, text in enumerate(found, start=1))


# Rows with categorical features, which hyperplanes over numbers do not use.
NOMINAL = ("car", "nursery", "breast-y", "credit-g")


def computed_remarks(result: Reproduction) -> Iterator[str]:
    """Yield remarks on one table whose numbers are computed."""
    if result.experiment.name == "ccpdt-table4":
        yield from _weights_by_counts(result)
    if result.experiment.name in ("hedex-table7", "hedex-table8"):
        yield from _hyperplanes_over_categories(result)


def _weights_by_counts(result: Reproduction) -> Iterator[str]:
    """Yield how the weights of children change CCP trees on the data set of the largest miss."""
    own = {cell.column: cell for cell in result.row("Boundary")}
    for column in ("ccp_c45", "ccp_cart"):
        reading = _reading(result, column, COUNTS)
        if reading is None or column not in own:
            continue
        (cell,) = [cell for cell in reading.cells if cell.row == "Boundary"]
        yield (
            f"Boundary, {label(column)}: {own[column].ours:.3f} (printed "
            f"{number(cell.printed)}), {cell.ours:.3f} with {COUNTS}."
        )


def _hyperplanes_over_categories(result: Reproduction) -> Iterator[str]:
    """Yield the cells of rows whose categories hyperplanes do not use."""
    own = {(cell.row, cell.column): cell for cell in result.cells}
    readings = [reading for reading in result.readings if reading.column == "hedexh"]
    for row in NOMINAL:
        if (row, "hedexh") not in own:
            continue
        plain, planes = own[row, "hedex"], own[row, "hedexh"]
        texts = [
            f"{label(cell.column)} {cell.ours:.3f} (printed {number(cell.printed)})"
            for cell in (plain, planes)
        ]
        for reading in readings:
            (cell,) = [cell for cell in reading.cells if cell.row == row]
            texts.append(f"with {reading.label} {cell.ours:.3f}")
        yield f"Hyperplanes over categories, {row}: {', '.join(texts)}."


def _reading(result: Reproduction, column: str, words: str) -> OtherReading | None:
    return next((r for r in result.readings if (r.column, r.label) == (column, words)), None)


def _agreement(reading: OtherReading) -> str:
    n_inside, n = count(reading.cells)
    return f"{n_inside} of {n} cells, {reading.mean_difference:+.3f} on average"


def _own(result: Reproduction, column: str) -> OtherReading:
    cells = [cell for cell in result.cells if cell.column == column]
    return OtherReading(column, "in the table", cells)


def _verdicts(result: Reproduction) -> str:
    words = [verdict.word for verdict in result.verdicts]
    return ", ".join(f"{words.count(word)} x {word}" for word in WORDS if word in words)


def _hddt(results: Results) -> Iterator[str]:
    result = results["hddt-table2"]
    pair = result.inside(["hddt", "dkm"])
    columns = [result.ours.models.index(name) for name in ("hddt", "dkm")]
    gap = float(np.nanmax(np.abs(np.diff(result.ours.values[:, columns], axis=1))))
    same = "is equal on every data set" if gap < 5e-5 else f"differs by at most {gap:.4f}"
    yield (
        f"**HDDT, table 2:** {share(pair)} cells of HDDT and DKM agree, {share(result.inside())} "
        "of all. With two classes both criteria prefer the same splits; here their AUC "
        f"{same}. Conclusions: {_verdicts(result)}."
    )
    other = _reading(result, "c45", "information gain")
    if other is not None:
        pairs = zip(result.verdicts, result.other_verdicts, strict=True)
        changed = [
            f'"{old.text}" changes from *{old.word}* to *{new.word}*'
            for old, new in pairs
            if old.word != new.word
        ]
        yield (
            f"**C4.5 in the HDDT paper:** the printed column is compared with trees of the gain "
            f"ratio ({_agreement(_own(result, 'c45'))}) and of the information gain, which the "
            f"text describes ({_agreement(other)}). With the latter, "
            + ("; ".join(changed) or "no verdict changes")
            + "."
        )


def _ccpdt(results: Results) -> Iterator[str]:
    result = results["ccpdt-table4"]
    words = "raw leaves of at least 2 samples"
    parts = []
    for column in ("c45", "cart"):
        other = _reading(result, column, words)
        if other is not None:
            own = _agreement(_own(result, column))
            parts.append(f"{label(column)} {own} with Laplace leaves, {_agreement(other)} with raw")
    parts += [
        f"{label(column)} {_agreement(_own(result, column))} with Laplace leaves"
        for column in ("ccp_c45", "ccp_cart")
    ]
    same = "; ".join(f"{v.text}: {v.word} ({v.ours.why})" for v in result.verdicts[:2])
    mixed = "; ".join(f"{v.word} ({v.ours.why})" for v in result.other_verdicts[:2])
    yield (
        f"**CCPDT, table 4, leaves:** {'; '.join(parts)}. With Laplace leaves for all trees: "
        f"{same}. With raw leaves for C4.5 and CART only: {mixed}."
    )


def _sparccc(results: Results) -> Iterator[str]:
    result = results["ccpdt-table4"]
    own = _own(result, "sparccc")
    readings = [reading for reading in result.readings if reading.column == "sparccc"]
    nearest = min([own, *readings], key=lambda reading: abs(reading.mean_difference))
    told = [f"{v.text}: {v.word} ({v.ours.why})" for v in result.verdicts if "SPARCCC" in v.text]
    yield (
        f"**SPARCCC in the CCPDT paper, table 4:** {_agreement(own)}. Of {len(readings)} "
        f'interpretations the nearest on average is "{nearest.label}": {_agreement(nearest)}. '
        f"{'; '.join(told)}."
    )


def _ihd(results: Results) -> Iterator[str]:
    parts = []
    for i in (3, 4):
        result = results[f"ihd-table{i}"]
        parts.append(f"table {i}: {share(result.inside())} cells, {_verdicts(result)}")
    yield f"**iHD:** {'; '.join(parts)}. The effect of the shuffle is given below the tables."


def _hedex(results: Results) -> Iterator[str]:
    parts = []
    for i, what in ((7, "F-measure"), (8, "AUC")):
        result = results[f"hedex-table{i}"]
        plain = [name for name in result.ours.models if not name.endswith("_s")]
        patterns = [name for name in result.ours.models if name.endswith("_s")]
        parts.append(
            f"{what}: {share(result.inside(plain))} cells without and "
            f"{share(result.inside(patterns))} with patterns, {_verdicts(result)}"
        )
    wins = ("hedex-table5", "hedex-table6", "hedex-table7-wins", "hedex-table8-wins")
    parts += [f"{name}: {_verdicts(results[name])}" for name in wins]
    yield f"**HeDEx**, {results['hedex-table7'].n_datasets} data sets. {'; '.join(parts)}."


def _beat(results: Results) -> Iterator[str]:
    result = results["beat-table1"]
    parts = []
    for column in result.ours.models:
        best = result.best_reading(column)
        text = f"{label(column)} {_agreement(_own(result, column))}"
        if best is not None:
            text += f' (with "{best.label}": {_agreement(best)})'
        parts.append(text)
    yield f"**BEAT, table 1:** {'; '.join(parts)}. Conclusions: {_verdicts(result)}."


def _wrapper(results: Results) -> Iterator[str]:
    parts = []
    for name, words in (
        ("hddt-figure6", "greedy"),
        *((named("hddt-figure6", search), search) for search in OTHER_SEARCHES),
    ):
        gains = results[name].ours.complete()
        trees = ", ".join(
            f"{label(tree)} {values.mean():+.2f}% ({int((values > 0).sum())} up, "
            f"{int((values < 0).sum())} down)"
            for tree, values in zip(gains.models, gains.values.T, strict=True)
        )
        parts.append(f"{words}: {trees}; {_verdicts(results[name])}")
    yield (
        "**The sampling wrapper** changes the mean AUC, by its search "
        f"([all searches](#wrapper-searches)): {'. '.join(parts)}."
    )


def _smoothing(results: Results) -> Iterator[str]:
    parts = []
    for name, column, words, scale in (
        ("hddt-table2", "hddt", "raw leaves", 1.0),
        ("ccpdt-table4", "c45", "raw leaves", 1.0),
        ("ihd-table4", "entropy", "Laplace", 100.0),
    ):
        other = _reading(results[name], column, words)
        if other is None:
            continue
        gain = (other.mean_difference - _own(results[name], column).mean_difference) / scale
        means = results[name].ours.complete().values.mean(axis=0) / scale
        parts.append(
            f"{name}: {label(column)} {'-' if words != 'Laplace' else ''}"
            f"{abs(gain):.3f} with {words}, range of the means of all columns "
            f"{float(np.ptp(means)):.3f}"
        )
    if parts:
        yield f"**Leaf estimate and criterion**, mean AUC. {'; '.join(parts)}."


_WRITERS: tuple[Callable[[Results], Iterator[str]], ...] = (
    _hddt,
    _ccpdt,
    _sparccc,
    _beat,
    _ihd,
    _hedex,
    _wrapper,
    _smoothing,
)
