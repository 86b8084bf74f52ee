"""Make a failing case smaller as long as it fails at the same place."""

from __future__ import annotations

import json
import time

from fuzz.target import Case, Failure, Target
from fuzz.worker import outcome_apart


def reduce(target: Target, case: Case, failure: Failure, seconds: float = 60) -> Case:
    """The smallest case found by greedy search, in limited time."""
    end = time.monotonic() + seconds
    seen = {json.dumps(case)}
    is_shrinking = True
    while is_shrinking and time.monotonic() < end:
        is_shrinking = False
        for candidate in target.smaller(case):
            text = json.dumps(candidate)
            if text in seen or time.monotonic() > end:
                continue
            seen.add(text)
            found = outcome_apart(target, candidate, 20)
            if isinstance(found, Failure) and found.signature == failure.signature:
                case, is_shrinking = candidate, True
                break
    return case
