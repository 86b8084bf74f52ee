"""Colours that are safe for colour-blind readers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Palette of Okabe and Ito.
BLUE, GREEN, VERMILION = "#0072B2", "#009E73", "#D55E00"
_FURTHER = ["#56B4E9", "#F0E442", "#CC79A7", "#E69F00", "#000000"]
GREY, INK = "#8C8C8C", "#222222"
# Lines of several models on white; without yellow, which is too light.
SERIES = (BLUE, VERMILION, GREEN, "#CC79A7", "#E69F00", "#56B4E9", "#000000")


def class_colors(sizes: ArrayLike) -> list[str]:
    """Return a colour for each class, given the number of its samples.

    Vermilion is the rarest class (the later of equally rare ones), blue the most common one; the
    others follow by size, all grey beyond the palette.
    """
    sizes = np.asarray(sizes)
    order = np.argsort(-sizes, kind="stable")
    common = [BLUE, GREEN, *_FURTHER]
    colors = [GREY] * len(sizes)
    for place, number in enumerate(order[:-1][: len(common)]):
        colors[number] = common[place]
    colors[order[-1]] = VERMILION
    return colors


def mixed(colors: list[str], fractions: ArrayLike, strength: float = 0.45) -> str:
    """Return the mean of colours weighted by fractions, lightened to ``strength`` (0 is white)."""
    parts: NDArray[np.float64] = np.array(
        [[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in colors], dtype=float
    )
    mean = 255 - strength * (255 - np.asarray(fractions, dtype=float) @ parts)
    return "#" + "".join(f"{round(part):02X}" for part in mean)
