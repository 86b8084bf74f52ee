"""The record of a data set: the table, what is rare in it, and where it comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Dataset", "derive", "make_record"]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set.

    Attributes
    ----------
    name : str
        What it is called.
    X : DataFrame
        Features. Nominal columns are categories, missing values are missing.
    y : ndarray of shape (n_rows,)
        Labels.
    pos_label : label
        The class of interest, usually the rarest one.
    rule : str
        How the classes, and the rare one among them, were derived.
    source, licence, notes : str
        Where it comes from, what may be done with it, and what one should know.
    printed : dict
        What papers print about it, by their tables: "instances", "features" and the share of the
        rare class.
    differences : list of str
        Where the table differs from what is printed.
    about : dict
        All that the manifest of the folder says.
    """

    name: str
    X: Any
    y: NDArray[Any]
    pos_label: Any
    rule: str = ""
    source: str = ""
    licence: str = "not stated"
    notes: str = ""
    printed: dict[str, Any] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> dict[Any, int]:
        """Rows of every class, the most frequent first."""
        labels, counts = np.unique(self.y, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return dict(zip(labels[order].tolist(), counts[order].tolist(), strict=True))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of features."""
        return self.X.shape[0], self.X.shape[1]

    def __repr__(self) -> str:
        rows, columns = self.shape
        counts = self.counts
        return (
            f"Dataset({self.name!r}, {rows} rows, {columns} features, {len(counts)} classes, "
            f"rare class {self.pos_label!r} with {counts[self.pos_label]} rows)"
        )


def make_record(name: str, X: Any, y: Any, pos_label: Any = None, **more: Any) -> Dataset:
    """Return a record; the rare class is the one with the fewest rows unless it is given."""
    labels = np.asarray(y)
    classes, counts = np.unique(labels, return_counts=True)
    rule = more.pop("rule", "")
    if pos_label is None:
        pos_label = classes[counts.argmin()]
        rule = rule or "the rare class is the one with the fewest rows"
    elif pos_label not in classes:
        raise ValueError(
            f"The rare class {pos_label!r} of {name!r} is none of its labels, {classes.tolist()}."
        )
    plain = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    record = Dataset(name, X, labels, plain, rule, **more)
    return replace(record, differences=[*record.differences, *_differences(record)])


def derive(record: Dataset, pos_label: Any, name: str | None = None, rule: str = "") -> Dataset:
    """Return the data set with two classes, "positive" and "negative".

    Parameters
    ----------
    record : Dataset
        A data set.
    pos_label : label or list of labels
        Labels of the positive class; all others are negative.
    name : str, default=None
        Name of the result; that of the record unless given.
    rule : str, default=""
        The rule in words; made of the labels unless given.

    Returns
    -------
    derived : Dataset
        The positive class is its rare class, even if it has more rows.
    """
    chosen = pos_label if isinstance(pos_label, list | tuple | set | frozenset) else [pos_label]
    known = {str(label): label for label in np.unique(record.y).tolist()}
    unknown = [label for label in chosen if str(label) not in known]
    if unknown or len({str(label) for label in chosen}) in (0, len(known)):
        raise ValueError(
            f"pos_label must be some, but not all, of the labels of {record.name!r}, which are "
            f"{list(known.values())}; got {pos_label!r}."
        )
    is_positive = np.isin(record.y.astype(str), [str(label) for label in chosen])
    words = rule or f"{', '.join(map(str, chosen))} against the rest"
    return make_record(
        name or record.name,
        record.X,
        np.where(is_positive, "positive", "negative"),
        pos_label="positive",
        rule=words,
        source=record.source,
        licence=record.licence,
        notes=record.notes,
        printed=record.printed,
        about=record.about,
    )


def _differences(record: Dataset) -> list[str]:
    """Say where the shape is not the one that papers print."""
    found = []
    rows, columns = record.shape
    for table, printed in record.printed.items():
        for what, ours in (("instances", rows), ("features", columns)):
            theirs = printed.get(what)
            if theirs is not None and theirs != ours:
                found.append(f"{table} prints {theirs} {what}, here are {ours}")
        share = re.fullmatch(r"([\d.]+)%", str(printed.get("minority_pct_or_other", "")))
        if share and len(record.counts) == 2:
            digits = len(share[1].partition(".")[2])
            ours_share = 100 * record.counts[record.pos_label] / rows
            if abs(ours_share - float(share[1])) > 0.6 * 10**-digits:
                found.append(
                    f"{table} prints {share[1]}% of the rare class, here are {ours_share:.2f}%"
                )
    return found
