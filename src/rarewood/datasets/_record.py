"""The record of a data set."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set.

    Attributes
    ----------
    name : str
        Name of the data set.
    X : DataFrame
        Features, with categorical columns as categories.
    y : ndarray of shape (n_samples,)
        Labels.
    pos_label : label
        The class of interest, usually the rarest one.
    rule : str
        How the classes and the class of interest were derived.
    source, licence, notes : str
        Origin, licence, and remarks.
    printed : dict
        Numbers printed in papers, by table: "instances", "features" and the fraction of the rare
        class.
    differences : list of str
        Differences between the data and the printed numbers.
    about : dict
        Entry of the manifest of the folder.
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
        """Number of samples of every class, the most frequent first."""
        labels, counts = np.unique(self.y, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return dict(zip(labels[order].tolist(), counts[order].tolist(), strict=True))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of samples and of features."""
        return self.X.shape[0], self.X.shape[1]

    def __repr__(self) -> str:
        rows, columns = self.shape
        counts = self.counts
        return (
            f"Dataset({self.name!r}, {rows} rows, {columns} features, {len(counts)} classes, "
            f"rare class {self.pos_label!r} with {counts[self.pos_label]} rows)"
        )


def make_record(name: str, X: Any, y: Any, pos_label: Any = None, **more: Any) -> Dataset:
    """Return a record; ``pos_label`` is by default the class with the fewest samples."""
    labels = np.asarray(y)
    classes, counts = np.unique(labels, return_counts=True)
    rule = more.pop("rule", "")
    if pos_label is None:
        pos_label = classes[counts.argmin()]
        rule = rule or "the rare class is the one with the fewest rows"
    elif pos_label not in classes:
        raise ValueError(
            f"pos_label {pos_label!r} of {name!r} is not one of its labels, {classes.tolist()}."
        )
    plain = pos_label.item() if isinstance(pos_label, np.generic) else pos_label
    record = Dataset(name, X, labels, plain, rule, **more)
    return replace(record, differences=[*record.differences, *_differences(record)])


def derive(record: Dataset, pos_label: Any, name: str | None = None, rule: str = "") -> Dataset:
    """Derive a data set with the two classes "positive" and "negative".

    Parameters
    ----------
    record : Dataset
        A data set.
    pos_label : label or list of labels
        Labels of the positive class; all others are negative.
    name : str, default=None
        Name of the result; by default that of the record.
    rule : str, default=""
        Description of the rule; derived from the labels by default.

    Returns
    -------
    derived : Dataset
        Its class of interest is "positive", even if it is the larger one.
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
    y = np.where(is_positive, "positive", "negative")
    kept = {key: getattr(record, key) for key in ("source", "licence", "notes", "printed", "about")}
    return make_record(name or record.name, record.X, y, "positive", rule=words, **kept)


def _differences(record: Dataset) -> list[str]:
    """Differences between the data and the numbers printed in papers."""
    found = []
    rows, columns = record.shape
    for table, printed in record.printed.items():
        for what, ours in (("instances", rows), ("features", columns)):
            theirs = printed.get(what)
            if theirs is not None and theirs != ours:
                found.append(f"{table} prints {theirs} {what}, the data have {ours}")
        printed_percent = re.fullmatch(r"([\d.]+)%", str(printed.get("minority_pct_or_other", "")))
        if printed_percent and len(record.counts) == 2:
            digits = len(printed_percent[1].partition(".")[2])
            percent = 100 * record.counts[record.pos_label] / rows
            if abs(percent - float(printed_percent[1])) > 0.6 * 10**-digits:
                found.append(
                    f"{table} prints {printed_percent[1]}% of the rare class, the data have "
                    f"{percent:.2f}%"
                )
    return found
