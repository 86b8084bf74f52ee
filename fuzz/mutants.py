"""Mutation tests: each mutant is a small change of the source that tests should find.

``python -m fuzz.mutants`` works on copies in ``build/mutants``: the sources are never changed. The
loader needs no compiler; for the core, what a mutant changes is compiled with little optimization.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import rarewood
from fuzz.mutant_list import CORE, LOADER
from fuzz.target import ROOT

BUILD = ROOT / "build" / "mutants"
TESTS = {
    # The quickest first: a run ends at the first failure.
    "loader": [
        *(
            f"tests/modelfile/test_{name}.py"
            for name in ("format", "atomic", "saving", "threshold", "damage", "bounds", "golden")
        ),
        "tests/fuzz/test_corpus.py",
        "tests/modelfile",
    ],
    "core": [
        "tests/search",
        "tests/grow",
        "tests/model",
        "tests/fuzz",
        "tests/modelfile/test_damage.py",
    ],
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.mutants", description=__doc__)
    parser.add_argument("--parts", default="loader,core")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of mutants")
    arguments = parser.parse_args()
    survivors = 0
    for part in arguments.parts.split(","):
        prepare(part)
        mutants = LOADER if part == "loader" else CORE
        for number, (file, old, new) in enumerate(mutants):
            if arguments.only and number not in arguments.only:
                continue
            by = killer(part, file, old, new)
            survivors += not by
            verdict = f"killed by {by}" if by else "SURVIVED"
            print(f"{part} {number:>2} {file}: {old[:60]!r} -> {new[:40]!r}: {verdict}", flush=True)
    print(f"{survivors} survived")
    return int(survivors > 0)


def prepare(part: str) -> None:
    """Copy the package, and the core with its build."""
    shutil.rmtree(BUILD / "site", ignore_errors=True)
    shutil.copytree(Path(rarewood.__file__).parent, BUILD / "site" / "rarewood")
    if part == "core":
        # Copies keep their times, so that only what has changed is compiled again.
        shutil.copytree(ROOT / "core", BUILD / "source" / "core", dirs_exist_ok=True)
        shutil.copy2(ROOT / "CMakeLists.txt", BUILD / "source")
        place = [sys.executable, "-m", "nanobind", "--cmake_dir"]
        nanobind = subprocess.run(place, capture_output=True, text=True, check=True).stdout.strip()
        configure = ["cmake", "-S", BUILD / "source", "-B", BUILD / "cmake", "-G", "Ninja"]
        _run([*configure, "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1 -DNDEBUG",
              f"-Dnanobind_DIR={nanobind}", f"-DPython_EXECUTABLE={sys.executable}",
              "-DRAREWOOD_LTO=OFF"])  # fmt: skip
        build()


def build() -> None:
    _run(["cmake", "--build", BUILD / "cmake"])
    for module in (BUILD / "cmake").glob("_core*.so"):
        shutil.copy(module, BUILD / "site" / "rarewood" / module.name)


def killer(part: str, file: str, old: str, new: str) -> str:
    """The test that fails with the mutant; empty if none does."""
    if part == "loader":
        path = BUILD / "site" / Path(file).relative_to("src")
    else:
        path = BUILD / "source" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file}: {old!r} occurs {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")
    try:
        if part == "core":
            build()
        return first_failure(TESTS[part])
    finally:
        path.write_text(text, encoding="utf-8")


def first_failure(tests: list[str]) -> str:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=ROOT, capture_output=True, text=True, timeout=3600,
            env=os.environ | {"PYTHONPATH": str(BUILD / "site")},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "a test that hangs"
    if done.returncode == 0:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" ")[1] if failed else f"exit code {done.returncode}"


def _run(command: list) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])


if __name__ == "__main__":
    sys.exit(main())
