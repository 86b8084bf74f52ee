"""A process that checks cases one after another, and tells its parent which it is at.

Cases run in a process of their own, so that a crash or an endless loop is a failure like others and
does not end the run.
"""

from __future__ import annotations

import json
import mmap
import os
import resource
import select
import signal
import struct
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

from fuzz.limits import limit_memory
from fuzz.target import Failure, Target, outcome

HANG_SECONDS = 180  # of a single case; the machine may be busy
_MOST_ALIKE = 3  # failures at the same place that a shift describes
MEMORY = 6 * 2**30  # bytes of address space
_STATE = struct.Struct("<QQQQ")  # number, passed, refused, failed


@dataclass
class Shift:
    """What a worker did in its time."""

    passed: int = 0
    refused: int = 0
    failed: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    end: int = 0
    """Number of the first case that was not checked."""
    failures: list[tuple[int, Failure]] = field(default_factory=list)


def run_shift(
    target: Target, seed: int, start: int, seconds: float, hang: float = HANG_SECONDS
) -> Shift:
    """Check cases from a number on, for some seconds."""
    shift, state = Shift(end=start), mmap.mmap(-1, _STATE.size)
    state[:] = _STATE.pack(start, 0, 0, 0)
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with _forked(lambda write: _work(target, seed, start, seconds, state, write)) as child:
        for line in child.lines(lambda: _STATE.unpack(state[:])[0], hang):
            number, signature, message = json.loads(line)
            shift.failures.append((number, Failure(signature, message)))
    number, shift.passed, shift.refused, shift.failed = _STATE.unpack(state[:])
    shift.end = number
    if child.problem:
        shift.failures.append((number, Failure(child.problem, child.problem)))
        shift.failed += 1
        shift.end = number + 1
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shift.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    shift.wall = time.monotonic() - began
    return shift


def _work(
    target: Target, seed: int, start: int, seconds: float, state: mmap.mmap,
    write: Callable[[str], None],
) -> None:  # fmt: skip
    limit_memory(MEMORY)
    warnings.simplefilter("ignore")
    counts = {"passed": 0, "refused": 0, "failed": 0}
    written: Counter[str] = Counter()
    end, number = time.monotonic() + seconds, start
    while time.monotonic() < end:
        state[:] = _STATE.pack(number, *counts.values())
        found = outcome(target, target.case(seed, number))
        if isinstance(found, Failure):
            counts["failed"] += 1
            written[found.signature] += 1
            if written[found.signature] <= _MOST_ALIKE:
                write(json.dumps([number, *asdict(found).values()]))
        else:
            counts[found] += 1
        number += 1
    state[:] = _STATE.pack(number, *counts.values())


def outcome_apart(target: Target, case: dict, seconds: float = HANG_SECONDS) -> Failure | str:
    """Check a single case in a process of its own."""

    def work(write: Callable[[str], None]) -> None:
        limit_memory(MEMORY)
        warnings.simplefilter("ignore")
        found = outcome(target, case)
        write(json.dumps(asdict(found) if isinstance(found, Failure) else found))

    with _forked(work) as child:
        lines = list(child.lines(lambda: 0, seconds))
    if child.problem:
        return Failure(child.problem, child.problem)
    found = json.loads(lines[0])
    return found if isinstance(found, str) else Failure(**found)


class _forked:
    """A forked process that runs a function, whose lines are read until it ends."""

    def __init__(self, work: Callable[[Callable[[str], None]], None]) -> None:
        self.work, self.problem = work, ""

    def __enter__(self) -> _forked:
        self.read, write = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(write)
            return self
        code = 1
        try:
            os.close(self.read)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            with os.fdopen(write, "w", buffering=1) as pipe:
                self.work(lambda line: print(line, file=pipe, flush=True))
            _leave()
            code = 0
        finally:
            os._exit(code)

    def lines(self, number: Callable[[], int], limit: float = HANG_SECONDS) -> Iterator[str]:
        """Yield lines; kill the process if the number of its case stays the same for too long.

        Seconds are counted by waits of one second: while a machine suspends both processes, none
        pass.
        """
        waited, last = 0, -1
        with os.fdopen(self.read) as pipe:
            while True:
                waited, last = (waited + 1 if number() == last else 0), number()
                if select.select([pipe], [], [], 1.0)[0]:
                    line = pipe.readline()
                    if not line:
                        return
                    yield line
                elif waited > limit:
                    self.problem = f"hangs: no end after {limit} s"
                    os.kill(self.pid, signal.SIGKILL)
                    return

    def __exit__(self, *error: object) -> None:
        if any(error):
            os.kill(self.pid, signal.SIGKILL)
        status = os.waitpid(self.pid, 0)[1]
        if status and not self.problem:
            code = os.waitstatus_to_exitcode(status)
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            self.problem = f"ends its process: {name}"


def _leave() -> None:
    """Write the coverage of the process, if there is any; a forked process ends without exit."""
    from fuzz.coverage import flush

    flush()
