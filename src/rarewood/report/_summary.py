"""The report as data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rarewood.evaluate import Results
from rarewood.evaluate._cell import Table
from rarewood.evaluate._fingerprint import data_fingerprint
from rarewood.evaluate._inputs import as_models, as_tables
from rarewood.intake._findings import Findings
from rarewood.operating._goals import as_goal
from rarewood.report._cases import describe_cases
from rarewood.report._data import describe_data
from rarewood.report._explanation import explain_all
from rarewood.report._goal import beaten_by, describe_goal, goal_metric, goal_scores
from rarewood.report._model import describe_model
from rarewood.report._opening import describe_opening, opening_goals
from rarewood.report._plain import text
from rarewood.report._pooled import Pooled
from rarewood.report._ranking import rank_models
from rarewood.report._settings import describe_failures, describe_settings, describe_warnings
from rarewood.report._verdict import decide
from rarewood.tree import RareTreeClassifier

FORMAT = 3  # increased when older summaries can no longer be rendered


def summarize(
    results: Results,
    X: Any,
    y: Any,
    *,
    dataset: str | None = None,
    pos_label: Any = None,
    name: str | None = None,
    models: Mapping[str, Any] | None = None,
    chosen: str | None = None,
    metric: str = "average_precision",
    goal: Any = None,
    labels: Mapping[str, str] | None = None,
    simple: Collection[str] | None = None,
    caveats: Sequence[str] = (),
    findings: Findings | None = None,
    settings: Mapping[str, Any] | None = None,
    cases: bool = True,
    random_state: int = 0,
    n_points: int = 400,
    tree_depth: int = 4,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Summarize a comparison on one data set.

    Parameters
    ----------
    results : Results
        Results of :func:`rarewood.evaluate.compare` with ``keep_predictions=True``.
    X : DataFrame or ndarray of shape (n_samples, n_features)
        Features of the data set.
    y : array-like of shape (n_samples,)
        Labels of the data set.
    dataset : str, default=None
        Name of the data set; needed only if the results have several.
    pos_label : label, default=None
        The class of interest; must be that of the results, which is the default.
    name : str, default=None
        Title of the report; by default the name of the data set.
    models : dict of str to classifier, default=None
        The models passed to ``compare``. Each is fitted again on half of the rows for its
        importances, and for the rules and the tree: a single tree of rarewood is shown as it is,
        another model by a surrogate tree. A CCPDT tree takes the place of models not given.
    chosen : str, default=None
        Model selected when the page is opened; by default the best one by ``metric``.
    metric : str, default="average_precision"
        Metric by which the models are ranked.
    goal : str or rule, default=None
        What counts: "cost:fp=10,fn=500", "alerts<=50/2000" (capacity) or "recall>=0.9"; rules as
        for :func:`rarewood.operating.choose_threshold`. The models are ranked by expected cost, by
        recall at the capacity, or by alerts for the recall, in place of ``metric``.
    labels : dict of str to str, default=None
        Names of the models to show, such as "Hellinger tree (HDDT)".
    simple : list of str, default=None
        Models that people can read, which the verdict names if they are as good; by default the
        single trees of rarewood among ``models``.
    caveats : list of str
        Sentences about what limits the verdict, shown beside it.
    findings : Findings, default=None
        Description of the table by :func:`rarewood.intake.prepare`; by default the columns of
        ``X`` are described.
    settings : dict, default=None
        Further settings for reproducibility, such as {"command": "rarewood compare ..."}.
    cases : bool, default=True
        Whether to show rows of the table: the strongest alerts, misses and false alarms of each
        model. Their contributions need results of ``compare(..., annotate=explain_cases)``; see
        :func:`rarewood.workflow.explain_cases`.
    random_state : int, default=0
        Seed of models without one, of the halves for rules and importances, and of permutations.
    n_points : int, default=400
        Approximate number of thresholds per model; at most twice as many are kept. They are
        chosen by :meth:`rarewood.operating.OperatingCurve.thin`; thresholds at which recall
        increases are added if there are at most ``n_points``. Counts are exact.
    tree_depth : int, default=4
        Number of levels of a tree that are drawn; fewer if the drawing would be too wide.
    progress : callable, default=None
        Function that receives a text when a step that may be long begins.

    Returns
    -------
    summary : dict
        JSON-safe data.

    Notes
    -----
    Scores of the compared models are out-of-fold: each row is predicted by models that were not
    trained on it. With repeated cross-validation, counts are pooled over the repeats and shown as
    means. The same threshold is applied to the models of all folds.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rarewood import presets, report
    >>> from rarewood.evaluate import compare
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"hddt": presets.hddt, "ccpdt": presets.ccpdt}
    >>> results = compare(models, {"cancer": (X, y)}, store=None, keep_predictions=True)
    >>> summary = report.summarize(results, X, y, models=models)
    >>> summary["data"]["pos_label"], summary["data"]["n_rare"], summary["ranking"]["models"]
    ('0', 212, ['hddt', 'ccpdt'])
    """
    dataset = _dataset(results, dataset)
    table = _table(results, dataset, X, y, pos_label)
    cells = [cell for cell in results.cells if cell.dataset == dataset]
    aim = as_goal(goal)
    by = None if aim is None else goal_metric(aim) | {"scores": goal_scores(results, dataset, aim)}
    ranking = rank_models(results, dataset, metric, by)
    known = labels or {}
    ranking["labels"] = [known.get(model, model) for model in ranking["models"]]
    opening = opening_goals(aim, float((table.y == table.classes[table.pos_index]).mean()))
    described = _models(results, dataset, table, ranking["models"], n_points, aim, opening)
    for model in described:
        model["label"] = known.get(model["name"], model["name"])
    explanations = explain_all(
        table, as_models(models) if models else {}, described, seed=random_state,
        max_depth=tree_depth, progress=progress or (lambda text: None),
    )  # fmt: skip
    chosen = _chosen(chosen, ranking["models"], described)
    readable = _trees(models) if simple is None else simple
    verdict = decide(ranking, known, readable)
    wanted = None if aim is None else _goal(aim, described, table)
    main = next(one for one in ranking["metrics"] if one["name"] == ranking["metric"])
    no_use = None if wanted is None else beaten_by(wanted, main, verdict["label"])
    return {
        "format": FORMAT,
        "verdict": verdict | {"caveats": [*([no_use] if no_use else []), *caveats]},
        "goal": wanted,
        "opening": describe_opening(opening, aim),
        "data": describe_data(replace(table, name=name or table.name), findings),
        "ranking": ranking,
        "models": described,
        "chosen": chosen,
        "explanations": explanations,
        "cases": describe_cases(
            results, dataset, table, [model["name"] for model in described], random_state
        )
        if cases
        else None,
        "settings": describe_settings(cells, settings) | {"random_state": random_state},
        "drift": None,
        "failures": describe_failures(cells),
        "warnings": describe_warnings(cells),
    }


