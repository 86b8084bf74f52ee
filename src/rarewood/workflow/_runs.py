"""The runs in a folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rarewood.workflow._run_folder import find_runs


@dataclass(frozen=True)
class Run:
    """A comparison in a folder; :func:`runs` describes the attributes."""

    path: Path
    state: str
    written: str
    data: str
    n_rows: int
    target: str
    pos_label: str
    protocol: str
    verdict: str | None


def runs(folder: str | os.PathLike[str] = ".") -> list[Run]:
    """Return the comparisons in a folder and in its "rarewood-runs", the newest first.

    Parameters
    ----------
    folder : str or Path, default="."
        The folder.

    Returns
    -------
    found : list of Run
        Attributes: ``path``, the folder to pass to :func:`report`; ``state``, "finished" or
        "unfinished"; ``written``, a time; ``data``, the path or the name of the table; ``n_rows``,
        ``target`` and ``pos_label``; ``protocol``; ``verdict``, a sentence, None if the run is not
        finished. Folders that cannot be read are left out.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rarewood import workflow
    >>> folder = Path(tempfile.mkdtemp())
    >>> found = workflow.compare(
    ...     "wine", models=["hddt"], protocol="cv2", n_jobs=1, out=folder / "first"
    ... )
    >>> [(run.path.name, run.n_rows, run.state) for run in workflow.runs(folder)]
    [('first', 178, 'finished')]
    """
    found = []
    for one in find_runs(Path(folder)):
        try:
            found.append(_run(one.path, one.read_json(one.run)))
        except (ValueError, KeyError, TypeError, OSError):  # damaged, or of something else
            continue
    return found


def _run(path: Path, about: dict[str, Any]) -> Run:
    plan, findings = about["plan"], about["findings"]
    return Run(
        path, about["state"], about["written"], plan["data"], int(findings["n_rows"]),
        findings["target"], findings["pos_label"], plan["protocol"], about.get("verdict"),
    )  # fmt: skip
