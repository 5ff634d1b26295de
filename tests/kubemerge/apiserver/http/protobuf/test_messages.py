"""The table of messages agrees with the OpenAPI document of the same release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.apiserver.http.protobuf.messages import INLINE, LIST, MAP, STRUCT, Field, Message, message_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema

TABLES = engine.load("1.37")
SENT = sorted(
    key for key in TABLES.kinds() if not key[1].endswith("List") and key[1] not in ("DeleteOptions", "WatchEvent")
)


def flat(message: Message) -> Iterator[Field]:
    """The fields of a message, including the fields of embedded structs."""
    for field in message.content.fields.values():
        if field.form == INLINE:
            yield from flat(field.read)
        else:
            yield field


def inner(field: Field) -> Message | None:
    """The message in a field, alone or in a list or map."""
    if field.form == STRUCT:
        return field.read if isinstance(field.read, Message) else None
    read = field.read[0] if field.form == MAP else field.read
    owner = getattr(read, "__self__", None) if field.form in (LIST, MAP) else None
    return owner if isinstance(owner, Message) and not owner.folded else None


def compare(message: Message, owner: str, schema: Schema, seen: set[tuple[str, str]]) -> Iterator[str]:
    """Fields that only one side has."""
    if (message.name, owner) in seen:
        return
    seen.add((message.name, owner))
    known = schema.types[owner].fields
    fields = {field.name: field for field in flat(message)}
    yield from (f"{message.name}.{name}" for name in sorted((fields.keys() ^ known.keys()) - {"apiVersion", "kind"}))
    for name in fields.keys() & known.keys():
        below, rule = inner(fields[name]), known[name]
        if rule.kind == "list" or (rule.kind == "map" and rule.free_keys):
            rule = schema.inside(rule)[0]
        if below is not None and rule.of and not rule.free_keys:
            yield from compare(below, str(rule.of), schema, seen)


@pytest.mark.parametrize(("api_version", "kind"), SENT)
def test_every_field_is_in_both(api_version: str, kind: str) -> None:
    schema = TABLES.schema(api_version, kind)
    message = message_of(api_version, kind)
    assert message is not None
    assert list(compare(message, str(schema.type.rule.of), schema, set())) == []
