"""Kill commands at random moments: nothing finished is lost, nothing is half-written."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pandas as pd

from fuzz.faults.scene import COMMANDS, Scene

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
PATIENCE = 120  # seconds until an interrupted command has ended, on a busy machine


def kill_many(folder: Path, n: int, random: Random) -> list[str]:
    """Kill ``n`` commands; returns what was wrong."""
    reference = Scene.make(folder, "reference")
    seconds = {}
    for command in ("fit", "fit --stream", "compare", "compare -j 2"):
        began = time.monotonic()
        if command.startswith("compare"):
            shutil.rmtree(reference.folder / "out", ignore_errors=True)
        code, errors = reference.run(command)
        assert code == 0, errors
        seconds[command] = time.monotonic() - began
    model = (reference.folder / "model").read_bytes()
    shutil.copy(reference.folder / "model", reference.folder / "old")
    began = time.monotonic()
    code, errors = reference.run("predict")
    assert code == 0, errors
    seconds["predict"] = time.monotonic() - began
    expected = reference.scores()
    scenes = {command: _with_models(folder, command, model) for command in COMMANDS}
    problems, counts = [], {}
    for number in range(n):
        command, sign = random.choice(list(COMMANDS)), random.choice(SIGNALS)
        wait = random.uniform(0, 1.2) * seconds[command]
        try:
            code = kill_one(scenes[command], command, sign, wait, random)
            counts[(command, sign.name, code)] = counts.get((command, sign.name, code), 0) + 1
        except AssertionError as error:
            problems.append(f"kill {number}: {command}, {sign.name} after {wait:.2f} s: {error}")
            print(problems[-1], flush=True)
        if (number + 1) % 20 == 0:
            print(f"{number + 1} of {n} kills, {len(problems)} problems", flush=True)
        if command.startswith("compare") and scenes[command].is_finished():
            pd.testing.assert_frame_equal(scenes[command].scores(), expected)
            shutil.rmtree(scenes[command].folder / "out")
            scenes[command].cells = {}
    for (command, name, code), times in sorted(counts.items()):
        print(f"  {command:<14}{name:<9}exit {code:>4}: {times}")
    problems += [
        f"{command}: {p}" for command in COMMANDS for p in at_the_end(scenes[command], command)
    ]
    return problems


def _with_models(folder: Path, command: str, model: bytes) -> Scene:
    scene = Scene.make(folder, command.replace(" ", ""))
    for name in ("old", "model"):
        (scene.folder / name).write_bytes(model)
    return scene


def kill_one(scene: Scene, command: str, sign: signal.Signals, wait: float, random: Random) -> int:
    """Kill a command after some time; check everything."""
    process = scene.start(command)
    time.sleep(wait)
    if random.random() < 0.3:  # as a terminal does, which sends a signal to all of a session
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
    else:
        process.send_signal(sign)
    try:
        _, errors = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise AssertionError(f"it has not ended after {PATIENCE} s") from None
    code = process.returncode
    # The default action of a signal, -sign, ends a program that is just starting or ending.
    expected = {0, -sign} if sign == signal.SIGKILL else {0, -sign, 128 + sign}
    scene.check_nothing_runs(process.pid)
    scene.check_files(is_killed=sign == signal.SIGKILL or bool(list(scene.folder.glob(".*"))))
    if command.startswith("compare"):
        scene.check_store()
    assert "Traceback" not in errors, f"a traceback after {wait:.2f} s: {errors[-600:]}"
    assert code in expected, f"exit code {code}: {errors[-300:]}"
    return code


def at_the_end(scene: Scene, command: str) -> list[str]:
    """Run the command undisturbed: it works, and removes what killed ones have left."""
    code, errors = scene.run(command)
    problems = [f"exit code {code}: {errors}"] if code else []
    hidden = [path.name for path in scene.folder.glob(".*")]
    if hidden:
        problems.append(f"temporary files stay after another run: {hidden}")
    return problems
