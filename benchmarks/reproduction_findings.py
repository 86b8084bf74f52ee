"""What was found when the papers' tables were made again: texts for docs/reproduction.md."""

from __future__ import annotations

INTRODUCTION = ""
CELLS: dict[str, dict[str, str]] = {}
REMARKS: dict[str, tuple[str, ...]] = {}
