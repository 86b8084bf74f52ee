"""Hypothesis profiles, the backend of figures and who runs what, for the whole suite.

``ci`` (the default) is quick and draws the same examples on every run;
``deep`` draws many times more, new ones on every run.  Choose with
``RAREWOOD_PROFILE=deep pytest`` or ``pytest --hypothesis-profile=deep``.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
# The oracles are imported as `oracle`, whatever import mode pytest runs in.
sys.path.insert(0, str(HERE))

os.environ.setdefault("MPLBACKEND", "Agg")  # figures are drawn, never shown

# A shell starts background jobs with SIGINT ignored, and programs that tests start inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_PATIENT = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "ci", max_examples=15, derandomize=True, deadline=None, suppress_health_check=_PATIENT
)
settings.register_profile(
    "deep", max_examples=2000, deadline=None, suppress_health_check=_PATIENT, print_blob=True
)
settings.load_profile(os.environ.get("RAREWOOD_PROFILE", "ci"))


def pytest_collection_modifyitems(items) -> None:
    """Give the tests of one cluster, and those of one browser, to one xdist worker each."""
    for item in items:
        for folder in ("report/browser", "dask"):
            if HERE / folder in item.path.parents:
                item.add_marker(pytest.mark.xdist_group(folder))


def pytest_terminal_summary(terminalreporter) -> None:
    """Say loudly that nothing was seen of the page where there is no browser."""
    skipped = [
        r for r in terminalreporter.stats.get("skipped", []) if "tests/report/browser" in r.nodeid
    ]
    if skipped:
        terminalreporter.section("NOT TESTED: the report in a browser", sep="!", yellow=True)
        terminalreporter.line(
            f"{len(skipped)} tests of tests/report/browser were skipped: {skipped[0].longrepr[-1]}"
        )
