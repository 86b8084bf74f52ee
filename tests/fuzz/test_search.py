"""The search itself: crashes, hangs and errors are found, told apart, and made smaller."""

from __future__ import annotations

import os
import time

from fuzz.reduce import reduce
from fuzz.target import Failure, Refused, Target
from fuzz.worker import outcome_apart, run_shift


def check(case):
    if case["number"] == 1:
        raise Refused
    if case["number"] == 3:
        time.sleep(60)
    if case["number"] == 5:
        os.abort()
    if case["number"] >= 7 and 4 in case["values"]:
        raise KeyError("planted")


def smaller(case):
    for i in range(len(case["values"])):
        yield {**case, "values": case["values"][:i] + case["values"][i + 1 :]}


class Numbered(Target):
    def case(self, seed, number):
        return {"number": number, "values": list(range(9)) if number >= 7 else []}


TARGET = Numbered("numbered", "", lambda d: {}, check, smaller, share=1.0)


def test_every_way_to_fail_is_found():
    found, end = [], 0
    for _ in range(3):
        shift = run_shift(TARGET, 0, end, 0.5, hang=2)
        found += shift.failures
        end = shift.end
    problems = {number: failure.message.split(":")[0] for number, failure in found[:3]}
    assert problems == {3: "hangs", 5: "ends its process", 7: "KeyError"}
    assert shift.failed > 0


def test_a_failure_is_reduced():
    case = TARGET.case(0, 7)
    failure = outcome_apart(TARGET, case)
    assert isinstance(failure, Failure)
    assert reduce(TARGET, case, failure, seconds=600) == {"number": 7, "values": [4]}
    assert outcome_apart(TARGET, TARGET.case(0, 1)) == "refused"
    assert outcome_apart(TARGET, TARGET.case(0, 0)) == "passed"
