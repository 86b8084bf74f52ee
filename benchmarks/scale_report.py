"""Page of the benchmark of large tables, from stored measurements."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import Any

import numpy as np

import scale_model
from common import ROOT, machine, write_report
from scale_cases import DEFAULT, DEPTH, MAX_BINS, MODELS, THREADS, TREES, TRIED

PACKAGES = ("rarewood", "lightgbm", "dask", "distributed", "pyarrow", "numpy")
NAMES = {
    "tree": f"Single tree, depth {DEPTH}, all features",
    "forest": f"{TREES} trees on bootstrap samples, depth {DEPTH}, {TRIED} of 30 features per node",
    DEFAULT: "The default forest, `RareForestClassifier()`, and the default of LightGBM",
}
COLUMNS = 30
MOST_BYTES = 12  # per row and thread, beyond the codes and the model
MOST_GIBI = 2  # out of core, beyond the codes
# (ratio, numerator, denominator, goal, whether the ratio must be at least or at most the goal)
TARGETS = (
    ("in memory: speedup over LightGBM", "LightGBM", "binned", 3.0, "at least"),
    ("out of core: time relative to LightGBM in memory", "out of core", "LightGBM", 1.5, "at most"),
    ("out of core: time relative to in memory", "out of core", "binned", None, ""),
    ("Dask, 2 workers: time relative to in memory", "Dask, 2 workers", "binned", 1.2, "at most"),
    (
        "Dask from files: time relative to out of core",
        "Dask from files, 2 workers",
        "out of core",
        None,
        "",
    ),
    (
        "Dask: speedup over LightGBM on Dask",
        "LightGBM on Dask, 2 workers",
        "Dask, 2 workers",
        None,
        "",
    ),
)
DASK, TREES_DASK = "Dask, 2 workers", "Dask by trees, 2 workers"
DEFAULT_TARGETS = (
    ("in memory: speedup over LightGBM", "LightGBM", "in memory", None, ""),
    ("out of core: time relative to in memory", "out of core", "in memory", None, ""),
    ("Dask by rows: time relative to in memory", DASK, "in memory", 1.5, "at most"),
    ("Dask by trees: time relative to in memory", TREES_DASK, "in memory", 1.2, "at most"),
)
MEBI = 2**20

Entries = dict[str, dict[str, Any]]


def write(entries: Entries) -> None:
    """Write docs/benchmarks/scale.md and the generated section of docs/scaling.md."""
    tables = {}
    for model, name in NAMES.items():
        tables[name] = [row for n_rows in sizes(entries) for row in _rows(entries, n_rows, model)]
    tables["Ratios and targets"] = _targets(entries)
    tables["Memory of the default forest"] = _memory(entries)
    tables["Growth of time, memory and traffic with the number of rows"] = _growth(entries)
    write_report("scale", "Large tables", _notes(), tables)
    scale_model.write(entries, ROOT / "docs" / "scaling.md")


def sizes(entries: Entries) -> list[int]:
    """Numbers of rows, ascending."""
    return sorted({int(key.split("/")[0]) for key in entries})


def runs(entries: Entries, n_rows: int, model: str, way: str) -> dict[int, dict[str, Any]]:
    """Return the successful fits by round."""
    prefix = f"{n_rows}/{model}/{way}/"
    return {
        int(key.removeprefix(prefix)): entry
        for key, entry in entries.items()
        if key.startswith(prefix) and "seconds" in entry
    }


def middle(found: Iterable[dict[str, Any]], field: str) -> float | None:
    """Return the median of a field over the rounds."""
    values = [entry[field] for entry in found if field in entry]
    return median(values) if values else None


def ratio(entries: Entries, n_rows: int, model: str, above: str, below: str) -> float | None:
    """Return the median over rounds of the ratio of two times."""
    first, second = (runs(entries, n_rows, model, way) for way in (above, below))
    both = first.keys() & second.keys()
    return median(first[i]["seconds"] / second[i]["seconds"] for i in both) if both else None


def _rows(entries: Entries, n_rows: int, model: str) -> Iterable[dict[str, str]]:
    for way in MODELS[model]:
        found = list(runs(entries, n_rows, model, way).values())
        errors = [
            e["error"] for key, e in entries.items() if _is_failure(key, e, n_rows, model, way)
        ]
        if not found:
            if errors:
                yield _row(n_rows, way, "0", errors[0], *["-"] * 5)
            continue
        sent = middle(found, "sent")
        yield _row(
            n_rows,
            way,
            str(len(found)),
            f"{middle(found, 'seconds'):.3g}",
            f"{middle(found, 'peak') / MEBI:.0f}",
            f"{middle(found, 'in_all') / MEBI:.0f}",
            "-" if sent is None else f"{sent / MEBI:.2f}",
            str(found[0]["leaves"]),
            f"{found[0]['auc']:.4f}",
        )


def _is_failure(key: str, entry: dict, n_rows: int, model: str, way: str) -> bool:
    return key.startswith(f"{n_rows}/{model}/{way}/") and "error" in entry


def _row(n_rows: int, *cells: str) -> dict[str, str]:
    memory = ("peak increase, MiB", "total peak, MiB")
    names = ("rows", "method", "rounds", "fit, s", *memory, "sent, MiB", "leaves", "AUC")
    return dict(zip(names, (f"{n_rows:,}", *cells), strict=True))


def _targets(entries: Entries) -> list[dict[str, str]]:
    rows = []
    for model in (name for name in NAMES if any(f"/{name}/" in key for key in entries)):
        targets = DEFAULT_TARGETS if model == DEFAULT else TARGETS
        for what, above, below, goal, kind in targets:
            found = {n: ratio(entries, n, model, above, below) for n in sizes(entries)}
            row = {"model": model, "ratio": what}
            row |= {f"{n:,} rows": "-" if r is None else f"{r:.2f}" for n, r in found.items()}
            row["target for the largest table"] = f"{kind} {goal:g}" if goal else "-"
            row["reached"] = _is_reached(found[max(found)], goal, kind) if found else "-"
            rows.append(row)
    return rows


def _memory(entries: Entries) -> list[dict[str, str]]:
    """Return the memory of the default forest beyond its codes, and beyond its model."""
    rows = []
    for n_rows in sizes(entries):
        for way in ("in memory", "out of core"):
            found = list(runs(entries, n_rows, DEFAULT, way).values())
            if not found:
                continue
            codes, model = n_rows * COLUMNS, middle(found, "model")
            beyond = middle(found, "peak") - codes
            per_row = (beyond - model) / n_rows / THREADS
            target, reached = (
                f"at most {MOST_BYTES} bytes per row and thread",
                per_row <= MOST_BYTES,
            )
            if way == "out of core":
                target, reached = f"at most {MOST_GIBI} GiB", beyond <= MOST_GIBI * 2**30
            rows.append(
                {
                    "rows": f"{n_rows:,}",
                    "method": way,
                    "codes, MiB": f"{codes / MEBI:.0f}",
                    "model, MiB": f"{model / MEBI:.0f}",
                    "peak beyond the codes, MiB": f"{beyond / MEBI:.0f}",
                    "beyond codes and model, bytes per row and thread": f"{per_row:.1f}",
                    "target": target,
                    "reached": "yes" if reached else "no",
                }
            )
    return rows


def _is_reached(value: float | None, goal: float | None, kind: str) -> str:
    if value is None or goal is None:
        return "-"
    return "yes" if (value >= goal if kind == "at least" else value <= goal) else "no"


def _growth(entries: Entries) -> list[dict[str, str]]:
    """Return exponents of growth with the number of rows: 1 is linear, 0 constant."""
    rows = []
    for model in NAMES:
        for way in MODELS[model]:
            row = {"model": model, "method": way}
            for field, name in (("seconds", "time"), ("peak", "peak"), ("sent", "sent")):
                row[f"{name} ~ rows^"] = _exponent(entries, model, way, field)
            if any(cell != "-" for name, cell in row.items() if "^" in name):
                rows.append(row)
    return rows


def _exponent(entries: Entries, model: str, way: str, field: str) -> str:
    values = {n: middle(runs(entries, n, model, way).values(), field) for n in sizes(entries)}
    known = {n: value for n, value in values.items() if value}
    if len(known) < 2:
        return "-"
    slope = np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0]
    return f"{slope:.2f}"


def _notes() -> list[str]:
    return [
        machine(PACKAGES).rsplit("; ", 1)[0] + ".",
        f"Generated tables with 30 normal float32 features and 2% rare samples, {MAX_BINS} bins "
        f"(`benchmarks/scale.py`). {THREADS} threads, or workers of one thread each, on the same "
        "machine (the two cores are shared with the scheduler). Every fit runs in a new process, "
        "all methods in turn; times and memory are medians over rounds, ratios are medians of the "
        "ratios within a round.",
        "Times are those of `fit` only. In memory (binned, exact, LightGBM), the input is an array "
        "in C order; for Dask, arrays in the memory of the workers; out of core and for Dask from "
        "files, 8 Parquet files in the page cache. Memory is the sum over the process and its "
        "children: the increase during the fit, and the total, which includes a table in memory.",
        "The default forest has 100 fully grown trees and no parameter, wherever its table is; the "
        "size of its model is that of its pickle. By rows and by trees are the strategies of "
        "`DaskRareForestClassifier`.",
        "Otherwise LightGBM has as many leaves as the largest tree of rarewood, the same depth, "
        "leaves of one sample and no regularisation. Its forest is the mode `rf` with 63.2% of the "
        "samples, its single tree one round of boosting (`rf` must sample). Times include the "
        "construction of its data set and the encoding of rarewood. Leaves are those of the "
        "largest tree; AUC is computed on 200,000 other samples.",
        '"Sent" is the traffic between the client and the workers, without the data.',
    ]
