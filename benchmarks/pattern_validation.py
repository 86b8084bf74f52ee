"""How many samples the validation of pattern-based oversampling rejects, by the size of its leaves.

``python benchmarks/pattern_validation.py --data FOLDER`` writes the page in about three minutes.
FOLDER (or RAREWOOD_DATA) holds the data sets.
"""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path
from typing import Any

from sklearn.model_selection import train_test_split

from common import machine, write_report
from pattern_sampling import sampler
from tables import load_folder

TABLES = [
    "german_numer", "ism", "oil", "page", "phoneme", "satimage", "segment", "credit_g", "boundary",
    "breast_y", "car", "glass", "nursery", "page_5",
]  # fmt: skip
LEAVES = {"2": 2, "10": 10, "1%": 0.01, "5%": 0.05}


def measure(X: Any, y: Any) -> dict[str, str]:
    """Sample one table under every size of leaves."""
    found = {}
    for name, leaf in LEAVES.items():
        own = sampler(min_samples_leaf=leaf, strict=True, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about classes that stay small
            own.fit_resample(X, y)
        wanted = sum(own.sampling_strategy_.values())
        n_drawn, n_rejected = sum(own.n_generated_.values()), sum(own.n_rejected_.values())
        found[f"leaf {name}"] = (
            f"{n_rejected / n_drawn:.0%} / {(n_drawn - n_rejected) / wanted:.0%}"
        )
    counts = sum(tree.tree_.counts[0] for tree in own.validator_.values())
    return {"original": f"{counts[1] / counts.sum():.0%}", **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("RAREWOOD_DATA"))
    options = parser.parse_args()
    rows = []
    for name in TABLES:
        X, y = load_folder(options.data, name)
        X, _, y, _ = train_test_split(X, y, train_size=0.5, stratify=y, random_state=0)
        rows.append({"table": name, **measure(X, y)})
        print(rows[-1], flush=True)
    notes = [
        "A stratified half of each table, `PatternOverSampler(unconstrained='all', strict=True)`, "
        "at most 10 further rounds. Original: fraction of original samples among those of the "
        "validation trees. Leaf: minimum number, or fraction, of samples in a leaf of a validation "
        "tree. Cells: rejected samples / samples accepted, of those requested.",
        "A generated sample is rejected if its leaf contains no original one. Where nothing is "
        "rejected with leaves of 5%, each of the at most 20 leaves contains an original sample.",
        machine(["numpy", "scikit-learn", "imbalanced-learn"]),
    ]
    write_report("pattern_validation", "Validation of patterns", notes, {"By size of leaves": rows})


if __name__ == "__main__":
    main()
