"""Model files taken apart and put together, and opened in a process with little room."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np


def parts_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put_together(path: Path, parts: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def load_npy(data: bytes) -> np.ndarray:
    return np.load(io.BytesIO(data), allow_pickle=False)


def npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def with_json(parts: dict[str, bytes], change: Callable[[Any], None]) -> dict[str, bytes]:
    """The parts of a file after a change of its JSON in place."""
    header = json.loads(parts["model.json"])
    change(header)
    return {**parts, "model.json": json.dumps(header).encode()}


_CODE = """
import os, resource, signal, sys, rarewood, rarewood.modelfile, rarewood.operating

def limited(read, path, megabytes, seconds):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + megabytes * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # a fork starts from 0
    signal.alarm(10 * seconds)
    try:
        read(path)
        print("opened", flush=True)
    except Exception as error:
        print(type(error).__name__, str(error).replace("\\n", " "), flush=True)

for path in sys.argv[3:]:
    for read in (rarewood.modelfile.describe, rarewood.load):
        child = os.fork()
        if not child:
            try:
                limited(read, path, *map(int, sys.argv[1:3]))
            finally:
                os._exit(0)
        if status := os.waitpid(child, 0)[1]:
            print("killed by signal", status, flush=True)
"""


def open_limited(paths: Sequence[Path], megabytes: int = 60, seconds: int = 2) -> list[str]:
    """Describe and load each file in a process with a limit of memory and of CPU time.

    Returns two lines per file: "opened", the error, or the signal that ended the process.
    """
    command = [sys.executable, "-c", _CODE, str(megabytes), str(seconds), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stdout[-500:], done.stderr)
    return done.stdout.splitlines()
