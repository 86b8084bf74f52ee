"""Comparison of models on data sets, cell by cell."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import Any, Literal

from rarewood._progress import Progress
from rarewood.evaluate._cell import Annotate, Table, Task, run_task
from rarewood.evaluate._damage import damaged
from rarewood.evaluate._fingerprint import data_fingerprint, digest, model_fingerprint, versions
from rarewood.evaluate._inputs import as_models, as_tables, gaps
from rarewood.evaluate._metrics import METRICS, Metric, resolve
from rarewood.evaluate._parent import Parent, watched_from_the_start
from rarewood.evaluate._prepare import needs_preparation, prepared
from rarewood.evaluate._protocols import Protocol, five_by_two
from rarewood.evaluate._results import Results
from rarewood.evaluate._store import Cell, Store, Wanted

DEFAULT_STORE = "rarewood-results.sqlite"
OnCell = Callable[[Cell, int, int], None]
_PAUSE = 0.2  # seconds between checks of cells that another process computes


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
    annotate: Annotate | None = None,
) -> Results:
    """Fit and measure every model on every fold of every data set.

    A cell is one model on one fold. It is written to the store as soon as it is computed, and not
    computed again: an interrupted run resumes where it stopped.

    Parameters
    ----------
    models : dict of str to classifier
        Classifiers with the interface of scikit-learn, or functions without arguments that return
        one, such as those of :mod:`rarewood.presets`.
    datasets : list or dict
        Names for :func:`rarewood.datasets.fetch`, records returned by it, or a dict of name to
        ``(X, y)``.
    protocol : Protocol, default=None
        Splits into training and test samples; 5 x 2-fold cross-validation by default.
    metrics : list of str or Metric, default=None
        Metrics of the results, all by default. Besides :func:`metric_names`, which are always
        computed, ``"recall_at_precision_0.8"`` is available for any precision.
    store : str, Path, Store or None, default="rarewood-results.sqlite"
        File of finished cells. None stores nothing.
    n_jobs : int, default=None
        Number of processes; None means 1, -1 all cores. The results do not depend on it, the
        times do.
    refresh : bool or "failed", default=False
        Whether to recompute all cells, or the failed ones, even if they are in the store.
    keep_predictions : bool, default=False
        Whether to store the predictions for the test samples, for :meth:`Results.predictions`.
        Cells without them are recomputed.
    prepare : bool, default=True
        Whether to apply :func:`prepared` to models that do not support the categorical features or
        missing values of a data set. Models of rarewood and LightGBM, histogram gradient boosting
        of scikit-learn and pipelines are not changed.
    folder : str or Path, default=None
        First place to look up data sets given by name; see :func:`rarewood.datasets.fetch`.
    progress : bool, default=None
        Whether to show progress on the standard error stream; by default if it is a terminal and
        ``on_cell`` is None.
    on_cell : callable, default=None
        Function of (cell, number of finished cells, number of all cells), called in this thread
        for each cell that is already in the store and then for each finished one. The attributes
        of a cell are described by :class:`Results`.
    compute : bool, default=True
        Whether to compute missing cells. False returns the results of the cells in the store, such
        as those of an interrupted run or of one in progress in another process.
    annotate : callable, default=None
        Function of (fitted model, test samples, :class:`Outcome`) that returns a dict of arrays
        about the fold, which are stored with its predictions, for :meth:`Results.annotations`. It
        is called for the folds of the first repeat if ``keep_predictions`` is set; cells that are
        already in the store are not computed again for it.

    Returns
    -------
    results : Results
        One entry per cell. The cell of a model that failed has an error and no scores.

    Notes
    -----
    The class of interest is the ``pos_label`` of a record, otherwise the class with the fewest
    samples. With more than two classes, "auc" is that of Hand and Till, and "f_measure",
    "average_precision" and "recall_at_precision" are those of this class against the rest.

    A ``random_state`` of None is replaced by a seed derived from the seed of the protocol, the
    repeat and the fold. So a cell depends only on its data, model and fold.

    The key of a cell is a hash of the data, of the class and parameters of the model (except
    defaults, ``n_jobs`` and ``verbose``), of the split, and of the versions of rarewood, NumPy,
    SciPy, scikit-learn and the packages of the model. Names are not part of it. A change of code or
    of a default without a change of version is not detected: use ``refresh=True`` after editing a
    model.

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
            "protocol must be a Protocol, such as five_by_two() or Protocol(10); got "
            f"{type(plan).__name__}."
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
    tasks = list(_tasks(tables, made, plan, wanted, extra, prepare, annotate))
    shows = (on_cell is None and sys.stderr.isatty()) if progress is None else progress
    with _opened(store) as file:
        if compute:
            _run(tasks, file, 1 if n_jobs is None else n_jobs, shows, on_cell)
        cells = file.get(task.key for task in tasks)
        if not compute:
            tasks = [task for task in tasks if wanted.is_met(cells.get(task.key))]
            if not tasks:
                raise ValueError(f"The store {file.path} has no finished cell of this comparison.")
        elif len(cells) < len({task.key for task in tasks}):
            raise damaged(file.path, "finished cells are missing")
        packed = {t.key: file.predictions(t.key) for t in tasks} if keep_predictions else {}
    return Results.of(tasks, cells, chosen, packed)


