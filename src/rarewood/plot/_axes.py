"""Axes and texts; the only module that imports matplotlib, when a figure is drawn."""

from __future__ import annotations

import re
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rarewood._imports import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pyplot() -> ModuleType:
    """Return matplotlib.pyplot."""
    module: ModuleType = require("matplotlib.pyplot", "rarewood.plot", "rarewood[plot]")
    return module


def axes_or_new(ax: Any, figsize: tuple[float, float], **options: Any) -> Axes:
    """Return the given axes, or those of a new figure."""
    plt = pyplot()
    if ax is None:
        ax = plt.subplots(figsize=figsize, layout="constrained", **options)[1]
    elif not hasattr(ax, "get_figure"):
        raise TypeError(f"ax must be matplotlib axes, got {ax!r}.")
    axes: Axes = ax
    return axes


def rectangle(x: float, y: float, width: float, height: float, **style: Any) -> Any:
    """Return a rectangle given its lower left corner; ``rounding`` is the radius of corners."""
    from matplotlib.patches import FancyBboxPatch, Rectangle

    rounding = style.pop("rounding", 0.0)
    if not rounding:
        return Rectangle((x, y), width, height, **style)
    shape = f"round,pad=0,rounding_size={rounding}"
    return FancyBboxPatch((x, y), width, height, boxstyle=shape, **style)


def text_width(text: str, size: float, is_bold: bool = False) -> float:
    """Return the width of a line of text in inches; ``size`` is the font size in points.

    It is a little wider than the outline, since letters are snapped to pixels on a screen.
    """
    family, weight = tuple(pyplot().rcParams["font.family"]), "bold" if is_bold else "normal"
    return 1.08 * _outline_width(plain(text), size, weight, family) / 72 if text.strip() else 0.0


@lru_cache(maxsize=4096)
def _outline_width(text: str, size: float, weight: str, family: tuple[str, ...]) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family=list(family), weight=weight, size=size)
    return float(TextPath((0, 0), text, prop=font).vertices[:, 0].max())


def plain(text: str) -> str:
    """Return a text with dollar signs escaped, which matplotlib would parse as mathematics."""
    return text.replace("$", r"\$")


def shortened(text: str, length: int) -> str:
    """Return a text on one line, shortened to a length with an ellipsis."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3].rstrip() + "..."


def wrapped(text: str, width: int, max_lines: int) -> list[str]:
    """Return the lines of a text, wrapped at spaces or after underscores, with an ellipsis."""
    lines = [""]
    for word in re.findall(r"[^_\s]*_+|[^_\s]+\s?|\s", " ".join(text.split())):
        for part in (word[i : i + width] for i in range(0, len(word), width)):
            if len((lines[-1] + part).rstrip()) > width:
                lines.append("")
            lines[-1] += part
    lines = [line.strip() for line in lines]
    if len(lines) <= max_lines:
        return lines
    return [*lines[: max_lines - 1], lines[max_lines - 1][: width - 4].rstrip() + " ..."]
