"""Drift: how a new table differs from that of a comparison."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewood._docstrings import documented
from rarewood.workflow._files import check_exists
from rarewood.workflow._run_folder import Plan, RunFolder

if TYPE_CHECKING:
    from rarewood.intake._prepare import PreparedTable
    from rarewood.workflow._comparison import Comparison

_MOST_ROWS = 100_000


@documented
def drift(
    run: str | os.PathLike[str] | Comparison,
    data: Any,
    *,
    model: str | None = None,
    delimiter: str | None = None,
) -> dict[str, Any]:
    """Compare a new table with the table of a comparison.

    Parameters
    ----------
    run : str, Path or Comparison
        A comparison that is finished: its folder, or the result of :func:`compare`.
    data : str, Path or DataFrame
        A table with the columns that the comparison used. With the target column, the rate of the
        rare class is known too.
    model : str, default=None
        The model whose score is compared; by default the recommended one.
    {delimiter}

    Returns
    -------
    drift : dict
        JSON-safe data. "sentence" says the result. "columns", the largest shift first: the
        Hellinger distance of the two tables ("shift", 0 to 1), a p-value of the chi-squared test
        with Holm correction, fractions of both tables in groups of the values, "n_unseen" values
        that the old table does not have (outside its range, for numbers). "score": the same for
        the score of the model, fitted on half of the old rows, over the other half and the new
        rows, with "alerts_per_1000" in both. "rare_rate": "old"; "actual", if the new table has
        labels; and the expected rate with a 95% interval under two assumptions: "by_values", only
        the values of the columns changed; "by_class", only the rate of the class changed.

    Examples
    --------
    >>> import tempfile
    >>> from rarewood import datasets, workflow
    >>> found = workflow.compare(
    ...     "wine", models=["hddt"], protocol="cv2", n_jobs=1, out=tempfile.mkdtemp()
    ... )
    >>> new = datasets.fetch("wine").X.assign(alcohol=lambda X: X["alcohol"] + 3)
    >>> shifted = workflow.drift(found, new)
    >>> shifted["columns"][0]["name"], shifted["columns"][0]["n_unseen"] > 100
    ('alcohol', True)
    """
    check_exists(data)
    folder = RunFolder.find(Path(run if isinstance(run, (str, os.PathLike)) else run.folder))
    about, summary = folder.read_json(folder.run), folder.read_json(folder.summary)
    if about.get("state") != "finished":
        raise ValueError(f"{folder.path} is not finished: run the comparison again, it resumes.")
    import numpy as np

    from rarewood.evaluate._inputs import as_tables
    from rarewood.intake import open_table
    from rarewood.report._drift import describe_drift
    from rarewood.workflow._models import find_model

    name = find_model(model).name if model else summary["verdict"]["recommended"]
    described = {one["name"]: one for one in summary["models"]}
    if name not in described:
        raise ValueError(f"{folder.path} has no model {name!r}: it has {', '.join(described)}.")
    plan = Plan(**about["plan"])
    prepared = plan.read()
    if about.get("key") != plan.key(prepared):
        raise ValueError(f"{plan.data} has changed since the comparison: run it again.")
    source = open_table(data, delimiter=delimiter)
    new, is_rare, n_rows = _new_rows(source, prepared, plan.random_state)
    table = as_tables({source.name: (prepared.X, prepared.y)})[0]
    number = table.classes.tolist().index(prepared.pos_label)
    entry = find_model(name)
    one = described[name]
    return describe_drift(
        replace(table, pos_index=number), new, is_rare, entry.make(),
        name=source.name, n_in_table=n_rows, label=entry.label, seed=plan.random_state,
        threshold=None if one["curve"] is None else (one["goal"] or one["best_f"])["threshold"],
        repeated=float(np.isin(_row_keys(new), _row_keys(prepared.X)).mean()),
    )  # fmt: skip


def _row_keys(X: Any) -> Any:
    """Return a hash of each row, by its values."""
    from rarewood.datasets._files import pandas

    kinds = {name: float for name in X.columns if X[name].dtype.kind in "iufb"}
    return pandas().util.hash_pandas_object(X.astype(kinds), index=False).to_numpy()


def _new_rows(source: Any, prepared: PreparedTable, seed: int) -> tuple[Any, Any, int]:
    """Return the features of the new rows, and which are rare if the table has the target.

    The third value is the number of rows of the table: from more than 100,000 some are drawn.
    """
    import numpy as np

    from rarewood.datasets._files import pandas
    from rarewood.intake import TableError, apply_recipe
    from rarewood.intake._errors import short_list
    from rarewood.intake._recipe import column_types
    from rarewood.workflow._features import spellings

    target, types = prepared.findings.target, column_types(prepared.recipe)
    if lacking := [name for name in types if name not in source.columns]:
        raise TableError(f"{source.name} lacks columns of the comparison: {short_list(lacking)}.")
    if target in source.columns:
        types = {**types, target: "text"}
    chunks = list(source.chunks(columns=types, types=types))
    if not sum(map(len, chunks)):
        raise TableError(f"{source.name} has no rows.")
    rows = pandas().concat(chunks, ignore_index=True)
    n_rows = len(rows)
    if n_rows > _MOST_ROWS:
        rows = rows.sample(_MOST_ROWS, random_state=seed).sort_index().reset_index(drop=True)
    is_rare = None
    if target in source.columns:
        labels = rows[target].dropna().astype(str).str.strip()
        is_rare = np.asarray(labels.isin(spellings(prepared.pos_label)))
    if is_rare is not None and not len(is_rare):
        is_rare = None
    return apply_recipe(prepared.recipe, rows), is_rare, n_rows
