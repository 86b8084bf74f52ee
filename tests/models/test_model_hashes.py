"""The models of many configurations are what they were, to the bit.

A change that is not meant to change any model leaves these hashes alone. One that is meant to
writes them again, in one process: ``RAREWOOD_UPDATE_HASHES=1 pytest tests/models``.

Exact bits are hashed: probabilities, leaves and the nodes of the trees, but no names of classes
or parameters. The hashes belong to builds for x86-64 with glibc, whose logarithms and powers may
differ in the last bit from those of another library; elsewhere the tests are skipped. Some cases
also draw with SciPy, imbalanced-learn or NumPy's generators, whose versions may matter:
``beat`` and ``beta`` in the name, ``wrapper``, ``patterns`` and ``threshold``.
"""

from __future__ import annotations

import json
import os

import pytest

from models.cases import CASES
from models.digest import HASHES, hash_of, only_here

UPDATE = os.environ.get("RAREWOOD_UPDATE_HASHES") == "1"
NAMES = {case.name for case in CASES if case.same_as is None}


@pytest.fixture(scope="module")
def hashes():
    """The pinned hashes; what a test changes in them is kept."""
    pinned = json.loads(HASHES.read_text()) if HASHES.exists() else {}
    yield pinned
    if UPDATE:
        kept = {name: pinned[name] for name in sorted(NAMES & pinned.keys())}
        HASHES.write_text(json.dumps(kept, indent=2) + "\n")


@only_here
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_model_is_what_it_was(case, hashes, tmp_path):
    found = hash_of(case.arrays(tmp_path))
    if UPDATE and case.same_as is None:
        hashes[case.name] = found
    assert found == hashes.get(case.pinned)


def test_names_are_unique_and_pinned():
    assert len({case.name for case in CASES}) == len(CASES)
    assert {case.pinned for case in CASES} == NAMES
    if not UPDATE:
        assert json.loads(HASHES.read_text()).keys() == NAMES
