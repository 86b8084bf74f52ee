"""``rarewood predict``: labels and probabilities for the rows of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rarewood.cli._errors import CommandError, check_no_input, say
from rarewood.cli._model import LoadedModel, ModelPath, open_model
from rarewood.cli._options import Data, Delimiter, Threads

if TYPE_CHECKING:
    from rarewood.intake import RawTable

__all__ = ["predict"]


def predict(
    model: ModelPath,
    data: Data,
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="FILE", help="A .csv, .csv.gz, .tsv or .parquet file; - prints."
        ),
    ],
    id: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL",
            help="A column to keep beside the predictions. May be repeated. Else the columns that "
            "named the rows in training, where the table has them.",
        ),
    ] = None,
    no_id: Annotated[bool, typer.Option("--no-id", help="Keep no column of the table.")] = False,
    all_classes: Annotated[
        bool,
        typer.Option("--all-classes", help="Also write the probability of the other class of two."),
    ] = False,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=1.0, help="Predict the rare class from this probability on; else as saved."
        ),
    ] = None,
    chunk_rows: Annotated[
        int, typer.Option(min=1, help="Rows that are in memory at once.")
    ] = 65_536,
    n_jobs: Threads = -1,
    delimiter: Delimiter = None,
) -> None:
    """Predict every row of a table, in its order.

    Columns that the model does not know, the target among them, are ignored. Rows are read and
    written in chunks, so a table may be larger than the memory.
    """
    from dataclasses import replace

    from rarewood.cli._features import FeatureMaker
    from rarewood.cli._options import mark
    from rarewood.cli._output import check_output, writing_table
    from rarewood.intake import open_table

    if id and no_id:
        raise CommandError("--id keeps columns and --no-id keeps none: give one of them.")
    place = check_output(out)
    check_no_input(place, data, model)
    loaded = open_model(model, n_jobs)
    if threshold is not None:
        if len(loaded.classes) != 2:
            raise CommandError("--threshold needs a model of two classes.")
        loaded = replace(loaded, threshold=threshold)
    source = open_table(data, delimiter=mark(delimiter))
    ids = _ids(loaded, source, id, no_id)
    maker = FeatureMaker(loaded, source, ids)
    types = {**dict.fromkeys(ids, "text"), **maker.types}
    wanted = list(dict.fromkeys([*ids, *maker.columns]))
    counts: dict[str, int] = {}
    with writing_table(place) as writer:
        for chunk in source.chunks(chunk_rows, columns=wanted, types=types):
            piece = _predictions(loaded, maker.make(chunk), all_classes)
            for label, n in piece["prediction"].astype(str).value_counts().items():
                counts[str(label)] = counts.get(str(label), 0) + int(n)
            writer.write(_beside(chunk[ids], piece))
        if not writer.n_rows:
            raise CommandError(f"{source.name} has a header but no rows: nothing to predict.")
    for note in maker.notes():
        say(f"note: {note}")
    _summary(loaded, place, writer.n_rows, counts)


def _pandas() -> Any:
    """Import pandas when it is needed."""
    from rarewood.datasets._files import pandas as imported

    return imported()


def _ids(loaded: LoadedModel, source: RawTable, chosen: list[str] | None, none: bool) -> list[str]:
    if none:
        return []
    if chosen:
        return list(dict.fromkeys(source.find(name) for name in chosen))
    return [name for name in loaded.ids if name in source.columns]


def _predictions(loaded: LoadedModel, features: Any, all_classes: bool) -> dict[str, Any]:
    pd = _pandas()
    proba = loaded.scorer.predict_proba(features)
    piece: dict[str, Any] = {"prediction": pd.Series(loaded.decide(proba))}
    shown = range(len(loaded.classes))
    if len(loaded.classes) == 2 and not all_classes:
        shown = range(loaded.rare_number, loaded.rare_number + 1)
    for number in shown:
        piece[f"probability_{loaded.classes[number]}"] = pd.Series(proba[:, number])
    return piece


def _beside(kept: Any, piece: dict[str, Any]) -> Any:
    """Return the columns that are kept and the predictions as one table."""
    twice = [name for name in piece if name in kept.columns]
    if twice:
        raise CommandError(
            f"The table has a column {twice[0]!r}, as the output will: rename it, or keep others "
            "with --id or none with --no-id."
        )
    tables = [kept.reset_index(drop=True), _pandas().DataFrame(piece)]
    return _pandas().concat(tables, axis="columns")


def _summary(loaded: LoadedModel, place: str, n_rows: int, counts: dict[str, int]) -> None:
    by = "the most probable class"
    if loaded.threshold is not None:
        by = f"{loaded.rare} from a probability of {loaded.threshold:.4g} on"
    shown = sorted(counts.items(), key=lambda item: -item[1])
    text = ", ".join(f"{label} {n:,}" for label, n in shown[:8])
    where = "the standard output" if place == "-" else place
    say(f"{n_rows:,} rows to {where}: {text} ({by})")
