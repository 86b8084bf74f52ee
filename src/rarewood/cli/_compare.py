"""``rarewood compare`` and ``rarewood report``."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rarewood.cli import _goals as goals
from rarewood.cli import _options as opt
from rarewood.cli._achieved import shown
from rarewood.cli._console import make_console, make_table, say, stacked

if TYPE_CHECKING:
    from rarewood.workflow._comparison import Comparison

_FURTHER = ("average_precision", "auc", "f_measure", "brier")
_NARROW = 25  # length of labels that leaves room for three further metrics
_WITH_NAMES = 120  # columns of a terminal that has room for the names of the models too
_STACKED = {
    "expected_cost": "cost per\n1,000 rows",
    "recall_at_capacity": "recall at\ncapacity",
    "alerts_at_recall": "alerts per\n1,000 rows",
}


_MODELS = "Models: names, 'rarewood', 'peers' or 'all' installed. Default: rarewood,peers."
_PROTOCOL = "Cross-validation: 5x2 for 5 times 2-fold, the default; cv10 for 10-fold."
_QUICK = (
    "Compare on a random sample of at most 20,000 rows by 3-fold cross-validation: an answer in "
    "about a minute, which the report says is quick."
)
_OUT = "Output folder. Default: rarewood-runs/TABLE-PROTOCOL-HASH, one for each table and protocol."
_NO_CASES = (
    "Show no rows of the table in the report, for pages that are passed on. Default: the "
    "strongest alerts, misses and false alarms of each model."
)
_PAGE = "HTML page. Default: RUN/report.html."
_WITH = (
    "Table to compare with that of the run, such as newer rows. The page is then "
    "RUN/report-NAME.html."
)
_RUN = "Folder written by 'rarewood compare', or latest."


def compare(
    data: opt.Data,
    target: opt.Target = None,
    rare: opt.Rare = None,
    models: Annotated[str | None, typer.Option(metavar="A,B,...", help=_MODELS)] = None,
    protocol: Annotated[str | None, typer.Option(metavar="NxK|cvK", help=_PROTOCOL)] = None,
    metric: Annotated[
        str, typer.Option(help="Metric to rank the models by.")
    ] = "average_precision",
    cost: goals.Cost = None,
    alerts: goals.Alerts = None,
    rows_per_day: goals.RowsPerDay = None,
    recall: goals.Recall = None,
    quick: Annotated[bool, typer.Option("--quick", help=_QUICK)] = False,
    no_cases: Annotated[bool, typer.Option("--no-cases", help=_NO_CASES)] = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help=_OUT)] = None,
    n_jobs: opt.Processes = None,
    seed: opt.Seed = 0,
    columns: opt.Columns = None,
    keep: opt.Keep = None,
    drop: opt.Drop = None,
    sample: opt.Sample = None,
    delimiter: opt.Delimiter = None,
    memory: opt.Memory = None,
) -> None:
    """Compare models on a table by cross-validation, and write a report.

    The same command resumes an interrupted run: finished fits are not repeated. With --cost,
    --alerts or --recall the models are ranked by what counts, instead of by a metric.
    """
    from rarewood import workflow
    from rarewood.cli._listeners import ComparisonListener

    goal = goals.parse_goal(cost, alerts, rows_per_day, recall)
    listener = ComparisonListener(metric)
    try:
        with listener:
            found = workflow.compare(
                data,
                target,
                pos_label=rare,
                models=opt.names_in(models) or [],
                protocol=protocol,
                metric=metric,
                goal=goal,
                quick=quick,
                cases=not no_cases,
                out=out,
                n_jobs=n_jobs,
                random_state=seed,
                listener=listener,
                command=shlex.join(["rarewood", *sys.argv[1:]]),
                **opt.reading(columns, keep, drop, sample, delimiter, memory),
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(listener.interrupted()) from None
    _print_ranking(found)
    _print_end(found)


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help=_RUN)],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help=_PAGE)] = None,
    compare_with: Annotated[str | None, typer.Option(metavar="DATA", help=_WITH)] = None,
    no_cases: Annotated[bool, typer.Option("--no-cases", help=_NO_CASES)] = False,
    delimiter: opt.Delimiter = None,
) -> None:
    """Write the report of a comparison again, also of an unfinished one.

    With --compare-with it also says how another table differs: shifts of the columns and of the
    score, and the rate of the rare class to expect.
    """
    from rarewood import workflow
    from rarewood.cli._listeners import StepListener

    with StepListener() as listener:
        found = workflow.report(
            run, out, cases=not no_cases, compare_with=compare_with, listener=listener,
            delimiter=opt.parse_delimiter(delimiter),
        )  # fmt: skip
    if found.n_done < found.n_fits:
        print(f"unfinished: {found.n_done} of {found.n_fits} fits are done")
    _print_ranking(found)
    if found.summary["drift"]:
        say(found.summary["drift"]["sentence"])
    _print_end(found)


def _print_end(found: Comparison) -> None:
    """Print how the recommended model of a finished run is used, and the page."""
    if found.n_done == found.n_fits:
        print(f"to use it: rarewood fit --from {shlex.quote(str(found.folder))} -o model.rarewood")
    print(f"report: {found.report}")


def _print_ranking(found: Comparison) -> None:
    """Print the models, best first, in no more than 80 columns, and the verdict."""
    ranking, main = found.ranking, found.summary["ranking"]["metrics"][0]
    main = next(one for one in found.summary["ranking"]["metrics"] if one["name"] == found.metric)
    others = [name for name in _FURTHER if name in ranking[0]["scores"] and name != found.metric]
    others = others[: 2 if max(len(one["label"]) for one in ranking) > _NARROW else 3]
    interval = f"{found.summary['ranking']['level']:.0%}\ninterval"
    console = make_console()
    names = ["name"] if console.width >= _WITH_NAMES else []
    table = make_table(
        "model", *names, _header(main), interval, "p vs\nbest", *map(_further, others),
        numbers=1 + len(names),
    )  # fmt: skip
    for one in ranking:
        low, high = shown(one["low"]), shown(one["high"])
        table.add_row(
            one["label"],
            *([one["model"]] if names else []),
            shown(one["mean"]),
            f"{low}-{high}" if low else "",
            _p_value(one["p_value"]),
            *(shown(one["scores"][other]) for other in others),
        )
    _print_baselines(found, table, len(names))
    print()
    console.print(table)
    print()
    for failure in found.summary["failures"]:
        error = " ".join(failure["error"].split())
        print(f"{failure['model']} failed in {failure['n']} of {failure['n_folds']} folds: {error}")
    say(found.verdict["sentence"])
    say(f"p: {found.verdict['test']}; level {found.verdict['alpha']:g}.")
    for line in _goal_lines(found):
        say(line)
    for caveat in found.verdict["caveats"]:
        say(f"note: {caveat}")


def _header(metric: dict[str, Any]) -> str:
    """Return the metric that ranks the models, in a narrow column."""
    if metric["name"] in _STACKED:
        return _STACKED[metric["name"]]
    return stacked(metric["name"])


def _further(name: str) -> str:
    return "F at\n0.5" if name == "f_measure" else stacked(name)


def _print_baselines(found: Comparison, table: Any, n_names: int) -> None:
    """Add what a decision without a model achieves."""
    goal = found.summary["goal"]
    if goal is None:
        return
    for one in goal["baselines"]:
        values = {"cost": "cost_per_1000", "alerts": "recall", "recall": "alerts_per_1000"}
        value = shown(one[values[goal["kind"]]]) if one["is_allowed"] else "not allowed"
        table.add_row(one["name"], *[""] * n_names, value)


def _goal_lines(found: Comparison) -> list[str]:
    """Return what the threshold of the recommended model will achieve."""
    goal = found.summary["goal"]
    best = next(one for one in found.summary["models"] if one["name"] == found.best)
    if goal is None or best["goal"] is None:
        return []
    reached = best["goal"]
    measures = {
        "recall": "recall",
        "precision": "precision",
        "alerts_per_1000": "alerts per 1,000 rows",
        "cost_per_1000": "cost per 1,000 rows",
    }
    parts = []
    for name, words in measures.items():
        one = reached[name]
        if one is None or one["expected"] is None:
            continue
        low, high = one["interval"]
        parts.append(f"{words} {shown(one['expected'])} ({shown(low)}-{shown(high)})")
    lines = [
        f"{best['label']} at the threshold {reached['threshold']:.4g} ({goal['text']}), expected "
        f"on new rows: {', '.join(parts)}"
    ]
    return [*lines, f"note: {reached['warning']}"] if reached["warning"] else lines


def _p_value(p: float | None) -> str:
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
