"""The registry of models: every classifier that can be used by name.

A model of another package is one entry of ``_peers``; presets are registered by being public.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rarewood._imports import require

_COMMON = ("n_estimators", "n_jobs", "random_state")
_DEFAULT = ("rare-forest", "hedex", "balanced-random-forest", "bagged-hddt", "hddt", "ccpdt")
# Name of the distribution and its pip requirement, where that is not the name of the module.
_PACKAGES = {
    "sklearn": ("scikit-learn", "scikit-learn"),
    "imblearn": ("imbalanced-learn", "rarewood[sampling]"),
}


@dataclass(frozen=True)
class ModelEntry:
    """A classifier that can be used by name; :func:`models` describes the attributes."""

    name: str
    description: str
    group: str
    package: str
    install: str
    preparation: str
    is_default: bool
    _path: str = field(repr=False)  # "module:class or function"
    _fixed: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _renamed: Mapping[str, str] = field(default_factory=dict, repr=False)
    _wrap: Callable[[Any], Any] | None = field(default=None, repr=False)

    @property
    def is_installed(self) -> bool:
        """Whether the package can be imported."""
        return find_spec(self.package) is not None

    def make(self, **params: Any) -> Any:
        """Return an unfitted classifier; see :func:`make_model`."""
        require(self.package, f"The model {self.name}", self.install)
        module, name = self._path.split(":")
        own = {key: value for key, value in params.items() if key not in _COMMON}
        classifier = getattr(import_module(module), name)(**{**self._fixed, **own})
        known = classifier.get_params()
        common = {self._renamed.get(key, key): params[key] for key in _COMMON if key in params}
        classifier.set_params(**{key: common[key] for key in common if key in known})
        return classifier if self._wrap is None else self._wrap(classifier)


def models() -> list[ModelEntry]:
    """Return every model that can be used by name, installed or not.

    Returns
    -------
    entries : list of ModelEntry
        The models of rarewood first. Attributes: ``name``, such as "hddt" or
        "sklearn-random-forest"; ``description``, one sentence; ``group``, "rarewood" or the package
        of the classifier, such as "scikit-learn"; ``package``, the module to import;
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
    from rarewood import presets

    paths = {"rare-forest": "rarewood:RareForestClassifier"}
    paths |= {"rare-tree": "rarewood:RareTreeClassifier"}
    paths |= {name.replace("_", "-"): f"rarewood.presets:{name}" for name in presets.__all__}
    entries = []
    for name in dict.fromkeys([*_DEFAULT, *paths]):
        module, attribute = paths[name].split(":")
        summary = (getattr(import_module(module), attribute).__doc__ or name).strip()
        entries.append(
            ModelEntry(
                name, summary.splitlines()[0], "rarewood", "rarewood", "rarewood", "none",
                name in _DEFAULT, paths[name],
            )
        )  # fmt: skip
    return entries


def _peer(
    name: str, description: str, path: str, *, preparation: str = "one-hot", default: bool = False,
    package: str | None = None, **more: Any,
) -> ModelEntry:  # fmt: skip
    """Return the entry of a model of another package."""
    package = package or path.split(":")[0].split(".")[0]
    group, install = _PACKAGES.get(package, (package, package))
    return ModelEntry(
        name, description, group, package, install, preparation, default, path, **more
    )


def _peers() -> list[ModelEntry]:
    """The models of other packages, in the order in which they are computed and shown."""
    from rarewood.workflow import _adapters as adapters

    return [
        _peer(
            "sklearn-random-forest", "Random forest.",
            "sklearn.ensemble:RandomForestClassifier", default=True,
        ),
        _peer(
            "sklearn-extra-trees", "Extremely randomized trees.",
            "sklearn.ensemble:ExtraTreesClassifier",
        ),
        _peer(
            "sklearn-hist-gradient-boosting", "Gradient boosting on histograms.",
            "sklearn.ensemble:HistGradientBoostingClassifier", default=True, preparation="none",
            _renamed={"n_estimators": "max_iter"},
        ),
        _peer(
            "sklearn-logistic-regression", "Logistic regression on standardized features.",
            "sklearn.linear_model:LogisticRegression", default=True, preparation="none",
            _fixed={"max_iter": 10_000}, _renamed={"n_jobs": ""}, _wrap=adapters.standardized,
        ),
        _peer(
            "imblearn-balanced-random-forest", "Random forest on balanced bootstrap samples.",
            "imblearn.ensemble:BalancedRandomForestClassifier", default=True,
        ),
        _peer(
            "imblearn-balanced-bagging", "Bagged trees on balanced bootstrap samples.",
            "imblearn.ensemble:BalancedBaggingClassifier",
        ),
        _peer(
            "imblearn-easy-ensemble", "AdaBoost ensembles of 50 stumps on balanced samples.",
            "imblearn.ensemble:EasyEnsembleClassifier",
        ),
        _peer(
            "imblearn-rus-boost", "AdaBoost with random under-sampling.",
            "imblearn.ensemble:RUSBoostClassifier",
        ),
        _peer(
            "lightgbm", "Gradient boosting of LightGBM.", "lightgbm:LGBMClassifier", default=True,
            preparation="none", _fixed={"n_jobs": 1, "verbose": -1}, _wrap=adapters.plain_names,
        ),
        _peer(
            "xgboost", "Gradient boosting of XGBoost.", "xgboost:XGBClassifier",
            _fixed={"n_jobs": 1}, _wrap=adapters.EncodedLabels,
        ),
        _peer(
            "catboost", "Gradient boosting of CatBoost.", "catboost:CatBoostClassifier",
            preparation="none", _wrap=adapters.NativeCategories,
            _fixed={"n_estimators": 1000, "random_state": 0, "thread_count": 1, "verbose": 0,
                    "allow_writing_files": False},
            _renamed={"n_jobs": "thread_count"},
        ),
        _peer(
            "ydf-random-forest", "Random forest of YDF.",
            "rarewood.workflow._adapters:YdfClassifier", package="ydf", preparation="none",
            _wrap=adapters.EncodedLabels,
        ),
        _peer(
            "ydf-oblique-forest", "Random forest of YDF with sparse oblique splits.",
            "rarewood.workflow._adapters:YdfClassifier", package="ydf", preparation="none",
            _fixed={"template": "benchmark_rank1v2"}, _wrap=adapters.EncodedLabels,
        ),
        _peer(
            "ydf-gradient-boosting", "Gradient boosting of YDF.",
            "rarewood.workflow._adapters:YdfClassifier", package="ydf", preparation="none",
            _fixed={"learner": "GradientBoostedTreesLearner"}, _wrap=adapters.EncodedLabels,
        ),
    ]  # fmt: skip
