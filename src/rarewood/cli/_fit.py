"""``rarewood fit``: from a table to a model file."""

from __future__ import annotations

import ast
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rarewood.cli import _goals as goals
from rarewood.cli import _options as opt
from rarewood.cli._achieved import achieved, shown

if TYPE_CHECKING:
    from rarewood.operating import OperatingPoint
    from rarewood.workflow._fit import FittedModel


_model = partial(typer.Option, rich_help_panel="Model")
_MODEL = (
    "Model: rare-forest, a preset such as hddt, or one of another package such as lightgbm; "
    "'rarewood models' lists them. Default: that of --from, or rare-forest."
)
_FROM = (
    "Folder of a comparison, or latest: fit the model that it recommends, or --model, on its table "
    "with its settings."
)
_DATA = f"{opt.DATA} Default: that of --from."
_CRITERION = "Split criterion, such as hellinger, gini or alpha:0.7. Default: that of the preset."
_PRUNING = (
    "Pruning: none, fisher, error or cost-complexity, optionally with a threshold, such as "
    "fisher:0.001. Default: that of the preset."
)
_SET = "Any parameter of the model, such as max_depth=5 or balance=True. Repeatable."
_SAMPLING = (
    "Resampling of the training rows: none, pattern, smote, random-over, random-under or wrapper."
)
_THRESHOLD = (
    "Decision threshold for the rare class: f (best F1), f2, recall:0.8, precision:0.5, "
    "alerts:20/1000, cost:fp=1,fn=20, a probability, or none to predict the most probable class. "
    "auto is f for two classes and none for more. See also --cost, --alerts and --recall."
)
_ID = "Column that identifies the rows: not used as a feature, kept by predict. Repeatable."


def fit(
    *,
    data: Annotated[str | None, typer.Argument(metavar="[DATA]", help=_DATA)] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="MODEL", help="Model file to write.")],
    target: opt.Target = None,
    rare: opt.Rare = None,
    run: Annotated[Path | None, typer.Option("--from", metavar="RUN", help=_FROM)] = None,
    model: Annotated[
        str | None, _model("--model", "--preset", "-m", metavar="NAME", help=_MODEL)
    ] = None,
    criterion: Annotated[str | None, _model(help=_CRITERION)] = None,
    pruning: Annotated[str | None, _model(help=_PRUNING)] = None,
    parameters: Annotated[
        list[str] | None, _model("--set", metavar="NAME=VALUE", help=_SET)
    ] = None,
    sampling: Annotated[str, _model(help=_SAMPLING)] = "none",
    threshold: Annotated[str, _model(metavar="RULE", help=_THRESHOLD)] = "auto",
    cost: goals.Cost = None,
    alerts: goals.Alerts = None,
    rows_per_day: goals.RowsPerDay = None,
    recall: goals.Recall = None,
    folds: Annotated[int, _model(min=2, help="Number of folds for the estimates.")] = 5,
    id: Annotated[list[str] | None, typer.Option(metavar="COL", help=_ID)] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**32 - 1, help="Random seed. Default: 0.")
    ] = None,
    n_jobs: opt.Threads = -1,
    columns: opt.Columns = None,
    keep: opt.Keep = None,
    drop: opt.Drop = None,
    sample: opt.Sample = None,
    delimiter: opt.Delimiter = None,
    memory: opt.Memory = None,
    stream: opt.Stream = None,
) -> None:
    """Fit a model on a table, estimate its scores on new rows, and write it to a file.

    --from RUN fits the recommended model of a comparison. A file with a model of another package
    opens only with --trust-foreign.

    The decision threshold is the best F1, or that of --cost, --alerts, --recall or --threshold.
    """
    from rarewood import workflow
    from rarewood.cli._listeners import FitListener

    if data is None and run is None:
        raise ValueError("Name the table, or a comparison with --from, such as --from latest.")
    goal = goals.parse_goal(cost, alerts, rows_per_day, recall)
    if goal is not None and threshold != "auto":
        raise ValueError("--threshold excludes --cost, --alerts and --recall: use one of them.")
    rule = _parse_threshold(threshold) if goal is None else goal
    own = {"criterion": criterion, "pruning": pruning}
    words = [f"{name}={word}" for name, word in own.items() if word is not None]
    with FitListener() as listener:
        fitted = workflow.fit(
            data,
            target,
            out=out,
            from_run=run,
            pos_label=rare,
            model=model,
            params=_parse_parameters([*words, *(parameters or [])]),
            sampling=sampling,
            threshold=rule,
            folds=folds,
            id=id or [],
            random_state=seed,
            n_jobs=n_jobs,
            stream=stream,
            verbose=True,
            listener=listener,
            **opt.reading(columns, keep, drop, sample, delimiter, memory),
        )
    for line in _lines(fitted):
        print(line)


