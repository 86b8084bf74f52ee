"""The same forest in another process, whatever its hashes and threads."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from oracle.cases import Case
from oracle.row_sampling import Draw
from rarewood import RareForestClassifier
from support.grown import grow_forest
from support.medium import medium_problem

OPTIONS = {
    "sampled": {"max_features": 2},
    "planes": {"max_features": 2, "n_cuts": 3, "oblique_dim": 2, "oblique_draw": "direction"},
}


def digest(n_threads: int) -> str:
    """Of every array of some forests, and of an estimator's predictions."""
    found = hashlib.sha256()
    for kind in ("missing", "categorical"):
        problem = medium_problem(kind, 500, 3)
        for options in OPTIONS.values():
            options = options | {"seed": 6, "n_threads": n_threads}
            for tree in grow_forest(problem, Case("hellinger"), 5, Draw(replace=True), **options):
                for name, value in sorted(tree.state().items()):
                    found.update(name.encode())
                    found.update(value.tobytes() if hasattr(value, "tobytes") else bytes([value]))
        model = RareForestClassifier(10, bootstrap=True, random_state=2, n_jobs=n_threads)
        found.update(model.fit(problem.X, problem.y).predict_proba(problem.X).tobytes())
    return found.hexdigest()


@pytest.mark.parametrize(("hash_seed", "n_threads"), [("0", 1), ("4711", 2)])
def test_another_process(hash_seed, n_threads):
    here = Path(__file__)
    code = f"from test_processes import digest; print(digest({n_threads}))"
    paths = [str(here.parent), str(here.parents[1]), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(paths)}
    child = [sys.executable, "-c", code]
    done = subprocess.run(child, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest(1)
