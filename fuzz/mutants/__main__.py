"""Mutation tests: each mutant is a small change of the source that tests should find.

``python -m fuzz.mutants`` works on copies in ``build/mutants``: the sources are never changed. The
loader needs no compiler; for the core, what a mutant changes is compiled with little optimization.
Tests run in forks of this process, which has imported what tests import, but not rarewood.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from fuzz.mutants.core import CORE
from fuzz.mutants.forked_tests import first_failure
from fuzz.mutants.loader import LOADER
from fuzz.mutants.mutant import Mutant
from fuzz.target import ROOT

BUILD = ROOT / "build" / "mutants"
MUTANTS = {"loader": LOADER, "core": CORE}
# Tests of a mutant that its own ones do not kill; the run ends at the first failure.
TESTS = {
    "loader": ["tests/modelfile", "tests/fuzz/test_corpus.py"],
    "core": [
        "tests/search",
        "tests/grow",
        "tests/model",
        "tests/modelfile/test_damage.py",
        "tests/fuzz/test_corpus.py",
    ],
}
_IMPORTED = ("hypothesis.strategies", "hypothesis.extra.numpy", "numpy", "pandas", "polars",
             "pyarrow.dataset", "pytest", "scipy.sparse", "scipy.stats", "sklearn.ensemble",
             "sklearn.linear_model", "sklearn.pipeline")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.mutants", description=__doc__)
    parser.add_argument("--parts", default="loader,core")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of mutants")
    arguments = parser.parse_args()
    for name in _IMPORTED:
        import_module(name)
    survivors = 0
    for part in arguments.parts.split(","):
        chosen = [
            (number, mutant)
            for number, mutant in enumerate(MUTANTS[part])
            if not arguments.only or number in arguments.only
        ]
        prepare(part)
        own = sorted({test for _, mutant in chosen for test in mutant.tests.split()})
        if broken := first_failure(own, BUILD / "site"):
            raise SystemExit(f"{broken} fails without a mutant")
        survived = [number for number, mutant in chosen if not try_one(part, number, mutant)]
        print(f"{part}: {len(chosen) - len(survived)} of {len(chosen)} killed; left: {survived}")
        survivors += len(survived)
    return int(survivors > 0)


def try_one(part: str, number: int, mutant: Mutant) -> bool:
    """Print what becomes of a mutant; returns whether a test kills it."""
    before = _cpu()
    by = killer(part, mutant)
    verdict = f"killed by {by}" if by else "SURVIVED"
    change = f"{mutant.old[:60]!r} -> {mutant.new[:40]!r}"
    seconds = _cpu() - before
    print(f"{part} {number:>2} {seconds:>4.0f} s {mutant.file}: {change}: {verdict}", flush=True)
    return bool(by)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def prepare(part: str) -> None:
    """Copy the package, and the core with its build."""
    installed = find_spec("rarewood")
    assert installed is not None and installed.origin is not None
    shutil.rmtree(BUILD / "site", ignore_errors=True)
    shutil.copytree(Path(installed.origin).parent, BUILD / "site" / "rarewood")
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
    """Compile what has changed, one file at a time."""
    _run(["cmake", "--build", BUILD / "cmake", "--parallel", "1"])
    for module in (BUILD / "cmake").glob("_core*.so"):
        place = BUILD / "site" / "rarewood" / module.name
        place.unlink(missing_ok=True)  # a process may still have the old one in memory
        shutil.copy(module, place)


def killer(part: str, mutant: Mutant) -> str:
    """The test that fails with the mutant; empty if none does."""
    if part == "loader":
        path = BUILD / "site" / Path(mutant.file).relative_to("src")
    else:
        path = BUILD / "source" / mutant.file
    text = path.read_text(encoding="utf-8")
    n = text.count(mutant.old)
    assert n == 1, f"{mutant.file}: {mutant.old!r} occurs {n} times"
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        if part == "core":
            build()
        own = first_failure(mutant.tests.split(), BUILD / "site")
        return own or first_failure(TESTS[part], BUILD / "site")
    finally:
        path.write_text(text, encoding="utf-8")


def _run(command: list) -> None:
    environment = {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}
    environment |= os.environ
    tools = Path(sys.executable).parent  # cmake and ninja of this environment
    environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])


if __name__ == "__main__":
    began = time.monotonic()
    code = main()
    print(f"{_cpu():.0f} CPU seconds in {time.monotonic() - began:.0f} s")
    sys.exit(code)
