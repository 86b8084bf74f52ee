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
PACKAGES = ("modelfile", "intake", "table", "model", "rules", "stream")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.measure", description=__doc__)
    parser.add_argument("--minutes", default="10")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--targets", default=None)
    arguments = parser.parse_args()
    for old in BUILD.rglob("*.gcda"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        search = [
            sys.executable,
            "-m",
            "fuzz",
            "--minutes",
            arguments.minutes,
            "--seed",
            arguments.seed,
        ]
        search += ["--targets", arguments.targets] if arguments.targets else []
        code = subprocess.run(search, cwd=ROOT, env=os.environ | {VARIABLE: folder}).returncode
        print("\nlines of the core\n" + table(core_lines()))
        print("\nlines of the package\n" + table(package_lines(folder)))
    return code


def core_lines() -> dict[str, tuple[int, int]]:
    """Lines that were run, and all, by folder of the core."""
    run: dict[str, dict[int, bool]] = defaultdict(dict)
    with tempfile.TemporaryDirectory() as folder:
        notes = sorted(BUILD.rglob("*.gcda"))
        if not notes:
            return {}
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
    found: dict[str, tuple[int, int]] = {}
    for name, lines in run.items():
        if (ROOT / "core" / name).exists():
            folder_name = str(Path(name).parent)
            done, n = found.get(folder_name, (0, 0))
            found[folder_name] = (done + sum(lines.values()), n + len(lines))
    return found


def package_lines(folder: str) -> dict[str, tuple[int, int]]:
    """The same by package."""
    import coverage

    measured = coverage.Coverage(data_file=f"{folder}/lines")
    measured.combine([folder])
    found: dict[str, tuple[int, int]] = {}
    for path in measured.get_data().measured_files():
        parts = path.rpartition("/rarewood/")[2].split("/")
        if parts[0] in PACKAGES:
            _, lines, missing, _ = measured.analysis(path)
            done, n = found.get(parts[0], (0, 0))
            found[parts[0]] = (done + len(lines) - len(missing), n + len(lines))
    return found


def table(found: dict[str, tuple[int, int]]) -> str:
    if not found:
        return "  none"
    done, n = (sum(values) for values in zip(*found.values(), strict=True))
    rows = [*sorted(found.items()), ("total", (done, n))]
    return "\n".join(f"  {name:<20}{a:>7,} of {b:>6,}{a / b:>8.1%}" for name, (a, b) in rows)


if __name__ == "__main__":
    sys.exit(main())
