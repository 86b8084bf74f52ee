"""Consoles and tables of rich."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDE = 160  # for a file or a pipe, where nothing is cut off


def make_console(is_error: bool = False) -> Console:
    """Return a console for the standard output, or for the standard error stream."""
    from rich.console import Console

    stream = sys.stderr if is_error else sys.stdout
    width = None if stream.isatty() else _WIDE
    # Names of columns and classes are shown as they are: no markup, no emoji.
    return Console(
        stderr=is_error, width=width, highlight=False, soft_wrap=False, markup=False, emoji=False
    )


def say(text: str) -> None:
    """Print a sentence: broken between words on a terminal, one line elsewhere."""
    if sys.stdout.isatty():
        make_console().print(text)
    else:
        print(text)


def make_table(*headers: str, numbers: int = 1) -> Table:
    """Return a table; columns from number ``numbers`` on are right-aligned."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    for place, header in enumerate(headers):
        is_number = place >= numbers
        table.add_column(header, justify="right" if is_number else "left", no_wrap=is_number)
    return table


def stacked(name: str) -> str:
    """Return the name of a metric as the header of a narrow column."""
    return name.replace("_", "\n")
