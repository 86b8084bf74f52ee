"""The folders of the core include each other in one direction only, as import-linter checks for
Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CORE = Path(__file__).parents[1] / "core"
# From the bottom up; folders of one level do not include each other.
LEVELS = (
    ("base",),
    ("table", "criterion"),
    ("model",),
    ("search", "rules", "explain"),
    ("grow",),
    ("cluster",),
    ("bind",),
)
LEVEL_OF = {folder: level for level, folders in enumerate(LEVELS) for folder in folders}
SOURCES = sorted(path for path in CORE.rglob("*") if path.suffix in (".hpp", ".cpp"))


def folder_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0]


def includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', path.read_text(), re.MULTILINE)


def own_includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE)


def test_every_source_lies_in_a_folder_of_its_stage():
    assert len(SOURCES) > 100
    assert [path.name for path in SOURCES if path.parent == CORE] == []
    assert {folder_of(path) for path in SOURCES} == set(LEVEL_OF)


@pytest.mark.parametrize("folder", LEVEL_OF)
def test_includes_go_down(folder):
    upward = [
        f"{path.relative_to(CORE)} includes {name}"
        for path in SOURCES
        if folder_of(path) == folder
        for name in own_includes(path)
        if (other := name.split("/")[0]) != folder and LEVEL_OF[other] >= LEVEL_OF[folder]
    ]
    assert upward == []


def test_includes_are_written_from_the_root_of_the_core():
    missing = [
        f"{path.relative_to(CORE)}: {name}"
        for path in SOURCES
        for name in own_includes(path)
        if not (CORE / name).is_file()
    ]
    assert missing == []


def test_python_is_seen_by_bind_only():
    found = [
        f"{path.relative_to(CORE)}: {name}"
        for path in SOURCES
        if folder_of(path) != "bind"
        for name in includes(path)
        if re.search(r"nanobind|python|numpy", name, re.IGNORECASE)
    ]
    assert found == []


@pytest.mark.parametrize("folder", LEVEL_OF)
def test_every_folder_opens_with_a_statement_that_names_its_files(folder):
    text = (CORE / folder / "README.md").read_text()
    assert "**In:**" in text
    assert "**Out:**" in text
    stems = {path.stem for path in SOURCES if folder_of(path) == folder}
    assert [stem for stem in sorted(stems) if not re.search(rf"\b{stem}\b", text)] == []
