"""``rarewood fit``: from a table to a model file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rarewood.cli._errors import CommandError, check_no_input, check_writable
from rarewood.cli._options import (
    Columns,
    Data,
    Delimiter,
    Drop,
    Keep,
    Memory,
    Rare,
    Sample,
    Seed,
    Target,
    Threads,
    mark,
    names_in,
    take_table,
)

if TYPE_CHECKING:
    from rarewood.cli._fitting import Fitted
    from rarewood.cli._recipes import Wanted
    from rarewood.intake import PreparedStream, PreparedTable

__all__ = ["fit"]

_MODEL = "The model"


def fit(
    data: Data,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="MODEL", help="The model file to write.")
    ],
    target: Target = None,
    rare: Rare = None,
    preset: Annotated[
        str,
        typer.Option(
            help="rare-forest, rare-tree, or a preset such as hddt, ccpdt, hedex.",
            rich_help_panel=_MODEL,
        ),
    ] = "rare-forest",
    criterion: Annotated[
        str | None,
        typer.Option(
            help="The split criterion, such as hellinger, gini or alpha:0.7; else the preset's.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    pruning: Annotated[
        str | None,
        typer.Option(
            help="none, fisher, error or cost-complexity, also with a threshold: fisher:0.001.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    sampling: Annotated[
        str,
        typer.Option(
            help="none, pattern, smote, random-over, random-under or wrapper.",
            rich_help_panel=_MODEL,
        ),
    ] = "none",
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="From which probability on to predict the rare class: f (best F), f2, recall:0.8, "
            "precision:0.5, alerts:20/1000, cost:fp=1,fn=20, a number, or none for the most "
            "probable class. By default f, and none with more than two classes.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    folds: Annotated[
        int, typer.Option(min=2, help="Folds for the estimates.", rich_help_panel=_MODEL)
    ] = 5,
    id: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL",
            help="A column that names the rows: not used, and kept by predict. May be repeated.",
        ),
    ] = None,
    seed: Seed = 0,
    n_jobs: Threads = -1,
    columns: Columns = None,
    keep: Keep = None,
    drop: Drop = None,
    sample: Sample = None,
    delimiter: Delimiter = None,
    memory: Memory = None,
    stream: Annotated[
        bool | None,
        typer.Option(
            "--stream/--no-stream",
            help="Read a Parquet file, or a folder of them, in batches; by default where it would "
            "take more than half of the free memory. Columns are cut into bins.",
            rich_help_panel="Reading the table",
        ),
    ] = None,
) -> None:
    """Fit a model on a table, estimate what it will do on new rows, and write it to a file."""
    from rarewood.cli._recipes import Wanted, check_wanted, parse_threshold

    place = check_writable(out)
    check_no_input(place, data)
    rule = None if threshold is None else parse_threshold(threshold)
    wanted = Wanted(preset, criterion, pruning, sampling, seed, n_jobs)
    check_wanted(wanted)
    ids = list(dict.fromkeys(id or []))
    prepared = _take(
        data, target, rare, stream, columns=columns, keep=keep, drop=[*ids, *(drop or [])],
        sample=sample, delimiter=delimiter, memory=memory, seed=seed,
    )  # fmt: skip
    if prepared.findings.target in ids:
        raise CommandError(f"{prepared.findings.target!r} is the column to predict, not an --id.")
    for line in prepared.findings.lines():
        print(line)
    n_rare, folds = _check_classes(prepared, rule, folds)
    if threshold is None and len(prepared.findings.classes) == 2:
        rule = parse_threshold("f")
    fitted = _fit(prepared, wanted, n_rare, rule=rule, folds=folds, seed=seed)
    notes = _notes(prepared, fitted, ids, wanted)
    _save(fitted, place, prepared, notes)
    for line in _lines(fitted, prepared.pos_label, place):
        print(line)


def _take(
    data: str, target: str | None, rare: str | None, stream: bool | None, **options: Any
) -> PreparedTable | PreparedStream:
    """Read a table whole, or look at one that will be read in batches."""
    from rarewood.cli._streaming import why_stream
    from rarewood.intake import open_table, prepare_stream
    from rarewood.intake._memory import parse_size

    memory = None if options["memory"] is None else parse_size(options["memory"])
    if options["sample"] is not None:
        if stream:
            raise CommandError("--sample takes some rows into memory, --stream reads all: choose.")
        return take_table(data, target, rare, **options)
    table = open_table(data, delimiter=mark(options["delimiter"]), memory=memory)
    columns, drop = names_in(options["columns"]), set(options["drop"])
    used = [name for name in columns or table.columns if name not in drop]
    reason = why_stream(table, stream, used, memory)
    if reason is None or not table.can_stream:
        return take_table(table, target, rare, **options)
    print(f"{table.name} is read in batches ({reason}); --no-stream reads it whole", flush=True)
    return prepare_stream(
        table, target, rare, columns=columns, keep=options["keep"] or [], drop=options["drop"]
    )


def _fit(
    prepared: PreparedTable | PreparedStream, wanted: Wanted, n_rare: int, **how: Any
) -> Fitted:
    """Make the estimator, say so, and fit it."""
    from rarewood.cli._fitting import fit_model, fit_stream
    from rarewood.cli._recipes import make_estimator
    from rarewood.cli._streaming import check_sampling, set_for_stream
    from rarewood.intake import PreparedStream

    is_streamed = isinstance(prepared, PreparedStream)
    check_sampling(wanted.sampling, is_streamed)
    X = prepared.example if isinstance(prepared, PreparedStream) else prepared.X
    estimator, classifier = make_estimator(wanted, X, n_rare)
    if is_streamed and (changed := set_for_stream(classifier)):
        print(f"note: set {' and '.join(changed)}, since only the numbers of bins are kept")
    print(f"fitting {' '.join(repr(classifier).split())}", flush=True)
    if isinstance(prepared, PreparedStream):
        return fit_stream(estimator, prepared, **how)
    with _working("fitting, and judging by rows not seen"):
        return fit_model(estimator, prepared.X, prepared.y, rare=prepared.pos_label, **how)


@contextmanager
def _working(text: str) -> Iterator[None]:
    """Show on a terminal that something goes on."""
    from rarewood.cli._console import make_console

    console = make_console(is_error=True)
    if not console.is_terminal:
        yield
        return
    with console.status(text):
        yield


def _check_classes(
    prepared: PreparedTable | PreparedStream, rule: Any, folds: int
) -> tuple[int, int]:
    """Return how many rows of the smallest class a fit has at least, and how many folds."""
    counts = prepared.findings.classes
    label, smallest = min(counts.items(), key=lambda item: item[1])
    if rule is not None and len(counts) > 2:
        raise CommandError(
            f"--threshold needs two classes, and {prepared.findings.target!r} has {len(counts)}: "
            "name the one to be told from all others with --rare, or take --threshold none."
        )
    if smallest < 2:
        raise CommandError(
            f"Class {label!r} has one row: a model could not be tested. Get more rows of it, or "
            "join it with another class."
        )
    folds = min(folds, smallest)
    return smallest - -(-smallest // folds), folds


def _notes(
    prepared: PreparedTable | PreparedStream, fitted: Fitted, ids: list[str], wanted: Wanted
) -> dict[str, Any]:
    """Return what predict and people will want to know of this fit."""
    found = [c.name for c in prepared.findings.columns if c.kind == "id" and not c.used]
    classes = fitted.model.classes_.tolist()
    about = prepared.findings.to_dict()
    return {
        "fit": {
            "recipe": prepared.recipe,
            "ids": [*ids, *found],
            "rare_class": classes.index(prepared.pos_label),
            "table": {name: about[name] for name in ("name", "n_rows", "target", "classes")},
            "preset": wanted.preset,
            "sampling": wanted.sampling,
            "seed": wanted.seed,
            "estimates": _estimates(fitted),
        }
    }


def _estimates(fitted: Fitted) -> dict[str, Any]:
    counts = fitted.counts
    return {
        "origin": fitted.origin,
        "auc": fitted.auc,
        "average_precision": fitted.average_precision,
        **{name: int(getattr(counts, name)) for name in ("tp", "fp", "fn", "tn")},
    }


def _save(
    fitted: Fitted, place: Path, prepared: PreparedTable | PreparedStream, notes: dict[str, Any]
) -> None:
    from rarewood.modelfile import save

    save(fitted.model, place, target=prepared.findings.target, notes=notes)


def _lines(fitted: Fitted, rare: Any, place: Path) -> list[str]:
    from rarewood.modelfile._unwrap import unwrap

    inner = unwrap(fitted.model).classifier
    trees = list(inner) if hasattr(inner, "estimators_") else [inner]
    n_leaves = sum(tree.get_n_leaves() for tree in trees)
    grown = (
        f"{len(trees)} trees with {n_leaves:,} leaves"
        if len(trees) > 1
        else (f"a tree with {n_leaves:,} leaves")
    )
    counts, point = fitted.counts, fitted.point
    at = "for the most probable class"
    if point is not None:
        at = f"at the threshold {point.threshold:.4g} ({point.rule})"
    lines = [f"note: {text}" for text in fitted.warnings]
    if point is not None and not point.reached:
        lines.append(f"note: {point.rule} is not reached; this threshold comes closest")
    lines += [
        f"fitted {grown}",
        f"estimates from rows that the scoring trees had not seen ({fitted.origin}):",
        f"  AUC {fitted.auc:.3f}, average precision {fitted.average_precision:.3f}",
        f"  {at}: F {_shown(counts.f())}, recall {_shown(counts.recall)} "
        f"({counts.tp:,} of {counts.n_rare:,} {rare}), precision {_shown(counts.precision)}, "
        f"{counts.alerts_per_1000:.1f} alerts per 1000 rows",
    ]
    if point is not None and point.n_bootstrap:
        low, high = point.f.interval
        lines.append(
            f"  F to be expected on new rows: {point.f.expected:.3f} [{low:.3f}, {high:.3f}]"
        )
    size = place.stat().st_size
    unit = f"{size / 2**20:.1f} MB" if size >= 2**20 else f"{max(1, size // 1024)} KB"
    return [*lines, f"wrote {place} ({unit})"]


def _shown(value: float) -> str:
    return "none" if value != value else f"{value:.3f}"
