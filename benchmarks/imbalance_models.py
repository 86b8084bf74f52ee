"""Methods for rare classes: all of imbalanced-learn and imbalanced-ensemble, and our default."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from sklearn.model_selection import ParameterGrid, ParameterSampler

from imbalance_judged import Coded, Judged, Scaled
from imbalance_remote import HERE, OTHER, PINNED, Remote
from rarewood import RareForestClassifier

OURS = "RareForest"
BASE = "RandomForest"  # the classifier behind all samplers
N_TRIALS = 15
FOREST = {
    "max_features": ["sqrt", 0.2, 0.5],
    "min_samples_leaf": [1, 2, 5],
    "criterion": ["gini", "entropy"],
    "bootstrap": [True, False],
}
RATIO = {"sampler__sampling_strategy": ["auto", 0.3, 0.5, 0.75]}
NEIGHBOURS = {"sampler__k_neighbors": [2, 3, 5, 8]}
CLEANING = {"sampler__n_neighbors": [1, 3, 5, 8]}
TREE = {
    "n_estimators": [50, 100],
    "tree__max_depth": [None, 6, 12],
    "tree__min_samples_leaf": [1, 2, 5],
    "tree__max_features": [None, "sqrt", 0.5],
}
BOOST = {
    "n_estimators": [50, 100],
    "learning_rate": [0.1, 0.3, 1.0],
    "tree__max_depth": [1, 3, 6, None],
}
OUR_SPACE = {
    "criterion": ["hellinger", "entropy", "gini"],
    "max_features": ["sqrt", 0.2, 0.5],
    "oblique_dim": [1, 2, 3],
    "n_cuts": [5, 10, 20],
    "bootstrap": [False, True],
}


@dataclass(frozen=True)
class Method:
    """A method: the path of its class, its kind, its package, and the parameters to be tuned."""

    path: str
    kind: str
    environment: str = HERE
    params: tuple[tuple[str, Any], ...] = ()
    space: dict[str, list[Any]] | None = None

    def make(self, limit: float, n_trials: int = 0) -> Judged:
        """Return the classifier, with candidates if there are trials."""
        package = f"imbalanced-learn {version('imbalanced-learn')}"
        remote = Remote(
            self.path,
            self.environment,
            package if self.environment == HERE else PINNED,
            limit,
            dict(self.params),
        )
        found = draw(self.space or {}, n_trials)
        candidates = [{"params": dict(self.params) | params} for params in found]
        return Judged(remote, Coded() if self.path == "SMOTENC" else Scaled(), candidates or None)


@dataclass(frozen=True)
class Ours:
    """The default forest on the table as it is."""

    kind: str = "rarewood"

    def make(self, limit: float, n_trials: int = 0) -> Judged:
        return Judged(RareForestClassifier(n_jobs=1), None, draw(OUR_SPACE, n_trials) or None)


def draw(space: dict[str, list[Any]], n_trials: int) -> list[dict[str, Any]]:
    """Return the defaults, and parameters drawn from the space."""
    if not n_trials:
        return []
    n_drawn = min(n_trials - 1, len(ParameterGrid(space)))
    sampler = ParameterSampler(space, n_drawn, random_state=0)
    return [{}, *({k: _plain(v) for k, v in params.items()} for params in sampler)]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _samplers(module: str, kind: str, spaces: dict[str, dict[str, list]]) -> dict[str, Method]:
    forest = {f"forest__{name}": values for name, values in FOREST.items()}
    return {
        name: Method(f"imblearn.{module}.{name}", kind, space=forest | space)
        for name, space in spaces.items()
    }


def _ensembles(names: dict[str, dict[str, list]]) -> dict[str, Method]:
    """Ensembles of imbalanced-ensemble; names that imbalanced-learn has, too, get a mark."""
    ours = {"BalancedRandomForest", "EasyEnsemble", "RUSBoost"}
    return {
        f"{name} (imbens)" if name in ours else name: Method(
            f"imbens.ensemble.{name}Classifier", "ensemble, imbens", OTHER, space=space
        )
        for name, space in names.items()
    }


METHODS: dict[str, Method | Ours] = {
    OURS: Ours(),
    BASE: Method("sklearn.ensemble.RandomForestClassifier", "no method", space=FOREST),
    "RandomForest (balanced weights)": Method(
        "sklearn.ensemble.RandomForestClassifier",
        "weights",
        params=(("class_weight", "balanced"),),
        space=FOREST,
    ),
    **_samplers(
        "over_sampling",
        "oversampling",
        {
            "RandomOverSampler": RATIO,
            "SMOTE": RATIO | NEIGHBOURS,
            "BorderlineSMOTE": RATIO | NEIGHBOURS,
            "SVMSMOTE": RATIO | NEIGHBOURS,
            "KMeansSMOTE": RATIO | {"sampler__cluster_balance_threshold": ["auto", 0.1, 0.01]},
            "ADASYN": RATIO | CLEANING,
        },
    ),
    "SMOTENC": Method(
        "SMOTENC",
        "oversampling",
        space={f"forest__{k}": v for k, v in FOREST.items()} | RATIO | NEIGHBOURS,
    ),
    **_samplers(
        "under_sampling",
        "undersampling",
        {
            "RandomUnderSampler": RATIO,
            "ClusterCentroids": RATIO,
            "NearMiss": RATIO | CLEANING,
            "InstanceHardnessThreshold": RATIO,
            "CondensedNearestNeighbour": CLEANING,
            "OneSidedSelection": CLEANING,
            "TomekLinks": {},
            "EditedNearestNeighbours": CLEANING,
            "RepeatedEditedNearestNeighbours": CLEANING,
            "AllKNN": CLEANING,
            "NeighbourhoodCleaningRule": CLEANING,
        },
    ),
    **_samplers("combine", "over- and undersampling", {"SMOTEENN": RATIO, "SMOTETomek": RATIO}),
    "BalancedRandomForest": Method(
        "imblearn.ensemble.BalancedRandomForestClassifier", "ensemble, imblearn", space=FOREST
    ),
    "BalancedBagging": Method(
        "imblearn.ensemble.BalancedBaggingClassifier", "ensemble, imblearn", space=TREE
    ),
    "EasyEnsemble": Method(
        "imblearn.ensemble.EasyEnsembleClassifier",
        "ensemble, imblearn",
        space={"n_estimators": [10, 20, 50]},
    ),
    "RUSBoost": Method("imblearn.ensemble.RUSBoostClassifier", "ensemble, imblearn", space=BOOST),
    **_ensembles(
        {
            "SelfPacedEnsemble": TREE | {"k_bins": [3, 5, 10]},
            "BalanceCascade": TREE,
            "BalancedRandomForest": FOREST,
            "EasyEnsemble": {"n_estimators": [10, 20, 50]},
            "RUSBoost": BOOST,
            "UnderBagging": TREE,
            "OverBoost": BOOST,
            "SMOTEBoost": BOOST,
            "KmeansSMOTEBoost": BOOST,
            "OverBagging": TREE,
            "SMOTEBagging": TREE,
            "AdaCost": BOOST,
            "AdaUBoost": BOOST,
            "AsymBoost": BOOST,
            "CompatibleAdaBoost": BOOST,
            "CompatibleBagging": TREE,
        }
    ),
}
