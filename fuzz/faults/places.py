"""A full disk, a limit of file sizes, and folders that cannot be written."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from fuzz.faults.scene import Scene

COMMANDS = ("compare", "fit", "fit --stream", "predict")


def check_places(folder: Path, model: bytes) -> list[str]:
    """Run every command where it cannot write; returns what was wrong."""
    problems = []
    for size in (0, 1_000, 3_000):
        scene = _scene(folder, f"limit-{size}", model)
        for command in COMMANDS:
            problems += refused(
                scene, command, model, f"files of at most {size} bytes", _limit(size)
            )
    for place, opened in (("full disk", full_disk), ("read-only folder", read_only)):
        scene = _scene(folder, place.replace(" ", "-"), model)
        try:
            with opened(scene.folder):
                for command in COMMANDS:
                    problems += refused(scene, command, model, place)
        except subprocess.CalledProcessError:
            print(f"  skipped: {place} needs the right to mount", flush=True)
    return problems


def refused(
    scene: Scene, command: str, model: bytes, place: str, before: Callable[[], None] | None = None
) -> list[str]:
    """The command ends with one line, and the old files are as they were."""
    problems = []
    code, errors = scene.run(command, before)
    lines = errors.strip().splitlines()
    if code != 2 or "Traceback" in errors or not lines[-1].startswith("rarewood: "):
        problems.append(f"exit code {code}: {errors[-600:]}")
    if (scene.folder / "model").read_bytes() != model:
        problems.append("the old model has changed")
    try:
        scene.check_files()
        scene.check_store()
    except AssertionError as error:
        problems.append(str(error))
    return [f"{command}, {place}: {problem}" for problem in problems]


def _scene(folder: Path, name: str, model: bytes) -> Scene:
    scene = Scene.make(folder, name)
    for own in ("old", "model"):
        (scene.folder / own).write_bytes(model)
    return scene


def _limit(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@contextmanager
def full_disk(folder: Path):
    """The folder on a small disk, which is filled."""
    kept = folder.with_name(f"{folder.name}-kept")
    shutil.copytree(folder, kept)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", folder], check=True,
                   capture_output=True)  # fmt: skip
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        with (folder / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                os.ftruncate(file.fileno(), max(0, file.tell() - 8192))
        yield
    finally:
        subprocess.run(["umount", folder], check=True)
        shutil.rmtree(kept)


@contextmanager
def read_only(folder: Path):
    """The folder mounted without the right to write, which binds root as well."""
    subprocess.run(["mount", "--bind", folder, folder], check=True, capture_output=True)
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True, capture_output=True)
        yield
    finally:
        subprocess.run(["umount", folder], check=True)
