"""A clock that jumps, and two processes on one run folder."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from fuzz.faults.scene import Scene

CLOCK = Path(__file__).parent / "clock"


def check_clock(folder: Path, expected: pd.DataFrame) -> list[str]:
    """A comparison under a clock that jumps has the same scores."""
    scene = Scene.make(folder, "clock")
    code, errors = scene.run("compare -j 2", PYTHONPATH=str(CLOCK))
    if code:
        return [f"a clock that jumps: exit code {code}: {errors}"]
    pd.testing.assert_frame_equal(scene.scores(), expected)
    scene.check_files()
    return []


def check_two(folder: Path, expected: pd.DataFrame) -> list[str]:
    """Two comparisons in one folder at the same time: both end well, with the same scores."""
    problems = []
    for number in range(3):
        scene = Scene.make(folder, f"two-{number}")
        processes = [scene.start("compare"), scene.start("compare -j 2")]
        for process in processes:
            _, errors = process.communicate(timeout=600)
            if process.returncode:
                problems.append(f"two processes: exit code {process.returncode}: {errors}")
            scene.check_nothing_runs(process.pid)
        pd.testing.assert_frame_equal(scene.scores(), expected)
        scene.check_files()
        assert scene.check_store(), "two processes: not all cells are there"
    return problems
