"""Compiled JSON Schemas: a fast test whether a value fits, for the keywords that `shapes` uses.

`jsonschema` describes the error in a value that does not fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Test: TypeAlias = Callable[[Any], bool]

_TYPES: dict[str, type] = {"array": list, "boolean": bool, "null": type(None), "object": dict, "string": str}
_WITHOUT_EFFECT = frozenset(("title", "$defs"))


def compiled(schema: dict[str, Any], definitions: dict[str, Any]) -> Test:
    """The test of a schema; `definitions` are the schemas to which `$ref` leads."""
    tests = [_KEYWORDS[word](value, definitions) for word, value in schema.items() if word not in _WITHOUT_EFFECT]
    if len(tests) == 1:
        return tests[0]
    return lambda value: all(test(value) for test in tests)


def _type(wanted: str | list[str], _: dict[str, Any]) -> Test:
    types = tuple(_TYPES[one] for one in ([wanted] if isinstance(wanted, str) else wanted))
    return lambda value: isinstance(value, types)


def _enum(allowed: list[str], _: dict[str, Any]) -> Test:
    texts = frozenset(allowed)
    return lambda value: isinstance(value, str) and value in texts


def _properties(fields: dict[str, Any], definitions: dict[str, Any]) -> Test:
    tests = {name: compiled(one, definitions) for name, one in fields.items()}

    def test(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        return all(tests[name](value[name]) for name in value.keys() & tests.keys())

    return test


def _additional_properties(one: dict[str, Any], definitions: dict[str, Any]) -> Test:
    test = compiled(one, definitions)
    return lambda value: not isinstance(value, dict) or all(map(test, value.values()))


def _items(one: dict[str, Any], definitions: dict[str, Any]) -> Test:
    test = compiled(one, definitions)
    return lambda value: not isinstance(value, list) or all(map(test, value))


def _any_of(listed: list[dict[str, Any]], definitions: dict[str, Any]) -> Test:
    tests = [compiled(one, definitions) for one in listed]
    return lambda value: any(test(value) for test in tests)


def _required(names: list[str], _: dict[str, Any]) -> Test:
    return lambda value: not isinstance(value, dict) or all(name in value for name in names)


def _min_length(size: int, _: dict[str, Any]) -> Test:
    return lambda value: not isinstance(value, str) or len(value) >= size


def _min_items(size: int, _: dict[str, Any]) -> Test:
    return lambda value: not isinstance(value, list) or len(value) >= size


def _reference(address: str, definitions: dict[str, Any]) -> Test:
    return compiled(definitions[address.removeprefix("#/$defs/")], definitions)


_KEYWORDS: dict[str, Callable[[Any, dict[str, Any]], Test]] = {
    "type": _type,
    "enum": _enum,
    "properties": _properties,
    "additionalProperties": _additional_properties,
    "items": _items,
    "anyOf": _any_of,
    "required": _required,
    "minLength": _min_length,
    "minItems": _min_items,
    "$ref": _reference,
}
