"""How a comparison was made: protocol, versions, parameters, errors and warnings."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rarewood.evaluate._store import Cell
from rarewood.report._plain import plain


def describe_settings(cells: list[Cell], settings: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return protocol, versions, parameters, data fingerprint, and further settings."""
    versions: dict[str, str] = {"python": platform.python_version()}
    parameters: dict[str, str] = {}
    for cell in cells:
        versions |= cell.about.get("versions", {})
        parameters.setdefault(cell.model, str(cell.about.get("parameters", "")))
    _, n_splits, seed = (str(cells[0].about.get("protocol", "::")) + "::").split(":")[:3]
    return {
        "given": plain(settings or {}),
        "protocol": {
            "n_splits": int(n_splits or 1 + max(cell.fold for cell in cells)),
            "n_repeats": 1 + max(cell.repeat for cell in cells),
            "seed": int(seed) if seed else None,
        },
        "fingerprint": cells[0].about.get("data"),
        "versions": dict(sorted(versions.items())),
        "platform": f"{platform.system()} {platform.machine()}",
        "parameters": parameters,
    }


def describe_failures(cells: list[Cell]) -> list[dict[str, Any]]:
    """Return the distinct errors of models, with their numbers of folds."""
    errors = Counter(
        (cell.model, f"{cell.error_type}: {cell.error}") for cell in cells if cell.error_type
    )
    totals = Counter(cell.model for cell in cells)
    return [
        {"model": model, "error": error, "n": n, "n_folds": totals[model]}
        for (model, error), n in errors.items()
    ]


def describe_warnings(cells: list[Cell]) -> list[dict[str, Any]]:
    """Return the distinct warnings of models, with their numbers of folds."""
    found = Counter((cell.model, warning) for cell in cells for warning in cell.warnings)
    return [{"model": m, "warning": warning, "n": n} for (m, warning), n in found.items()]
