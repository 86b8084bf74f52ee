"""Write the stub of the compiled module, or check that the committed one is up to date.

Usage: ``python tools/stub.py`` writes ``src/rarewood/_core.pyi`` from the *installed* module;
``python tools/stub.py --check`` changes nothing and fails if the committed stub differs.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
STUB = TOOLS.parent / "src" / "rarewood" / "_core.pyi"
PATTERNS = TOOLS / "stub.patterns"


def generate() -> str:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "_core.pyi"
        options = ["-q", "-m", "rarewood._core", "-p", str(PATTERNS), "-o", str(output)]
        command = [sys.executable, "-m", "nanobind.stubgen", *options]
        subprocess.run(command, check=True, cwd=folder)
        return output.read_text(encoding="utf-8")


def main() -> None:
    fresh = generate()
    if "--check" not in sys.argv[1:]:
        STUB.write_text(fresh, encoding="utf-8")
        print(f"wrote {STUB}")
    elif not STUB.exists() or STUB.read_text(encoding="utf-8") != fresh:
        raise SystemExit(f"{STUB} does not match the compiled module: run `make stub`")


if __name__ == "__main__":
    main()
