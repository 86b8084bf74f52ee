"""From a table to features, labels and findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood.datasets._files import pandas
from rarewood.intake._errors import TableError, count, short_list
from rarewood.intake._findings import ColumnFinding, Findings
from rarewood.intake._kinds import classify
from rarewood.intake._labels import Labels, choose_target, encode_labels
from rarewood.intake._open import open_table
from rarewood.intake._raw_table import RawTable, check_memory, parse_size
from rarewood.intake._recipe import Step, apply_recipe, make_step

_USED = ("numeric", "categorical", "boolean")
_MOST_CATEGORIES = 20  # listed in the findings


@dataclass(frozen=True, eq=False)
class PreparedTable:
    """Result of :func:`prepare`, which describes the attributes."""

    X: Any
    y: NDArray[Any]
    pos_label: Any
    findings: Findings
    recipe: list[Step]
    rows: NDArray[np.intp]


def prepare(
    source: Any,
    target: str | None = None,
    pos_label: Any = None,
    *,
    columns: Iterable[str] | None = None,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
    sample: int | None = None,
    seed: int = 0,
    delimiter: str | None = None,
    memory: int | str | None = None,
    one_vs_rest: bool = True,
) -> PreparedTable:
    r"""Read a table, and make features and labels of it.

    Numbers are kept; texts with few distinct values, and booleans, become categories. Dates, free
    text, identifiers and constant columns are skipped unless listed in ``keep``: then dates become
    days since 1970, and texts categories. Infinite numbers become missing values.

    Parameters
    ----------
    source : str, Path, pandas.DataFrame or RawTable
        A file, the name of a data set or a table in memory; see :func:`open_table`.
    target : str, default=None
        Name of the target column; by default the one that the source defines.
    pos_label : label, default=None
        The class of interest, also as text; by default the one with the fewest rows.
    columns : list of str, default=None
        Features to read; by default all columns.
    keep : list of str
        Columns to use even if they contain dates, free text or identifiers.
    drop : list of str
        Columns to leave out.
    sample : int, default=None
        Number of rows to draw at random; by default all rows are read.
    seed : int, default=0
        Seed of the sample.
    delimiter : str, default=None
        Delimiter of a text file; by default inferred.
    memory : int or str, default=None
        Memory limit in bytes, or a text such as "4GB"; by default the memory available.
    one_vs_rest : bool, default=True
        Whether more than two classes are reduced to ``pos_label`` and "rest" if ``pos_label`` is
        given.

    Returns
    -------
    prepared : PreparedTable
        Attributes: ``X``, a DataFrame of numeric and categorical features, possibly with missing
        values; ``y``, the labels; ``pos_label``; ``recipe``, from which :func:`apply_recipe` makes
        the features of another table; ``rows``, the positions of the rows in the table, since rows
        without a label are left out; ``findings``. Attributes of the findings: ``name``, ``n_rows``
        and ``n_unlabelled``, ``target``, ``classes`` with their numbers of rows, ``pos_label``,
        ``n_rare``, ``imbalance``, ``n_missing``, ``columns`` (each with ``name``, ``kind``,
        ``used``, ``reason``, ``n_missing``, ``n_distinct``, ``low``, ``high`` and ``categories``),
        ``used``, ``skipped``, ``notes`` and ``about``; the methods ``lines()`` and ``to_dict()``
        return them as text and as JSON-safe data.

    Examples
    --------
    >>> from rarewood.intake import prepare
    >>> wine = prepare("wine", pos_label="class_2", drop=["ash"])
    >>> wine.X.shape, wine.pos_label, wine.findings.classes
    ((178, 12), 'class_2', {'rest': 130, 'class_2': 48})

    The findings describe the table:

    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [20, 31, 44], "sex": list("fmf"), "ill": ["no", "no", "yes"]})
    >>> print("\n".join(prepare(table, "ill").findings.lines()))
    table: 3 rows, 2 columns used (1 numeric, 1 categorical)
    target 'ill': no 2, yes 1
    rare class 'yes': 1 row (33.33%), imbalance ratio 2.0
    note: the rare class 'yes' has only 1 row: estimates will be uncertain
    """
    memory = parse_size(memory)
    table = open_table(source, delimiter=delimiter, memory=memory)
    selection = Selection.of(table, target, columns, keep, drop)
    frame, places = _read(table, selection, sample, seed, memory)
    labels = encode_labels(
        [frame[selection.target]], table, selection.target, pos_label, one_vs_rest
    )
    has_label = labels.y >= 0
    if not has_label.all():
        frame = frame[has_label].reset_index(drop=True)
    found, recipe = describe_columns(frame, selection)
    findings = make_findings(table, selection, labels, found)
    X = apply_recipe(recipe, frame)
    findings.notes.extend(_remarks(frame, X, [step["name"] for step in recipe]))
    if sample is not None:
        findings.notes.append(f"{len(labels.y):,} of {table.n_rows:,} rows were sampled at random")
        findings.about["n_rows_before_sampling"] = table.n_rows
    y = labels.classes[labels.y[has_label]]
    rows = np.flatnonzero(has_label) if places is None else places[has_label]
    return PreparedTable(X, y, labels.pos_label, findings, recipe, rows)


@dataclass(frozen=True)
class Selection:
    """The target of a table, the columns to read as features, and those kept or dropped."""

    target: str
    features: list[str]
    kept: set[str]
    dropped: set[str]

    @classmethod
    def of(
        cls,
        table: RawTable,
        target: str | None,
        columns: Iterable[str] | None,
        keep: Iterable[str],
        drop: Iterable[str],
    ) -> Selection:
        """Find columns by name; raise a TableError if they are missing or contradict."""
        target = choose_target(table, target)
        kept, dropped = ({table.find(name) for name in names} for names in (keep, drop))
        for name in sorted(kept & dropped):
            raise TableError(f"Column {name!r} is in both keep and drop.")
        if target in kept:
            raise TableError(f"Column {target!r} is the target, so it cannot be a feature.")
        wanted = None if columns is None else [*columns, *kept]
        features = [n for n in table._selected(wanted) if n not in dropped and n != target]
        return cls(target, features, kept, dropped - {target})


def _read(
    table: RawTable, selection: Selection, sample: int | None, seed: int, memory: int | None
) -> tuple[Any, NDArray[np.intp] | None]:
    """Return the rows, and the positions of those that were drawn."""
    wanted = [*selection.features, selection.target]
    if sample is None:
        return table.read(wanted, memory=memory), None
    if table.n_rows is not None:
        fraction = min(1.0, 2 * sample / max(1, table.n_rows))
        check_memory(table.name, int(fraction * table.memory_needed(wanted)), memory)
    return table.draw(sample, seed, wanted)


def describe_columns(frame: Any, selection: Selection) -> tuple[list[ColumnFinding], list[Step]]:
    """Describe the columns of a table, and return how those that are used become features."""
    columns, recipe = [], []
    for name in selection.features:
        kind, remark = classify(frame[name])
        finding = _describe(frame[name], kind, remark)
        if name in selection.kept and not finding.used:
            finding = replace(finding, used=True, reason=f"kept as requested, although {remark}")
        if finding.used:
            recipe.append(make_step(frame[name], kind))
        columns.append(finding)
    return columns, recipe


def _describe(column: Any, kind: str, remark: str) -> ColumnFinding:
    name, values = str(column.name), column.dropna()
    n_distinct = 0 if kind == "other" else int(values.nunique())
    low = high = None
    categories: dict[str, int] = {}
    if kind == "numeric":
        low, high = float(values.min()), float(values.max())
    elif kind in ("categorical", "boolean", "constant"):
        top = values.value_counts().head(_MOST_CATEGORIES)
        categories = {str(value): int(n) for value, n in top.items() if n}
    n_missing = len(column) - len(values)
    used = kind in _USED
    return ColumnFinding(name, kind, used, remark, n_missing, n_distinct, low, high, categories)


def make_findings(
    table: RawTable, selection: Selection, labels: Labels, columns: list[ColumnFinding]
) -> Findings:
    """Collect the findings of a table; raise a TableError if no column is used."""
    if not any(column.used for column in columns):
        reasons = "; ".join(f"{c.name}: {c.reason}" for c in columns[:5])
        reasons = reasons or f"it has only the target {selection.target!r}"
        raise TableError(f"{table.name} has no usable feature ({reasons}).")
    notes = [f"{table.name} {note}" for note in table.notes]
    if selection.dropped:
        notes.append(f"dropped as requested: {short_list(sorted(selection.dropped))}")
    return Findings(
        name=table.name,
        n_rows=int(np.count_nonzero(labels.y >= 0)),
        target=selection.target,
        classes=labels.counts,
        pos_label=str(labels.pos_label),
        columns=columns,
        n_unlabelled=int(np.count_nonzero(labels.y < 0)),
        notes=[*notes, *labels.notes],
        about=dict(table.about),
    )


def _remarks(frame: Any, X: Any, used: list[str]) -> list[str]:
    """Return remarks on columns with equal values and on values that became missing."""
    same: dict[Any, list[str]] = {}
    for name in used:
        values = pandas().util.hash_pandas_object(frame[name], index=False).to_numpy()
        same.setdefault(hash(values.tobytes()), []).append(name)
    notes = [
        f"columns {short_list(map(repr, names[:-1]))} and {names[-1]!r} have the same values"
        for names in same.values()
        if len(names) > 1
    ]
    n_infinite = int((X.isna().sum() - frame[used].isna().sum()).clip(lower=0).sum())
    if n_infinite:
        values = count(n_infinite, "infinite or unparsable value")
        notes.append(f"{values} treated as missing")
    return notes