def _parse_parameters(words: list[str]) -> dict[str, Any]:
    """Return the parameters of words such as max_depth=5 and criterion=alpha:0.7."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, text = map(str.strip, word.partition("="))
        if not (name and equals and text):
            raise ValueError(f"--set {word}: expected NAME=VALUE, such as max_depth=5.")
        if name in found:
            raise ValueError(f"The parameter {name!r} is set twice.")
        parse = {"criterion": _parse_criterion, "pruning": _parse_pruning}.get(name, _parse_value)
        found[name] = parse(text)
    return found


def _parse_value(text: str) -> Any:
    """Return the value of a Python literal; any other text is a value itself."""
    try:
        return ast.literal_eval(text.title() if text in ("true", "false", "none") else text)
    except (ValueError, SyntaxError):
        return text


def _parse_criterion(text: str) -> Any:
    """Return the criterion of a text such as hellinger or alpha:0.7."""
    from rarewood import criteria
    from rarewood.intake._errors import check_choice

    match = re.fullmatch(r"(\w+)[:(=]([\d.]+)\)?", text)
    known = [*criteria.names(), *criteria.ALIASES]
    name = check_choice(match[1] if match else text, known, "criterion")
    if match is None:
        return name
    parameters = criteria.describe()[criteria.ALIASES.get(name, name)].parameters
    if not parameters:
        raise ValueError(f"--criterion {text}: the criterion {name!r} has no parameters.")
    return criteria.Criterion(name, **{parameters[0]["name"]: float(match[2])})


def _parse_pruning(text: str) -> Any:
    """Return the pruning of a text such as fisher:0.001."""
    from rarewood.intake._errors import check_choice
    from rarewood.model._pruning import METHODS

    methods: dict[str, Any] = {name.replace("_", "-"): method for name, method in METHODS.items()}
    word, colon, number = text.lower().replace("_", "-").partition(":")
    if check_choice(word, ["none", *methods], "pruning") == "none":
        return None
    try:
        return methods[word](float(number)) if colon else methods[word]()
    except ValueError as error:
        raise ValueError(f"--pruning {text}: {error}") from None


def _parse_threshold(text: str) -> Any:
    """Return the rule of a text; recall:0.8 is recall>=0.8, which a shell would redirect."""
    from rarewood.operating._rule_text import as_rule

    word = text.strip().lower()
    if word in ("none", "auto"):
        return None if word == "none" else word
    try:
        number = float(word)
    except ValueError:
        word = re.sub(r"^(recall|precision)[:=]", r"\1>=", word)
        return as_rule(re.sub(r"^alerts[:=]", "alerts<=", word))
    if not 0 <= number <= 1:
        raise ValueError(f"--threshold {text}: expected a probability between 0 and 1.")
    return number


def _lines(fitted: FittedModel) -> list[str]:
    """Return the lines about a fitted model."""
    from rarewood.operating._goals import rule_in_rows

    estimates = fitted.estimates
    counts, point = estimates.counts, estimates.point
    lines = [f"note: {text}" for text in fitted.warnings]
    if point is not None and not point.reached:
        lines.append(
            f"note: {rule_in_rows(point.rule)} is not reached; the closest threshold is used"
        )
    at = "most probable class"
    if point is not None:
        at = f"threshold {point.threshold:.4g} ({rule_in_rows(point.rule)})"
    lines += [
        f"fitted {_what(fitted)}",
        f"estimates on rows not used for training ({estimates.origin}):",
        f"  AUC {estimates.auc:.3f}, average precision {estimates.average_precision:.3f}",
        f"  {at}: F1 {_shown(counts.f())}, recall {_shown(counts.recall)} "
        f"({counts.tp:,} of {counts.n_positive:,} rows of class {fitted.pos_label}), "
        f"precision {_shown(counts.precision)}, {counts.alerts_per_1000:.1f} alerts per 1,000 rows",
    ]
    if point is not None:
        if point.n_bootstrap:
            lines.append(f"  expected on new rows: {achieved(point)}")
        lines += [f"  {text}" for text in _beside(point)]
    size = fitted.path.stat().st_size
    unit = f"{size / 2**20:.1f} MB" if size >= 2**20 else f"{max(1, size // 1024)} KB"
    lines.append(f"wrote {fitted.path} ({unit})")
    if fitted.entry is not None and not fitted.entry.is_own:
        lines.append(
            "predict, rules and explain open it with --trust-foreign only, since the readers of "
            "other packages are not hardened"
        )
    return lines


def _what(fitted: FittedModel) -> str:
    """Return the model in words: its trees, or its name for one of another package."""
    trees = fitted.trees
    if not trees and fitted.entry is not None:
        return fitted.entry.label
    n_leaves = sum(tree.get_n_leaves() for tree in trees)
    return f"{len(trees)} tree{'s' if len(trees) > 1 else ''} with {n_leaves:,} leaves"


def _beside(point: OperatingPoint) -> list[str]:
    """Return what decisions without a model cost, and a warning about the threshold."""
    from rarewood.operating import Confusion, LowestCost
    from rarewood.operating._extremes import alert_warning

    lines, counts = [], point.counts
    if isinstance(point.rule, LowestCost):
        n, n_rare, costs = counts.n_samples, counts.n_positive, point.rule.costs
        everyone = Confusion(n_rare, n - n_rare, 0, 0).cost_per_1000(costs)
        no_one = Confusion(0, 0, n_rare, n - n_rare).cost_per_1000(costs)
        lines.append(
            f"cost per 1,000 rows without a model: alert everyone {shown(everyone)}, alert no one "
            f"{shown(no_one)}"
        )
    if warning := alert_warning(counts):
        lines.append(f"note: {warning}")
    return lines


def _shown(value: float) -> str:
    return "undefined" if value != value else f"{value:.3f}"
