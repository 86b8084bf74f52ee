"""Fits methods for rare classes in the environment of their package, one request after another.

`imbalance_remote.py` starts this file with the Python of the environment and writes requests to its
standard input: one JSON object per line, with the paths of arrays. Every answer is a line, too. A
fit that uses more CPU seconds than its limit ends the process by SIGPROF, also inside C code.

Only NumPy, scikit-learn and the package of the method are imported.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import warnings
from importlib import import_module

import numpy as np
from sklearn.ensemble import RandomForestClassifier

warnings.simplefilter("ignore")


def find(path):
    """Return a class by its dotted path."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def build(path, params, seed, n_categorical):
    """Return the unfitted classifier; samplers stand in front of a random forest."""
    params = dict(params)
    tree = {k.partition("__")[2]: params.pop(k) for k in list(params) if k.startswith("tree__")}
    if path == "SMOTENC":
        model = with_categories(n_categorical)
    elif hasattr(find(path), "fit_resample"):
        from imblearn.pipeline import Pipeline

        model = Pipeline([("sampler", find(path)()), ("forest", RandomForestClassifier())])
    else:
        model = find(path)()
    if tree:
        model.set_params(estimator=find("sklearn.tree.DecisionTreeClassifier")(**tree))
    seeds = {k: seed for k in model.get_params() if k.rpartition("__")[2] == "random_state"}
    return model.set_params(**seeds | params)


def with_categories(n_categorical):
    """Return SMOTENC, and a forest on one-hot encoded features; the codes come first.

    Without categories SMOTENC is SMOTE, and with categories alone it is SMOTEN.
    """
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC
    from imblearn.pipeline import Pipeline
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OneHotEncoder

    n_categorical, n_features = n_categorical
    codes = list(range(n_categorical))
    sampler = SMOTEN() if n_categorical == n_features else SMOTENC(codes) if codes else SMOTE()
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = ColumnTransformer([("one_hot", one_hot, codes)], remainder="passthrough")
    steps = [("sampler", sampler), ("columns", columns), ("forest", RandomForestClassifier())]
    return Pipeline(steps)


class Worker:
    """The model of the latest fit."""

    def fit(self, path, params, seed, n_categorical, limit, X, y):
        """Fit within a limit of CPU seconds."""
        table, labels = np.load(X), np.load(y)
        self.model = build(path, params, seed, n_categorical)
        signal.setitimer(signal.ITIMER_PROF, limit)
        start = time.process_time()
        self.model.fit(table, labels)
        taken = time.process_time() - start
        signal.setitimer(signal.ITIMER_PROF, 0)
        return {"cpu": taken}

    def predict(self, X, out):
        """Write the probabilities of class 1."""
        table = np.load(X)
        start = time.process_time()
        proba = self.model.predict_proba(table)[:, list(self.model.classes_).index(1)]
        np.save(out, proba)
        return {"cpu": time.process_time() - start}

    def versions(self, packages):
        """Return versions of packages."""
        return {name: import_module(name).__version__ for name in packages}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    worker = Worker()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(worker, request.pop("what"))(**request)
        except Exception as error:
            answer = {"error": type(error).__name__, "text": str(error)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
