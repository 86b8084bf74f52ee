"""The explanation of predictions, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rarewood._docstrings import documented
from rarewood.workflow._chosen_rows import ChosenRows
from rarewood.workflow._contributions import contributions_of_rows
from rarewood.workflow._features import FeatureMaker
from rarewood.workflow._files import check_exists
from rarewood.workflow._model_file import LoadedModel, open_model
from rarewood.workflow._reasons import plain_value, reasons_of
from rarewood.workflow._surrogate import has_surrogate, open_surrogate


@documented
def explain(
    model: Any,
    data: Any,
    row: int,
    *,
    n_rules: int = 10,
    max_depth: int = 3,
    delimiter: str | None = None,
    trust_foreign: bool = False,
) -> dict[str, Any]:
    """Explain what a model predicts for one row of a table; :func:`explain_rows` takes several.

    Parameters
    ----------
    {model_file}
    data : str, Path or DataFrame
        A file, a folder of Parquet files, or the name of a data set.
    row : int
        Number of the row; 1 is the first.
    n_rules : int, default=10
        Number of rules of a forest.
    max_depth : int, default=3
        Number of conditions of each rule of a forest.
    {delimiter, trust_foreign}

    Returns
    -------
    explanation : dict
        "prediction", "pos_label", "probability", "threshold", "table", "row", "ids" and "notes";
        "shap_values", contributions of the columns for the rare class, largest first, which lead
        from the "base_value" to the "uncorrected" value (before a correction of the prior); their
        "unit", such as "probability", and the "method", such as "SHAP values"; see
        :func:`rarewood.explain.shap_values`. The three largest are "reasons" in words, such as
        "age = 81 raises the score by 0.21". A tree has the "path" of the row from the root to its
        leaf, unless it divides rows with missing values, as C4.5 does; a forest "n_trees",
        "n_trees_above_half", and the strongest "rules" that hold for the row. An oblique forest and
        a model of another package have no rules that can be read: they have the rule of their
        "surrogate" (see :func:`rules`) instead, with its "prediction" and its "agreement" with the
        model on held-out rows. For a model of another package the contributions are those of its
        package ("log odds" of boosted trees), the terms of a linear model, or Shapley values
        estimated from random orders of the columns.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> out = Path(tempfile.mkdtemp()) / "wine.rarewood"
    >>> fitted = workflow.fit("wine", out=out, pos_label="class_2", model="hddt")
    >>> found = workflow.explain(fitted, "wine", row=170)
    >>> found["prediction"], found["path"][0]["n_samples"]
    ('class_2', 178)
    """
    found = explain_rows(
        model, data, [row], n_rules=n_rules, max_depth=max_depth, delimiter=delimiter,
        trust_foreign=trust_foreign,
    )  # fmt: skip
    return found[0]


def explain_rows(
    model: Any,
    data: Any,
    rows: Sequence[int] = (),
    *,
    row_ids: Sequence[Any] = (),
    id: str | None = None,
    n_rules: int = 10,
    max_depth: int = 3,
    delimiter: str | None = None,
    trust_foreign: bool = False,
) -> list[dict[str, Any]]:
    """Explain what a model predicts for some rows of a table.

    Parameters
    ----------
    model, data, n_rules, max_depth, delimiter, trust_foreign
        As for :func:`explain`.
    rows : list of int, default=()
        Numbers of rows; 1 is the first.
    row_ids : list, default=()
        Values of the column that identifies the rows: all rows that have one are explained, the
        first 100 of each value at most.
    id : str, default=None
        The column of ``row_ids``; by default those that identified the rows in training.

    Returns
    -------
    explanations : list of dict
        As from :func:`explain`, for ``rows`` in their order, then for ``row_ids``, each row once.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> out = Path(tempfile.mkdtemp()) / "wine.rarewood"
    >>> fitted = workflow.fit("wine", out=out, pos_label="class_2", model="hddt")
    >>> found = workflow.explain_rows(fitted, "wine", [170, 3])
    >>> [one["prediction"] for one in found]
    ['class_2', 'rest']
    >>> found[0]["reasons"][0]
    'flavanoids = 0.96 raises the score by 0.57'
    """
    from rarewood.intake import open_table

    check_exists(data)
    loaded = open_model(model, trust_foreign=trust_foreign)
    source = open_table(data, delimiter=delimiter)
    maker = FeatureMaker(loaded, source, None if id is None else [id])
    chosen = ChosenRows.of(maker, rows, row_ids)
    surrogate = open_surrogate(loaded) if has_surrogate(loaded) else None
    found = [
        {
            "table": source.name,
            "row": chosen.numbers[place],
            "ids": {name: str(chosen.table[name].iloc[place]) for name in maker.ids},
            **_explanation(loaded, chosen.features(maker, place), surrogate, n_rules, max_depth),
        }
        for place in range(len(chosen.numbers))
    ]
    return [{**one, "notes": [*chosen.notes, *maker.notes()]} for one in found]


def _explanation(
    loaded: LoadedModel, features: Any, surrogate: Any, n_rules: int, max_depth: int
) -> dict[str, Any]:
    from rarewood.explain import path_steps

    classifier, label = loaded.classifier, loaded.pos_label
    proba = loaded.scorer.predict_proba(features)
    parts = contributions_of_rows(loaded, features)
    found: dict[str, Any] = {
        "prediction": loaded.decide(proba).tolist()[0],
        "pos_label": label,
        "probability": float(proba[0, loaded.pos_number]),
        "threshold": loaded.threshold,
        "base_value": parts.base,
        "uncorrected": float(parts.total[0]),
        "unit": parts.unit,
        "method": parts.method,
        "reasons": reasons_of(parts, features, 0),
        "shap_values": [
            {
                "column": parts.columns[k],
                "value": plain_value(features, 0, k),
                "shap_value": float(parts.values[0, k]),
            }
            for k in parts.strongest(0)
        ],
    }
    if surrogate is not None:
        found["surrogate"] = _surrogate_rule(loaded, surrogate, features)
    if loaded.is_foreign:
        return found
    if hasattr(classifier, "tree_"):
        if (classifier.decision_path(features).data != 1).any():
            return found  # C4.5 divides a row with a missing value: it has no single path
        steps = path_steps(classifier, features, pos_label=label)
        return found | {"path": [vars(step) for step in steps]}
    found |= _votes(loaded, features)
    return found if surrogate else found | _rules_for(loaded, features, n_rules, max_depth)


def _votes(loaded: LoadedModel, features: Any) -> dict[str, Any]:
    """Return the number of trees, and of those that vote for the rare class."""
    trees, number = loaded.classifier.forest_.trees, loaded.pos_number
    leaves = zip(trees, loaded.classifier.apply(features)[0], strict=True)
    votes = [bool(tree.probabilities[leaf, number] > 0.5) for tree, leaf in leaves]
    return {"n_trees": len(votes), "n_trees_above_half": sum(votes)}


def _surrogate_rule(loaded: LoadedModel, surrogate: Any, features: Any) -> dict[str, Any]:
    """Return the rule of the surrogate that holds for the row."""
    from rarewood.rules._surrogate import rule_of_row

    tree, counts, fidelity = surrogate
    rule = rule_of_row(tree, counts, loaded.pos_label, features)
    return {
        "rule": rule["rule"].tolist()[0],
        "prediction": tree.predict(features).tolist()[0],
        "n_samples": int(rule["support"].tolist()[0]),
        "n_positive": int(rule.counts[0, loaded.pos_number]),
        "agreement": fidelity.get("agreement"),
    }


def _rules_for(loaded: LoadedModel, features: Any, n_rules: int, max_depth: int) -> dict[str, Any]:
    """Return the strongest rules that hold for the row."""
    from rarewood.explain import rules_for

    found = rules_for(loaded.classifier, features, pos_label=loaded.pos_label, max_depth=max_depth)[
        :n_rules
    ]
    names = {"rule": "rule", "support": "n_samples", "probability": "probability",
             "lift": "lift", "p_value": "p_value", "n_trees": "n_trees"}  # fmt: skip
    columns = {"n_positive": found.counts[:, loaded.pos_number].tolist()}
    columns |= {to: found[name].tolist() for name, to in names.items()}
    rows = zip(*columns.values(), strict=True)
    return {"rule_depth": max_depth, "rules": [dict(zip(columns, r, strict=True)) for r in rows]}
