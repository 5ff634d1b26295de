"""Structural schemas: every field has a type, and allOf and the like add no fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...problems import Problem, forbidden, required
from ...regex.matching import compile_pattern
from ...regex.syntax import BadPattern, UnknownPattern
from ...schemas.problems import invalid
from ...unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Iterator

Raw = dict[str, Any]
ROOT, ITEM, FIELD = "at the root", "for specified array items", "for specified object fields"
NOT_SUPPORTED = ("id", "schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions")
EITHER = [{"type": "integer"}, {"type": "string"}]
EMBEDDED, KEEPS = "x-kubernetes-embedded-resource", "x-kubernetes-preserve-unknown-fields"
INT_OR_STRING, RULES = "x-kubernetes-int-or-string", "x-kubernetes-validations"
NOT_NESTED: dict[str, str] = {
    "default": "undefined",
    "title": "empty",
    "description": "empty",
    "nullable": "false",
    KEEPS: "false",
    EMBEDDED: "false",
    INT_OR_STRING: "false",
    "x-kubernetes-list-map-keys": "empty",
    "x-kubernetes-list-type": "undefined",
    "x-kubernetes-map-type": "undefined",
}
"""Keywords forbidden inside allOf and the like, with the required value."""


def unsupported_word(raw: Any) -> str:
    """Return the reason why a schema cannot be structural at all, or an empty text."""
    if not isinstance(raw, dict):
        return ""
    for word in NOT_SUPPORTED:
        value = raw.get("$schema" if word == "schema" else word)
        if value or (word == "additionalItems" and value is not None):
            return f"OpenAPIV3Schema '{word}' is not supported"
    if isinstance(raw.get("items"), list) and raw["items"]:
        return "OpenAPIV3Schema 'items' must be a schema, but is an array"
    inner = [raw.get("not"), raw.get("items"), raw.get("additionalProperties"), *as_map(raw.get("properties")).values()]
    for word in ("allOf", "anyOf", "oneOf"):
        inner.extend(raw.get(word) or ())
    if raw.get(KEEPS) is False:
        return f"internal error: '{KEEPS}' must be true or undefined"
    return next(filter(None, map(unsupported_word, inner)), "")


def problems(raw: Raw, at: str) -> list[Problem]:
    """Return all violations of structural schemas, in the order of messages."""
    found = [*_invariants(raw, ROOT, at), *_complete(raw, raw, at, at)]
    return sorted(found, key=str)


def _invariants(raw: Raw, level: str, at: str) -> Iterator[Problem]:
    kind, properties = raw.get("type") or "", as_map(raw.get("properties"))
    items, extra = raw.get("items"), raw.get("additionalProperties")
    if kind == "array" and items is None:
        yield required(f"{at}.items", "must be specified")
    if isinstance(items, dict):
        yield from _invariants(items, ITEM, f"{at}.items")
    for name, inner in properties.items():
        yield from _invariants(as_map(inner), FIELD, f"{at}.properties[{name}]")
    if extra is not None and level == ROOT:
        yield forbidden(f"{at}.additionalProperties", "must not be used at the root")
    if isinstance(extra, dict):
        yield from _invariants(extra, FIELD, f"{at}.additionalProperties")
    yield from _marks(raw, at)
    yield from _validation(raw, at, skip_any=raw.get("anyOf") == EITHER, skip_all=_is_either(raw))
    yield from _of_type(raw, kind, level, at)
    yield from _metadata(raw, properties, level, at)
    if raw.get(EMBEDDED) and not raw.get(KEEPS) and not properties:
        why = f"must not be empty if {EMBEDDED} is true without {KEEPS}"
        yield required(f"{at}.properties", why)


def _marks(raw: Raw, at: str) -> Iterator[Problem]:
    for word in (KEEPS, EMBEDDED):
        if raw.get(INT_OR_STRING) and raw.get(word):
            yield invalid(f"{at}.{word}", True, f"must be false if {INT_OR_STRING} is true")


def _of_type(raw: Raw, kind: str, level: str, at: str) -> Iterator[Problem]:
    if raw.get(EMBEDDED) and kind != "object":
        why = f"must be object if {EMBEDDED} is true"
        yield invalid(f"{at}.type", kind, why) if kind else required(f"{at}.type", why)
    elif not kind and not raw.get(INT_OR_STRING) and not raw.get(KEEPS):
        yield required(f"{at}.type", f"must not be empty {level}")
    if raw.get(EMBEDDED) and raw.get("additionalProperties") is not None:
        yield forbidden(f"{at}.additionalProperties", f"must not be used if {EMBEDDED} is set")
    if level == ROOT and kind and kind != "object":
        yield invalid(f"{at}.type", kind, "must be object at the root")


def _metadata(raw: Raw, properties: Raw, level: str, at: str) -> Iterator[Problem]:
    whole = level == ROOT or bool(raw.get(EMBEDDED))
    for name, wanted in (("kind", "string"), ("apiVersion", "string"), ("metadata", "object")):
        inner = properties.get(name)
        if inner is not None and whole and as_map(inner).get("type") != wanted:
            found = as_map(inner).get("type") or ""
            yield invalid(f"{at}.properties[{name}].type", found, f"must be {wanted}")
    if level == ROOT and "metadata" in properties:
        inner = {key: value for key, value in as_map(properties["metadata"]).items() if value not in (None, {}, [], "")}
        names = as_map(inner.get("properties")).keys()
        if names <= {"name", "generateName"}:
            inner.pop("properties", None)
        if inner.keys() - {"type", "default"}:
            why = "must not specify anything other than name and generateName, but metadata is implicitly specified"
            yield forbidden(f"{at}.properties[metadata]", why)


def _is_either(raw: Any) -> bool:
    """Whether the first allOf is the int-or-string pattern."""
    first = next(iter(as_map(raw).get("allOf") or ()), None)
    return as_map(first).get("anyOf") == EITHER


def _validation(raw: Raw, at: str, *, skip_any: bool = False, skip_all: bool = False) -> Iterator[Problem]:
    for word in () if skip_any else ("anyOf",):
        for index, one in enumerate(raw.get(word) or ()):
            yield from _nested(as_map(one), f"{at}.{word}[{index}]")
    for index, one in enumerate(raw.get("allOf") or ()):
        yield from _nested(as_map(one), f"{at}.allOf[{index}]", skip_any=skip_all and index == 0)
    for index, one in enumerate(raw.get("oneOf") or ()):
        yield from _nested(as_map(one), f"{at}.oneOf[{index}]")
    if isinstance(raw.get("not"), dict):
        yield from _nested(raw["not"], f"{at}.not")
    wanted = raw.get("pattern")
    if wanted:
        try:
            compile_pattern(wanted)
        except BadPattern as error:
            yield invalid(f"{at}.pattern", wanted, f"must be a valid regular expression, but isn't: {error}")
        except UnknownPattern:
            pass


def _nested(raw: Raw, at: str, *, skip_any: bool = False) -> Iterator[Problem]:
    yield from _validation(raw, at, skip_any=skip_any)
    if isinstance(raw.get("items"), dict):
        yield from _nested(raw["items"], f"{at}.items")
    properties = as_map(raw.get("properties"))
    for name, inner in properties.items():
        yield from _nested(as_map(inner), f"{at}.properties[{name}]")
    if raw.get("type"):
        yield forbidden(f"{at}.type", "must be empty to be structural")
    if raw.get("additionalProperties"):
        yield forbidden(f"{at}.additionalProperties", "must be undefined to be structural")
    for word, what in NOT_NESTED.items():
        if raw.get(word) or (what == "undefined" and raw.get(word) is not None):
            yield forbidden(f"{at}.{word}", f"must be {what} to be structural")
    if raw.get(RULES):
        yield forbidden(f"{at}.{RULES}", "must be empty to be structural")
    if "metadata" in properties:
        yield forbidden(f"{at}.properties[metadata]", "must not be specified in a nested context")


def _complete(raw: Raw, whole: Raw | None, at: str, said_at: str) -> Iterator[Problem]:
    """Require every field inside allOf and the like outside of them, too."""
    if isinstance(raw.get("not"), dict):
        yield from _complete_nested(raw["not"], whole, at, f"{said_at}.not")
    for word in ("allOf", "anyOf", "oneOf"):
        for index, one in enumerate(raw.get(word) or ()):
            yield from _complete_nested(as_map(one), whole, at, f"{said_at}.{word}[{index}]")


def _complete_nested(raw: Raw, whole: Raw | None, at: str, said_at: str) -> Iterator[Problem]:
    if whole is None:
        yield required(at, f"because it is defined in {said_at}")
        return
    yield from _complete(raw, whole, at, said_at)
    items = whole.get("items")
    if isinstance(raw.get("items"), dict):
        inner = items if isinstance(items, dict) else None
        yield from _complete_nested(raw["items"], inner, f"{at}.items", f"{said_at}.items")
    known = as_map(whole.get("properties"))
    for name, one in as_map(raw.get("properties")).items():
        place, said = f"{at}.properties[{name}]", f"{said_at}.properties[{name}]"
        if name not in known:
            yield required(place, f"because it is defined in {said}")
        else:
            yield from _complete_nested(as_map(one), as_map(known[name]), place, said)
