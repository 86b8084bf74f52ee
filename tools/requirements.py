"""Print the requirements of one part of pyproject.toml, one a line, for `pip install -r`.

Usage: ``python tools/requirements.py build`` for the build's own requirements, or the name of an
extra. The Makefile uses it to prepare the environment before the project itself is built.
"""

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
# The build runs without isolation, so that it can reuse its folder: these two are then ours to get.
BUILD_TOOLS = ["cmake>=3.18", "ninja>=1.11"]


def requirements(part: str) -> list[str]:
    config = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    if part == "build":
        return config["build-system"]["requires"] + BUILD_TOOLS
    project = config["project"]
    extras = project["optional-dependencies"]
    if part not in extras:
        raise SystemExit(f"no such extra: {part}; there are {', '.join(extras)}")
    lines = []
    for line in extras[part]:
        own = re.fullmatch(rf"{project['name']}\[(\w+)\]", line)
        lines += requirements(own.group(1)) if own else [line]
    return lines


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1])))
