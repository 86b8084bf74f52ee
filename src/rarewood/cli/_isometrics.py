"""``rarewood isometrics``: a criterion drawn in ROC space."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rarewood.cli._errors import CommandError, check_writable

if TYPE_CHECKING:
    from rarewood.criteria import CriterionLike

__all__ = ["isometrics", "parse_criterion"]


def isometrics(
    criterion: Annotated[
        str, typer.Argument(help="A split criterion, such as hellinger, gini or alpha:0.7.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The picture: a .png, .svg or .pdf file.")
    ],
    skew: Annotated[
        str, typer.Option(metavar="A:B", help="Sizes of the rare and of the common class.")
    ] = "1:1",
) -> None:
    """Draw the lines on which a criterion finds all splits equally good."""
    chosen, sizes = parse_criterion(criterion), _skew(skew)
    place = check_writable(out)

    from rarewood import plot
    from rarewood.modelfile._atomic import replacing

    figure = plot.isometrics(chosen, skew=sizes).get_figure(root=True)
    assert figure is not None
    if place.suffix[1:].lower() not in figure.canvas.get_supported_filetypes():
        raise CommandError(f"{place.name}: pictures end in .png, .svg or .pdf.")
    with replacing(place, "the picture") as draft:
        figure.savefig(draft, format=place.suffix[1:].lower(), dpi=150, bbox_inches="tight")
    print(f"wrote {place}")


def parse_criterion(text: str) -> CriterionLike:
    """Return the criterion that a word means, such as hellinger or alpha:0.7."""
    from rarewood import criteria
    from rarewood.intake._errors import did_you_mean

    match = re.fullmatch(r"alpha[:(=]([\d.]+)\)?", text)
    if match:
        return criteria.Alpha(float(match[1]))
    known = list(criteria.names())
    if text not in known:
        hint = did_you_mean(text, known)
        raise CommandError(f"There is no criterion {text!r}.{hint} There are {', '.join(known)}.")
    return text


def _skew(text: str) -> tuple[float, float]:
    parts = text.replace(",", ":").split(":")
    try:
        rare, common = (float(part) for part in parts)
        if not (rare > 0 and common > 0):
            raise ValueError
    except ValueError:
        raise CommandError(f"--skew is two positive numbers, such as 1:10; got {text!r}.") from None
    return rare, common
