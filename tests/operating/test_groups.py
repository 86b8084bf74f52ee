"""Groups of samples: every inner cross-validation keeps them together, routed or not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    StratifiedGroupKFold,
    TunedThresholdClassifierCV,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood.model import _forest_size, _pilot
from rarewood.operating import (
    PriorCorrectedClassifier,
    ThresholdedClassifier,
    out_of_fold_scores,
)
from rarewood.sampling import SamplingWrapperClassifier

RANDOM = np.random.default_rng(0)
GROUPS = np.repeat(np.arange(60), 5)[RANDOM.permutation(300)]
Y = (GROUPS % 4 == 0).astype(int)
X = np.column_stack([GROUPS + 0.1 * RANDOM.normal(size=300), Y + RANDOM.normal(size=300)])


class Spy(LogisticRegression):
    """Takes no groups; the first column tells which were in the training samples."""

    def __init__(self, seen=None):
        super().__init__()
        self.seen = seen

    def __sklearn_clone__(self):
        return Spy(self.seen)

    def fit(self, X, y):
        self.seen.append(np.unique(X[:, 0]))
        return super().fit(X, y)


@pytest.fixture
def seen():
    """The groups in the training samples of each fit."""
    return []


@pytest.fixture
def dealt(monkeypatch):
    """The groups that each pilot, and each choice of the size of a forest, has dealt to folds."""
    calls = []

    def deal(y, hashes, groups):
        calls.append(None if groups is None else set(groups.tolist()))
        return original(y, hashes, groups)

    original = _pilot.deal_folds
    for module in (_pilot, _forest_size):
        monkeypatch.setattr(module, "deal_folds", deal)
    return calls


WHO = np.column_stack([GROUPS, X])  # the groups are a column that the spy sees
SPLITTERS = [3, GroupKFold(3), StratifiedGroupKFold(3), "list"]


def given(cv):
    return list(GroupKFold(3).split(X, Y, GROUPS)) if cv == "list" else cv


@pytest.mark.parametrize("cv", SPLITTERS, ids=str)
@pytest.mark.parametrize("routed", [False, True])
@pytest.mark.parametrize("kind", [ThresholdedClassifier, SamplingWrapperClassifier])
def test_folds_keep_groups_together(seen, kind, routed, cv):
    model = kind(Spy(seen), cv=given(cv), random_state=0)
    if kind is SamplingWrapperClassifier:
        model.set_params(undersample_steps=(10,), smote_steps=(100,))
    with config_context(enable_metadata_routing=routed):
        if routed and cv == "list":  # nobody asks for groups: folds that are given have them
            model.fit(WHO, Y)
        else:
            model.fit(WHO, Y, groups=GROUPS)
    assert len(seen) >= 4
    for trained in seen[:3]:  # a third of the groups was left out as a whole
        whole = np.isin(GROUPS, trained)
        assert 190 <= whole.sum() <= 210
        assert len(trained) <= 42


@pytest.mark.parametrize("groups", [None, GROUPS], ids=["none", "groups"])
def test_out_of_fold_scores(groups, dealt):
    forest = RareForestClassifier(2, random_state=0)
    out_of_fold_scores(forest, X, Y, cv=3, groups=groups, random_state=0)
    assert len(dealt) == 3
    assert all((found is not None) == (groups is not None) for found in dealt)
    # The first feature tells the group, and so the class of a group that was trained on.
    nearest = KNeighborsClassifier(1)
    scores = out_of_fold_scores(nearest, X[:, :1], Y, cv=3, groups=groups, random_state=0)
    assert (roc_auc_score(Y, scores[:, 1]) > 0.95) == (groups is None)


AROUND = {
    "thresholded": lambda forest: ThresholdedClassifier(forest, cv=3, random_state=0),
    "sampling": lambda forest: SamplingWrapperClassifier(
        forest, cv=3, undersample_steps=(), smote_steps=(), random_state=0
    ),
    "prior": PriorCorrectedClassifier,
    "both": lambda forest: ThresholdedClassifier(PriorCorrectedClassifier(forest), cv=3),
    "search": lambda forest: ThresholdedClassifier(
        GridSearchCV(forest, {"max_depth": [2, 4]}, cv=GroupKFold(2)), cv=3
    ),
}


@pytest.mark.parametrize("name", AROUND)
@pytest.mark.parametrize("routed", [False, True])
def test_wrappers_pass_groups_on_to_the_pilot(name, routed, dealt):
    is_balanced = name in ("prior", "both")
    forest = RareForestClassifier(2, balance=is_balanced, max_depth=4, random_state=0)
    with config_context(enable_metadata_routing=routed):
        if routed:
            forest.set_fit_request(groups=True)
        AROUND[name](forest).fit(X, Y, groups=GROUPS)
    # A search of scikit-learn passes groups on to its folds only, unless they are routed.
    is_told = routed or name != "search"
    assert len(dealt) >= 1
    assert all((found is not None) == is_told for found in dealt)


def test_a_request_is_obeyed(dealt):
    with config_context(enable_metadata_routing=True):
        forest = RareForestClassifier(3, random_state=0).set_fit_request(groups=False)
        ThresholdedClassifier(forest, cv=3).fit(X, Y, groups=GROUPS)
    assert dealt == [None] * 4


ROUTERS = {
    "cross_validate": lambda model: cross_validate(
        model, X, Y, cv=GroupKFold(3), params={"groups": GROUPS}
    ),
    "grid": lambda model: GridSearchCV(model, {"max_depth": [3]}, cv=GroupKFold(3)).fit(
        X, Y, groups=GROUPS
    ),
    "calibrated": lambda model: CalibratedClassifierCV(model, cv=GroupKFold(3)).fit(
        X, Y, groups=GROUPS
    ),
    "threshold": lambda model: TunedThresholdClassifierCV(model, cv=GroupKFold(3)).fit(
        X, Y, groups=GROUPS
    ),
    "pipeline": lambda model: make_pipeline(StandardScaler(), model).fit(X, Y, groups=GROUPS),
}


@pytest.mark.parametrize("name", ROUTERS)
@pytest.mark.parametrize(
    "model",
    [
        RareForestClassifier(2, max_depth=4, random_state=0),
        RareTreeClassifier(leaf_strength="auto", leaf="shrunk"),
    ],
    ids=["forest", "tree"],
)
def test_routers_of_scikit_learn_reach_the_pilot(name, model, dealt):
    with config_context(enable_metadata_routing=True):
        ROUTERS[name](clone(model).set_fit_request(groups=True))
    assert len(dealt) >= 1
    assert all(found is not None for found in dealt)
    if name in ("calibrated", "cross_validate"):
        assert {len(found) for found in dealt} == {40}
