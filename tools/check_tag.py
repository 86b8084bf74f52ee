"""Check that a tag such as v0.1.0 is the version in src/rarewood/_version.py, and in CHANGELOG.md.

Usage: ``python tools/check_tag.py v0.1.0``.
"""

import re
import sys
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
    return found


if __name__ == "__main__":
    found = problems(sys.argv[1])
    sys.exit("\n".join(found) if found else None)
