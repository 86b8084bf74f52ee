"""Names, descriptions and parameters of the criteria, read from the registry of the core."""

from __future__ import annotations

import difflib
from functools import cache
from typing import Any, NamedTuple

from rarewood import _core

ALIASES = {"log_loss": "entropy"}
"""Other names of criteria."""


class Description(NamedTuple):
    """Sentence, reference and parameters of a criterion."""

    summary: str
    reference: str
    parameters: tuple[dict[str, Any], ...]


class CriterionTable(dict[str, Description]):
    """Names of the criteria with their descriptions; prints as a table."""

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        lines = []
        for name, (summary, reference, parameters) in self.items():
            texts = [summary, *map(_in_words, parameters), f"[{reference}]"]
            labels = [name, *[""] * (len(texts) - 1)]
            lines += [f"{a:<{width}}  {b}" for a, b in zip(labels, texts, strict=True)]
        return "\n".join(lines)


def _in_words(parameter: dict[str, Any]) -> str:
    choices = parameter.get("choices")
    values = ", ".join(choices) if choices else f"{parameter['low']:g} to {parameter['high']:g}"
    return f"{parameter['name']} ({values}; {parameter['default']}): {parameter['summary']}"


@cache
def registry() -> CriterionTable:
    """Return the criteria with their descriptions, read once."""
    return CriterionTable(
        (entry["name"], Description(entry["summary"], entry["reference"], (*entry["parameters"],)))
        for entry in _core.criterion_entries()
    )


def names() -> list[str]:
    """Return the names of the criteria.

    Returns
    -------
    names : list of str
        Names that the parameter ``criterion`` of the estimators takes.

    Examples
    --------
    >>> from rarewood import criteria
    >>> "hellinger" in criteria.names()
    True
    """
    return list(registry())


def describe() -> CriterionTable:
    """Describe the criteria.

    Returns
    -------
    table : dict of str to Description
        ``summary``, ``reference`` and ``parameters`` of each criterion by name; ``print`` shows the
        whole table.

    Examples
    --------
    >>> from rarewood import criteria
    >>> criteria.describe()["alpha"].parameters[0]["high"]
    2.0
    """
    return CriterionTable(registry())


def canonical(name: str) -> str:
    """Return the name in the registry of a criterion; an error if there is none."""
    name, known = ALIASES.get(name, str(name)), names()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"Unknown criterion {name!r}.{hint} The criteria are: {', '.join(known)}.")
    return name
