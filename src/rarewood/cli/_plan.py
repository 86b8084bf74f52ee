"""What a comparison was asked to do: kept in the folder of the run, so that it can be repeated."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood.cli._errors import CommandError
from rarewood.cli._options import take_table

if TYPE_CHECKING:
    from rarewood.evaluate import Protocol
    from rarewood.intake import PreparedTable

__all__ = ["Plan", "parse_protocol"]

_PATTERN = re.compile(r"(?:(\d+)x(\d+)|cv(\d+)|(\d+)-?fold)", re.IGNORECASE)


def parse_protocol(text: str, seed: int) -> Protocol:
    """Return the protocol of a text such as "5x2" (5 times 2-fold) or "cv10" (10-fold)."""
    from rarewood.evaluate import Protocol

    match = _PATTERN.fullmatch(text.strip())
    if match is None:
        raise CommandError(
            f"--protocol is 5x2 for five times two-fold cross-validation, or cv10 for ten folds; "
            f"got {text!r}."
        )
    repeats, folds = match[1] or "1", match[2] or match[3] or match[4]
    try:
        return Protocol(int(folds), int(repeats), seed)
    except ValueError as error:
        raise CommandError(f"--protocol {text}: {error}") from None


@dataclass(frozen=True)
class Plan:
    """The table to read and the comparison to make.

    Attributes
    ----------
    data : str
        A file (its full path) or the name of a data set.
    target, rare, reading : str, str, dict
        What to predict, and how to read the table; see ``_options.take_table``.
    models : list of str
        Names.
    protocol, metric, seed : str, str, int
        How models are judged.
    """

    data: str
    target: str | None
    rare: str | None
    models: list[str]
    protocol: str = "5x2"
    metric: str = "average_precision"
    seed: int = 0
    reading: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: str, **more: Any) -> Plan:
        """Return a plan that can be followed from any folder."""
        path = Path(data).expanduser()
        return cls(data=str(path.resolve()) if path.exists() else data, **more)

    def take(self) -> PreparedTable:
        """Read the table."""
        return take_table(self.data, self.target, self.rare, seed=self.seed, **self.reading)

    def make_protocol(self) -> Protocol:
        """Return how the rows are split."""
        return parse_protocol(self.protocol, self.seed)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)
