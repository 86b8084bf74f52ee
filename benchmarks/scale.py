"""Large tables: in memory, from files, on a cluster; and LightGBM beside us.

``python benchmarks/scale.py`` on an idle machine takes about an hour; ``--rows 1000000`` a few
minutes. Tables are made and written as Parquet to a temporary folder (2 GB at 10M rows), each fit
runs in a process of its own, all ways in turn, and what was measured is kept in build/scale.json: a
stopped run goes on where it was. ``--report`` writes the pages from that file alone.
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
from scale_cases import TARGET, WAYS
from scale_report import write

ROWS = (1_000_000, 3_000_000, 10_000_000)
MODELS = ("tree", "forest")
FILES = 8  # of each table: partitions of the Dask collections
GROUP_ROWS = 131_072
HELD_OUT = 200_000
CASES = Path(__file__).with_name("scale_cases.py")


def make_table(n_rows: int, folder: Path) -> None:
    """Write a table of 30 normal columns and 2% rare rows, and further rows of the same kind."""
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
    os.sync()  # or the first fits would share the machine with the writing of the files


def run(options: argparse.Namespace, measured: Measured) -> None:
    for n_rows in options.rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make_table(n_rows, folder)
            for repeat in range(options.repeats):
                for model in options.models:
                    for way in options.ways:
                        fit(n_rows, model, way, repeat, folder, measured)


def fit(n_rows: int, model: str, way: str, repeat: int, folder: Path, measured: Measured) -> None:
    """Fit once, unless that was done before; a failure is an entry too."""
    key = f"{n_rows}/{model}/{way}/{repeat}"
    known = measured.entries.get(key, {})
    if "seconds" in known:
        if way == "binned":  # others take their number of leaves from it
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
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=tuple(WAYS))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--report", action="store_true", help="measure nothing")
    options = parser.parse_args()
    measured = Measured("scale")
    if not options.report:
        run(options, measured)
    write(measured.entries)


if __name__ == "__main__":
    main()
