"""The rules of a model, as data, and how well those of a surrogate agree with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rarewood._docstrings import documented
from rarewood.workflow._files import check_exists
from rarewood.workflow._labelled_rows import labelled_rows
from rarewood.workflow._model_file import LoadedModel, open_model
from rarewood.workflow._surrogate import has_surrogate, open_surrogate

if TYPE_CHECKING:
    from rarewood.rules import RuleSet

_FOREST_DEPTH = 3


@documented
def rules(
    model: Any,
    *,
    pos_label: Any = None,
    max_depth: int | None = None,
    n_rules: int | None = None,
    model_rules: bool = False,
    validate: Any = None,
    delimiter: str | None = None,
    trust_foreign: bool = False,
) -> RuleSet:
    """Return the rules of a model for a class, by p-value.

    The splits of an oblique forest are hyperplanes, which are hard to read, and models of other
    packages are not read at all. Their rules are those of a surrogate: a tree with ordinary splits,
    which :func:`fit` fits to the decisions of the model on rows that it was not trained on.
    :func:`fidelity` tells how well the surrogate agrees.

    The p-values are computed on the training samples, so they are too small, unless ``validate``
    gives other samples.

    Parameters
    ----------
    {model_file}
    pos_label : label, default=None
        Class of the rules, also as text; by default the rare class of the model.
    max_depth : int, default=None
        Number of splits after which paths through the trees are cut off; by default 3 for a forest,
        whose full rules are long and cover few samples each, and no limit for a tree.
    n_rules : int, default=None
        Number of rules; by default all. They are chosen by their p-values in training, before they
        are validated.
    model_rules : bool, default=False
        Whether to return the rules of an oblique forest itself, with hyperplanes.
    validate : str, Path or DataFrame, default=None
        A table with the features and the target of the model, whose rows it was not fitted on: the
        rules with their measures and p-values on these rows.
    {delimiter, trust_foreign}

    Returns
    -------
    rules : RuleSet
        Rules with a lift above 1 in training.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> out = Path(tempfile.mkdtemp()) / "wine.rarewood"
    >>> fitted = workflow.fit("wine", out=out, pos_label="class_2", model="hddt")
    >>> workflow.rules(fitted, max_depth=1)["rule"][0]
    'flavanoids <= 1.575'
    """
    check_exists(validate)
    loaded = open_model(model, trust_foreign=trust_foreign)
    from rarewood.rules import extract
    from rarewood.rules._surrogate import surrogate_rules

    label = loaded.pos_label if pos_label is None else _label(loaded.classes, pos_label)
    if model_rules and loaded.is_foreign:
        raise ValueError(
            f"`model_rules` is for models of rarewood, and {loaded.path} has one of another "
            "package: its rules are those of its surrogate."
        )
    surrogate = None if model_rules or not has_surrogate(loaded) else _surrogate(loaded)
    if surrogate is not None:
        found = surrogate_rules(surrogate[0], surrogate[1], label, max_depth)
    else:
        if max_depth is None and hasattr(loaded.classifier, "estimators_"):
            max_depth = _FOREST_DEPTH
        found = extract(loaded.classifier, pos_label=label, max_depth=max_depth)
    strong: RuleSet = found[found["lift"] > 1][:n_rules]
    if validate is None:
        return strong
    return strong.validate(*labelled_rows(loaded, validate, delimiter))


@documented
def fidelity(
    model: Any,
    data: Any = None,
    *,
    delimiter: str | None = None,
    trust_foreign: bool = False,
) -> dict[str, Any] | None:
    """Return how well the rules of a surrogate agree with its model.

    Parameters
    ----------
    {model_file}
    data : str, Path or DataFrame, default=None
        Rows to compare on; by default held-out rows of the training table, as :func:`fit` did.
    {delimiter, trust_foreign}

    Returns
    -------
    fidelity : dict or None
        "n_rows"; "agreement", the fraction of the rows for which both predict the same class;
        "n_alerts" of the model, "alerts_reproduced", the fraction of them that the surrogate
        predicts too, and "alerts_shared", the fraction of the alerts of the surrogate that are
        those of the model; "model_rules", whether the model has rules of its own, which
        ``model_rules`` of :func:`rules` returns. None if the model has no surrogate, since its
        splits can be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> out = Path(tempfile.mkdtemp()) / "wine.rarewood"
    >>> fitted = workflow.fit("wine", out=out, pos_label="class_2")
    >>> workflow.fidelity(fitted)["agreement"] > 0.9
    True
    """
    loaded = open_model(model, trust_foreign=trust_foreign)
    surrogate = open_surrogate(loaded) if has_surrogate(loaded) else None
    if surrogate is None:
        return None
    about: dict[str, Any] = {"model_rules": not loaded.is_foreign}
    if data is None:
        return {**surrogate[2], **about}
    from rarewood.rules._surrogate import fidelity_of

    X, _ = labelled_rows(loaded, data, delimiter, with_labels=False)
    decided = loaded.decide(loaded.scorer.predict_proba(X))
    found = fidelity_of(decided, surrogate[0].predict(X), loaded.pos_label)
    return {**(found or {}), **about}


def _surrogate(loaded: LoadedModel) -> Any:
    found = open_surrogate(loaded)
    if found is None:
        made = (
            "it has no surrogate tree: 'rarewood fit' makes one from a table in memory, unless the "
            "threshold alerts no row or every row. Choose another threshold in fit"
        )
        if loaded.is_foreign:
            raise ValueError(
                f"The model of {loaded.path} is of another package, and {made}, or fit a tree such "
                "as hddt."
            )
        raise ValueError(
            f"The splits of {loaded.path} are hyperplanes, and {made}, set `model_rules` for the "
            "rules with hyperplanes, or fit a tree such as hddt."
        )
    return found


def _label(classes: list[Any], wanted: Any) -> Any:
    from rarewood.intake._errors import did_you_mean

    for label in classes:
        if label == wanted or str(label) == str(wanted):
            return label
    known = list(map(str, classes))
    hint = did_you_mean(str(wanted), known)
    raise ValueError(f"The model has no class {wanted!r}.{hint} Its classes: {', '.join(known)}.")
