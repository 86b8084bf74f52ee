"""Computation of a cell: one model on one fold."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from rarewood.evaluate._claims import heartbeat
from rarewood.evaluate._metrics import METRICS, Metric, Outcome
from rarewood.evaluate._predictions import pack, unpack
from rarewood.evaluate._protocols import Protocol, Split
from rarewood.evaluate._store import Cell, Store, Wanted

Floats = NDArray[np.float64]
Annotate = Callable[[Any, Any, Outcome], dict[str, NDArray[Any]]]
_MOST_WARNINGS = 10


@dataclass(frozen=True, eq=False)
class Table:
    """A validated data set: ``classes`` are the sorted labels, ``pos_index`` is one of them."""

    name: str
    X: Any
    y: NDArray[Any]
    classes: NDArray[Any]
    pos_index: int

    def rows(self, chosen: NDArray[np.intp]) -> Any:
        """Return samples of the features, in the container of X."""
        frame = nw.from_native(self.X, eager_only=True, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            return frame[chosen.tolist()].to_native()
        return self.X[chosen]


@dataclass(frozen=True, eq=False)
class Task:
    """A cell to compute."""

    key: str
    table: Table
    name: str
    model: Any
    protocol: Protocol
    repeat: int
    fold: int
    wanted: Wanted
    metrics: tuple[Metric, ...] = ()  # beyond those that are always computed
    about: dict[str, Any] = field(default_factory=dict)
    annotate: Annotate | None = None

    def named(self, cell: Cell) -> Cell:
        """Return the finished cell under the names of this run."""
        return replace(cell, dataset=self.table.name, model=self.name)


def run_task(task: Task, store: Store) -> tuple[str, Literal["ours", "busy", "done"]]:
    """Compute a cell and write it to the store, unless it is finished or claimed."""
    state = store.claim(task.key, task.wanted)
    if state != "ours":
        return task.key, state
    try:
        if not _score_again(task, store):
            with heartbeat(lambda: store.beat(task.key)):
                cell, predictions = _compute(task)
            store.finish(cell, predictions)
    except BaseException:  # errors of the model are results, not exceptions
        store.release(task.key)
        raise
    return task.key, state


def _score_again(task: Task, store: Store) -> bool:
    """Compute missing metrics of a finished cell from its stored predictions."""
    cell = store.get([task.key]).get(task.key)
    if cell is None or cell.error_type is not None or cell.finished < task.wanted.not_before:
        return False
    data = store.predictions(task.key)
    if data is None:
        return False
    outcome, _ = unpack(data, cell.scores)
    scores = cell.scores | _measure(outcome, task.metrics)
    store.finish(replace(cell, scores=scores))
    return True


def _compute(task: Task) -> tuple[Cell, bytes | None]:
    split = task.protocol.split(task.table.y, task.repeat, task.fold)
    sizes = len(split.train), len(split.test)
    cell = Cell(task.key, task.table.name, task.name, task.repeat, task.fold, *sizes)
    data = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = _fit_and_predict(task, split)
            cell = replace(cell, scores=_measure(outcome, (*METRICS.values(), *task.metrics)))
            if task.wanted.predictions:
                data = pack(outcome, split.test, _notes(task, split, outcome))
        except Exception as error:
            kind, text = type(error).__name__, traceback.format_exc()
            cell = replace(cell, scores={}, error_type=kind, error=str(error), traceback=text)
    texts = dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in caught)
    return replace(cell, warnings=list(texts)[:_MOST_WARNINGS], about=task.about), data


def _fit_and_predict(task: Task, split: Split) -> Outcome:
    table = task.table
    model = _seeded(task.model, task.protocol.model_seed(task.repeat, task.fold))
    X_train, X_test = table.rows(split.train), table.rows(split.test)
    start = perf_counter()
    model.fit(X_train, table.y[split.train])
    fitted = perf_counter()
    labels = np.asarray(model.predict(X_test))
    scores, is_probability = _scores(model, X_test, table.classes)
    times = fitted - start, perf_counter() - fitted
    y, predicted = (_encoded(one, table.classes) for one in (table.y[split.test], labels))
    about = is_probability, table.pos_index, len(table.classes), n_leaves(model)
    return Outcome(y, predicted, scores, *about, *times, model)


def _notes(task: Task, split: Split, outcome: Outcome) -> dict[str, NDArray[Any]]:
    """Return the arrays of ``annotate``; if it fails, a warning of the cell says so."""
    if task.annotate is None or task.repeat:
        return {}
    try:
        return task.annotate(outcome.model, task.table.rows(split.test), outcome)
    except Exception as error:
        warnings.warn(f"annotate failed: {type(error).__name__}: {error}", stacklevel=2)
        return {}


def _seeded(model: Any, seed: int) -> Any:
    """Return a copy of the model in which every ``random_state`` of None is the seed."""
    if not hasattr(model, "get_params"):
        return deepcopy(model)
    copy = clone(model)
    params = copy.get_params(deep=True).items()
    unset = [name for name, value in params if value is None]
    unseeded = [name for name in unset if name.rpartition("__")[2] == "random_state"]
    return copy.set_params(**dict.fromkeys(unseeded, seed))


def _encoded(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    places = np.searchsorted(classes, labels.ravel()).clip(max=len(classes) - 1)
    if (classes[places] != labels.ravel()).any():
        strange = labels.ravel()[classes[places] != labels.ravel()][0]
        raise ValueError(f"The model predicted {strange!r}, which is not a label of the data set.")
    return places.astype(np.int64)


def _scores(model: Any, X: Any, classes: NDArray[Any]) -> tuple[Floats | None, bool]:
    """Scores with one column per class of the data set, and whether they are probabilities."""
    is_probability = hasattr(model, "predict_proba")
    if is_probability:
        given = np.asarray(model.predict_proba(X), dtype=np.float64)
    elif hasattr(model, "decision_function"):
        given = np.asarray(model.decision_function(X), dtype=np.float64)
        if given.ndim == 1:
            given = np.column_stack([-given, given])
    else:
        return None, False
    seen = np.asarray(getattr(model, "classes_", classes))
    if given.shape[1] != len(seen):
        return None, False  # one-vs-one: no score per class
    lowest = 0.0 if is_probability else -np.inf
    scores = np.full((len(given), len(classes)), lowest)
    scores[:, _encoded(seen, classes)] = given
    return scores, is_probability


def _measure(outcome: Outcome, metrics: tuple[Metric, ...]) -> dict[str, float]:
    return {metric.name: float(metric.function(outcome)) for metric in metrics}


def n_leaves(model: Any) -> float:
    """Number of leaves of a tree, or of all trees of a forest; NaN for other models."""
    if hasattr(model, "get_n_leaves"):
        return float(model.get_n_leaves())
    if hasattr(model, "steps"):
        return n_leaves(model.steps[-1][1])
    members = getattr(model, "estimators_", None)
    if members is None:
        return float("nan")
    flat = members.ravel() if isinstance(members, np.ndarray) else members
    leaves = [n_leaves(member) for member in flat]
    return float(np.sum(leaves)) if leaves else float("nan")
