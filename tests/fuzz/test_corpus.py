"""Cases that have failed once pass, and every target finds nothing in its first cases."""

from __future__ import annotations

import pytest

from fuzz import corpus
from fuzz.target import Failure, outcome
from fuzz.targets import TARGETS


@pytest.mark.parametrize("path", corpus.stored(), ids=lambda path: path.stem)
def test_a_failure_stays_mended(path):
    name, case = corpus.read(path)
    found = outcome(TARGETS[name], case)
    assert not isinstance(found, Failure), found.message


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_the_first_cases(name):
    found = [outcome(TARGETS[name], TARGETS[name].case(0, number)) for number in range(25)]
    assert [one for one in found if isinstance(one, Failure)] == []
    assert "passed" in found


@pytest.mark.parametrize("name", TARGETS)
def test_a_case_is_the_same_for_the_same_number(name):
    target = TARGETS[name]
    assert repr(target.case(3, 7)) == repr(target.case(3, 7))
    assert repr(target.case(3, 7)) != repr(target.case(3, 8))
