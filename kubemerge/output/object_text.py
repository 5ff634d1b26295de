"""Objects as the YAML and JSON that kubectl prints, one or a List of them."""

from __future__ import annotations

import re
from itertools import chain

from ..apiserver.text.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


def without_managed_fields(one: dict[str, Any]) -> dict[str, Any]:
    """The object without managedFields, as kubectl prints it by default."""
    if "managedFields" not in (one.get("metadata") or ()):
        return one
    return {**one, "metadata": {key: value for key, value in one["metadata"].items() if key != "managedFields"}}


def with_managed_fields_of(live: dict[str, Any], one: dict[str, Any]) -> dict[str, Any]:
    """The object with the managedFields of the live one."""
    if "managedFields" not in live["metadata"]:
        return one
    return {**one, "metadata": {**one["metadata"], "managedFields": live["metadata"]["managedFields"]}}


def object_text(one: Any, form: str) -> str:
    """An object as YAML or JSON, with a line end."""
    if form == "json":
        return json_text(one) + "\n"
    from ..apiserver.text.yaml_out import dump

    return dump(one)


# ---- Lists --------------------------------------------------------------------------------------------------------

FOUND: dict[str, Any] = {"apiVersion": "v1", "items": [], "kind": "List", "metadata": {"resourceVersion": ""}}
"""The List that `kubectl get` prints, with its fields in JSON order."""
DONE: dict[str, Any] = {"kind": "List", "apiVersion": "v1", "metadata": {}, "items": []}
"""The List that `kubectl apply` prints as its result."""


def as_list(objects: Iterable[dict[str, Any]], form: str, empty: dict[str, Any] = FOUND) -> Iterator[str]:
    """The text of a List with these objects, piece by piece."""
    return (_list_as_json if form == "json" else _list_as_yaml)(objects, empty)


def _list_as_yaml(objects: Iterable[dict[str, Any]], empty: dict[str, Any]) -> Iterator[str]:
    found = iter(objects)
    first = next(found, None)
    for name in sorted(empty):
        if name == "items" and first is not None:
            yield "items:\n"
            yield from (object_text([one], "yaml") for one in chain((first,), found))
        else:
            yield object_text({name: empty[name]}, "yaml")


def _list_as_json(objects: Iterable[dict[str, Any]], empty: dict[str, Any]) -> Iterator[str]:
    before = "{"
    for name, value in empty.items():
        yield f'{before}\n    "{name}": '
        yield from _items(objects) if name == "items" else [_deeper(json_text(value))]
        before = ","
    yield "\n}\n"


def _items(objects: Iterable[dict[str, Any]]) -> Iterator[str]:
    before, end = "[", "[]"
    for one in objects:
        yield before + _deeper(_deeper("\n" + json_text(one)))
        before, end = ",", _deeper("\n]")
    yield end


def _deeper(text: str) -> str:
    return text.replace("\n", "\n    ")


# ---- JSON ---------------------------------------------------------------------------------------------------------


def json_text(value: Any) -> str:
    """An object as the JSON that kubectl prints: sorted, numbers in Go's form, `<`, `>` and `&` escaped."""
    from engine.values.go_json import encode

    return inert(laid_out(encode(value)))


_PIECE = r'"(?:[^"\\]|\\.)*"|[][{},:]|[^][{},:"\s]+'


def laid_out(text: str, indent: int = 4) -> str:
    """A JSON text with one value per line, and every number and escape unchanged."""
    parts: list[str] = []
    line = "\n"
    after_opening = False
    for piece in re.findall(_PIECE, text):
        closing = piece in ("}", "]")
        if closing:
            line = line[:-indent]
        if after_opening != closing:  # empty brackets stay on one line
            parts.append(line)
        parts.append(_SPACED.get(piece, piece))
        after_opening = piece in ("{", "[")
        if after_opening:
            line += " " * indent
        elif piece == ",":
            parts.append(line)
    return "".join(parts)


_SPACED = {":": ": "}
