"""Options of what counts: costs, a capacity or a recall, with one grammar in all commands."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated

import typer

_goal = partial(typer.Option, rich_help_panel="What counts")
_COST = (
    "Costs of a false positive and a false negative, and of a true positive if it costs or gains "
    "anything, such as fp=10,fn=500,tp=10."
)
_ALERTS = (
    "Capacity: alerts that can be handled in a day, with --rows-per-day; or a fraction of the "
    "rows, such as 2%."
)
_ROWS = "Rows in a day, of which --alerts are handled."
_RECALL = "Fraction of the rare rows to find, such as 0.9."
Cost = Annotated[str | None, _goal(metavar="fp=N,fn=N[,tp=N]", help=_COST)]
Alerts = Annotated[str | None, _goal(metavar="N|P%", help=_ALERTS)]
RowsPerDay = Annotated[float | None, _goal(metavar="N", help=_ROWS)]
Recall = Annotated[str | None, _goal(metavar="R", help=_RECALL)]


def parse_goal(
    cost: str | None, alerts: str | None, rows_per_day: float | None, recall: str | None
) -> str | None:
    """Return the rule of the options as text, such as "alerts<=50/2000"; None without any."""
    given = {"--cost": cost, "--alerts": alerts, "--recall": recall}
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise ValueError(f"{names[0]} and {names[1]} exclude each other: use one of them.")
    if rows_per_day is not None and alerts is None:
        raise ValueError("--rows-per-day needs --alerts: the alerts that are handled in a day.")
    if cost is not None:
        return _checked(f"cost:{cost.removeprefix('cost:')}", "--cost", cost)
    if recall is not None:
        return _checked(f"recall>={recall}", "--recall", recall)
    if alerts is None:
        return None
    word = alerts.strip()
    if not re.search(r"[%/]", word):
        if rows_per_day is None:
            raise ValueError(
                f"--alerts {word} needs --rows-per-day, the number of rows in a day; or give a "
                "fraction of the rows, such as --alerts 2%."
            )
        word = f"{word}/{rows_per_day:.15g}"
    elif rows_per_day is not None:
        raise ValueError(f"--alerts {word} is a fraction, which needs no --rows-per-day.")
    return _checked(f"alerts<={word}", "--alerts", alerts)


def _checked(text: str, option: str, given: str) -> str:
    from rarewood.operating._rule_text import as_rule

    try:
        as_rule(text)
    except ValueError as error:
        reason = str(error).split(" Rules are ")[0]
        expected = {
            "--cost": "costs such as fp=10,fn=500; a false negative must cost more than a true "
            "positive, and a false positive more than 0",
            "--alerts": "a number of alerts, no more than the rows of a day, or a fraction such as "
            "2%",
            "--recall": "a fraction above 0 and at most 1, such as 0.9",
        }
        detail = "" if reason.startswith("Unknown rule") else f" ({reason.rstrip('.')})"
        raise ValueError(f"{option} {given}: expected {expected[option]}{detail}.") from None
    return text
