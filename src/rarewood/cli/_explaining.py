"""An explanation of a row as plain data, and how it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewood.cli._model import LoadedModel

__all__ = ["explanation", "show"]

_BAR = 20
_ROUNDING = 1e-9


def explanation(loaded: LoadedModel, features: Any, top: int, depth: int) -> dict[str, Any]:
    """Return why a model says what it says of one row; JSON-safe but for labels."""
    from rarewood.explain import contributions, path_steps, rules_for

    classifier, rare = loaded.classifier, loaded.rare
    proba = loaded.scorer.predict_proba(features)
    parts = contributions(classifier, features, target=rare)
    names = _column_names(loaded)
    order = sorted(range(len(names)), key=lambda k: -abs(parts.values[0, k]))
    found: dict[str, Any] = {
        "prediction": loaded.decide(proba).tolist()[0],
        "rare_class": rare,
        "probability": float(proba[0, loaded.rare_number]),
        "threshold": loaded.threshold,
        "prior": parts.prior,
        "uncorrected": float(parts.probability[0]),
        "contributions": [
            {
                "column": names[k],
                "value": _plain(features, k),
                "contribution": float(parts.values[0, k]),
            }
            for k in order
            if parts.values[0, k] != 0
        ],
        "top": top,
    }
    if hasattr(classifier, "tree_"):
        steps = path_steps(classifier, features, target=rare)
        return found | {"path": [vars(step) for step in steps]}
    views = classifier.forest_.trees
    leaves = classifier.apply(features)[0]
    votes = [
        float(v.probabilities[leaf, loaded.rare_number])
        for v, leaf in zip(views, leaves, strict=True)
    ]
    rules = rules_for(classifier, features, target=rare, max_depth=depth)[:top]
    columns = {"rule": "rule", "support": "n_rows", "probability": "probability",
               "lift": "lift", "p_value": "p_value", "n_trees": "n_trees"}  # fmt: skip
    hits = rules.counts[:, loaded.rare_number].tolist()
    return found | {
        "n_trees": len(votes),
        "rule_depth": depth,
        "n_trees_above_half": sum(vote > 0.5 for vote in votes),
        "rules": [
            {"n_target": hit, **{to: _number(rules[name][i]) for name, to in columns.items()}}
            for i, hit in enumerate(hits)
        ],
    }


def _column_names(loaded: LoadedModel) -> list[str]:
    names = [column["name"] for column in loaded.facts["columns"]]
    return [f"column {k}" if name is None else name for k, name in enumerate(names)]


def _plain(features: Any, k: int) -> Any:
    value = features.iloc[0, k] if hasattr(features, "iloc") else features[0, k]
    value = value.item() if hasattr(value, "item") else value
    return None if value is None or value != value else value


def _number(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def show(found: dict[str, Any], name: str) -> None:
    """Print an explanation."""
    from rarewood.cli._console import make_console

    console = make_console()
    ids = "".join(f", {column} {value}" for column, value in found["ids"].items())
    console.print(f"row {found['row']:,} of {name}{ids}")
    limit = "" if found["threshold"] is None else f", predicted from {found['threshold']:.4g} on"
    console.print(
        f"prediction {found['prediction']}: the probability of {found['rare_class']} is "
        f"{found['probability']:.4f}{limit}"
    )
    if "path" in found:
        _show_path(console, found)
        return
    console.print(f"{found['n_trees']} trees, {found['n_trees_above_half']} of them above one half")
    _show_contributions(console, found)
    _show_rules(found)


def _show_path(console: Any, found: dict[str, Any]) -> None:
    from rarewood.cli._console import make_table

    rare = found["rare_class"]
    table = make_table("way through the tree", "rows", f"{rare}", f"probability of {rare}")
    for step in found["path"]:
        table.add_row(
            step["condition"] or "all training rows",
            f"{step['n_rows']:,}",
            f"{step['n_target']:,}",
            f"{step['probability']:.4f}",
        )
    console.print(table)


def _show_contributions(console: Any, found: dict[str, Any]) -> None:
    from rarewood.cli._console import make_table

    table = make_table("column", "value", "moves the probability by", "", numbers=2)
    table.columns[3].justify = "left"
    parts = found["contributions"]
    largest = max((abs(part["contribution"]) for part in parts), default=1.0)
    table.add_row("any row", "", f"{found['prior']:.4f}", "")
    for part in parts[: found["top"]]:
        change = part["contribution"]
        bar = ("+" if change > 0 else "-") * max(1, round(_BAR * abs(change) / largest))
        table.add_row(part["column"], _shown(part["value"]), f"{change:+.4f}", bar)
    rest = parts[found["top"] :]
    if rest:
        total = sum(part["contribution"] for part in rest)
        table.add_row(f"{len(rest)} more columns", "", f"{total:+.4f}", "")
    table.add_row("this row", "", f"{found['uncorrected']:.4f}", "")
    if abs(found["uncorrected"] - found["probability"]) > _ROUNDING:
        table.add_row("for the true prior", "", f"{found['probability']:.4f}", "")
    console.print(table)


def _show_rules(found: dict[str, Any]) -> None:
    rare = found["rare_class"]
    print(
        f"rules that hold for the row, the first {found['rule_depth']} conditions of each way "
        "(p-values of training rows are too small)"
    )
    for number, rule in enumerate(found["rules"], start=1):
        print(f"{number}. IF {rule['rule']}")
        print(
            f"   THEN {rare} with {rule['probability']:.3f} ({rule['n_target']} of "
            f"{rule['n_rows']} rows, lift {rule['lift']:.3g}, p {rule['p_value']:.2g})"
        )


def _shown(value: Any) -> str:
    if value is None:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
