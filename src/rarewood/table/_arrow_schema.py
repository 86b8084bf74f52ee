"""Arrow schemas of the parts of a table: they must agree, and errors name what differs."""

from __future__ import annotations

from typing import Any

from rarewood.table._arrow import arrow, fits_float32, is_missing_type, kind_of
from rarewood.table._checks import check_unique_names


def unify_schemas(before: Any, found: Any, first: str, name: str) -> Any:
    """Return a schema that holds the values of the parts so far and of one more.

    The columns must be the same, in any order; text and numbers may be stored in different types,
    and a column without values in one part may have no type there. ``first`` and ``name`` are what
    messages call the first part and this one.
    """
    check_unique_names(found.names, name)
    if found.equals(before):
        return before
    lacking = [repr(one) for one in before.names if one not in found.names]
    more = [repr(one) for one in found.names if one not in before.names]
    fields, differing = [], []
    for field in before:
        other = found.field(field.name) if field.name in found.names else field
        fields.append(arrow().field(field.name, _wider(field.type, other.type)))
        if len({_held(field.type), _held(other.type)} - {None}) > 1:
            differing.append(f"{field.name!r} is {other.type} and was {field.type}")
    if lacking or more or differing:
        parts = [f"it lacks {', '.join(lacking)}"] * bool(lacking)
        parts += [f"it also has {', '.join(more)}"] * bool(more)
        raise ValueError(
            f"{name} has other columns than {first}: {'; '.join([*parts, *differing])}. All parts "
            "of a table need the same columns: convert it, or leave it out."
        )
    return arrow().schema(fields, metadata=before.metadata)


def _held(kind: Any) -> str | None:
    """Return what values of a type are, however they are stored; None for the null type."""
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
