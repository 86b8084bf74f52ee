"""Importing the package is quick and pulls in nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import numpy
import pytest

import rarewood

HEAVY = [
    "pandas", "polars", "pyarrow", "matplotlib", "lightgbm", "sklearn.ensemble", "dask",
    "distributed", "onnx", "shap",
]  # fmt: skip


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.strip()


def test_import_and_fit_pull_in_nothing_heavy():
    code = f"""
import sys
import sklearn.base, sklearn.utils.validation, sklearn.utils.multiclass
before = set(sys.modules)
import rarewood
rarewood.RareTreeClassifier().fit([[0.0], [1.0]], [0, 1]).predict([[0.0]])
rarewood.RareForestClassifier(2).fit([[0.0], [1.0]], [0, 1]).predict([[0.0]])
print([name for name in {HEAVY} if name in set(sys.modules) - before])
"""
    assert run(code) == "[]"


def test_import_takes_little_time_beyond_scikit_learn():
    code = """
import sklearn.base, sklearn.utils.validation, sklearn.utils.multiclass, time
start = time.process_time()
import rarewood
print(time.process_time() - start)
"""
    assert float(run(code)) < 0.6


def test_public_names():
    assert sorted(rarewood.__all__) == [
        "C45Classifier", "RareForestClassifier", "RareTreeClassifier", "__version__", "criteria",
        "datasets", "discretize", "evaluate", "explain", "export", "export_graphviz",
        "export_mermaid", "export_text", "intake", "load", "model", "modelfile",
        "operating", "plot", "presets", "pruning", "report", "rules", "save", "show_versions",
        "stream", "trusted_types", "workflow",
    ]  # fmt: skip
    assert all(hasattr(rarewood, name) for name in rarewood.__all__)
    assert set(rarewood.__all__) <= set(dir(rarewood))


def test_figures_are_imported_when_asked_for_and_matplotlib_when_drawn():
    code = """
import sys, rarewood
before = "rarewood.plot" in sys.modules
rarewood.plot.tree, rarewood.plot.isometrics
print(before, "rarewood.plot" in sys.modules, "matplotlib" in sys.modules)
"""
    assert run(code) == "False True False"


def test_without_matplotlib_the_message_says_what_to_install():
    code = """
import sys
sys.modules["matplotlib"] = None
import rarewood
model = rarewood.RareTreeClassifier().fit([[0.0], [1.0]], [0, 1])
print(rarewood.export_graphviz(model).count("->"))
for draw in [lambda: rarewood.plot.tree(model), lambda: rarewood.plot.isometrics("gini"),
             lambda: rarewood.plot.feature_importances(model),
             lambda: rarewood.plot.skew_gallery(["gini"])]:
    try:
        draw()
    except ImportError as error:
        print("pip install 'rarewood[plot]'" in str(error))
"""
    assert run(code).split() == ["2", "True", "True", "True", "True"]


def test_without_dask_the_message_says_what_to_install():
    code = """
import sys
sys.modules["distributed"] = None
import rarewood
try:
    rarewood.dask
except ImportError as error:
    print("pip install 'rarewood[dask]'" in str(error), "Dask cluster" in str(error))
"""
    assert run(code).split() == ["True", "True"]


def test_what_workers_run_is_imported_quickly():
    code = """
import distributed, pyarrow, sys
before = set(sys.modules)
import rarewood.dask._shard_actor, rarewood.dask._partitions, rarewood.dask._passes
import rarewood.dask._tree_tasks, rarewood.dask._row_codes, rarewood.dask._pilot_tasks
import rarewood.model._held_out
new = {name.split(".")[0] for name in set(sys.modules) - before}
print(new & {"sklearn", "scipy", "joblib", "narwhals", "pandas", "polars"}, "rarewood" in new)
"""
    assert run(code) == "set() True"


def test_names_that_come_later():
    from rarewood import dask, stream

    for package in (dask, stream):
        assert set(package.__all__) <= set(dir(package))
        assert all(hasattr(package, name) for name in package.__all__)
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            _ = package.nothing


def test_show_versions_lists_dependencies(capsys):
    rarewood.show_versions()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"rarewood: {rarewood.__version__}"
    assert f"numpy: {numpy.__version__}" in lines
    assert any(line.startswith("dask: ") and line.endswith("(optional)") for line in lines)
    assert not any(line.startswith(("pytest", "rarewood[")) for line in lines)
