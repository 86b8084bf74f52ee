"""What is built on trees and forests: pruning afterwards, sampling, thresholds, priors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from models.digest import Case, model_arrays
from models.shorthand import MODELS, TABLES, forest, tree
from rarewood import presets
from rarewood.operating import PriorCorrectedClassifier, ThresholdedClassifier
from rarewood.pruning import CostComplexity, Fisher, fisher_pruning_path, prune
from rarewood.sampling import PatternOverSampler, SamplingWrapperClassifier
from rarewood.table._encode import encode

RULES = {
    "f": "f",
    "recall": "recall>=0.8",
    "precision": "precision>=0.3",
    "alerts": "alerts<=150/1000",
    "cost": "cost:fp=1,fn=20",
    "given": 0.25,
}


def prune_cases() -> Iterator[Case]:
    """Fitted models that are pruned: as if they had been fitted so, unless leaves are tested."""
    for kind in MODELS:
        for name, method in {"fisher": "fisher", "error": "error"}.items():
            same = f"pruning/{name}/{kind}"
            yield Case(f"pruned/{name}/{kind}", partial(_pruned, kind, method), same)
        cost = partial(_pruned, kind, CostComplexity(0.005))
        yield Case(f"pruned/cost/{kind}", cost, f"pruning/cost-set/{kind}")
        yield Case(f"pruned/leaves/{kind}", partial(_pruned, kind, Fisher(1e-4, test_leaves=True)))
    yield Case("pruned/path", _path)


def _pruned(kind: str, method: Any, folder: Path) -> Iterator[Any]:
    data = TABLES["three"]()
    model = MODELS[kind]().fit(data.X, data.y)
    return model_arrays(prune(model, method), data.rows)


def _path(folder: Path) -> list[Any]:
    data = TABLES["three"]()
    path = fisher_pruning_path(tree().fit(data.X, data.y))
    return [path.p_values, path.n_leaves]


def sampling_cases() -> Iterator[Case]:
    """Rows that patterns give, and levels of sampling that cross-validation chooses."""
    patterns: dict[str, dict[str, Any]] = {
        "default": {},
        "all": {"unconstrained": "all"},
        "unchecked": {"validate": False},
        "strict": {"strict": True, "max_rounds": 2, "min_samples_leaf": 4},
    }
    for name, params in patterns.items():
        for table in ("missing", "mixed-three"):
            yield Case(f"patterns/{name}/{table}", partial(_new_rows, params, table))
    levels: dict[str, dict[str, Any]] = {
        "under": {"smote_steps": ()},
        "smote": {"undersample_steps": ()},
        "lookahead": {"search": "lookahead"},
        "best_per_axis": {"search": "best_per_axis"},
    }
    for name, params in levels.items():
        yield Case(f"wrapper/{name}", partial(_sampled, params))


def _new_rows(params: dict[str, Any], table: str, folder: Path) -> list[Any]:
    data = TABLES[table]()
    sampler = PatternOverSampler(n_estimators=10, random_state=7).set_params(**params)
    X, y = sampler.fit_resample(data.X, data.y)
    return [encode(X)[0], np.unique(y, return_inverse=True)[1]]


def _sampled(params: dict[str, Any], folder: Path) -> Iterator[Any]:
    data = TABLES["two"]()
    wrapper = SamplingWrapperClassifier(presets.c45(), cv=3, random_state=7).set_params(**params)
    wrapper.fit(data.X, data.y)
    yield wrapper.search_table_["mean_score"]
    yield [wrapper.undersample_level_, wrapper.smote_level_]
    yield from model_arrays(wrapper.estimator_, data.rows)


def operating_cases() -> Iterator[Case]:
    """Thresholds by rules, and probabilities for the true frequency of classes."""
    bagged = partial(forest, bootstrap=True)
    for name, rule in RULES.items():
        yield Case(f"threshold/{name}/folds", partial(_thresholded, forest, rule, 3))
        yield Case(f"threshold/{name}/out-of-bag", partial(_thresholded, bagged, rule, "oob"))
    for table in ("two", "three"):
        yield Case(f"prior/{table}", partial(_corrected, table, {}))
        shares = [0.9, 0.1] if table == "two" else [0.7, 0.2, 0.1]
        yield Case(f"prior/{table}/given", partial(_corrected, table, {"true_prior": shares}))


def _thresholded(make: Any, rule: Any, cv: Any, folder: Path) -> Iterator[Any]:
    data = TABLES["two"]()
    model = ThresholdedClassifier(make(), by=rule, cv=cv, n_bootstrap=50, random_state=7)
    model.fit(data.X, data.y)
    yield [model.threshold_, *model.operating_point_.interval]
    yield model.curve_.threshold
    yield model.predict(data.rows)
    yield from model_arrays(model.estimator_, data.rows)


def _corrected(table: str, params: dict[str, Any], folder: Path) -> list[Any]:
    data = TABLES[table]()
    model = PriorCorrectedClassifier(forest(balance=True), **params).fit(data.X, data.y)
    return [model.predict_proba(data.rows), model.predict(data.rows), model.true_prior_]
