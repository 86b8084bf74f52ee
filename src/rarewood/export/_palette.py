"""Colours that stay apart for colour-blind readers, and which class has which."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["BLUE", "GREEN", "GREY", "INK", "VERMILION", "class_colors", "mixed"]

# The palette of Okabe and Ito.
BLUE, GREEN, VERMILION = "#0072B2", "#009E73", "#D55E00"
_FURTHER = ["#56B4E9", "#F0E442", "#CC79A7", "#E69F00", "#000000"]
GREY, INK = "#8C8C8C", "#222222"


def class_colors(sizes: ArrayLike) -> list[str]:
    """Return a colour for every class.

    Parameters
    ----------
    sizes : array-like of shape (n_classes,)
        Rows of every class.

    Returns
    -------
    colors : list of str
        Vermilion for the rarest class, blue for the most common one, then the others by size; from
        the ninth class on all are grey. The later one of two equally rare classes is the rarest.
    """
    sizes = np.asarray(sizes)
    order = np.argsort(-sizes, kind="stable")
    common = [BLUE, GREEN, *_FURTHER]
    colors = [GREY] * len(sizes)
    for place, number in enumerate(order[:-1][: len(common)]):
        colors[number] = common[place]
    colors[order[-1]] = VERMILION
    return colors


def mixed(colors: list[str], shares: ArrayLike, strength: float = 0.45) -> str:
    """Return the mean of some colours, by shares that add up to one, made pale.

    Parameters
    ----------
    colors : list of str
        Such as ``"#0072B2"``.
    shares : array-like of shape (n_colors,)
        How much of each.
    strength : float, default=0.45
        How far from white, between 0 and 1.

    Returns
    -------
    color : str
        Light enough for dark text on it.
    """
    parts: NDArray[np.float64] = np.array(
        [[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in colors], dtype=float
    )
    mean = 255 - strength * (255 - np.asarray(shares, dtype=float) @ parts)
    return "#" + "".join(f"{round(part):02X}" for part in mean)