def _tasks(
    tables: list[Table],
    models: dict[str, Any],
    protocol: Protocol,
    wanted: Wanted,
    extra: tuple[Metric, ...],
    prepare: bool,
    annotate: Annotate | None,
) -> Iterator[Task]:
    """All cells, data set by data set, with the models of a fold next to each other."""
    for table in tables:
        data = data_fingerprint(table.X, table.y, table.classes[table.pos_index])
        found = gaps(table.X) if prepare else (False, False)
        described = {}
        for name, model in models.items():
            ready = prepared(model) if needs_preparation(model, *found) else model
            about = {"versions": versions(ready), "data": data, "protocol": protocol.key}
            about["parameters"] = repr(ready)
            parts = (data, model_fingerprint(ready), protocol.key, repr(about["versions"]))
            described[name] = (ready, about, parts)
        for repeat, fold in protocol.places():
            for name, (ready, about, parts) in described.items():
                key = digest(*parts, str(repeat), str(fold))
                yield Task(
                    key, table, name, ready, protocol, repeat, fold, wanted, extra, about, annotate
                )  # fmt: skip


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
    """Compute the missing cells, and wait for those that other processes compute."""
    named: dict[str, list[Task]] = {}  # the same model under two names is one cell
    for task in tasks:
        named.setdefault(task.key, []).append(task)
    numbers = count(1)

    def notify(keys: Iterable[str]) -> None:
        """Call the listener with finished cells, under the names of this run."""
        if on_cell is not None:
            for key, cell in store.get(keys).items():
                for task in named[key]:
                    on_cell(task.named(cell), next(numbers), len(tasks))

    found = store.get(named)
    done = {key for key, cell in found.items() if named[key][0].wanted.is_met(cell)}
    notify(done)
    todo = [key for key in named if key not in done]
    n_done = len(done)
    bar = Progress(len(named), "cells done", n_done) if shows else nullcontext()
    with bar as report:
        while todo:
            busy = set()
            for key, state in _states([named[key][0] for key in todo], store, n_jobs):
                if state == "busy":
                    busy.add(key)
                    continue
                n_done += 1
                notify([key])
                if report is not None:
                    report(n_done)
            if len(busy) == len(todo):
                time.sleep(_PAUSE)
            todo = [key for key in todo if key in busy]


def _states(tasks: list[Task], store: Store, n_jobs: int) -> Iterator[tuple[str, str]]:
    """Compute the cells, and yield the key and the state of each."""
    if n_jobs == 1 or len(tasks) == 1:
        for task in tasks:
            yield run_task(task, store)
        return
    from joblib import Parallel, delayed

    # Workers write to the store themselves: a cell is on disk before its state is returned.
    work: Callable[..., Any] = Parallel(
        n_jobs=n_jobs, return_as="generator_unordered", **watched_from_the_start(Parallel)
    )
    with _ignoring_interrupts():
        states = work(delayed(_run_in_worker)(task, store, Parent.this()) for task in tasks)
    yield from states


def _run_in_worker(task: Task, store: Store, parent: Parent) -> tuple[str, str]:
    parent.end_with()
    return run_task(task, store)


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which a terminal sends to all of them.

    This process ends them; otherwise each would print a traceback. An interrupt that arrives
    meanwhile is delivered afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as resource_tracker_of_joblib

    # Each would unblock the signal when it starts, the second one before joblib 1.6.
    resource_tracker.ensure_running()
    resource_tracker_of_joblib.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
