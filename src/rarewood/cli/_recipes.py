"""From the words of ``rarewood fit`` to an estimator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rarewood.cli._errors import CommandError

__all__ = ["Wanted", "check_wanted", "make_estimator", "parse_threshold"]

_PRUNINGS = ("none", "fisher", "error", "cost-complexity")
_SAMPLINGS = ("none", "pattern", "smote", "random-over", "random-under", "wrapper")
_NEIGHBOURS = 5


@dataclass(frozen=True)
class Wanted:
    """What is to be fitted, in the words of the command line."""

    preset: str = "rare-forest"
    criterion: str | None = None
    pruning: str | None = None
    sampling: str = "none"
    seed: int = 0
    n_jobs: int | None = None


def make_estimator(wanted: Wanted, X: Any, n_rare: int) -> tuple[Any, Any]:
    """Return what is to be fitted: the whole, and the tree or forest in it.

    Parameters
    ----------
    wanted : Wanted
        The words; an error says what there is in place of a wrong one.
    X : DataFrame
        The features, which decide how to sample.
    n_rare : int
        Rows of the smallest class that every fit will have.

    Returns
    -------
    estimator : estimator
        The classifier, with a sampler around it if one is wanted.
    classifier : RareTreeClassifier or RareForestClassifier
        The classifier.
    """
    classifier = _classifier(wanted)
    return _sampled(wanted, classifier, X, n_rare), classifier


def check_wanted(wanted: Wanted) -> None:
    """Raise for a word that means nothing, before a table is read that may be large."""
    _classifier(wanted)
    _sampling(wanted.sampling)


def _classifier(wanted: Wanted) -> Any:
    classifier = _preset(wanted.preset)
    if wanted.criterion is not None:
        from rarewood.cli._isometrics import parse_criterion

        classifier.set_params(criterion=parse_criterion(wanted.criterion))
    if wanted.pruning is not None:
        classifier.set_params(**_pruning(wanted.pruning))
    return classifier.set_params(random_state=wanted.seed, n_jobs=wanted.n_jobs)


def _choice(word: str, known: list[str] | tuple[str, ...], what: str) -> str:
    from rarewood.intake._errors import did_you_mean

    if word not in known:
        hint = did_you_mean(word, known)
        raise CommandError(f"There is no {what} {word!r}.{hint} There are {', '.join(known)}.")
    return word


def _preset(word: str) -> Any:
    from rarewood.workflow._models import find_model, models

    return find_model(word, [one.name for one in models() if one.group == "ours"]).make()


def _pruning(text: str) -> dict[str, Any]:
    word, colon, number = text.lower().replace("_", "-").partition(":")
    _choice(word, _PRUNINGS, "way of pruning")
    threshold = None
    if colon:
        try:
            threshold = float(number)
        except ValueError:
            raise CommandError(f"--pruning {text}: {number!r} is no number.") from None
    name = None if word == "none" else word.replace("-", "_")
    return {"pruning": name, "pruning_threshold": threshold}


def _sampling(word: str) -> str:
    return _choice(word.lower().replace("_", "-"), _SAMPLINGS, "way of sampling")


def _sampled(wanted: Wanted, classifier: Any, X: Any, n_rare: int) -> Any:
    name = _sampling(wanted.sampling)
    if name == "none":
        return classifier
    from rarewood import sampling  # says what to install if imbalanced-learn is missing

    if name == "wrapper":
        return sampling.SamplingWrapperClassifier(classifier, random_state=wanted.seed)
    from imblearn.pipeline import make_pipeline

    if name == "pattern":
        sampler: Any = sampling.PatternOverSampler(random_state=wanted.seed)
    elif name == "smote":
        sampler = _smote(X, n_rare, wanted.seed)
    else:
        from imblearn.over_sampling import RandomOverSampler
        from imblearn.under_sampling import RandomUnderSampler

        kind = RandomOverSampler if name == "random-over" else RandomUnderSampler
        sampler = kind(random_state=wanted.seed)
    return make_pipeline(sampler, classifier)


def _smote(X: Any, n_rare: int, seed: int) -> Any:
    """Return the variant of SMOTE for the kinds of the columns."""
    from imblearn.over_sampling import SMOTE, SMOTEN, SMOTENC

    missing = [str(name) for name in X.columns[X.isna().any()]]
    if missing:
        raise CommandError(
            f"--sampling smote needs complete rows, and values of {missing[0]!r} are missing. "
            "Take --sampling pattern or random-over, or fill them in."
        )
    if n_rare < 2:
        raise CommandError(
            "--sampling smote needs two rows of the rare class in every fold. Take --sampling "
            "random-over."
        )
    options = {"k_neighbors": min(_NEIGHBOURS, n_rare - 1), "random_state": seed}
    nominal = [place for place, kind in enumerate(X.dtypes) if str(kind) == "category"]
    if not nominal:
        return SMOTE(**options)
    if len(nominal) == X.shape[1]:
        return SMOTEN(**options)
    return SMOTENC(nominal, **options)


def parse_threshold(text: str) -> Any:
    """Return the rule of ``--threshold``, a number, or None for the most probable class.

    ``recall:0.8`` is ``recall>=0.8``, which a shell would take for a file to write to.
    """
    from rarewood.operating import as_rule

    word = text.strip().lower()
    if word == "none":
        return None
    try:
        number = float(word)
    except ValueError:
        word = re.sub(r"^(recall|precision)[:=]", r"\1>=", word)
        return as_rule(re.sub(r"^alerts[:=]", "alerts<=", word))
    if not 0 <= number <= 1:
        raise CommandError(f"--threshold {text}: a threshold is a probability, from 0 to 1.")
    return number
