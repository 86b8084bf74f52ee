"""The folder of a run: what was asked, what was found, the results, and the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rarewood.cli._errors import CommandError, check_no_input
from rarewood.modelfile._atomic import replacing

__all__ = ["RunFolder"]


class RunFolder:
    """The files of a run.

    Parameters
    ----------
    path : Path
        The folder.

    Attributes
    ----------
    run, store, table, summary, report : Path
        ``run.json`` (what was asked and found), ``results.sqlite`` (every finished fit),
        ``results.csv``, ``summary.json`` and ``report.html``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run = path / "run.json"
        self.store = path / "results.sqlite"
        self.table = path / "results.csv"
        self.summary = path / "summary.json"
        self.report = path / "report.html"

    @property
    def files(self) -> list[Path]:
        """What a run writes; ``run.json`` comes first."""
        return [self.run, self.store, self.table, self.summary, self.report]

    def check(self, data: str) -> None:
        """Raise if a run here would write over the table that it reads, or over others' files."""
        for file in self.files:
            check_no_input(file, data)
        others = [file.name for file in self.files if file.exists()]
        if others and not self.run.is_file():
            raise CommandError(
                f"{self.path} is not the folder of a run, and has a file {others[0]}, which would "
                "be written over: choose another folder with --out."
            )

    def make(self) -> None:
        """Make the folder, if there is none."""
        self.path.mkdir(parents=True, exist_ok=True)

    @classmethod
    def find(cls, path: Path) -> RunFolder:
        """Return the folder of a run that exists, also if one of its files is named."""
        folder = cls(path.parent if path.is_file() else path)
        if not folder.path.is_dir():
            raise CommandError(
                f"There is no folder {path}. 'rarewood compare' makes one, and says which."
            )
        if not (folder.run.is_file() or folder.summary.is_file()):
            raise CommandError(
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
            raise CommandError(f"{path} is damaged: it is not JSON ({error}).") from error
        if not isinstance(found, dict):
            raise CommandError(f"{path} is damaged: it holds no names and values.")
        return found
