"""Judges scikit-learn's tests by the table of those that do not apply; see not_applicable.py."""

from __future__ import annotations

import pytest
import sklearn

from sklearn_suite.adapter import DecisionTreeClassifier
from sklearn_suite.not_applicable import reason_for

# The table is made for the tests of scikit-learn 1.9 and later.
_MAJOR, _MINOR = map(int, sklearn.__version__.split(".")[:2])
collect_ignore_glob = [] if (_MAJOR, _MINOR) >= (1, 9) else ["test_*.py"]


@pytest.fixture
def global_random_seed():
    return 42


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Fail a listed test that passes, and an unlisted one that never uses our classifier."""
    reason = reason_for(pyfuncitem.name)
    DecisionTreeClassifier.n_made = 0
    result, is_passed = None, True
    try:
        result = yield
    except pytest.skip.Exception:
        raise
    except (Exception, pytest.fail.Exception):
        if reason is None:
            raise
        is_passed = False
    is_used = DecisionTreeClassifier.n_made > 0
    if not is_passed:
        pytest.xfail(reason)  # outside of the handler: the report need not show their failure
    if reason is not None and is_used:
        pytest.fail(f"it passes, so it must not be listed as not applicable: {reason}")
    if reason is not None:
        pytest.skip(f"does not use our classifier: {reason}")
    if not is_used and pyfuncitem.path.stem == "test_tree":
        pytest.fail("it passes without using our classifier: list it with the reason")
    return result
