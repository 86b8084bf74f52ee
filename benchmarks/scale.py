"""Large tables: rarewood in memory, from files and on a cluster, and LightGBM.

``python benchmarks/scale.py`` takes hours on an idle machine; ``--models default --repeats 1`` fits
the default forest once in every way, ``--rows 1000000`` takes minutes. Tables are generated and
written as Parquet to a temporary folder (2 GB at 10M rows). Each fit runs in a separate process,
all methods in turn. Measurements are stored in build/scale.json, so an interrupted run resumes.
``--report`` writes the pages from that file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from common import Measured, Table
from scale_cases import MODELS, TARGET, WAYS
from scale_report import write

ROWS = (1_000_000, 3_000_000, 10_000_000)
FILES = 8  # of each table: partitions of the Dask collections
GROUP_ROWS = 131_072
HELD_OUT = 200_000
CASES = Path(__file__).with_name("scale_cases.py")


def make_table(n_rows: int, folder: Path) -> None:
    """Write a table of 30 normal features and 2% rare samples, and held-out samples."""
    rows = folder / "rows"
    rows.mkdir()
    starts = np.linspace(0, n_rows, FILES + 1).astype(int)
    for i, size in enumerate(np.diff(starts)):
        X, y = Table("", int(size)).make(seed=i)
        columns = {f"x{j}": X[:, j] for j in range(X.shape[1])} | {TARGET: y.astype(np.int8)}
        pyarrow.parquet.write_table(
            pa.table(columns), rows / f"part-{i}.parquet", row_group_size=GROUP_ROWS
        )
    X, y = Table("", HELD_OUT).make(seed=FILES)
    np.savez(folder / "held_out.npz", X=X, y=y)
    os.sync()  # otherwise the first fits would compete with disk writes


def run(options: argparse.Namespace, measured: Measured) -> None:
    for n_rows in options.rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make_table(n_rows, folder)
            for repeat in range(options.repeats):
                for model in options.models:
                    for way in (one for one in options.ways if one in MODELS[model]):
                        fit(n_rows, model, way, repeat, folder, measured)


def fit(n_rows: int, model: str, way: str, repeat: int, folder: Path, measured: Measured) -> None:
    """Fit once, unless already stored; failures are stored too."""
    key = f"{n_rows}/{model}/{way}/{repeat}"
    known = measured.entries.get(key, {})
    if "seconds" in known:
        if way == "binned":  # LightGBM uses the same number of leaves
            (folder / f"leaves-{model}").write_text(str(known["leaves"]))
        return
    command = [sys.executable, str(CASES), way, model, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        entry = json.loads(done.stdout.splitlines()[-1])
    else:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        entry = {"error": lines[-1]}
    measured.add(key, entry)
    print(key, entry, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--models", nargs="+", choices=MODELS, default=tuple(MODELS))
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=tuple(WAYS))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--report", action="store_true", help="write the pages without measuring")
    options = parser.parse_args()
    measured = Measured("scale")
    if not options.report:
        run(options, measured)
    write(measured.entries)


if __name__ == "__main__":
    main()
