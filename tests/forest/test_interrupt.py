"""Ctrl-C ends a fit, and the estimator stays as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

# Fits a forest for a very long time; says so first, and afterwards what is left of it.
CODE = """
import os, sys
import numpy as np
from rarewood import {name}
random = np.random.default_rng(0)
X, y = random.normal(size=({n_rows}, 20)), random.integers(0, 2, {n_rows})
model = {name}({params})
if {is_fitted}:
    model.set_params({small}).fit(X[:50], y[:50])
    before = model.predict_proba(X[:50])
    model.set_params({large})
print("ready", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    is_left = not hasattr(model, "classes_")
    if {is_fitted}:
        is_left = np.array_equal(model.predict_proba(X[:50]), before)
    print("left as it was" if is_left else "changed", flush=True)
else:
    print("finished", flush=True)
"""
CASES = {
    "many trees": ("RareForestClassifier", 500, "n_estimators=10**6, n_jobs=2", False),
    "large trees": ("RareForestClassifier", 10**6, "n_estimators=500, max_features=None", False),
    "fitted": ("RareForestClassifier", 500, "n_estimators=10**6", True),
    "warm": ("RareForestClassifier", 500, "n_estimators=10**6, warm_start=True", True),
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize(("name", "n_rows", "params", "is_fitted"), CASES.values(), ids=CASES)
def test_ctrl_c_ends_a_fit(name, n_rows, params, is_fitted):
    code = CODE.format(
        name=name,
        n_rows=n_rows,
        params=params,
        is_fitted=is_fitted,
        small="n_estimators=2",
        large="n_estimators=10**6",
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)  # it is growing now
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)  # unstopped it would take hours
    finally:
        child.kill()
        child.wait()
    assert out == "left as it was\n"
    assert child.returncode == 0


# Calls that last long, of models that are fitted on few rows.
LONG = {
    "predict": """
model = RareForestClassifier(300, leaf_strength=None, collapse=0.0).fit(X[:2000], y[:2000])
call = lambda: model.predict_proba(X)
""",
    "C4.5": "call = lambda: C45Classifier().fit(X, y)",
    "many classes": """
labels = random.permutation(np.arange(3000) % 1500)
call = lambda: RareTreeClassifier("hellinger").fit(X[:3000], labels)
""",
    "many cuts": """
call = lambda: RareTreeClassifier(splitter="random", n_cuts=2**16).fit(X, y)
""",
}
# The signal comes after half a second of CPU time, whatever else the machine has to do.
LONG_CODE = """
import signal, time
import numpy as np
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier

def interrupt(number, frame):
    raise KeyboardInterrupt

random = np.random.default_rng(0)
X, y = random.normal(size=(500_000, 10)), random.integers(0, 2, 500_000)
{call}
signal.signal(signal.SIGPROF, interrupt)
before = time.process_time()
signal.setitimer(signal.ITIMER_PROF, 0.5)
try:
    call()
except KeyboardInterrupt:
    print(time.process_time() - before - 0.5)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no timers of CPU time")
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_every_long_call_is_interrupted_soon(call):
    code = LONG_CODE.format(call=call)
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    assert float(child.stdout) < 2  # seconds; nothing is printed if it was not interrupted