def _dataset(results: Results, dataset: str | None) -> str:
    if dataset is None and len(results.datasets) == 1:
        return results.datasets[0]
    if dataset not in results.datasets:
        raise ValueError(
            f"dataset must be one of {', '.join(results.datasets)}, since a report is for one data "
            f"set; got {dataset!r}."
        )
    return dataset


def _table(results: Results, dataset: str, X: Any, y: Any, pos_label: Any) -> Table:
    """Return the table with the class of interest of the results; refuse a different table."""
    classes, number = results.classes(dataset)
    known = classes[number]
    if pos_label is not None and text(pos_label) != text(known):
        raise ValueError(
            f"The results are for the class {text(known)!r}, but pos_label is {text(pos_label)!r}. "
            "Run the comparison for that class."
        )
    table = replace(as_tables({dataset: (X, y)})[0], pos_index=number)
    about = next((c.about for c in results.cells if c.dataset == dataset), {})
    if about.get("data") not in (None, data_fingerprint(table.X, table.y, known)):
        raise ValueError(
            "X and y differ from the data that the models were compared on, in values, columns or "
            "labels. Pass the same data as to compare."
        )
    return table


def _models(
    results: Results,
    dataset: str,
    table: Table,
    order: list[str],
    n_points: int,
    goal: Any,
    opening: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Describe the models that have predictions, the best first."""
    names = [text(label) for label in table.classes]
    described = []
    for name in order:
        cells = [c for c in results.cells if (c.dataset, c.model) == (dataset, name)]
        if all(cell.error_type is not None for cell in cells):
            continue
        pooled = Pooled.of(results.predictions(dataset, name))
        described.append(
            describe_model(
                name, pooled, names, table.pos_index, len(table.y), n_points, goal, opening
            )
        )
    if not described:
        first = next(iter(results.failures()), None)
        why = "" if first is None else f", {first.model} with {first.error_type}: {first.error}"
        raise ValueError(f"Every model failed{why}. A report needs at least one fitted model.")
    return described


def _goal(goal: Any, described: list[dict[str, Any]], table: Table) -> dict[str, Any]:
    """Describe the goal, beside what the best model reaches."""
    fraction = float((table.y == table.classes[table.pos_index]).mean())
    reached = next((model["goal"] for model in described if model["goal"]), None)
    alerts = None if reached is None else reached["alerts_per_1000"]["expected"]
    return describe_goal(goal, fraction, alerts)


def _trees(models: Mapping[str, Any] | None) -> list[str]:
    """Return the names of the single trees of rarewood."""
    made = as_models(models) if models else {}
    return [name for name, model in made.items() if isinstance(model, RareTreeClassifier)]


def _chosen(chosen: str | None, order: list[str], described: list[dict[str, Any]]) -> str:
    """Return the model that is selected first: by default the best one with scores."""
    able: list[str] = [model["name"] for model in described]
    if chosen is None:
        return next((n for n, m in zip(able, described, strict=True) if m["curve"]), able[0])
    if chosen not in order:
        raise ValueError(f"chosen must be one of {', '.join(order)}; got {chosen!r}.")
    if chosen not in able:
        raise ValueError(f"Model {chosen!r} failed on every fold. Choose one of {', '.join(able)}.")
    return chosen
