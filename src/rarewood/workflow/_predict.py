"""Predict the rows of a table in chunks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rarewood.workflow._features import FeatureMaker
from rarewood.workflow._files import check_not_input
from rarewood.workflow._model_file import LoadedModel, open_model
from rarewood.workflow._output import check_output, writing_table
from rarewood.workflow._reading import open_source

if TYPE_CHECKING:
    from rarewood.intake import RawTable


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions for the rows of a table.

    Attributes
    ----------
    frame : DataFrame or None
        The columns that were kept, "prediction" and "probability_CLASS"; None if they were written
        to a file.
    n_rows : int
        Number of rows.
    counts : dict of str to int
        Rows of every predicted class, most frequent first.
    pos_label : label
        The rare class.
    threshold : float or None
        Lowest probability at which the rare class is predicted; None predicts the most probable
        class.
    notes : list of str
        Sentences about categories that training did not have.
    """

    frame: Any
    n_rows: int
    counts: dict[str, int]
    pos_label: Any
    threshold: float | None
    notes: list[str]


def predict(
    model: Any,
    data: Any,
    *,
    out: str | os.PathLike[str] | TextIO | None = None,
    id: Sequence[str] | None = None,
    all_classes: bool = False,
    threshold: float | None = None,
    chunk_rows: int = 65_536,
    n_jobs: int | None = -1,
    delimiter: str | None = None,
) -> Predictions:
    """Predict every row of a table, in its order.

    Columns that the model does not have, the target among them, are ignored. Rows are read and
    written in chunks, so a table may be larger than memory.

    Parameters
    ----------
    model : str, Path or FittedModel
        A model file, or the result of :func:`fit`.
    data : str, Path or DataFrame
        A file, a folder of Parquet files, or the name of a data set.
    out : str, Path or text stream, default=None
        A .csv, .csv.gz, .tsv or .parquet file, which appears when it is complete, or a stream to
        write CSV to. By default the predictions are returned.
    id : list of str, default=None
        Columns to keep beside the predictions; by default those that identified the rows in
        training, if the table has them.
    all_classes : bool, default=False
        Whether to return the probabilities of both of two classes.
    threshold : float, default=None
        Lowest probability at which the rare class is predicted; by default that of the model.
    chunk_rows : int, default=65536
        Number of rows in memory at once.
    n_jobs : int, default=-1
        Number of threads; -1 for all cores.
    delimiter : str, default=None
        Delimiter of a text file; detected by default.

    Returns
    -------
    predictions : Predictions
        The predictions, or a summary of those in the file.

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
    place: Any = check_output(out) if isinstance(out, (str, os.PathLike)) else out
    if isinstance(place, Path):
        check_not_input(place, data, getattr(model, "path", model))
    loaded = open_model(model, n_jobs)
    if threshold is not None:
        if len(loaded.classes) != 2:
            raise ValueError("`threshold` needs a model of two classes.")
        loaded = replace(loaded, threshold=threshold)
    source = open_source(data, delimiter)
    ids = _ids(loaded, source, id)
    maker = FeatureMaker(loaded, source, ids)
    types = {**dict.fromkeys(ids, "text"), **maker.types}
    wanted = list(dict.fromkeys([*ids, *maker.columns]))
    counts: dict[str, int] = {}
    with writing_table(place) as writer:
        for chunk in source.chunks(chunk_rows, columns=wanted, types=types):
            piece = _predictions(loaded, maker.make(chunk), all_classes)
            for label, n in piece["prediction"].astype(str).value_counts().items():
                counts[str(label)] = counts.get(str(label), 0) + int(n)
            writer.write(_joined(chunk[ids], piece))
        if not writer.n_rows:
            raise ValueError(f"{source.name} has a header but no rows: nothing to predict.")
    counts = dict(sorted(counts.items(), key=lambda item: -item[1]))
    frame = getattr(writer, "frame", None)
    return Predictions(
        frame, writer.n_rows, counts, loaded.pos_label, loaded.threshold, maker.notes()
    )


def _ids(loaded: LoadedModel, source: RawTable, chosen: Sequence[str] | None) -> list[str]:
    if chosen is not None:
        return list(dict.fromkeys(source.find(name) for name in chosen))
    return [name for name in loaded.ids if name in source.columns]


def _predictions(loaded: LoadedModel, features: Any, all_classes: bool) -> Any:
    """Return labels and probabilities of a chunk as a DataFrame."""
    from rarewood.datasets._files import pandas

    proba = loaded.scorer.predict_proba(features)
    numbers = range(len(loaded.classes))
    if len(loaded.classes) == 2 and not all_classes:
        numbers = range(loaded.pos_number, loaded.pos_number + 1)
    columns = {f"probability_{loaded.classes[number]}": proba[:, number] for number in numbers}
    return pandas().DataFrame({"prediction": loaded.decide(proba), **columns})


def _joined(kept: Any, piece: Any) -> Any:
    """Return the columns that are kept and the predictions as one DataFrame."""
    from rarewood.datasets._files import pandas

    twice = [name for name in piece if name in kept.columns]
    if twice:
        raise ValueError(
            f"The table has a column {twice[0]!r}, as the output will: rename it, or choose the "
            "columns to keep with `id`."
        )
    return pandas().concat([kept.reset_index(drop=True), piece], axis="columns")
