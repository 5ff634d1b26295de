"""Values of patch expressions as JSON."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from engine.values.guard import MAX_DEPTH

from ..cel.language.tree import Uint
from ..cel.library.conversions import text_of, type_name
from ..cel.meter import MAX_VALUES
from ..cel.values import (
    LISTS,
    MAPS,
    Duration,
    Optional,
    Struct,
    Time,
    TypeValue,
    depth_of,
    go_type,
    unshared_size,
    value_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_JSON = "JSONPath valueExpression evaluated to a type that could not marshal to JSON"
KEY_CONVERSIONS = {
    bool: "type conversion error from bool to 'string'",
    int: "unsupported type conversion from 'int' to string",
    Uint: "unsupported type conversion from 'uint' to string",
}
"""The errors for the keys of a map in JSON, by their types."""
LARGEST = 2**53 - 1
"""The largest integer that JSON holds exactly. Larger ones become texts."""


class PatchError(Exception):
    """A patch that cannot be applied."""


def plain_value(value: Any, *, as_json: bool = False, unsigned: bool = False) -> Any:
    """Return a value as JSON. `as_json`: it is the value of a JSON patch, where large integers are texts.

    `unsigned`: keep unsigned integers.
    """
    if isinstance(value, Struct):
        return {key: plain_value(one, as_json=as_json, unsigned=unsigned) for key, one in value.fields.items()}
    if isinstance(value, LISTS):
        return [plain_value(one, as_json=as_json, unsigned=unsigned) for one in value]
    if isinstance(value, MAPS):
        return {
            _key(key, as_json=as_json): plain_value(value_at(value, key), as_json=as_json, unsigned=unsigned)
            for key in value
        }
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (Duration, Time)):
        return text_of(value)
    if unsigned and type(value) is Uint:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(int(value)) if as_json and not -LARGEST <= value <= LARGEST else int(value)
    if isinstance(value, float) and as_json and value.is_integer() and abs(value) <= LARGEST:
        return int(value)
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, Optional) and as_json and value.there:
        return plain_value(value.value, as_json=as_json, unsigned=unsigned)
    return _other(value, as_json=as_json)


def _key(key: Any, *, as_json: bool) -> str:
    if isinstance(key, str):
        return key
    if as_json:
        raise PatchError(f"{NOT_JSON}: {KEY_CONVERSIONS[type(key)]}")
    raise PatchError(f'map key "{key}" is of type {go_type(key)}, not string')


def _other(value: Any, *, as_json: bool) -> str:
    """The name of a type. Other values are no JSON."""
    if not as_json:
        if isinstance(value, TypeValue):
            return value.name
        raise PatchError(f"unsupported type {go_type(value)}")
    if isinstance(value, Optional):
        why = "optional.none() dereference"
    elif isinstance(value, TypeValue):
        why = "type conversion not supported for 'type'"
    else:
        why = f"type conversion error from '{type_name(value).rpartition('.')[2]}' to '*structpb.Value'"
    raise PatchError(f"{NOT_JSON}: {why}")


def check_size(value: Any) -> None:
    """Raise PatchError for a patch with too many values. An expression can nest one list in itself many times."""
    try:
        size, depth = unshared_size(value), depth_of(value)
    except RecursionError:
        depth = size = MAX_DEPTH + 1
    if depth > MAX_DEPTH:
        raise PatchError(f"the patch is nested deeper than {MAX_DEPTH} levels")
    if size > MAX_VALUES:
        raise PatchError(f"the patch has more than {MAX_VALUES} values. Split it up")


def check_names(value: Struct) -> None:
    """Raise PatchError if the type names of nested structs do not match their fields."""
    wrong = list(_misnamed(value, value.kind))
    if wrong:
        raise PatchError("type mismatch: " + "\n".join(wrong))


def _misnamed(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, Struct):
        if value.kind != path:
            why = "which matches field name path from root Object type"
            yield f'unexpected type name "{value.kind}", expected "{path}", {why}'
        for key, one in value.fields.items():
            yield from _misnamed(one, f"{path}.{key}")
    elif isinstance(value, LISTS):
        for one in value:
            yield from _misnamed(one, path)
    elif isinstance(value, MAPS):
        for key in value:
            yield from _misnamed(value_at(value, key), path)
