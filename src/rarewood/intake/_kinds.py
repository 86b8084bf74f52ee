"""Kind of a column: numbers, categories, dates, free text, identifiers, and others."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from rarewood.datasets._files import pandas

_MOST_CATEGORIES = 200  # a column with more distinct texts is free text
_FEW = 10  # so few distinct texts are categories even in a short table
_ROWS_FOR_IDS = 20  # values of a shorter table may be unique by chance
_ID_NAME = re.compile(
    r"(?:.*[_\W])?(?:id|ID|Id|idx|index|key|uuid|guid|rowid|rownum|row)|.*[a-z]I[Dd]|Unnamed: \d+"
)
_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?")
_FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y", "%m-%d-%Y")
_TIMES = ("", " %H:%M", " %H:%M:%S", "T%H:%M", "T%H:%M:%S")


def classify(column: Any) -> tuple[str, str]:
    """Return the kind of a column (see ``ColumnFinding``), and a reason or a warning if any."""
    types = pandas().api.types
    values = column.dropna()
    if not len(values):
        return "empty", "it has no values"
    first = set(map(type, values.head(50)))
    if types.is_bool_dtype(values) or first == {bool}:
        kind, remark = "boolean", ""
    elif types.is_numeric_dtype(column):
        kind, remark = _numbers(column, values)
    elif types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        return "date", "it contains dates"
    elif isinstance(column.dtype, pandas().CategoricalDtype) or first <= {str}:
        kind, remark = _texts(values)
    else:
        held = type(values.iloc[0]).__name__
        is_time = held == "time"
        words = "times" if is_time else f"values of type {held}"
        return "date" if is_time else "other", f"it contains {words}"
    if kind in ("numeric", "categorical", "boolean") and (values == values.iloc[0]).all():
        return "constant", f"all its values are {values.iloc[0]}"
    return kind, remark


def _numbers(column: Any, values: Any) -> tuple[str, str]:
    array = values.to_numpy(dtype=np.float64)
    is_whole = bool((array == np.trunc(array)).all())
    if not is_whole or len(array) < max(_ROWS_FOR_IDS, len(column)) or not values.is_unique:
        return "numeric", ""
    steps = np.diff(array)
    if _ID_NAME.fullmatch(str(column.name)) or (steps > 0).all() or (steps < 0).all():
        return "id", "its integers are unique, so it is probably an identifier"
    return "numeric", "its integers are unique: if it is an identifier, leave it out with --drop"


def _texts(values: Any) -> tuple[str, str]:
    """Return the kind of a column of texts from its distinct values and their counts."""
    counts = values.value_counts(sort=False)
    counts = counts[counts > 0]
    texts = counts.index.astype(str).to_series()
    n_distinct, n_values = len(texts), len(values)
    if _is_date(texts):
        return "date", "it contains dates"
    if n_values >= _ROWS_FOR_IDS and n_distinct == n_values:
        if texts.str.len().mean() > 40 or texts.str.contains(" ", regex=False).mean() > 0.5:
            return "text", "it is free text"
        return "id", "its texts are unique, so it is probably an identifier"
    if n_distinct > _FEW:
        is_number = pandas().to_numeric(texts, errors="coerce").notna().to_numpy()
        n_numbers = int(counts.to_numpy()[is_number].sum())
        if 0.9 * n_values < n_numbers < n_values:
            shown = ", ".join(map(repr, texts[~is_number].tolist()[:3]))
            return (
                "text",
                f"it contains numbers, but also {shown}; correct or remove these",
            )
    if n_distinct <= _FEW or (n_distinct <= _MOST_CATEGORIES and n_distinct <= n_values / 2):
        return "categorical", ""
    return "text", f"it is text with {n_distinct:,} distinct values"


def _is_date(texts: Any) -> bool:
    """Whether texts are dates, all in one format."""
    first = texts.head(200)
    return bool(first.map(lambda text: _DATE.fullmatch(text.strip()) is not None).all()) and (
        date_format(texts.head(2000)) is not None
    )


def date_format(values: Any) -> str | None:
    """Return the format of dates written as texts, or None if no known format fits all."""
    texts = as_texts(values.dropna()).drop_duplicates().str.strip()
    for time in _TIMES:
        for day in _FORMATS:
            try:
                pandas().to_datetime(texts, format=day + time)
            except (ValueError, TypeError):
                continue
            return day + time
    return None


def as_days(column: Any, style: str | None = None) -> Any:
    """Return dates as days since 1970, and times and durations as days.

    Texts are parsed in the format ``style``; those that do not match are missing.
    """
    pd = pandas()
    if pd.api.types.is_timedelta64_dtype(column):
        return column / pd.Timedelta(days=1)
    values = column.dropna()
    if len(values) and type(values.iloc[0]).__name__ == "time":
        return pd.to_timedelta(column.astype("string")) / pd.Timedelta(days=1)
    if not pd.api.types.is_datetime64_any_dtype(column):
        texts = column.astype("string").str.strip()
        pattern = style or "ISO8601"
        column = pd.to_datetime(texts, format=pattern, errors="coerce", utc=style is None)
    if getattr(column.dt, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    return ((column - pd.Timestamp(0)) / pd.Timedelta(days=1)).astype(float)


def as_texts(column: Any) -> Any:
    """Return the values of a column as texts; missing values stay missing."""
    plain = column.astype(object) if hasattr(column, "cat") else column
    return plain.astype("string")
