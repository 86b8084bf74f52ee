"""Values of columns by kind, as users and their databases write them, and as an attacker would."""

from __future__ import annotations

from typing import Any

from fuzz.draw import Draw

NAMES = [
    "x", "y", "age", "Age", " age", "class", "label", "", "a,b", 'q"uote', "new\nline", "é",
    "x" * 90, "=1+1", "1", "nan", "rowid", "weight", "x", "\ufeff", "a\tb", "None",
]  # fmt: skip
TEXTS = [
    "a", "b", "red", "", " ", "NA", "nan", "null", "?", "None", "yes", "no", "True", "false",
    "it's", '"', ",", ";", "\t", "\n", "\r\n", "é", "\u2028", "😀", "=cmd()", "1e5", "0x10", "1,5",
    "1.234,5", "10%", "$5", "2020-01-01", "-", "+", "x" * 300, "inf", "-inf", "1_000", " 3",
    "3 ", "٣",
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 3, 0.5, -2.5, 1e308, -1e308, 5e-324, 2**53, 2**62, float("inf"),
           float("-inf"), float("nan")]  # fmt: skip
# kind -> drawn value; the file formats turn it into their types
KINDS: dict[str, Any] = {
    "number": lambda d: round(d.gauss(0, 1), 2),
    "whole": lambda d: d.integer(-3, 9),
    "hostile number": lambda d: d.pick(NUMBERS),
    "text": lambda d: d.pick(["red", "green", "blue"]),
    "hostile text": lambda d: d.pick(TEXTS),
    "bool": lambda d: d.chance(0.5),
    "date": lambda d: f"20{d.integer(10, 30)}-{d.integer(1, 12):02}-{d.integer(1, 28):02}",
    "id": lambda d: d.integer(0, 10**12),
    "constant": lambda d: 7,
    "nothing": lambda d: None,
    "mixed": lambda d: d.pick([d.pick(TEXTS), d.pick(NUMBERS), d.integer(0, 3), None]),
}


def draw_columns(d: Draw) -> dict[str, Any]:
    """Names, kinds and values of columns, and which of them is the target."""
    n = d.small(0, 40) if d.chance(0.1) else d.integer(8, 40)
    n_columns = d.integer(1, 5)
    kinds = [d.pick(list(KINDS)) for _ in range(n_columns)]
    columns = [[None if d.chance(0.08) else KINDS[kind](d) for _ in range(n)] for kind in kinds]
    names = [d.pick(NAMES) if d.chance(0.3) else f"x{j}" for j in range(n_columns)]
    if d.chance(0.85):  # a target that can be used
        labels = d.pick([["yes", "no"], [0, 1], ["a", "b", "c"], [True, False], [1.5, 2.5]])
        names.append("target")
        kinds.append("text")
        columns.append(d.many(labels, n))
    target = "target" if "target" in names and d.chance(0.95) else d.pick([*names, "missing"])
    return {"names": names, "kinds": kinds, "columns": columns, "target": target}
