"""Cases that have failed once, reduced: one JSON file each, which ``make test`` checks again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from fuzz import TESTS
from fuzz.target import Case, Failure, Target

FOLDER = TESTS / "fuzz" / "corpus"


def store(target: Target, case: Case, failure: Failure, seed: int, number: int) -> Path:
    """Write a case, named after its target and content."""
    text = json.dumps(case, sort_keys=True)
    name = f"{target.name}-{hashlib.sha256(text.encode()).hexdigest()[:10]}.json"
    content = {
        "target": target.name,
        "found": f"seed {seed}, case {number}",
        "failure": failure.message[:300],
        "case": case,
    }
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text(_lines(content), encoding="utf-8")
    return FOLDER / name


def _lines(content: dict) -> str:
    """JSON with a line for each entry of the case."""
    entries = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in content["case"].items())
    head = ",\n".join(
        f"{json.dumps(k)}: {json.dumps(v)}" for k, v in content.items() if k != "case"
    )
    return f'{{\n{head},\n"case": {{\n{entries}\n}}\n}}\n'


def stored() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def read(path: Path) -> tuple[str, Case]:
    """Return the name of the target and the case."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return content["target"], content["case"]
