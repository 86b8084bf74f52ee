"""Exported models: sizes of files, speed and equality, for ONNX Runtime and compiled C.

Run `python benchmarks/exports.py` (a few minutes; `--quick`: forests of 10 trees). It needs onnx,
onnxruntime and a C compiler. Forests are grown on 20,000 rows of double precision.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

import rarewood
from common import Table, arguments, machine, race, write_report
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier
from rarewood.export import to_c, to_onnx

N_TRAINING, N_ROWS, N_COMPARED, BATCH, N_CATEGORIES = 20_000, 10_000, 50_000, 1_000, 12
SHIFT = 1_000
LOOP = """
void rarewood_rows(const double *x, double *proba, int n)
{
    int i;
    for (i = 0; i < n; ++i) {
        rarewood_predict_proba(x + (long)i * RAREWOOD_N_FEATURES,
                               proba + (long)i * RAREWOOD_N_CLASSES);
    }
}
"""
FOREST = {"random_state": 0, "n_jobs": 1}


def models(n_trees: int) -> dict[str, tuple[Any, bool]]:
    """Return the models, and whether two features are categorical."""
    return {
        "default forest (oblique)": (RareForestClassifier(n_trees, **FOREST), False),
        "oblique forest, fully grown": (
            RareForestClassifier(n_trees, collapse=0, leaf_strength=10.0, **FOREST),
            False,
        ),
        "default forest over 64 bins": (
            RareForestClassifier(n_trees, max_bins=64, **FOREST),
            False,
        ),
        "axis-parallel forest": (RareForestClassifier(n_trees, splitter="best", **FOREST), False),
        "axis-parallel forest, fully grown": (
            RareForestClassifier(
                n_trees, splitter="best", collapse=0, leaf_strength=10.0, **FOREST
            ),
            False,
        ),
        "axis-parallel forest with categories": (
            RareForestClassifier(n_trees, splitter="best", categorical_features=[0, 1], **FOREST),
            True,
        ),
        "tree": (RareTreeClassifier(), False),
        "C4.5 tree, not pruned": (C45Classifier(confidence=None, class_weight="balanced"), False),
    }


def table(
    n_rows: int, seed: int, is_categorical: bool, shift: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return values that float32 cannot represent, one in fifty missing."""
    X, y = Table("", n_rows, missing=0.02).make(seed)
    X = X * (1 + 1e-7 * np.random.default_rng(seed).standard_normal(X.shape))
    X += shift
    if is_categorical:
        X[:, :2] = np.clip(
            np.floor((X[:, :2] - shift) * 2) + N_CATEGORIES // 2, 0, N_CATEGORIES - 1
        )
    return X, y


def in_batches(run: Callable[[np.ndarray], np.ndarray], X: np.ndarray) -> np.ndarray:
    """Return the results of a function of batches."""
    return np.concatenate([run(X[i : i + BATCH]) for i in range(0, len(X), BATCH)])


def session(model: Any, dtype: str) -> tuple[bytes, Callable[[np.ndarray], np.ndarray]]:
    """Return the bytes of a graph, and its probabilities for a matrix."""
    data = to_onnx(model, dtype=dtype, inputs="matrix").SerializeToString()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    found = ort.InferenceSession(data, options)
    return data, lambda X: found.run(["probabilities"], {"X": X})[0]


def compiled(model: Any, folder: Path) -> tuple[dict[str, Any], Callable[[np.ndarray], np.ndarray]]:
    """Return sizes and time of the compilation, and the probabilities of the C functions."""
    code = to_c(model)
    source, library = folder / "model.c", folder / f"model{time.time_ns()}.so"
    source.write_text(code + LOOP)
    start = time.perf_counter()
    command = ["cc", "-std=c99", "-O2", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - start
    function = ctypes.CDLL(str(library)).rarewood_rows
    n_classes = len(model.classes_)

    def run(X: np.ndarray) -> np.ndarray:
        proba = np.empty((len(X), n_classes))
        pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (X, proba))
        function(*pointers, ctypes.c_int(len(X)))
        return proba

    return {"C": megabytes(len(code)), "compiled": megabytes(library.stat().st_size),
            "cc -O2, s": f"{seconds:.1f}"}, run  # fmt: skip


