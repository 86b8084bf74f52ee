"""The registry of models: every classifier that can be used by name.

A model of another package is one entry of ``_peers``, a preset one line of ``_OURS``. Nothing is
imported before a model is made: names are checked before any library is loaded.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from rarewood._imports import require
from rarewood.workflow._model_entry import ModelEntry

_TREE, _FOREST, _BOOSTING, _LINEAR = "tree", "forest", "boosting", "linear"
_DEFAULT = ("rare-forest", "hedex", "balanced-random-forest", "bagged-hddt", "hddt", "ccpdt")
# Label and family of each model of rarewood, the default models first.
_OURS = {
    "rare-forest": ("oblique forest (rarewood)", _FOREST),
    "hedex": ("random-cut forest (HeDEx)", _FOREST),
    "balanced-random-forest": ("balanced forest (rarewood)", _FOREST),
    "bagged-hddt": ("bagged Hellinger trees (HDDT)", _FOREST),
    "hddt": ("Hellinger tree (HDDT)", _TREE),
    "ccpdt": ("confidence proportion tree (CCPDT)", _TREE),
    "rare-tree": ("default tree (rarewood)", _TREE),
    "alpha-tree": ("alpha divergence tree (rarewood)", _TREE),
    "bagged-c45": ("bagged information gain trees (C4.5)", _FOREST),
    "beat": ("bagged alpha trees (BEAT)", _FOREST),
    "c45": ("information gain tree (C4.5)", _TREE),
    "cart": ("Gini tree (CART)", _TREE),
    "dcsm-tree": ("distinct classes tree (DCSM)", _TREE),
    "dkm": ("DKM tree (rarewood)", _TREE),
    "extra-trees": ("extra trees (rarewood)", _FOREST),
    "gain-ratio-tree": ("gain ratio tree (rarewood)", _TREE),
    "hedexh": ("random-line forest (HeDExh)", _FOREST),
    "ihd": ("inter-node Hellinger tree (iHD)", _TREE),
    "ihdw": ("weighted inter-node Hellinger tree (iHDw)", _TREE),
    "j48": ("pruned gain ratio tree (J48)", _TREE),
    "random-forest": ("random forest (rarewood)", _FOREST),
}
_TITLES = {"lightgbm": "LightGBM", "xgboost": "XGBoost", "catboost": "CatBoost", "ydf": "YDF"}
# Name of the distribution and its pip requirement, where that is not the name of the module.
_PACKAGES = {
    "sklearn": ("scikit-learn", "scikit-learn"),
    "imblearn": ("imbalanced-learn", "rarewood[sampling]"),
}


def models() -> list[ModelEntry]:
    """Return every model that can be used by name, installed or not.

    Returns
    -------
    entries : list of ModelEntry
        The models of rarewood first. Attributes: ``name``, such as "hddt" or
        "sklearn-random-forest"; ``label``, a name that explains itself, such as "Hellinger tree
        (HDDT)"; ``family``, "tree", "forest", "boosting" or "linear"; ``is_simple``, whether it is
        a single tree or a linear model; ``description``, one sentence; ``group``, "rarewood" or the
        package of the classifier, such as "scikit-learn"; ``package``, the module to import;
        ``install``, its pip requirement; ``preparation``, "one-hot" if
        :func:`rarewood.evaluate.compare` encodes categorical features and imputes missing values,
        else "none"; ``is_default``, whether :func:`compare` uses the model if none are named;
        ``is_installed``. The method ``make(**params)`` is that of :func:`make_model`.

    Examples
    --------
    >>> from rarewood import workflow
    >>> defaults = [entry for entry in workflow.models() if entry.is_default]
    >>> [entry.name for entry in defaults if entry.group == "rarewood"]
    ['rare-forest', 'hedex', 'balanced-random-forest', 'bagged-hddt', 'hddt', 'ccpdt']

    The entries serve as models of :func:`rarewood.evaluate.compare`:

    >>> chosen = {entry.name: entry.make for entry in workflow.models() if entry.is_installed}
    """
    return list(_registry().values())


def make_model(name: str, **params: Any) -> Any:
    """Return an unfitted classifier by its name.

    Parameters
    ----------
    name : str
        Name of an entry of :func:`models`. The package may be left out where the rest is unique:
        "logistic-regression" for "sklearn-logistic-regression".
    **params
        Parameters of the classifier. ``n_estimators``, ``n_jobs`` and ``random_state`` are mapped
        to the corresponding parameters of each package, and are ignored by a model without one.

    Returns
    -------
    classifier : estimator
        A classifier with scikit-learn's interface.

    Examples
    --------
    >>> from rarewood import workflow
    >>> workflow.make_model("hddt", random_state=0)
    RareTreeClassifier(categorical_split='multiway', random_state=0)
    >>> workflow.make_model("hist-gradient-boosting", n_estimators=50, n_jobs=2)
    HistGradientBoostingClassifier(max_iter=50)
    """
    return find_model(name).make(**params)


def find_model(name: str, known: Iterable[str] | None = None) -> ModelEntry:
    """Return the entry of a name, or raise with those that exist (or those that are ``known``)."""
    from rarewood.intake._errors import check_choice

    entries = _registry()
    names = list(entries if known is None else known)
    full = {one: one for one in names}
    for one in names:
        if entries[one].group != "rarewood" and "-" in one:
            full.setdefault(one.split("-", 1)[1], one)
    return entries[full[check_choice(name.strip().lower().replace("_", "-"), full, "model")]]


def choose_models(words: Iterable[str] = ()) -> tuple[list[ModelEntry], list[str]]:
    """Return entries by name, and the names of those left out since they are not installed.

    "rarewood" and "peers" are the default models of rarewood and of other packages (both by
    default); "all" is every model that is installed. A model that is named must be installed.
    """
    chosen: dict[str, ModelEntry] = {}
    absent: list[str] = []
    for word in list(words) or ["rarewood", "peers"]:
        if word not in ("rarewood", "peers", "all"):
            entry = find_model(word)
            if not entry.is_installed:  # raises with what to install
                require(entry.package, f"The model {entry.name}", entry.install)
            chosen[entry.name] = entry
            continue
        for entry in models():
            group = "rarewood" if entry.group == "rarewood" else "peers"
            if word == "all" or (entry.is_default and word == group):
                if entry.is_installed:
                    chosen[entry.name] = entry
                else:
                    absent.append(entry.name)
    return list(chosen.values()), absent


@functools.cache
def _registry() -> dict[str, ModelEntry]:
    return {entry.name: entry for entry in (*_ours(), *_peers())}


def _ours() -> list[ModelEntry]:
    """Both estimators with their defaults and every preset, the default models first."""
    classes = {"rare-forest": "RareForestClassifier", "rare-tree": "RareTreeClassifier"}
    entries = []
    for name, (label, family) in _OURS.items():
        path = f"rarewood.presets:{name.replace('-', '_')}"
        path = f"rarewood:{classes[name]}" if name in classes else path
        is_default = name in _DEFAULT
        entries.append(
            ModelEntry(
                name, label, family, "rarewood", "rarewood", "rarewood", "none", is_default, path
            )
        )
    return entries


def _peer(
    name: str, label: str, family: str, description: str, path: str, *,
    preparation: str = "one-hot", default: bool = False, package: str | None = None,
    wrap: str | None = None, **more: Any,
) -> ModelEntry:  # fmt: skip
    """Return the entry of a model of another package; see ``foreign._adapters`` for ``wrap``."""
    package = package or path.split(":")[0].split(".")[0]
    group, install = _PACKAGES.get(package, (package, package))
    return ModelEntry(
        name, f"{label} ({_TITLES.get(group, group)})", family, group, package, install,
        preparation, default, path, description, _wrap=wrap, **more,
    )  # fmt: skip


def _peers() -> list[ModelEntry]:
    """The models of other packages, in the order in which they are computed and shown."""
    return [
        _peer(
            "sklearn-random-forest", "random forest", _FOREST,
            "Random forest.",
            "sklearn.ensemble:RandomForestClassifier", default=True,
        ),
        _peer(
            "sklearn-extra-trees", "extra trees", _FOREST,
            "Extremely randomized trees.",
            "sklearn.ensemble:ExtraTreesClassifier",
        ),
        _peer(
            "sklearn-hist-gradient-boosting", "histogram boosting", _BOOSTING,
            "Gradient boosting on histograms.",
            "sklearn.ensemble:HistGradientBoostingClassifier", default=True, preparation="none",
            _renamed={"n_estimators": "max_iter"},
        ),
        _peer(
            "sklearn-logistic-regression", "logistic regression", _LINEAR,
            "Logistic regression on standardized features.",
            "sklearn.linear_model:LogisticRegression", default=True, preparation="none",
            _fixed={"max_iter": 10_000}, _renamed={"n_jobs": ""}, wrap="standardized",
        ),
        _peer(
            "imblearn-balanced-random-forest", "balanced forest", _FOREST,
            "Random forest on balanced bootstrap samples.",
            "imblearn.ensemble:BalancedRandomForestClassifier", default=True,
        ),
        _peer(
            "imblearn-balanced-bagging", "balanced bagging", _FOREST,
            "Bagged trees on balanced bootstrap samples.",
            "imblearn.ensemble:BalancedBaggingClassifier",
        ),
        _peer(
            "imblearn-easy-ensemble", "easy ensemble", _BOOSTING,
            "AdaBoost ensembles of 50 stumps on balanced samples.",
            "imblearn.ensemble:EasyEnsembleClassifier",
        ),
        _peer(
            "imblearn-rus-boost", "undersampled boosting", _BOOSTING,
            "AdaBoost with random under-sampling.",
            "imblearn.ensemble:RUSBoostClassifier",
        ),
        _peer(
            "lightgbm", "boosting", _BOOSTING,
            "Gradient boosting of LightGBM.", "lightgbm:LGBMClassifier", default=True,
            preparation="none", _fixed={"n_jobs": 1, "verbose": -1}, wrap="plain_names",
        ),
        _peer(
            "xgboost", "boosting", _BOOSTING,
            "Gradient boosting of XGBoost.", "xgboost:XGBClassifier",
            _fixed={"n_jobs": 1}, wrap="EncodedLabels",
        ),
        _peer(
            "catboost", "boosting", _BOOSTING,
            "Gradient boosting of CatBoost.", "catboost:CatBoostClassifier",
            preparation="none", wrap="NativeCategories",
            _fixed={"n_estimators": 1000, "random_state": 0, "thread_count": 1, "verbose": 0,
                    "allow_writing_files": False},
            _renamed={"n_jobs": "thread_count"},
        ),
        _peer(
            "ydf-random-forest", "random forest", _FOREST,
            "Random forest of YDF.",
            "rarewood.foreign._adapters:YdfClassifier", package="ydf", preparation="none",
            wrap="EncodedLabels",
        ),
        _peer(
            "ydf-oblique-forest", "oblique forest", _FOREST,
            "Random forest of YDF with sparse oblique splits.",
            "rarewood.foreign._adapters:YdfClassifier", package="ydf", preparation="none",
            _fixed={"template": "benchmark_rank1v2"}, wrap="EncodedLabels",
        ),
        _peer(
            "ydf-gradient-boosting", "boosting", _BOOSTING,
            "Gradient boosting of YDF.",
            "rarewood.foreign._adapters:YdfClassifier", package="ydf", preparation="none",
            _fixed={"learner": "GradientBoostedTreesLearner"}, wrap="EncodedLabels",
        ),
    ]  # fmt: skip
