"""``rarewood explain``: the explanation of one prediction."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any

import typer

from rarewood.cli import _options as opt
from rarewood.cli._console import make_console, make_table
from rarewood.cli._errors import note
from rarewood.cli._heartbeat import Heartbeat

_ROW = "Number of the row; 1 is the first. Repeatable."
_ROW_ID = "Value of the column that identifies the rows. Repeatable."
_ID = "Column of --row-id. Default: those that identified the rows in training."
_BAR = 20
_ROUNDING = 1e-5  # more than that of packages with 32-bit floats


class Format(StrEnum):
    """Formats of an explanation."""

    text = "text"
    json = "json"


def explain(
    model: opt.ModelFile,
    data: opt.Data,
    row: Annotated[list[int] | None, typer.Option("--row", "-r", min=1, help=_ROW)] = None,
    row_id: Annotated[list[str] | None, typer.Option(metavar="VALUE", help=_ROW_ID)] = None,
    id: Annotated[str | None, typer.Option(metavar="COL", help=_ID)] = None,
    top: Annotated[int, typer.Option(min=1, help="Number of columns and rules to show.")] = 10,
    depth: Annotated[
        int, typer.Option(min=1, help="Number of conditions of each rule of a forest.")
    ] = 3,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
    delimiter: opt.Delimiter = None,
    trust_foreign: opt.Trust = False,
) -> None:
    """Explain what a model predicts for one row of a table, or for several.

    For a tree: the path of the row from the root to its leaf. For a forest: the SHAP value of each
    column for the probability, and the strongest rules that hold for the row. For an oblique
    forest or a model of another package: the contribution of each column, and the rule of its
    surrogate.
    """
    from rarewood import workflow

    if not row and not row_id:
        raise ValueError("Choose rows with --row NUMBER or with --row-id VALUE.")
    with Heartbeat(f"reading {data}"):
        found = workflow.explain_rows(
            model,
            data,
            row or (),
            row_ids=row_id or (),
            id=id,
            n_rules=top,
            max_depth=depth,
            delimiter=opt.parse_delimiter(delimiter),
            trust_foreign=trust_foreign,
        )
    for text in found[0]["notes"]:
        note(f"note: {text}")
    found = [{key: one[key] for key in one if key != "notes"} for one in found]
    if form is Format.json:
        is_one = len(row or ()) == 1 and not row_id
        print(json.dumps(found[0] if is_one else found, indent=1, default=str))
        return
    for place, one in enumerate(found):
        if place:
            print()
        _show(one, top)


def _show(found: dict[str, Any], top: int) -> None:
    console = make_console()
    ids = "".join(f", {column} {value}" for column, value in found["ids"].items())
    console.print(f"row {found['row']:,} of {found['table']}{ids}")
    limit = "" if found["threshold"] is None else f" (threshold {found['threshold']:.4g})"
    console.print(
        f"prediction {found['prediction']}: probability of {found['pos_label']} "
        f"{found['probability']:.4f}{limit}"
    )
    if found["reasons"]:
        console.print(f"because {'; '.join(found['reasons'])}")
    if "path" in found:
        _show_path(console, found)
        return
    if "n_trees" in found:
        n_trees, votes = found["n_trees"], found["n_trees_above_half"]
        console.print(f"{votes} of {n_trees} trees vote for {found['pos_label']}")
    _show_shap_values(console, found, top)
    if "surrogate" in found:
        _show_surrogate(found)
    if "rules" in found:
        _show_rules(found)


def _show_path(console: Any, found: dict[str, Any]) -> None:
    label = found["pos_label"]
    table = make_table("path", "rows", f"{label}", f"probability of {label}")
    for step in found["path"]:
        table.add_row(
            step["condition"] or "all training rows",
            f"{step['n_samples']:,}",
            f"{step['n_positive']:,}",
            f"{step['probability']:.4f}",
        )
    console.print(table)


def _show_shap_values(console: Any, found: dict[str, Any], top: int) -> None:
    unit, method = found["unit"], found["method"]
    is_shap = method == "SHAP values"
    if unit != "probability" or not is_shap:
        console.print(f"contributions: {method}, of the {unit} of {found['pos_label']}")
    table = make_table("column", "value", "SHAP value" if is_shap else "change", "", numbers=2)
    table.columns[3].justify = "left"
    parts = found["shap_values"]
    largest = max((abs(part["shap_value"]) for part in parts), default=1.0)
    table.add_row("base value", "", f"{found['base_value']:.4f}", "")
    for part in parts[:top]:
        change = part["shap_value"]
        bar = ("+" if change > 0 else "-") * max(1, round(_BAR * abs(change) / largest))
        table.add_row(part["column"], _shown(part["value"]), f"{change:+.4f}", bar)
    if rest := parts[top:]:
        total = sum(part["shap_value"] for part in rest)
        table.add_row(f"{len(rest)} more columns", "", f"{total:+.4f}", "")
    name = "prediction" if unit == "probability" else unit
    table.add_row(name, "", f"{found['uncorrected']:.4f}", "")
    if unit == "probability" and abs(found["uncorrected"] - found["probability"]) > _ROUNDING:
        table.add_row("prediction after prior correction", "", f"{found['probability']:.4f}", "")
    console.print(table)


def _show_surrogate(found: dict[str, Any]) -> None:
    """Print the rule of the surrogate, and whether it decides as the model."""
    one, label = found["surrogate"], found["pos_label"]
    is_same = str(one["prediction"]) == str(found["prediction"])
    how = "" if one["agreement"] is None else f" ({one['agreement']:.1%} of held-out rows agree)"
    print(f"rule of the surrogate, a tree with ordinary splits that stands for the model{how}")
    print(f"   IF {one['rule']}")
    print(
        f"   THEN {one['prediction']}, {'as' if is_same else 'unlike'} the model; "
        f"{one['n_positive']:,} of {one['n_samples']:,} training rows are {label}"
    )


def _show_rules(found: dict[str, Any]) -> None:
    print(
        f"rules that hold for the row, at most {found['rule_depth']} conditions each (p-values "
        "of training rows are too small)"
    )
    for number, rule in enumerate(found["rules"], start=1):
        print(f"{number}. IF {rule['rule']}")
        print(
            f"   THEN {found['pos_label']} with {rule['probability']:.3f} ({rule['n_positive']} of "
            f"{rule['n_samples']} rows, lift {rule['lift']:.3g}, p {rule['p_value']:.2g})"
        )


def _shown(value: Any) -> str:
    if value is None:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
