"""Requests that show the values of expressions: a definition with a rule for each, and an object that breaks all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXT: dict[str, Any] = {"type": "string", "maxLength": 9}
NUMBER = {"type": "integer"}
FIELDS: dict[str, tuple[dict[str, Any], Any]] = {
    "e": (TEXT, ""),
    "s": (TEXT, "hello"),
    "n": (NUMBER, 5),
    "d": ({"type": "number"}, 1.5),
    "d-e": (NUMBER, 6),
    "b": ({"type": "boolean"}, True),
    "l": ({"type": "array", "maxItems": 5, "items": NUMBER}, [1, 2, 3]),
    "set": ({"type": "array", "maxItems": 5, "items": TEXT, "x-kubernetes-list-type": "set"}, ["a", "b"]),
    "lm": (
        {
            "type": "array",
            "maxItems": 5,
            "items": {"type": "object", "required": ["k"], "properties": {"k": TEXT, "v": NUMBER}},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
        },
        [{"k": "a", "v": 1}, {"k": "b", "v": 2}],
    ),
    "m": ({"type": "object", "maxProperties": 5, "additionalProperties": NUMBER}, {"x": 1}),
    "o": ({"type": "object", "properties": {"a": NUMBER, "b": NUMBER}}, {"a": 1}),
    "at": ({"type": "string", "format": "date-time"}, "2024-03-05T06:07:08.009Z"),
    "day": ({"type": "string", "format": "date"}, "2024-03-05"),
    "dur": ({"type": "string", "format": "duration"}, "1h2m3.004s"),
    "by": ({"type": "string", "format": "byte", "maxLength": 9}, "YWJj"),
    "io": ({"x-kubernetes-int-or-string": True}, 7),
    "x": ({"type": "string", "nullable": True}, None),
    "none": (NUMBER, ...),
}
"""The fields of the object, with their schemas and values."""
GROUP = "library.example.com"


def values(shown: Iterable[str], silent: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The requests: the answer to the last one has a message for each expression, its value or its error.

    The silent ones are of types that no message takes.
    """
    content = {name: value for name, (_, value) in FIELDS.items() if value is not ...}
    thing = {"apiVersion": f"{GROUP}/v1", "kind": "Thing", "metadata": {"name": "a"}, **content}
    rules = [*map(rule, shown), *({"rule": rule(one)["rule"]} for one in silent)]
    return [definition(rules), {f"POST /apis/{GROUP}/v1/namespaces/default/things": thing}]


def rejected(expressions: Iterable[str]) -> list[dict[str, Any]]:
    """The request of a definition with rules that are wrong."""
    return [definition([rule(one) for one in expressions])]


def definition(rules: list[dict[str, Any]]) -> dict[str, Any]:
    """The request that makes a definition with these rules."""
    schema = {
        "type": "object",
        "properties": {name: field for name, (field, _) in FIELDS.items()},
        "x-kubernetes-validations": rules,
    }
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    content = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"things.{GROUP}"},
        "spec": {
            "group": GROUP,
            "names": {"kind": "Thing", "plural": "things"},
            "scope": "Namespaced",
            "versions": [version],
        },
    }
    return {"POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions": content}


def rule(expression: str) -> dict[str, Any]:
    """A rule that no object fulfils, with the value of an expression as its message."""
    return {"rule": f"[dyn({expression})].size() == 9", "messageExpression": f"'%s'.format([{expression}])"}
