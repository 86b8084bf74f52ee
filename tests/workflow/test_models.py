"""The registry of models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier

from rarewood import presets, workflow
from rarewood.evaluate import Protocol, compare
from rarewood.intake import prepare
from rarewood.workflow._models import choose_models

NAMES = [entry.name for entry in workflow.models()]
INSTALLED = [entry for entry in workflow.models() if entry.is_installed]


def _names(*words):
    return [entry.name for entry in choose_models(words)[0]]


def test_every_preset_is_registered():
    assert len(NAMES) == len(set(NAMES))
    assert {name.replace("_", "-") for name in presets.__all__} <= set(NAMES)
    assert {"rare-forest", "rare-tree", "sklearn-random-forest", "lightgbm"} <= set(NAMES)


def test_entries_describe_themselves():
    for entry in workflow.models():
        assert entry.description.endswith("."), entry
        assert "\n" not in entry.description
        assert entry.preparation in ("none", "one-hot")
        assert (entry.group == "rarewood") == (entry.package == "rarewood")


@pytest.mark.parametrize("entry", INSTALLED, ids=lambda entry: entry.name)
def test_common_parameters_are_accepted_by_every_model(entry):
    model = entry.make(n_estimators=7, n_jobs=1, random_state=5)
    assert is_classifier(model)
    values = {name.rpartition("__")[2]: value for name, value in model.get_params().items()}
    is_c45 = entry.name == "j48"  # one tree, without random numbers
    assert is_c45 or values["random_state"] == 5
    sizes = [values[name] for name in ("n_estimators", "max_iter") if name in values]
    is_single = entry.name.endswith("logistic-regression") or "Tree" in type(model).__name__
    assert 7 in sizes or is_single or is_c45


def test_parameters_of_the_classifier():
    assert workflow.make_model("hddt", max_depth=3).max_depth == 3
    assert workflow.make_model("hedex", n_estimators=7).n_estimators == 7
    boosting = workflow.make_model("sklearn-hist-gradient-boosting", n_estimators=7)
    assert boosting.max_iter == 7
    with pytest.raises(TypeError, match="no_such"):
        workflow.make_model("hddt", no_such=1)


def test_names_are_matched_leniently_and_unknown_ones_refused():
    assert _names("balanced_random_forest", "Cart") == ["balanced-random-forest", "cart"]
    assert _names("logistic-regression") == ["sklearn-logistic-regression"]
    assert _names("random-forest") == ["random-forest"]
    with pytest.raises(ValueError, match=r"Unknown model 'hdd'\. Did you mean 'hddt'"):
        workflow.make_model("hdd")


def test_groups():
    ours = [e.name for e in workflow.models() if e.group == "rarewood" and e.is_default]
    assert _names("rarewood") == ours
    chosen, absent = choose_models(["all"])
    assert {entry.name for entry in chosen} | set(absent) == set(NAMES)
    chosen, absent = choose_models()
    defaults = {entry.name for entry in workflow.models() if entry.is_default}
    assert {entry.name for entry in chosen} | set(absent) == defaults


def test_every_model_takes_a_table_with_odd_names_missing_values_and_text_labels():
    draw = np.random.RandomState(0)
    table = pd.DataFrame({"a [b]: {c}": draw.rand(60), "d, e": draw.choice(["u", "v"], 60)})
    table.loc[3:5, "a [b]: {c}"] = np.nan
    table.loc[7, "d, e"] = None
    table["y"] = np.where(np.arange(60) % 4 == 0, "yes", "no")
    taken = prepare(table, "y")
    made = {entry.name: entry.make(n_estimators=5, n_jobs=1) for entry in INSTALLED}
    results = compare(made, {"t": (taken.X, taken.y)}, protocol=Protocol(2), store=None)
    assert results.failures() == []
