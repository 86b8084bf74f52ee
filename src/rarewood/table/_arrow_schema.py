"""Whether the parts of a table have the same columns; the error says which differ, and where."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rarewood.table._arrow import arrow, fits_float32, is_missing_type, kind_of

__all__ = ["unify_schemas"]


def unify_schemas(before: Any, found: Any, first: str, name: str) -> Any:
    """Return the columns of the parts so far and of one more, which must be the same.

    The order of the columns may differ, and so may the ways in which texts and numbers are stored.
    A part in which a column has no values may not know its type.

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
        ``before``, with types that hold the values of the further part, too.
    """
    twice = sorted(one for one, n in Counter(found.names).items() if n > 1)
    if twice:
        raise ValueError(f"{name} has several columns named {twice[0]!r}: rename all but one.")
    if found.equals(before):
        return before
    lacking = [repr(one) for one in before.names if one not in found.names]
    more = [repr(one) for one in found.names if one not in before.names]
    fields, differing = [], []
    for field in before:
        other = found.field(field.name) if field.name in found.names else field
        fields.append(arrow().field(field.name, _wider(field.type, other.type)))
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
    return _held(a) is None or _held(b) is None or _held(a) == _held(b)


def _held(kind: Any) -> str | None:
    """What the values of a type are, in whichever way they are stored; None if there are none."""
    types = arrow().types
    if is_missing_type(kind):
        return None
    if types.is_dictionary(kind):
        return _held(kind.value_type)
    if types.is_boolean(kind) or kind_of(kind) is None:
        return str(kind)
    return "number" if kind_of(kind) == "numeric" else "text"


def _wider(a: Any, b: Any) -> Any:
    """The type that holds the values of both."""
    if is_missing_type(a) or is_missing_type(b):
        return b if is_missing_type(a) else a
    if a.equals(b) or kind_of(a) != "numeric" or kind_of(b) != "numeric":
        return a
    return arrow().float32() if fits_float32(a) and fits_float32(b) else arrow().float64()
