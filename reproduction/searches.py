"""Tables with the sampling wrapper, for each search of the wrapper.

The papers describe a climb, but build all levels of sampling beforehand and print levels that a
climb does not reach, so each table is reproduced with every search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from reproduction.experiment import Experiment, Run
from reproduction.printed_table import read_columns

__all__ = ["OTHER_SEARCHES", "named", "with_searches"]

WRAPPER = "wrapper_"  # prefix of the models with the sampling wrapper
FIRST = (
    "The wrapper is greedy: it leaves undersampling when the AUC falls, and SMOTE when it does not "
    "rise."
)
OTHER_SEARCHES = {
    "lookahead": "The wrapper looks ahead: it continues for two more levels when one fails.",
    "best_per_axis": "The wrapper tries all levels of undersampling, then all levels of SMOTE at "
    "the best of them.",
}
_WORDS = {"lookahead": "search with lookahead", "best_per_axis": "best level of each axis"}


def named(table: str, search: str) -> str:
    """Return the name of a table under another search."""
    return f"{table}-{search.replace('_', '-')}"


def with_searches(experiments: Iterable[Experiment]) -> Iterator[Experiment]:
    """Yield the experiments, those with the wrapper also under the other searches."""
    for experiment in experiments:
        if not any(name.startswith(WRAPPER) for run in experiment.runs for name in run.models):
            yield experiment
            continue
        yield replace(experiment, setup=f"{experiment.setup} {FIRST}")
        for search, setup in OTHER_SEARCHES.items():
            yield replace(
                experiment,
                name=named(experiment.name, search),
                title=f"{experiment.title}; {_WORDS[search]}",
                setup=f"{experiment.setup} {setup}",
                runs=tuple(_searched(run, search) for run in experiment.runs),
                derived=experiment.derived or partial(read_columns, experiment.name),
                misprints=(),  # those of the table are listed once
                notes=(),
            )


def _searched(run: Run, search: str) -> Run:
    models = {
        name: partial(make, search=search) if name.startswith(WRAPPER) else make
        for name, make in run.models.items()
    }
    return replace(run, models=models)
