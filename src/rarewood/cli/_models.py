"""The models that can be compared by name: ours, and those of other packages where installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from rarewood.cli._errors import CommandError

__all__ = ["DEFAULT", "OURS", "PEERS", "choose_models"]

Factory = Callable[[], Any]


def _preset(name: str) -> Factory:
    def make() -> Any:
        from rarewood import presets

        return getattr(presets, name)()

    return make


def _rare_forest() -> Any:
    from rarewood import RareForestClassifier

    return RareForestClassifier()


def _random_forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier()


def _extra_trees() -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier()


def _hist_gradient_boosting() -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier()


def _logistic_regression() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from rarewood.evaluate import Preparation

    return make_pipeline(Preparation(), StandardScaler(), LogisticRegression(max_iter=10_000))


def _balanced_random_forest() -> Any:
    from imblearn.ensemble import BalancedRandomForestClassifier

    return BalancedRandomForestClassifier()


def _lightgbm() -> Any:
    from lightgbm import LGBMClassifier
    from sklearn.pipeline import make_pipeline

    from rarewood.cli._plain_names import PlainNames

    return make_pipeline(PlainNames(), LGBMClassifier(n_jobs=1, verbose=-1))


# In the order in which they are computed and, where they are equally good, shown.
OURS: dict[str, Factory] = {
    "rare-forest": _rare_forest,
    "hedex": _preset("hedex"),
    "balanced-forest": _preset("balanced_random_forest"),
    "bagged-hddt": _preset("bagged_hddt"),
    "hddt": _preset("hddt"),
    "ccpdt": _preset("ccpdt"),
}
# Name of the package that each needs, beside what rarewood needs itself.
PEERS: dict[str, tuple[Factory, str]] = {
    "random-forest (sklearn)": (_random_forest, "sklearn"),
    "extra-trees (sklearn)": (_extra_trees, "sklearn"),
    "hist-gradient-boosting": (_hist_gradient_boosting, "sklearn"),
    "logistic-regression": (_logistic_regression, "sklearn"),
    "balanced-forest (imblearn)": (_balanced_random_forest, "imblearn"),
    "lightgbm": (_lightgbm, "lightgbm"),
}
DEFAULT = ("ours", "peers")
_DEFAULT_PEERS = (
    "random-forest (sklearn)",
    "hist-gradient-boosting",
    "logistic-regression",
    "balanced-forest (imblearn)",
    "lightgbm",
)


def choose_models(words: list[str] | None = None) -> tuple[dict[str, Factory], list[str]]:
    """Return models by their names.

    Parameters
    ----------
    words : list of str, default=None
        Names, also those of other presets, without the package in brackets where that is enough;
        "ours", "peers" and "all" are several. By default ours and the peers that are installed.

    Returns
    -------
    models : dict of str to callable
        Functions that make the models.
    absent : list of str
        Peers that would be there if their packages were installed.
    """
    chosen: dict[str, Factory] = {}
    absent: list[str] = []
    for word in words or DEFAULT:
        if word in ("ours", "all"):
            chosen |= OURS
        if word in ("peers", "all"):
            for name in PEERS if word == "all" else _DEFAULT_PEERS:
                factory, package = PEERS[name]
                if find_spec(package) is None:
                    absent.append(name)
                else:
                    chosen[name] = factory
        if word not in ("ours", "peers", "all"):
            chosen |= _named(word)
    return chosen, absent


def _named(word: str) -> dict[str, Factory]:
    from rarewood import presets
    from rarewood.intake._errors import did_you_mean

    wanted = word.strip().lower().replace("_", "-")
    if wanted in OURS:
        return {wanted: OURS[wanted]}
    for name, (factory, package) in PEERS.items():
        if wanted in (name, name.split(" ")[0]):
            if find_spec(package) is None:
                raise CommandError(f"The model {name} needs the package {package}: install it.")
            return {name: factory}
    preset = wanted.replace("-", "_")
    if preset in presets.__all__:
        return {wanted: _preset(preset)}
    short = [name.split(" ")[0] for name in PEERS]
    known = [*OURS, *short, *(name.replace("_", "-") for name in presets.__all__)]
    names = ", ".join(dict.fromkeys(known))
    raise CommandError(
        f"There is no model {word!r}.{did_you_mean(word, known)} There are {names}; 'ours', "
        "'peers' and 'all' are several."
    )
