"""OpenAPI v2 documents as protobuf: the message Document of openapi.v2, limited to the fields that servers write.

Each message is a table of its fields by their JSON names, with the field number and a writer for its value.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Writer = Callable[[Any], bytes]
    Message = Mapping[str, tuple[int, Writer]]

VENDOR = "x-"
"""The prefix of extensions. They are written as pairs of a name and any value."""


def _long(number: int) -> bytes:
    number &= (1 << 64) - 1
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


_FEW = 1 << 11
_NUMBERS = [_long(number) for number in range(_FEW)]
"""Encoded small numbers: of fields, and nearly all lengths."""


def _varint(number: int) -> bytes:
    return _NUMBERS[number] if 0 <= number < _FEW else _long(number)


def _piece(number: int, content: bytes) -> bytes:
    size = len(content)
    return _NUMBERS[number << 3 | 2] + (_NUMBERS[size] if size < _FEW else _long(size)) + content


def text(number: int) -> tuple[int, Writer]:
    """A text field, left out if it is empty."""
    return number, lambda value: _piece(number, str(value).encode()) if value else b""


def texts(number: int) -> tuple[int, Writer]:
    """A repeated text field."""
    return number, lambda values: b"".join(_piece(number, str(value).encode()) for value in values)


def flag(number: int) -> tuple[int, Writer]:
    """A bool field, left out if it is false."""
    return number, lambda value: _varint(number << 3) + b"\x01" if value else b""


def count(number: int) -> tuple[int, Writer]:
    """An integer field, left out if it is 0."""
    return number, lambda value: _varint(number << 3) + _varint(int(value)) if value else b""


def decimal(number: int) -> tuple[int, Writer]:
    """A double field, left out if it is 0."""
    return number, lambda value: _varint(number << 3 | 1) + struct.pack("<d", value) if value else b""


def anything(number: int) -> tuple[int, Writer]:
    """A field of any value, written as YAML, which includes JSON."""
    return number, lambda value: _piece(number, _any(value))


def anythings(number: int) -> tuple[int, Writer]:
    """A repeated field of any values."""
    return number, lambda values: b"".join(_piece(number, _any(value)) for value in values)


def message(number: int, write: Writer) -> tuple[int, Writer]:
    """A message field."""
    return number, lambda value: _piece(number, write(value))


def messages(number: int, write: Writer) -> tuple[int, Writer]:
    """A repeated message field."""
    return number, lambda values: b"".join(_piece(number, write(value)) for value in values)


def named(number: int, write: Writer) -> Writer:
    """Pairs of a name and a message for an object in JSON, sorted by name."""

    def pairs(values: Mapping[str, Any]) -> bytes:
        found = (_piece(1, name.encode()) + _piece(2, write(values[name])) for name in sorted(values))
        return b"".join(_piece(number, pair) for pair in found)

    return pairs


def _any(value: Any) -> bytes:
    return _piece(2, (json.dumps(value, sort_keys=True) + "\n").encode())


def _written(fields: Message, value: Mapping[str, Any], vendor: int = 0) -> bytes:
    found = [write(value[name]) for name, (_, write) in fields.items() if name in value]
    if vendor:
        found.append(named(vendor, _any)({name: value[name] for name in value if name.startswith(VENDOR)}))
    return b"".join(found)


def _schema(value: Mapping[str, Any]) -> bytes:
    return _written(_SCHEMA, value, 31)


def _type(value: Any) -> bytes:
    return texts(1)[1](value if isinstance(value, list) else [value])


def _one_or_flag(value: Any) -> bytes:
    """The value of additionalProperties: a schema or a bool."""
    return _piece(1, _schema(value)) if isinstance(value, dict) else flag(2)[1](value)


def _items(value: Any) -> bytes:
    return messages(1, _schema)[1](value if isinstance(value, list) else [value])


_DOCS: Message = {"description": text(1), "url": text(2)}
_SCHEMA: Message = {
    "$ref": text(1),
    "format": text(2),
    "title": text(3),
    "description": text(4),
    "default": anything(5),
    "multipleOf": decimal(6),
    "maximum": decimal(7),
    "exclusiveMaximum": flag(8),
    "minimum": decimal(9),
    "exclusiveMinimum": flag(10),
    "maxLength": count(11),
    "minLength": count(12),
    "pattern": text(13),
    "maxItems": count(14),
    "minItems": count(15),
    "uniqueItems": flag(16),
    "maxProperties": count(17),
    "minProperties": count(18),
    "required": texts(19),
    "enum": anythings(20),
    "additionalProperties": message(21, _one_or_flag),
    "type": message(22, _type),
    "items": message(23, _items),
    "allOf": messages(24, _schema),
    "properties": message(25, named(1, _schema)),
    "externalDocs": message(29, lambda value: _written(_DOCS, value, 3)),
    "example": anything(30),
}
_BODY: Message = {
    "description": text(1),
    "name": text(2),
    "in": text(3),
    "required": flag(4),
    "schema": message(5, _schema),
}
_QUERY: Message = {
    "required": flag(1),
    "in": text(2),
    "description": text(3),
    "name": text(4),
    "type": text(6),
    "uniqueItems": flag(20),
}
_IN_PATH: Message = {
    "required": flag(1),
    "in": text(2),
    "description": text(3),
    "name": text(4),
    "type": text(5),
    "uniqueItems": flag(19),
}


def _parameter(value: Mapping[str, Any]) -> bytes:
    """A parameter or a reference to one: of the body, of the query, or of the path."""
    if value["in"] == "body":
        return _piece(1, _piece(1, _written(_BODY, value, 6)))
    in_path = value["in"] == "path"
    one = _piece(4, _written(_IN_PATH, value, 22)) if in_path else _piece(3, _written(_QUERY, value, 23))
    return _piece(1, _piece(2, one))


def _response(value: Mapping[str, Any]) -> bytes:
    schema = {"description": text(1), "schema": message(2, lambda one: _piece(1, _schema(one)))}
    return _piece(1, _written(schema, value, 5))


_OPERATION: Message = {
    "tags": texts(1),
    "description": text(3),
    "operationId": text(5),
    "produces": texts(6),
    "consumes": texts(7),
    "parameters": messages(8, _parameter),
    "responses": message(9, named(1, _response)),
    "schemes": texts(10),
}


def _operation(value: Mapping[str, Any]) -> bytes:
    return _written(_OPERATION, value, 13)


_ITEM: Message = {
    "get": message(2, _operation),
    "put": message(3, _operation),
    "post": message(4, _operation),
    "delete": message(5, _operation),
    "patch": message(8, _operation),
    "parameters": messages(9, _parameter),
}
_DOCUMENT: Message = {
    "swagger": text(1),
    "info": message(2, lambda value: _written({"title": text(1), "version": text(2)}, value)),
    "paths": message(8, named(2, lambda value: _written(_ITEM, value, 10))),
    "definitions": message(9, named(1, _schema)),
}


def encoded(document: Mapping[str, Any]) -> bytes:
    """Return the document as protobuf."""
    return _written(_DOCUMENT, document)
