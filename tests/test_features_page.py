"""The table of features in the documentation names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks" / "features.md"


def test_every_feature_of_ours_has_a_test():
    rows = [line.split(" | ") for line in PAGE.read_text("utf-8").splitlines() if " | yes" in line]
    ours = [(row[-1], row[0]) for row in rows if row[1] == "yes"]
    assert len(ours) > 20
    for last, name in ours:
        ((file, test),) = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", last)
        assert (ROOT / file).is_file(), name
        assert not test or f"def {test}(" in (ROOT / file).read_text("utf-8"), name
