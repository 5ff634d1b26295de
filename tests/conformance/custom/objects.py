"""Random objects of a definition, mostly valid, and changes to them, mostly invalid."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Raw = dict[str, Any]
TEXTS = ("web", "a", "my-name", "10.0.0.1", "10Gi", "1h30m", "https://example.com/a", "example.com", "A_b", "5", "")
FORMATS = {"date-time": "2024-05-01T10:00:00Z", "duration": "1h", "byte": "aGk=", "uri": "https://a.example/x"}
FORMATS |= {"ipv4": "10.0.0.1", "ipv6": "::1", "cidr": "10.0.0.0/8", "email": "a@b.example", "hostname": "a.b"}
FORMATS |= {"uuid": "123e4567-e89b-12d3-a456-426614174000", "date": "2024-05-01"}
ODD: tuple[Any, ...] = (
    None,
    "",
    "x",
    "x" * 300,
    0,
    -1,
    1.5,
    2**31,
    10**12,
    True,
    [],
    {},
    ["a", "a"],
    {"a": "b"},
    [None],
    "a b",
)


def document(definition: Raw, random: Random) -> Raw:
    """An object of one of the served versions."""
    spec = definition["spec"]
    version = random.choice([one for one in spec["versions"] if one.get("served")])
    content = _object(version["schema"]["openAPIV3Schema"], random, 0)
    content.pop("status", None)
    metadata: Raw = {"name": "one"}
    if spec["scope"] == "Namespaced":
        metadata["namespace"] = "default"
    names = {"apiVersion": f"{spec['group']}/{version['name']}", "kind": spec["names"]["kind"], "metadata": metadata}
    return {**content, **names}


def changed(content: Raw, random: Random) -> Raw:
    """A copy with one to three changes below the names and the metadata."""
    found = copy.deepcopy(content)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        places = [one for one in _places(found, ()) if one[1]]
        if places:
            holder, path = random.choice(places)
            _change(holder, path, random)
    return found


def _change(holder: Any, step: tuple[Any, ...], random: Random) -> None:
    key = step[-1]
    how = random.randrange(6)
    if how == 0:
        del holder[key]
    elif how == 1 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    elif how == 1 and isinstance(holder, dict):
        holder[random.choice(("unknown", "other"))] = random.choice(ODD)
    elif how == 2 and isinstance(holder[key], dict):
        holder[key][random.choice(("unknown", "foo.bar/x"))] = random.choice(ODD)
    else:
        holder[key] = copy.deepcopy(random.choice(ODD))


def _places(value: Any, path: tuple[Any, ...]) -> Any:
    """Every place in an object, with its parent."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in [*steps]:
        if not path and key in ("apiVersion", "kind", "metadata"):
            continue
        yield value, (*path, key)
        yield from _places(inner, (*path, key))


def _value(schema: Raw, random: Random, depth: int) -> Any:
    if schema.get("enum"):
        return random.choice(schema["enum"])
    if schema.get("x-kubernetes-int-or-string"):
        return random.choice((1, 80, "50%", "10Gi"))
    if "default" in schema and random.random() < 0.3:
        return copy.deepcopy(schema["default"])
    kind = schema.get("type")
    if kind == "object":
        return _object(schema, random, depth)
    if kind == "array":
        least = schema.get("minItems", 0)
        size = max(least, 0 if depth > 7 else random.choice((0, 1, 1, 2)))
        return [_value(schema.get("items") or {}, random, depth + 1) for _ in range(size)]
    if kind == "boolean":
        return random.random() < 0.5
    if kind in ("integer", "number"):
        return max(schema.get("minimum", 0), random.choice((0, 1, 2, 100)))
    return _text(schema, random) if kind == "string" else {"any": 1}


def _text(schema: Raw, random: Random) -> str:
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    text = random.choice(TEXTS)
    return text.ljust(schema.get("minLength", 0), "a")


def _object(schema: Raw, random: Random, depth: int) -> Raw:
    found: Raw = {}
    required = schema.get("required") or ()
    few = 0.9 if depth == 0 else 0.45 if depth < 3 else 0.2
    properties = schema.get("properties") or {}
    wanted = 6 / max(len(properties), 1)
    for name, inner in properties.items():
        if name in required or random.random() < min(few, max(wanted, 0.05) if depth else few):
            found[name] = _value(inner, random, depth + 1)
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict) and depth < 8:
        found |= {name: _value(extra, random, depth + 1) for name in random.sample(("a", "b.c/d", "E"), 1)}
    if schema.get("x-kubernetes-embedded-resource"):
        found |= {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "labels": {"a": "b"}}}
    return found
