"""Run the Python code of Markdown files, so that what the reader copies is known to work.

Usage: ``python tools/run_examples.py README.md docs/*.md``. The ``python`` blocks of one file run
in order and share their names. What they print is not shown; the first error stops the run with
the file and line.
"""

import io
import os
import re
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    blocks = list(BLOCK.finditer(text))
    for block in blocks:
        first_line = text.count("\n", 0, block.start(1))
        code = compile("\n" * first_line + block.group(1), str(path), "exec")
        with redirect_stdout(io.StringIO()):
            exec(code, names)
    return len(blocks)


def main() -> None:
    paths = [Path(argument).resolve() for argument in sys.argv[1:]]
    os.environ.pop("RAREWOOD_DATA", None)  # the reader has no folder of further data sets
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for path in paths:
            print(f"{path.name}: ran {run(path)} blocks")


if __name__ == "__main__":
    main()
