"""README.md as the page of the package index, which resolves no relative links.

The build calls `dynamic_metadata` (`tool.dynamic-metadata` in pyproject.toml). If `[project.urls]`
has a `Repository`, links and pictures point to its files at the tag of the version, in the layout
of GitHub; otherwise links become plain text, and pictures become their descriptions.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

README = Path(__file__).parent.parent / "README.md"

RELATIVE = r"(?![a-z]+:|#)"
PICTURE = re.compile(rf'<img src="{RELATIVE}(?P<file>[^"]+)"(?P<rest>[^>]* alt="(?P<alt>[^"]*)">)')
# The text of a link may contain a picture, such as a badge.
LINK = re.compile(
    r"(?P<mark>!?)\[(?P<text>(?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*)\]"
    rf"\({RELATIVE}(?P<file>[^)\s]+)\)"
)


def page(text: str, repository: str | None, tag: str) -> str:
    """Return Markdown without relative targets."""

    def picture(match: re.Match[str]) -> str:
        if repository is None:
            return f"*{match['alt']}*"
        return f'<img src="{repository}/raw/{tag}/{match["file"]}"{match["rest"]}'

    def link(match: re.Match[str]) -> str:
        mark, words, file = match["mark"], match["text"], match["file"]
        if repository is None:
            return f"*{words}*" if mark else words
        return f"{mark}[{words}]({repository}/{'raw' if mark else 'blob'}/{tag}/{file})"

    parts = text.split("```")  # every second part is code
    parts[::2] = [LINK.sub(link, PICTURE.sub(picture, part)) for part in parts[::2]]
    return "```".join(parts)


def dynamic_metadata(settings: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field `readme`; the version is in `project` already."""
    repository = project.get("urls", {}).get("Repository")
    tag = "main" if "dev" in project["version"] else f"v{project['version']}"
    text = page(README.read_text(encoding="utf-8"), repository, tag)
    return {"readme": {"content-type": "text/markdown", "text": text}}
