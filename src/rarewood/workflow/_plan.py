"""The plan of a comparison, stored in the folder of the run so that it can be repeated."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewood.evaluate import Protocol
    from rarewood.intake._prepare import PreparedTable

_PATTERN = re.compile(r"(?:(\d+)x(\d+)|cv(\d+)|(\d+)-?fold)", re.IGNORECASE)


def parse_protocol(text: str, random_state: int) -> Protocol:
    """Return the protocol of a text such as "5x2" (5 times 2-fold) or "cv10" (10-fold)."""
    from rarewood.evaluate import Protocol

    match = _PATTERN.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            f"Invalid `protocol` {text!r}; expected 5x2 for five times two-fold cross-validation, "
            "or cv10 for ten folds."
        )
    repeats, folds = match[1] or "1", match[2] or match[3] or match[4]
    try:
        return Protocol(int(folds), int(repeats), random_state)
    except ValueError as error:
        raise ValueError(f"Invalid `protocol` {text!r}: {error}") from None


@dataclass(frozen=True)
class Plan:
    """The table to read (a full path or the name of a data set) and the comparison to make."""

    data: str
    target: str | None
    pos_label: Any
    models: list[str]
    protocol: str
    metric: str
    random_state: int
    reading: dict[str, Any] = field(default_factory=dict)

    def read(self, data: Any = None) -> PreparedTable:
        """Read the table."""
        from rarewood.intake import prepare

        source = self.data if data is None else data
        seed = self.random_state
        return prepare(source, self.target, self.pos_label, seed=seed, **self.reading)

    def make_protocol(self) -> Protocol:
        """Return how the rows are split."""
        return parse_protocol(self.protocol, self.random_state)


def full_path(data: Any) -> str:
    """Return the path of a file that is valid in any folder, or the name of a data set."""
    if not isinstance(data, (str, Path)):
        return "table"
    path = Path(data).expanduser()
    return str(path.resolve()) if path.exists() else str(data)
