"""No object of the compiled core is left when a program ends: every reference is given back."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import pickle
import numpy as np
from rarewood import C45Classifier, RareForestClassifier, RareTreeClassifier, _core, criteria

_core._set_leak_warnings(True)
random = np.random.default_rng(0)
X = random.normal(size=(300, 3))
y = (X[:, 0] + random.normal(size=300) > 1).astype(int)
models = [
    RareTreeClassifier(criterion=criteria.Alpha(0.3)), RareTreeClassifier(splitter="oblique"),
    RareForestClassifier(3, random_state=0), C45Classifier(),
]
for model in models:
    model.fit(X, y).predict_proba(X)
    model.itself = [model, pickle.loads(pickle.dumps(model))]  # a cycle
    try:
        model.fit(X, y, sample_weight=-y)
    except ValueError as error:
        model.error = error  # keeps the frames of the fit
trees = list(models[2])
raise SystemExit("the end")
"""


def test_nothing_is_left_at_exit():
    end = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=300)
    assert end.returncode == 1
    assert end.stderr.splitlines()[-1] == "the end", end.stderr
    assert "leaked" not in end.stderr
