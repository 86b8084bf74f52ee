"""Loaded by Python at its start: the clock jumps back and forth, by hours and years."""

import random
import time

_now, _random = time.time, random.Random(0)


def _jumping() -> float:
    return _now() + _random.choice([0, 0, 3600, -3600, 1e8, -1e8, 0.5, -0.5])


time.time = _jumping
time.time_ns = lambda: int(_jumping() * 1e9)
