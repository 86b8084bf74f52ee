"""Judges scikit-learn's tests by the table of those that do not apply; see not_applicable.py."""

from __future__ import annotations

import pytest
import sklearn

from sklearn_suite.adapter import DecisionTreeClassifier, RandomForestClassifier
from sklearn_suite.not_applicable import reason_for

OURS = {
    "test_tree": (DecisionTreeClassifier,),
    "test_forest": (RandomForestClassifier,),
    "test_monotonic_tree": (DecisionTreeClassifier, RandomForestClassifier),
}

# The table is made for the tests of scikit-learn 1.9 and later.
_MAJOR, _MINOR = map(int, sklearn.__version__.split(".")[:2])
collect_ignore_glob = [] if (_MAJOR, _MINOR) >= (1, 9) else ["test_*.py"]


def pytest_configure(config):
    config.addinivalue_line("markers", "thread_unsafe: a mark of scikit-learn's, without effect")


@pytest.fixture
def global_random_seed():
    return 42


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Fail a listed test that passes, and an unlisted one that never uses our classifier."""
    ours = OURS.get(pyfuncitem.path.stem)
    if ours is None:
        return (yield)
    reason = reason_for(pyfuncitem.path.stem, pyfuncitem.name)
    for kind in ours:
        kind.n_made = 0
    result, is_passed = None, True
    try:
        result = yield
    except pytest.skip.Exception:
        raise
    except (Exception, pytest.fail.Exception):
        if reason is None:
            raise
        is_passed = False
    is_used = any(kind.n_made > 0 for kind in ours)
    if not is_passed:
        pytest.xfail(reason)  # outside of the handler: the report need not show their failure
    if reason is not None and is_used:
        pytest.fail(f"it passes, so it must not be listed as not applicable: {reason}")
    if reason is not None:
        pytest.skip(f"does not use our classifier: {reason}")
    if not is_used:
        pytest.fail("it passes without using our classifier: list it with the reason")
    return result
