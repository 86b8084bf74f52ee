"""The folder of a comparison: its plan, the results, and the report.

Folders are named by what they are: table, protocol, sample, and a hash of the data and the splits.
A run therefore never replaces the report of another table, sample or protocol.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood.workflow._files import check_not_input

if TYPE_CHECKING:
    from rarewood.evaluate import Protocol
    from rarewood.intake._prepare import PreparedTable

RUNS = Path("rarewood-runs")  # in the working folder
LATEST = "latest"
_PATTERN = re.compile(r"(?:(\d+)x(\d+)|cv(\d+)|(\d+)-?fold)", re.IGNORECASE)


def check_protocol(text: str) -> tuple[int, int]:
    """Return the numbers of folds and repeats of "5x2" (5 times 2-fold) or "cv10" (10-fold)."""
    match = _PATTERN.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            f"Invalid `protocol` {text!r}; expected 5x2 for five times two-fold cross-validation, "
            "or cv10 for ten folds."
        )
    repeats, folds = int(match[1] or "1"), int(match[2] or match[3] or match[4])
    if folds < 2 or repeats < 1:
        raise ValueError(
            f"Invalid `protocol` {text!r}: it needs at least 2 folds and 1 repeat, such as 5x2."
        )
    return folds, repeats


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
    goal: str | None = None
    quick: bool = False
    cases: bool = True
    reading: dict[str, Any] = field(default_factory=dict)

    def read(self, data: Any = None) -> PreparedTable:
        """Read the table."""
        from rarewood.intake import prepare

        source = self.data if data is None else data
        seed = self.random_state
        return prepare(source, self.target, self.pos_label, seed=seed, **self.reading)

    def make_protocol(self) -> Protocol:
        """Return how the rows are split."""
        from rarewood.evaluate import Protocol

        return Protocol(*check_protocol(self.protocol), self.random_state)

    def key(self, prepared: PreparedTable) -> str:
        """Return a hash of the rows, the columns, the labels and the splits."""
        from rarewood.evaluate._fingerprint import data_fingerprint, digest

        data = data_fingerprint(prepared.X, prepared.y, prepared.pos_label)
        return str(digest(data, self.make_protocol().key, self.protocol.strip().lower()))

    def default_folder(self, prepared: PreparedTable) -> Path:
        """Return the folder of the run: the same for the same data and splits, so it resumes."""
        from rarewood.intake._open import SUFFIXES

        base = Path(self.data).name
        suffix = max((s for s in SUFFIXES if base.lower().endswith(s)), key=len, default="")
        base = re.sub(r"[^0-9A-Za-z_.-]+", "_", base[: len(base) - len(suffix)]) or "table"
        folds, repeats = check_protocol(self.protocol)
        parts = [base, f"{repeats}x{folds}" if repeats > 1 else f"cv{folds}"]
        if sample := self.reading.get("sample"):
            parts.append(f"sample{sample}")
        return RUNS / "-".join([*parts, self.key(prepared)[:6]])


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

    def check(self, data: object, key: str | None = None) -> None:
        """Raise if a run here would overwrite its own table, or files of others.

        ``key`` is that of the run, which must not replace a run with another one.
        """
        for file in self.files:
            check_not_input(file, data)
        if key is not None and self.run.is_file() and self.read_json(self.run).get("key") != key:
            raise ValueError(
                f"{self.path} has a run on another table, sample, class, protocol or seed, which "
                "would be replaced; choose another folder with `out`."
            )
        others = [file.name for file in self.files if file.exists()]
        if others and not self.run.is_file():
            raise ValueError(
                f"{self.path} is not the folder of a run and contains {others[0]}, which would be "
                "overwritten; choose another folder with `out`."
            )

    @classmethod
    def find(cls, path: Path) -> RunFolder:
        """Return the folder of a run: also if one of its files is named, or "latest"."""
        if str(path) == LATEST and not path.exists():
            path = latest_run()
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
        from rarewood.modelfile._atomic import replacing

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

    def mark_latest(self) -> None:
        """Let "latest", beside this folder, point to it, where the system has symbolic links."""
        link = self.path.parent / LATEST
        if self.path.parent.name != RUNS.name or (link.exists() and not link.is_symlink()):
            return
        with suppress(OSError):
            link.unlink(missing_ok=True)
            link.symlink_to(self.path.name, target_is_directory=True)


def find_runs(folder: Path = Path()) -> list[RunFolder]:
    """Return the runs in a folder and in its "rarewood-runs", the newest first."""
    places = [folder, folder / RUNS.name]
    found = {
        file.parent.resolve(): RunFolder(file.parent)
        for place in places
        if place.is_dir()
        for file in place.glob("*/run.json")
        if not file.parent.is_symlink()
    }
    return sorted(found.values(), key=lambda one: one.run.stat().st_mtime, reverse=True)


def latest_run(folder: Path = Path()) -> Path:
    """Return the folder of the newest run."""
    found = find_runs(folder)
    if not found:
        raise FileNotFoundError(
            f"There is no run in {folder.resolve()} or its folder {RUNS}; 'rarewood compare' makes "
            "one."
        )
    return found[0].path
