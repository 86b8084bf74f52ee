"""Features of libraries of trees: each cell of the table is tried with the installed versions.

Run `python benchmarks/features.py` (about a minute). It stops if a cell of `feature_cells.py` is
not as stated, or if a test that is named does not exist; then it writes the page.
"""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import catboost
import catboost.utils
import imblearn.ensemble
import lightgbm
import numpy as np
import pandas as pd
import scipy.sparse
import sklearn.callback
import sklearn.ensemble
import sklearn.inspection
import sklearn.model_selection
import sklearn.tree
import ydf

import rarewood
import rarewood.dask
import rarewood.evaluate
import rarewood.plot
from common import write_report
from feature_cells import FEATURES, Feature, No, Part
from rarewood import criteria, explain, export, operating

ROOT = Path(__file__).parents[1]
MISTAKES: list[str] = []
LIBRARIES = {
    "rarewood": "rarewood",
    "sklearn": "scikit-learn",
    "lightgbm": "LightGBM",
    "catboost": "CatBoost",
    "ydf": "YDF",
    "imblearn": "imbalanced-learn",
}
NOTES = [
    "What is tried for each cell is in `benchmarks/feature_cells.py`: `yes` is code that runs, "
    "`no` code that fails with the named version: the documentation names no such feature, and the "
    "nearest guess is refused. A part in words is a restriction. LightGBM's command line, not its "
    "Python package, converts models to C++.",
    "Features are those of classification that at least two of the peers have, and those that "
    "rarewood was made for. Not tried, since this needs hardware or services: training on a GPU "
    "(LightGBM, CatBoost; not here) and on Spark (LightGBM, CatBoost; not here, but on Dask). Also "
    "not here: search of parameters inside of the library (CatBoost, YDF; use scikit-learn's, or "
    "Optuna), selection of features (CatBoost, YDF; use `RFECV` of scikit-learn), an encoded "
    "training table in a file for several fits (LightGBM, CatBoost; a fit from a file encodes it "
    "again), splits that are given before the fit (LightGBM, CatBoost), and saving a fit that has "
    "not ended (CatBoost, YDF; a forest can grow in steps with `warm_start`).",
    "What peers have for axis-parallel trees works for hyperplanes too, with two exceptions: "
    "partial dependence by recursion (by prediction instead) and SHAP interactions of single "
    "features are not defined for them. SHAP values are then those of the sets of features.",
]


class Loss:
    """Log loss, as CatBoost calls it."""

    def calc_ders_range(self, approxes: Any, targets: Any, weights: Any) -> list[Any]:
        found = []  # a loop that numba can compile, which CatBoost tries
        for i in range(len(targets)):
            p = 1 / (1 + np.exp(-approxes[i]))
            found.append((targets[i] - p, -p * (1 - p)))
        return found


class GoOn:
    """Callback of CatBoost."""

    def after_iteration(self, info: Any) -> bool:
        return True


def gini(children: Any) -> Any:
    totals = children.sum(axis=2)
    return ((children**2).sum(axis=2) / totals).sum(axis=1) / totals.sum(axis=1)


def names(path: Path) -> dict[str, Any]:
    """Return the names that the code of the cells uses."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1).astype(int)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    frame.to_parquet(path / "table.parquet")
    frame.to_csv(path / "table.csv", index=False)
    (path / "columns.cd").write_text("4\tLabel\n")
    squared_loss = ydf.BinaryClassificationLoss(
        initial_predictions=lambda labels, weights: np.float32(0),
        gradient_and_hessian=lambda labels, p: (p - labels, np.ones_like(p)),
        loss=lambda labels, p, weights: np.float32(((p - labels) ** 2).mean()),
        activation=ydf.Activation.IDENTITY,
    )
    found: dict[str, Any] = {}
    packages = [
        sklearn.ensemble, sklearn.tree, sklearn.model_selection, sklearn.callback, lightgbm,
        catboost, imblearn.ensemble, export, explain, operating, rarewood,
    ]  # fmt: skip
    for package in packages:
        found |= {name: getattr(package, name) for name in getattr(package, "__all__", [])}
    parameters = lightgbm.basic._ConfigAliases._get_all_param_aliases()
    return found | {
        "lgb_parameters": " ".join(parameters),
        "np": np, "pd": pd, "sklearn": sklearn, "lgb": lightgbm, "catboost": catboost, "ydf": ydf,
        "imblearn": imblearn, "rarewood": rarewood, "criteria": criteria, "json": json,
        "export": export, "csr_matrix": scipy.sparse.csr_matrix, "Loss": Loss, "GoOn": GoOn,
        "gini": gini,
        "sklearn_dependence": sklearn.inspection.partial_dependence, "squared_loss": squared_loss,
        "LGBMClassifier": lightgbm.LGBMClassifier, "Pool": catboost.Pool,
        "X": X, "y": y, "frame": frame, "path": path, "two": np.column_stack([y, 1 - y]),
        "gaps": np.where(rng.random(X.shape) < 0.1, np.nan, X),
        "mixed": frame[["a", "b"]].assign(c=rng.choice(["red", "green", "blue"], 300)),
        "words": pd.DataFrame({"w": [list(rng.choice(list("klmno"), 3)) for _ in range(300)]}),
    }  # fmt: skip


def is_working(code: str, known: dict[str, Any]) -> tuple[bool, str]:
    """Run code; a name that does not exist is a mistake of the cell."""
    try:
        exec(code, dict(known))
    except (NameError, SyntaxError):
        raise
    except Exception as error:
        return False, f"{type(error).__name__}: {str(error)[:300]}"
    return True, "it works"


def cell(feature: Feature, library: str, known: dict[str, Any]) -> str:
    """Return the text of a cell, after trying it."""
    stated = getattr(feature, library)
    code = stated if isinstance(stated, str) else stated.code
    works, why = is_working(code, known)
    if works == isinstance(stated, No):
        MISTAKES.append(f"{feature.name}, {library}: not as stated ({why}): {code}")
    print(f"{feature.name}, {library}: {why}")
    if isinstance(stated, Part):
        return f"yes ({stated.words})"
    return "yes" if works else "no"


def test_of(feature: Feature) -> str:
    """Return the test of a feature, which must exist, or what to do without it."""
    if isinstance(feature.rarewood, No):
        return feature.test
    file, _, test = feature.test.partition("::")
    path = ROOT / file
    if not path.is_file() or (test and f"def {test}(" not in path.read_text()):
        raise SystemExit(f"There is no test {feature.test}.")
    return f"`{feature.test}`"


def row_of(feature: Feature, known: dict[str, Any]) -> dict[str, str]:
    """Return a row of the table."""
    row = {"feature": feature.name}
    for name, title in LIBRARIES.items():
        heading = title if name == "rarewood" else f"{title} {version(title)}"
        row[heading] = cell(feature, name, known)
    return row | {"test here, or what to do": test_of(feature)}


def main() -> None:
    warnings.simplefilter("ignore")
    ydf.verbose(0)
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # CatBoost writes into it
        known = names(Path(folder))
        rows = [row_of(feature, known) for feature in FEATURES]
        os.chdir(before)
    if MISTAKES:
        raise SystemExit("\n".join(MISTAKES))
    write_report("features", "Features compared", NOTES, {"Features": rows})


if __name__ == "__main__":
    main()
