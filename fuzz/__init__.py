"""A search for inputs on which rarewood fails: random cases, checked by laws; see README.md."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
# The naive twins are imported as `oracle`, and helpers of tests as `support`.
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from fuzz.coverage import begin  # noqa: E402

begin()  # if it is measured: before rarewood is imported
