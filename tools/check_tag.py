"""Check before an upload that a tag such as v0.1.0 agrees with the version and with the texts.

Usage: ``python tools/check_tag.py v0.1.0``.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def problems(tag: str) -> list[str]:
    source = (ROOT / "src/rarewood/_version.py").read_text(encoding="utf-8")
    version = re.search(r'__version__ = "(.+)"', source).group(1)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, the version in _version.py is {version}")
    if f"## [{version}]" not in changes:
        found.append(f"CHANGELOG.md has no section [{version}]")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if "Repository" not in project.get("urls", {}):
        found.append("pyproject.toml has no Repository in [project.urls]")
    found += [
        f"{page} says that the version is not on the package index yet"
        for page in ("README.md", "docs/install.md")
        if "not on the package index yet" in (ROOT / page).read_text(encoding="utf-8")
    ]
    return found


if __name__ == "__main__":
    found = problems(sys.argv[1])
    sys.exit("\n".join(found) if found else None)