def rounding(
    run: Callable[[np.ndarray], np.ndarray], X: np.ndarray, expected: np.ndarray
) -> tuple[str, str]:
    """Return the fractions of rows with other probabilities and labels for rounded values."""
    proba = in_batches(lambda x: run(x.astype(np.float32)), X)
    differs = (proba != expected).any(axis=1)
    label_differs = proba.argmax(axis=1) != expected.argmax(axis=1)
    return f"{differs.mean():.3%}", f"{label_differs.mean():.3%}"


def megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 2**20:.2f}"


def measure(name: str, model: Any, is_categorical: bool, repeats: int, folder: Path) -> list[dict]:
    """Return the rows of the three tables of the page."""
    model.fit(*table(N_TRAINING, 0, is_categorical))
    X, _ = table(N_COMPARED, 1, is_categorical)
    trees = getattr(model, "forest_", None)
    n_nodes = model.tree_.n_nodes if trees is None else sum(t.n_nodes for t in trees.trees)
    rarewood.save(model, folder / "model")
    data, onnx64 = session(model, "float64")
    _, onnx32 = session(model, "float32")
    sizes, in_c = compiled(model, folder)
    few, one = X[:N_ROWS], X[:1]
    runners = {
        "rarewood": lambda: in_batches(model.predict_proba, few),
        "onnx": lambda: in_batches(onnx64, few),
        "c": lambda: in_c(few),
    }
    times = race(runners, repeats)
    single = race(
        {
            "rarewood": lambda: [model.predict_proba(one) for _ in range(100)],
            "onnx": lambda: [onnx64(one) for _ in range(100)],
            "c": lambda: [in_c(one) for _ in range(100)],
        },
        repeats,
    )
    expected = in_batches(model.predict_proba, X)
    found = {"ONNX": in_batches(onnx64, X), "C": in_c(X)}
    by_rounding = rounding(onnx32, X, expected)
    model.fit(*table(N_TRAINING, 0, is_categorical, SHIFT))
    shifted = table(N_COMPARED, 1, is_categorical, SHIFT)[0]
    expected_of_shifted = in_batches(model.predict_proba, shifted)
    onnx32 = session(model, "float32")[1]
    by_shift = rounding(onnx32, shifted, expected_of_shifted)
    about = {"model": name}
    names = {"rarewood": "predict_proba", "onnx": "ONNX Runtime", "c": "C"}
    return [
        about
        | {"nodes": f"{n_nodes:,}", "rarewood.save": megabytes((folder / "model").stat().st_size),
           "ONNX": megabytes(len(data))} | sizes,
        about
        | {f"{names[k]}, µs per row": f"{t.cpu / N_ROWS * 1e6:.2f}" for k, t in times.items()}
        | {f"{names[k]}, µs for one row": f"{t.cpu * 1e4:.0f}" for k, t in single.items()},
        about
        | {f"{k}: largest difference": f"{abs(p - expected).max():.0e}" for k, p in found.items()}
        | {
            "float32: other probabilities": by_rounding[0],
            "other labels": by_rounding[1],
            f"values + {SHIFT:,}, float32: other probabilities": by_shift[0],
            "other labels ": by_shift[1],
        },
    ]  # fmt: skip


def main() -> None:
    """Measure every model and write the page."""
    options = arguments(__doc__)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (model, is_categorical) in models(10 if options.quick else 100).items():
            print(f"--- {name}", flush=True)
            rows.append(measure(name, model, is_categorical, options.repeats, Path(folder)))
    sizes, speeds, equality = zip(*rows, strict=True)
    notes = [
        machine(["rarewood", "onnx", "onnxruntime", "numpy"]),
        f"Forests of {10 if options.quick else 100} trees, grown on {N_TRAINING:,} rows of 30 "
        "features in double precision, of which 2% are missing. Sizes are in MiB. Times are CPU "
        f"times of one thread, the best of several interleaved runs on {N_ROWS:,} other rows, in "
        f"batches of {BATCH:,} for `predict_proba` and ONNX Runtime, and row by row for C. The "
        "time for one row includes that of the call from Python, for C through ctypes.",
        f"Differences are those of probabilities from `predict_proba` on {N_COMPARED:,} rows: of "
        "graphs and code that take float64, and of a graph that takes the same rows rounded to "
        "float32. Rounding puts a value on the other side of a threshold that is very close to it; "
        "nothing else changes, since the graph computes in double precision. Values with a large "
        f"offset lose more digits: the last columns are those of the same table plus {SHIFT:,}.",
    ]
    write_report(
        "exports",
        "Exported models",
        notes,
        {"Sizes": list(sizes), "Speed": list(speeds), "Equality": list(equality)},
    )


if __name__ == "__main__":
    main()
