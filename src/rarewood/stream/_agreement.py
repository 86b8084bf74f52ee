"""Whether the parts of a table have the same columns; the error says which differ, and where."""

from __future__ import annotations

from typing import Any

from rarewood.stream._arrow import arrow, is_missing_type, kind_of

__all__ = ["agreed_schema"]


def agreed_schema(before: Any, found: Any, first: str, name: str) -> Any:
    """Return the columns of the parts so far and of one more, which must be the same.

    The order of the columns may differ, and so may the ways in which texts are stored. A part in
    which a column has no values may not know its type.

    Parameters
    ----------
    before : pyarrow.Schema
        What the parts so far agree on.
    found : pyarrow.Schema
        The columns of a further part.
    first, name : str
        What messages call the first part, and this one.

    Returns
    -------
    schema : pyarrow.Schema
        ``before``, with types for columns that had no values so far.
    """
    twice = sorted({one for one in found.names if found.names.count(one) > 1})
    if twice:
        raise ValueError(f"{name} has several columns named {twice[0]!r}: rename all but one.")
    lacking = [repr(one) for one in before.names if one not in found.names]
    more = [repr(one) for one in found.names if one not in before.names]
    fields, differing = [], []
    for field in before:
        other = found.field(field.name) if field.name in found.names else field
        fields.append(other if is_missing_type(field.type) else field)
        if not _is_same(field.type, other.type):
            differing.append(f"{field.name!r} is {other.type} and was {field.type}")
    if lacking or more or differing:
        parts = [f"it lacks {', '.join(lacking)}"] * bool(lacking)
        parts += [f"it also has {', '.join(more)}"] * bool(more)
        raise ValueError(
            f"{name} has other columns than {first}: {'; '.join([*parts, *differing])}. All parts "
            "of a table need the same columns: convert it, or leave it out."
        )
    return arrow().schema(fields, metadata=before.metadata)


def _is_same(a: Any, b: Any) -> bool:
    if a.equals(b) or is_missing_type(a) or is_missing_type(b):
        return True
    return _values(a).equals(_values(b))


def _values(kind: Any) -> Any:
    """The type of the values, where there are several ways to store them."""
    pa = arrow()
    if pa.types.is_dictionary(kind):
        return _values(kind.value_type)
    is_text = kind_of(kind) == "nominal" and not pa.types.is_boolean(kind)
    return pa.string() if is_text else kind
