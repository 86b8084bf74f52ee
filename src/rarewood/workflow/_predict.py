"""Predict the rows of a table in chunks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rarewood._docstrings import documented
from rarewood.workflow._features import FeatureMaker
from rarewood.workflow._files import (
    check_exists,
    check_not_input,
    check_output,
    is_parquet,
    writing_table,
)
from rarewood.workflow._formulas import FormulaFinder
from rarewood.workflow._model_file import LoadedModel, open_model
from rarewood.workflow._top_rows import TopRows, joined, with_reasons

if TYPE_CHECKING:
    from rarewood.operating import OperatingPoint

_MANY = 20  # rows; of fewer it means little that all or none are alerted


@dataclass(frozen=True, eq=False)
class Predictions:
    """Result of :func:`predict`, which describes the attributes."""

    frame: Any
    n_rows: int
    counts: dict[str, int]
    pos_label: Any
    threshold: float | None
    point: OperatingPoint | None
    notes: list[str]


@documented
def predict(
    model: Any,
    data: Any,
    *,
    out: str | os.PathLike[str] | TextIO | None = None,
    id: Sequence[str] | None = None,
    all_classes: bool = False,
    top: int | None = None,
    why: bool = False,
    threshold: float | str | None = None,
    chunk_rows: int = 65_536,
    n_jobs: int | None = -1,
    delimiter: str | None = None,
    trust_foreign: bool = False,
) -> Predictions:
    """Predict every row of a table, in its order.

    Columns that the model does not have, the target among them, are ignored. Rows are read and
    written in chunks, so a table may be larger than memory.

    Parameters
    ----------
    {model_file}
    data : str, Path or DataFrame
        A file, a folder of Parquet files, or the name of a data set.
    out : str, Path or text stream, default=None
        A .csv, .csv.gz, .tsv or .parquet file, which appears when it is complete, or a stream to
        write CSV to. By default the predictions are returned.
    id : list of str, default=None
        Columns to copy to the output, unchanged; by default those that identified the rows in
        training, if the table has them.
    all_classes : bool, default=False
        Whether to return the probabilities of both classes of a binary model.
    top : int, default=None
        Number of rows to return, those with the highest probabilities of the rare class, highest
        first; by default all rows, in the order of the table.
    why : bool, default=False
        Whether to add the three strongest reasons of each row, such as "amount = 812 raises the
        score by 0.21": the largest contributions of the columns, as in :func:`explain`. Without
        ``top`` they take several times as long as the predictions, and far longer for models of
        other packages that compute no contributions.
    threshold : float or str, default=None
        Lowest probability at which the rare class is predicted; by default that of the model. A
        rule such as "cost:fp=10,fn=500", "alerts<=50/2000" or "recall>=0.9" chooses it from the
        held-out scores that the model file contains.
    chunk_rows : int, default=65536
        Number of rows in memory at once.
    n_jobs : int, default=-1
        Number of threads; -1 for all cores. Models of other packages use one.
    {delimiter, trust_foreign}

    Returns
    -------
    predictions : Predictions
        Attributes: ``frame``, a DataFrame of the columns that were kept, "prediction" and
        "probability_CLASS", with ``top`` also "rank" and "row" (the first row is 1), with ``why``
        "reason_1" to "reason_3", or None if they were written; ``n_rows`` of the table;
        ``counts``, rows of every predicted class in it, most frequent first; ``pos_label``, the
        rare class; ``threshold``, None if the most probable class is predicted; ``point``, the
        :class:`rarewood.operating.OperatingPoint` of the threshold, with what it achieves on rows
        like those of training, None if unknown; ``notes``, sentences about categories that training
        did not have, about thresholds that alert nearly everyone or no one, and about text in a CSV
        file that a spreadsheet would run as a formula.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> out = Path(tempfile.mkdtemp()) / "wine.rarewood"
    >>> fitted = workflow.fit("wine", out=out, model="hddt")
    >>> list(workflow.predict(fitted, "wine").frame)[:2]
    ['prediction', 'probability_class_0']
    """
    from rarewood.datasets._files import pandas
    from rarewood.intake import open_table

    place: Any = check_output(out) if isinstance(out, (str, os.PathLike)) else out
    if isinstance(place, Path):
        check_not_input(place, data, getattr(model, "path", model))
    check_exists(data)
    loaded = open_model(model, n_jobs, trust_foreign)
    if top is not None and top < 1:
        raise ValueError(f"`top` must be at least 1; got {top}.")
    if threshold is not None:
        loaded = loaded.at(threshold)
    maker = FeatureMaker(loaded, open_table(data, delimiter=delimiter), id)
    counts: Counter[str] = Counter()
    pieces: list[Any] = []
    formulas = FormulaFinder()
    best = None if top is None else TopRows(top, loaded)
    with nullcontext(pieces.append) if place is None else writing_table(place) as write:

        def put(table: Any) -> None:
            if place is not None and not is_parquet(place):
                formulas.look(table)
            write(table)

        for chunk in maker.chunks(chunk_rows):
            features = maker.make(chunk)
            piece = _predictions(loaded, features, all_classes)
            counts.update(piece["prediction"].astype(str).value_counts().to_dict())
            table = joined(chunk[maker.ids], piece)
            if best is not None:
                best.add(table, features)
            else:
                put(with_reasons(table, loaded, features) if why else table)
        if not counts:
            raise ValueError(f"{maker.source.name} has a header but no rows: nothing to predict.")
        if best is not None:
            put(best.ranked(why))
    frame = pandas().concat(pieces, ignore_index=True) if pieces else None
    notes = [*maker.notes(), *_extreme(loaded, counts), *formulas.notes()]
    about = loaded.pos_label, loaded.threshold, loaded.point, notes
    return Predictions(frame, counts.total(), dict(counts.most_common()), *about)


def _extreme(loaded: LoadedModel, counts: Counter[str]) -> list[str]:
    """Return a sentence if nearly all rows of the table, or none, are predicted to be rare."""
    from rarewood.operating import Confusion
    from rarewood.operating._extremes import alert_warning

    if loaded.threshold is None or counts.total() < _MANY:
        return []
    alerts = counts[str(loaded.pos_label)]
    text = alert_warning(Confusion(tp=alerts, fp=0, fn=0, tn=counts.total() - alerts))
    return [] if text is None else [text]


def _predictions(loaded: LoadedModel, features: Any, all_classes: bool) -> Any:
    """Return labels and probabilities of a chunk as a DataFrame."""
    from rarewood.datasets._files import pandas

    proba = loaded.scorer.predict_proba(features)
    numbers = range(len(loaded.classes))
    if len(loaded.classes) == 2 and not all_classes:
        numbers = range(loaded.pos_number, loaded.pos_number + 1)
    columns = {f"probability_{loaded.classes[number]}": proba[:, number] for number in numbers}
    return pandas().DataFrame({"prediction": loaded.decide(proba), **columns})
