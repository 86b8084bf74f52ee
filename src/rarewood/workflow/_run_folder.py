"""The folder of a comparison: its plan, the results, and the report."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood.modelfile._atomic import replacing
from rarewood.workflow._files import check_not_input

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


class RunFolder:
    """The files of a run: run.json, results.sqlite, results.csv, summary.json and report.html."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run = path / "run.json"  # the plan, and what was found in the table
        self.store = path / "results.sqlite"  # every finished fit
        self.table = path / "results.csv"
        self.summary = path / "summary.json"
        self.report = path / "report.html"
        self.files = [self.run, self.store, self.table, self.summary, self.report]

    def check(self, data: object) -> None:
        """Raise if a run here would overwrite its own table, or files of others."""
        for file in self.files:
            check_not_input(file, data)
        others = [file.name for file in self.files if file.exists()]
        if others and not self.run.is_file():
            raise ValueError(
                f"{self.path} is not the folder of a run and contains {others[0]}, which would be "
                "overwritten; choose another folder with `out`."
            )

    @classmethod
    def find(cls, path: Path) -> RunFolder:
        """Return the folder of a run that exists, also if one of its files is named."""
        folder = cls(path.parent if path.is_file() else path)
        if not folder.path.is_dir():
            raise FileNotFoundError(f"There is no folder {path}; 'rarewood compare' creates one.")
        if not (folder.run.is_file() or folder.summary.is_file()):
            raise ValueError(
                f"{path} is not the folder of a run: it has neither run.json nor summary.json."
            )
        return folder

    def write_json(self, path: Path, content: Any) -> None:
        """Write plain data; the file is there whole or not at all."""
        self.write_text(path, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False))

    def write_text(self, path: Path, text: str) -> None:
        """Write a text; the file is there whole or not at all."""
        with replacing(path) as draft:
            draft.write_text(text, encoding="utf-8")

    def read_json(self, path: Path) -> dict[str, Any]:
        """Return the plain data of a file."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} is damaged: it is not JSON ({error}).") from error
        if not isinstance(found, dict):
            raise ValueError(f"{path} is damaged: it is not a JSON object.")
        return found
