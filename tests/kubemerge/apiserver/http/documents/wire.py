"""A decoder of OpenAPI v2 documents in protobuf to JSON, by the fields of the published .proto."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MESSAGES: dict[str, dict[int, tuple[str, str]]] = {
    "Document": {1: ("swagger", "text"), 2: ("info", "Info"), 8: ("paths", "Paths"), 9: ("definitions", "Schemas")},
    "Info": {1: ("title", "text"), 2: ("version", "text")},
    "Paths": {2: ("", "{PathItem}")},
    "Schemas": {1: ("", "{Schema}")},
    "PathItem": {
        2: ("get", "Operation"),
        3: ("put", "Operation"),
        4: ("post", "Operation"),
        5: ("delete", "Operation"),
        6: ("options", "Operation"),
        7: ("head", "Operation"),
        8: ("patch", "Operation"),
        9: ("parameters", "[ParametersItem]"),
    },
    "Operation": {
        1: ("tags", "[text]"),
        3: ("description", "text"),
        5: ("operationId", "text"),
        6: ("produces", "[text]"),
        7: ("consumes", "[text]"),
        8: ("parameters", "[ParametersItem]"),
        9: ("responses", "Responses"),
        10: ("schemes", "[text]"),
        13: ("", "{Any}"),
    },
    "Responses": {1: ("", "{ResponseValue}")},
    "ResponseValue": {1: ("", "Response")},
    "Response": {1: ("description", "text"), 2: ("schema", "SchemaItem")},
    "SchemaItem": {1: ("", "Schema")},
    "ParametersItem": {1: ("", "Parameter"), 2: ("", "Reference")},
    "Reference": {1: ("$ref", "text")},
    "Parameter": {1: ("", "Body"), 2: ("", "NonBody")},
    "Body": {
        1: ("description", "text"),
        2: ("name", "text"),
        3: ("in", "text"),
        4: ("required", "flag"),
        5: ("schema", "Schema"),
    },
    "NonBody": {3: ("", "Query"), 4: ("", "InPath")},
    "Query": {
        1: ("required", "flag"),
        2: ("in", "text"),
        3: ("description", "text"),
        4: ("name", "text"),
        6: ("type", "text"),
        20: ("uniqueItems", "flag"),
    },
    "InPath": {
        1: ("required", "flag"),
        2: ("in", "text"),
        3: ("description", "text"),
        4: ("name", "text"),
        5: ("type", "text"),
        19: ("uniqueItems", "flag"),
    },
    "Docs": {1: ("description", "text"), 2: ("url", "text")},
    "Schema": {
        1: ("$ref", "text"),
        2: ("format", "text"),
        3: ("title", "text"),
        4: ("description", "text"),
        5: ("default", "Any"),
        6: ("multipleOf", "double"),
        7: ("maximum", "double"),
        8: ("exclusiveMaximum", "flag"),
        9: ("minimum", "double"),
        10: ("exclusiveMinimum", "flag"),
        11: ("maxLength", "number"),
        12: ("minLength", "number"),
        13: ("pattern", "text"),
        14: ("maxItems", "number"),
        15: ("minItems", "number"),
        16: ("uniqueItems", "flag"),
        17: ("maxProperties", "number"),
        18: ("minProperties", "number"),
        19: ("required", "[text]"),
        20: ("enum", "[Any]"),
        21: ("additionalProperties", "Additional"),
        22: ("type", "Type"),
        23: ("items", "Items"),
        24: ("allOf", "[Schema]"),
        25: ("properties", "Schemas"),
        29: ("externalDocs", "Docs"),
        30: ("example", "Any"),
        31: ("", "{Any}"),
    },
}


SCALARS: dict[str, Callable[[Any], Any]] = {
    "text": bytes.decode,
    "flag": bool,
    "number": int,
    "double": lambda value: struct.unpack("<d", value)[0],
    "Any": lambda value: next(yaml.safe_load(one.decode()) for number, one in pieces(value) if number == 2),
    "Type": lambda value: next(one.decode() for _, one in pieces(value)),
    "Items": lambda value: next(decoded(one, "Schema") for _, one in pieces(value)),
    "Additional": lambda value: next(
        bool(one) if number == 2 else decoded(one, "Schema") for number, one in pieces(value)
    ),
}
"""Decoders of values that are not JSON objects."""


def decoded(data: Any, message: str = "Document") -> Any:
    """A message as its JSON."""
    if message in SCALARS:
        return SCALARS[message](data)
    found: dict[str, Any] = {}
    for number, value in pieces(data):
        name, kind = MESSAGES[message][number]
        if kind.startswith("["):
            found.setdefault(name, []).append(decoded(value, kind[1:-1]))
        elif kind.startswith("{"):
            pair = dict(pieces(value))
            found[pair[1].decode()] = decoded(pair.get(2, b""), kind[1:-1])
        else:
            made = decoded(value, kind)
            found |= {name: made} if name else made
    return found


def pieces(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a message: numbers, and bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
            yield key >> 3, value
        elif key & 7 == 1:
            yield key >> 3, data[at : at + 8]
            at += 8
        else:
            assert key & 7 == 2
            size, at = varint(data, at)
            yield key >> 3, data[at : at + size]
            at += size


def varint(data: bytes, at: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = data[at]
        at += 1
        found |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return found, at
