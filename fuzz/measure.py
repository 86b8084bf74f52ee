"""Coverage of a search: lines of the core by gcov, of the Python package by coverage.py."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from fuzz.coverage import VARIABLE
from fuzz.target import ROOT

BUILD = Path(sys.prefix) / "build"  # where the Makefile builds the core of this environment
PACKAGES = (
    "criteria", "explain", "export", "foreign", "intake", "model", "modelfile", "rules", "stream",
    "table", "workflow",
)  # fmt: skip
N_GAPS = 12  # files that are listed
Lines = dict[str, tuple[int, int]]  # by file or folder: lines that were run, and all


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.measure", description=__doc__)
    parser.add_argument("--minutes", default="10")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--targets", default=None)
    arguments = parser.parse_args()
    for old in BUILD.rglob("*.gcda"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        search = [sys.executable, "-m", "fuzz"]
        search += ["--minutes", arguments.minutes, "--seed", arguments.seed]
        search += ["--targets", arguments.targets] if arguments.targets else []
        code = subprocess.run(search, cwd=ROOT, env=os.environ | {VARIABLE: folder}).returncode
        for title, lines in (("core", core_lines()), ("package", package_lines(folder))):
            print(f"\nlines of the {title}\n{table(by_folder(lines))}")
            print(f"most lines that were not run\n{table(largest_gaps(lines), has_total=False)}")
    return code


def core_lines() -> Lines:
    """Lines of the files of the core; none without an instrumented build."""
    run: dict[str, dict[int, bool]] = defaultdict(dict)
    notes = sorted(BUILD.rglob("*.gcda"))
    if not notes:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["gcov", "--json-format", *notes], cwd=folder, capture_output=True, check=True
        )
        for path in Path(folder).glob("*.gcov.json.gz"):
            for file in json.loads(gzip.decompress(path.read_bytes()))["files"]:
                place = file["file"].rpartition("core/")
                if not place[1] or place[2].startswith("/"):
                    continue
                for line in file["lines"]:
                    known = run[place[2]]
                    number = line["line_number"]
                    known[number] = known.get(number, False) or line["count"] > 0
    return {
        name: (sum(lines.values()), len(lines))
        for name, lines in run.items()
        if (ROOT / "core" / name).exists()
    }


def package_lines(folder: str) -> Lines:
    """Lines of the files of the packages."""
    import coverage

    measured = coverage.Coverage(data_file=f"{folder}/lines")
    measured.combine([folder])
    found: Lines = {}
    for path in measured.get_data().measured_files():
        name = path.rpartition("/rarewood/")[2]
        if name.split("/")[0] in PACKAGES:
            _, lines, missing, _ = measured.analysis(path)
            found[name] = (len(lines) - len(missing), len(lines))
    return found


def by_folder(lines: Lines) -> Lines:
    found: Lines = {}
    for name, (run, n) in lines.items():
        folder = str(Path(name).parent)
        before = found.get(folder, (0, 0))
        found[folder] = (before[0] + run, before[1] + n)
    return dict(sorted(found.items()))


def largest_gaps(lines: Lines) -> Lines:
    """The files with the most lines that were not run."""
    order = sorted(lines, key=lambda name: lines[name][0] - lines[name][1])
    return {name: lines[name] for name in order[:N_GAPS]}


def table(found: Lines, has_total: bool = True) -> str:
    if not found:
        return "  none"
    rows = [*found.items()]
    if has_total:
        run, n = (sum(values) for values in zip(*found.values(), strict=True))
        rows.append(("total", (run, n)))
    width = max(len(name) for name, _ in rows) + 2
    return "\n".join(
        f"  {name:<{width}}{run:>7,} of {n:>6,}{run / max(n, 1):>8.1%}" for name, (run, n) in rows
    )


if __name__ == "__main__":
    sys.exit(main())
