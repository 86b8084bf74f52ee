"""The report as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rarewood.evaluate import Results
from rarewood.evaluate._cell import Table
from rarewood.evaluate._fingerprint import data_fingerprint
from rarewood.evaluate._inputs import as_tables
from rarewood.report._data import describe_data
from rarewood.report._explanation import describe_own
from rarewood.report._model import describe_model
from rarewood.report._plain import text
from rarewood.report._pooled import Pooled
from rarewood.report._ranking import rank_models
from rarewood.report._settings import describe_failures, describe_settings, describe_warnings

__all__ = ["FORMAT", "summarize"]

FORMAT = 1  # grows when a page of another version could not be made of a summary


def summarize(
    results: Results,
    X: Any,
    y: Any,
    *,
    dataset: str | None = None,
    rare: Any = None,
    name: str | None = None,
    models: Mapping[str, Any] | None = None,
    chosen: str | None = None,
    metric: str = "average_precision",
    findings: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    random_state: int = 0,
    n_points: int = 400,
    tree_depth: int = 4,
) -> dict[str, Any]:
    """Put together what a report says of a comparison on one data set.

    Parameters
    ----------
    results : Results
        Of :func:`rarewood.evaluate.compare` with ``keep_predictions=True``.
    X : DataFrame or ndarray of shape (n_rows, n_columns)
        The table that was compared on.
    y : array-like of shape (n_rows,)
        Its labels.
    dataset : str, default=None
        Which data set of the results; needed only if there are several.
    rare : label, default=None
        The rare class; by default the one of the results. It cannot be another.
    name : str, default=None
        What the report calls the data; by default the name of the data set.
    models : dict of str to classifier, default=None
        The models as they were given to ``compare``. The best tree of ours among them is drawn and
        gives the rules, the best model of ours the importances; they are fitted for that. Without
        any, a CCPDT tree takes their place, and the report says so.
    chosen : str, default=None
        The model that the report opens with; by default the best one by ``metric``.
    metric : str, default="average_precision"
        What the models are ordered by.
    findings : dict, default=None
        What reading the file has found: "source" (text), "columns" (dicts with "name", "kind",
        "n_missing", "n_distinct", "note"), "skipped" (dicts with "name" and "reason"), "warnings"
        and "notes" (texts). Whatever is not there is found in the table.
    settings : dict, default=None
        What else is needed to repeat the comparison, such as {"command": "rarewood compare ..."}.
    random_state : int, default=0
        For models without a seed, and for halving and shuffling rows.
    n_points : int, default=400
        About how many thresholds of each model the report has, at most twice as many. They are
        chosen by :meth:`rarewood.operating.OperatingCurve.thin`, and those at which a rare row is
        gained are added if they are no more than that; the counts at each are exact.
    tree_depth : int, default=4
        How many levels of the tree are drawn.

    Returns
    -------
    summary : dict
        Made of dicts, lists, texts, numbers and None: ``json.dumps`` takes it as it is.

    Notes
    -----
    All numbers of the compared models are out-of-fold: each row is predicted by models that were
    not trained on it. With several repeats every row is there once for each; counts are pooled,
    and shown as means for one pass over the data. Scores of the models of all folds are compared
    with the same threshold.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, report
    >>> from rarewood.evaluate import compare
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"hddt": presets.hddt, "ccpdt": presets.ccpdt}
    >>> results = compare(models, {"cancer": (X, y)}, store=None, keep_predictions=True)
    >>> summary = report.summarize(results, X, y, models=models)
    >>> summary["data"]["rare"], summary["data"]["n_rare"], summary["ranking"]["models"]
    ('0', 212, ['hddt', 'ccpdt'])
    """
    chosen_set = _dataset(results, dataset)
    table = _table(results, chosen_set, X, y, rare)
    cells = [cell for cell in results.cells if cell.dataset == chosen_set]
    ranking = rank_models(results, chosen_set, metric)
    described = _models(results, chosen_set, table, ranking["models"], n_points)
    opened = _opened(chosen, ranking["models"], described)
    shown = replace(table, name=name or table.name)
    return {
        "format": FORMAT,
        "data": describe_data(shown, findings),
        "ranking": ranking,
        "models": described,
        "chosen": opened,
        "own": describe_own(
            table, models, ranking["models"], opened, seed=random_state, max_depth=tree_depth
        ),
        "settings": describe_settings(cells, settings) | {"random_state": random_state},
        "failures": describe_failures(cells),
        "warnings": describe_warnings(cells),
    }


def _dataset(results: Results, dataset: str | None) -> str:
    if dataset is None and len(results.datasets) == 1:
        return results.datasets[0]
    if dataset not in results.datasets:
        raise ValueError(
            f"A report is about one data set; give dataset= one of {', '.join(results.datasets)}. "
            f"Got {dataset!r}."
        )
    return dataset


def _table(results: Results, dataset: str, X: Any, y: Any, rare: Any) -> Table:
    """The table, with the rare class of the results; an error if it is another table."""
    classes, number = results.classes(dataset)
    known = classes[number]
    if rare is not None and text(rare) != text(known):
        raise ValueError(
            f"The rare class of the results is {text(known)!r}, not {text(rare)!r}. Compare again "
            "with the other one."
        )
    table = replace(as_tables({dataset: (X, y)})[0], pos_index=number)
    about = next((c.about for c in results.cells if c.dataset == dataset), {})
    if about.get("data") not in (None, data_fingerprint(table.X, table.y, known)):
        raise ValueError(
            "X and y are not the table that the models were compared on: values, order or types of "
            "the columns, or labels differ. Give summarize the same table as compare."
        )
    return table


def _models(
    results: Results, dataset: str, table: Table, order: list[str], n_points: int
) -> list[dict[str, Any]]:
    """The models that have predictions, the best first."""
    names = [text(label) for label in table.classes]
    described = []
    for name in order:
        cells = [c for c in results.cells if (c.dataset, c.model) == (dataset, name)]
        if all(cell.error_type is not None for cell in cells):
            continue
        pooled = Pooled.of(results.predictions(dataset, name))
        described.append(
            describe_model(name, pooled, names, table.pos_index, len(table.y), n_points)
        )
    if not described:
        first = next(iter(results.failures()), None)
        why = "" if first is None else f", {first.model} with {first.error_type}: {first.error}"
        raise ValueError(f"There is nothing to report: every model failed{why}.")
    return described


def _opened(chosen: str | None, order: list[str], described: list[dict[str, Any]]) -> str:
    """The model to begin with: the chosen one, else the best that has scores."""
    able: list[str] = [model["name"] for model in described]
    if chosen is None:
        return next((n for n, m in zip(able, described, strict=True) if m["curve"]), able[0])
    if chosen not in order:
        raise ValueError(f"There is no model {chosen!r} in the results, but {', '.join(order)}.")
    if chosen not in able:
        raise ValueError(f"The model {chosen!r} failed on every fold, so it has nothing to show.")
    return chosen
