"""``rarewood compare`` and ``rarewood report``."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rarewood.cli import _options as opt
from rarewood.cli._console import make_console, make_table, stacked

if TYPE_CHECKING:
    from rarewood.workflow._comparison import Comparison

_FURTHER = ("average_precision", "auc", "f_measure", "brier")
_NARROW = 25  # length of model names that leaves room for three further metrics


_MODELS = "Models: names, 'rarewood', 'peers' or 'all' installed. Default: rarewood,peers."
_PROTOCOL = "Cross-validation: 5x2 for 5 times 2-fold, cv10 for 10-fold."
_OUT = "Output folder. Default: rarewood-NAME."
_PAGE = "HTML page. Default: RUN/report.html."


def compare(
    data: opt.Data,
    target: opt.Target = None,
    rare: opt.Rare = None,
    models: Annotated[str | None, typer.Option(metavar="A,B,...", help=_MODELS)] = None,
    protocol: Annotated[str, typer.Option(metavar="NxK|cvK", help=_PROTOCOL)] = "5x2",
    metric: Annotated[
        str, typer.Option(help="Metric to rank the models by.")
    ] = "average_precision",
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

    The same command resumes an interrupted run: finished fits are not repeated.
    """
    from rarewood import workflow
    from rarewood.cli._listeners import ComparisonListener

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
    print(f"report: {found.report}")


def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="Folder written by 'rarewood compare'.")
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help=_PAGE)] = None,
) -> None:
    """Write the report of a comparison again, also of an unfinished one."""
    from rarewood import workflow

    found = workflow.report(run, out)
    if found.results is not None:
        n_models = len(found.results.models)
        print(f"unfinished: {found.n_done} of {found.n_fits} fits of {n_models} models")
    _print_ranking(found)
    print(f"report: {found.report}")


def _print_ranking(found: Comparison) -> None:
    """Print the models, best first, in no more than 80 columns."""
    ranking = found.ranking
    others = [name for name in _FURTHER if name in ranking[0]["scores"] and name != found.metric]
    others = others[: 3 if max(len(one["model"]) for one in ranking) <= _NARROW else 2]
    interval = f"{found.summary['ranking']['level']:.0%}\ninterval"
    table = make_table(
        "model", stacked(found.metric), interval, "p vs\nbest", *map(stacked, others)
    )
    for one in ranking:
        low, high = _number(one["low"]), _number(one["high"])
        table.add_row(
            one["model"],
            _number(one["mean"]),
            f"{low}-{high}" if low else "",
            _p_value(one["p_value"]),
            *(_number(one["scores"][other]) for other in others),
        )
    print()
    make_console().print(table)
    print()
    for failure in found.summary["failures"]:
        error = " ".join(failure["error"].split())
        print(f"{failure['model']} failed in {failure['n']} of {failure['n_folds']} folds: {error}")
    print(verdict(found))


def verdict(found: Comparison) -> str:
    """Return in words which models do not differ significantly from the best."""
    from rarewood.intake._errors import count

    n_others = len(found.ranking) - 1
    if not n_others:
        return f"{found.best} is the only model."
    alpha = found.summary["ranking"]["alpha"]
    test = (
        "p: corrected resampled t-test over the folds, adjusted by Holm for "
        f"{count(n_others, 'comparison')} with the best; level {alpha:g}."
    )
    if not found.ties:
        return f"{found.best} is significantly better than every other model. {test}"
    rest = "any other" if len(found.ties) == n_others else ", ".join(found.ties)
    return f"{found.best} is first, but not significantly better than {rest}. {test}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _p_value(p: float | None) -> str:
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"
