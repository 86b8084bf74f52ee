"""Compare models on data sets: every cell is computed once and kept in a store."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from rarewood._progress import Progress
from rarewood.evaluate._cell import Table, Task, run_task
from rarewood.evaluate._fingerprint import data_fingerprint, digest, model_fingerprint, versions
from rarewood.evaluate._inputs import as_models, as_tables, fitting, gaps
from rarewood.evaluate._metrics import METRICS, Metric, resolve
from rarewood.evaluate._protocols import Protocol, five_by_two
from rarewood.evaluate._results import Results
from rarewood.evaluate._store import Cell, Store, Wanted

__all__ = ["DEFAULT_STORE", "compare"]

DEFAULT_STORE = "rarewood-results.sqlite"
OnCell = Callable[[Cell, int, int], None]
_PAUSE = 0.2  # seconds between looks at cells that another process computes


def compare(
    models: Any,
    datasets: Any,
    *,
    protocol: Protocol | None = None,
    metrics: Iterable[str | Metric] | None = None,
    store: str | os.PathLike[str] | Store | None = DEFAULT_STORE,
    n_jobs: int | None = None,
    refresh: bool | Literal["failed"] = False,
    keep_predictions: bool = False,
    prepare: bool = True,
    folder: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    on_cell: OnCell | None = None,
    compute: bool = True,
) -> Results:
    """Fit every model on every fold of every data set, and measure it.

    A cell is one model on one fold. Each is written to the store as soon as it is computed, and
    never computed again: a run that was stopped, in whatever way, goes on where it was.

    Parameters
    ----------
    models : dict of str to classifier
        Any classifiers with scikit-learn's interface, or functions without arguments that return
        one, such as those of :mod:`rarewood.presets`.
    datasets : list or dict
        Names for :func:`rarewood.datasets.fetch`, records that it returned, or a dict of name to
        ``(X, y)``.
    protocol : Protocol, default=None
        How the rows are split; by default 5 x 2-fold cross-validation.
    metrics : list of str or Metric, default=None
        Which columns the results have; by default all. The metrics of :func:`metric_names` are
        always computed, so asking for others of them later costs nothing.
    store : str, Path, Store or None, default="rarewood-results.sqlite"
        The file of finished cells. None keeps nothing.
    n_jobs : int, default=None
        Processes that compute cells; None is 1, -1 all cores. The results do not depend on it, the
        times do.
    refresh : bool or "failed", default=False
        Compute all cells again, or those that failed, though they are in the store.
    keep_predictions : bool, default=False
        Keep the predictions of the test rows, for :meth:`Results.predictions`. Cells without them
        are computed again.
    prepare : bool, default=True
        Put :func:`prepared` before models that could not take a data set with nominal columns or
        missing values. Those of rarewood and LightGBM, scikit-learn's histogram gradient boosting
        and pipelines are left alone.
    folder : str or Path, default=None
        Where data sets given by name are looked for first; see :func:`rarewood.datasets.fetch`.
    progress : bool, default=None
        Tell on the standard error stream how far it is and how long it takes. By default if that
        is a terminal, and there is no ``on_cell``.
    on_cell : callable, default=None
        Called with (cell, number of cells done, number of all cells) for each :class:`Cell` that
        the store has already, and then for each that is finished, in this process and thread.
    compute : bool, default=True
        Whether to compute cells that are missing. False returns the results of what the store has:
        those of a run that was stopped, or that another process is still busy with.

    Returns
    -------
    results : Results
        One row for each cell. A model that failed has an error in its row, and no scores.

    Notes
    -----
    The positive class is the rare one: what the record says, else the class with the fewest rows.
    With more than two classes, "auc" is Hand's and Till's, and "f_measure", "average_precision" and
    "recall_at_precision" are about the rarest class against the rest.

    A model without a ``random_state`` gets one that is derived from the protocol's seed, the repeat
    and the fold. So a cell depends on nothing but its data, model and fold.

    The key of a cell is a hash of the data, of the model's class and parameters (``n_jobs`` and
    ``verbose`` left out), of the split, and of the versions of rarewood, NumPy, SciPy, scikit-learn
    and the packages of the model. Names are no part of it, so renaming costs nothing. What has no
    version cannot be noticed: after editing a model's code, use ``refresh=True``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer, load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from rarewood import presets
    >>> from rarewood.evaluate import compare
    >>> results = compare(
    ...     {"hddt": presets.hddt, "prior": DummyClassifier()},
    ...     {"cancer": load_breast_cancer(), "wine": load_wine()},
    ...     store=None,
    ... )
    >>> print(results.matrix("auc"))
              hddt   prior
    cancer  0.9601  0.5000
    wine    0.9391  0.5000
    """
    chosen = resolve(metrics)
    plan = protocol or five_by_two()
    if not isinstance(plan, Protocol):
        raise TypeError(
            "protocol must be one of rarewood.evaluate, such as five_by_two() or stratified(10); "
            f"got {type(plan).__name__}."
        )
    if refresh not in (True, False, "failed"):
        raise ValueError(f"refresh must be True, False or 'failed'; got {refresh!r}.")
    now = time.time()
    wanted = Wanted(
        metrics=frozenset(chosen) | frozenset(METRICS),
        predictions=keep_predictions,
        not_before=now if refresh is True else 0.0,
        no_failures_before=now if refresh == "failed" else 0.0,
    )
    tables, made = as_tables(datasets, folder), as_models(models)
    extra = tuple(metric for name, metric in chosen.items() if name not in METRICS)
    tasks = list(_tasks(tables, made, plan, wanted, extra, prepare))
    shows = (on_cell is None and sys.stderr.isatty()) if progress is None else progress
    with _opened(store) as file:
        if compute:
            _run(tasks, file, 1 if n_jobs is None else n_jobs, shows, on_cell)
        cells = file.get(task.key for task in tasks)
        if not compute:
            tasks = [task for task in tasks if wanted.is_met(cells.get(task.key))]
            if not tasks:
                raise ValueError(f"The store {file.path} has no finished cell of this comparison.")
        packed = {t.key: file.predictions(t.key) for t in tasks} if keep_predictions else {}
    return Results.of(tasks, cells, chosen, packed)


def _tasks(
    tables: list[Table],
    models: dict[str, Any],
    protocol: Protocol,
    wanted: Wanted,
    extra: tuple[Metric, ...],
    prepare: bool,
) -> Iterator[Task]:
    """All cells, one data set after the other, all models of a fold side by side."""
    for table in tables:
        data = data_fingerprint(table.X, table.y, table.classes[table.pos_index])
        found = gaps(table.X) if prepare else (False, False)
        described = {}
        for name, model in models.items():
            ready = fitting(model, *found)
            about = {"versions": versions(ready), "data": data, "protocol": protocol.key}
            about["parameters"] = repr(ready)
            parts = (data, model_fingerprint(ready), protocol.key, repr(about["versions"]))
            described[name] = (ready, about, parts)
        for repeat, fold in protocol.places():
            for name, (ready, about, parts) in described.items():
                key = digest(*parts, str(repeat), str(fold))
                yield Task(key, table, name, ready, protocol, repeat, fold, wanted, extra, about)


@contextmanager
def _opened(store: str | os.PathLike[str] | Store | None) -> Iterator[Store]:
    if isinstance(store, Store):
        yield store
        return
    place = tempfile.TemporaryDirectory() if store is None else nullcontext(".")
    with place as folder:
        file = Store(Path(folder) / DEFAULT_STORE if store is None else store)
        try:
            yield file
        finally:
            file.close()


def _run(
    tasks: list[Task], store: Store, n_jobs: int, shows: bool, on_cell: OnCell | None = None
) -> None:
    """Compute what the store does not have, and wait for what others are computing."""
    by_key = {task.key: task for task in tasks}  # the same model under two names is one cell
    todo = _missing(by_key, store)
    n_before = len(by_key) - len(todo)
    tell = _Teller(tasks, store, on_cell)
    tell(key for key in by_key if key not in todo)
    bar = Progress(len(by_key), "cells done", n_before) if shows else nullcontext()
    with bar as report:
        n_done = n_before
        while todo:
            busy = set()
            for key, state in _states(list(todo.values()), store, n_jobs):
                if state == "busy":
                    busy.add(key)
                    continue
                n_done += 1
                tell([key])
                if report is not None:
                    report(n_done)
            if len(busy) == len(todo):
                time.sleep(_PAUSE)
            todo = {key: by_key[key] for key in by_key if key in busy}


class _Teller:
    """Tells a listener of finished cells, under the names of this run."""

    def __init__(self, tasks: list[Task], store: Store, listener: OnCell | None) -> None:
        self._named: dict[str, list[Task]] = {}
        for task in tasks:
            self._named.setdefault(task.key, []).append(task)
        self._n_all, self._n_told = len(tasks), 0
        self._store, self._listener = store, listener

    def __call__(self, keys: Iterable[str]) -> None:
        if self._listener is None:
            return
        for key, cell in self._store.get(keys).items():
            for task in self._named[key]:
                self._n_told += 1
                named = replace(cell, dataset=task.table.name, model=task.name)
                self._listener(named, self._n_told, self._n_all)


def _missing(tasks: dict[str, Task], store: Store) -> dict[str, Task]:
    cells = store.get(tasks)
    return {k: task for k, task in tasks.items() if not task.wanted.is_met(cells.get(k))}


def _states(tasks: list[Task], store: Store, n_jobs: int) -> Iterator[tuple[str, str]]:
    """Compute the cells, and yield the key of each and what became of it."""
    if n_jobs == 1 or len(tasks) == 1:
        for task in tasks:
            yield run_task(task, store)
        return
    from joblib import Parallel, delayed

    # Workers write to the store themselves: a cell is on the disk before its result is on its way.
    work: Callable[..., Any] = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    with _deaf_processes():
        states = work(delayed(run_task)(task, store) for task in tasks)
    yield from states


@contextmanager
def _deaf_processes() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C, which a terminal sends to all of them.

    It is for this process to end them; on their own they would end with a traceback each. One that
    comes meanwhile is heard afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # which would lift the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
