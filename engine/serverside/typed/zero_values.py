"""Values after a round trip through Go types: nulls are dropped, and empty objects have fields."""

from __future__ import annotations

from ...values.go_json import decode
from ...values.plain import ABSENT
from .schema import List, Map
from .zero_value_tables import CREATION_TIME, FORMER_NULLS, fields_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .schema import Atom


def without_nulls(value: Any, atom: Atom | None) -> Any:
    """A value without null fields, except those that Go prints as null; the same value if there are none."""
    kind = type(value)
    if kind is dict:
        return _fields(value, atom.parts[dict] if atom else None)
    if kind is list:
        part = atom.parts[list] if atom else None
        inside = part.element if type(part) is List else None
        items = [without_nulls(item, inside) if type(item) in (dict, list) else item for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value


def _fields(value: dict[str, Any], part: Any) -> dict[str, Any]:
    result = value
    known = part if type(part) is Map else None
    for key, inner in value.items():
        kind = type(inner)
        if inner is None:
            if known is not None and key in known.nulls:
                continue
            new = ABSENT if known is None or key in known.names else _zero(known.values)
        elif kind is dict or kind is list:
            new = without_nulls(inner, known.atom(key) if known else None)
        else:
            continue
        if new is not inner:
            result = dict(value) if result is value else result
            if new is ABSENT:
                del result[key]
            else:
                result[key] = new
    return result


def _zero(atom: Atom | None) -> Any:
    """The Go zero value for a null under a free key; none for texts and quantities."""
    zero = atom.scalar.zero if atom is not None and atom.scalar is not None else None
    return ABSENT if zero is None else zero


def empty_object(api_version: str, kind: str, atom: Atom) -> dict[str, Any]:
    """The empty object of a built-in kind, with the fields of the release.

    A create is compared with it, and so is the object before its first apply. Fields in it are not new, so they
    have no owner.
    """
    document: dict[str, Any] = {"apiVersion": api_version, "kind": kind}
    for word in fields_of(api_version, kind):
        path, _, text = word.partition("=")
        _put(document, path.split("."), decode(text), atom)
    if kind in FORMER_NULLS:
        _put(document, FORMER_NULLS[kind].split("."), None, atom, is_former=True)
    return document


def _put(document: dict[str, Any], path: list[str], value: Any, atom: Atom, *, is_former: bool = False) -> None:
    for number, name in enumerate(path, 1):
        part = atom.parts[dict]
        inner = part.atom(name) if type(part) is Map else None
        if inner is None or type(part) is not Map:
            return
        if number == len(path):
            if is_former and name not in part.nulls:
                return
            is_metadata = inner.map is not None and CREATION_TIME in inner.map.nulls
            document[name] = {CREATION_TIME: None, **value} if is_metadata else value
        else:
            document, atom = document.setdefault(name, {}), inner
