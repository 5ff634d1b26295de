"""Keywords of a schema: allowed ones and their combinations."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...problems import Problem, forbidden, required
from ...schemas.problems import invalid, unsupported
from ...unchecked import as_map
from .paths import field_path
from .structural import unsupported_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    JudgeRules = Callable[["SchemaPosition", list["Raw"]], Iterator[Problem]]

Raw = dict[str, Any]
TYPES = ("array", "boolean", "integer", "number", "object", "string")
META = frozenset({"metadata", "kind", "apiVersion"})
LIST_TYPE, MAP_TYPE, KEYS = "x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-list-map-keys"
EMBEDDED, RULES = "x-kubernetes-embedded-resource", "x-kubernetes-validations"
FORBIDDEN: dict[str, str] = {
    "id": "id is not supported",
    "additionalItems": "additionalItems is not supported",
    "patternProperties": "patternProperties is not supported",
    "definitions": "definitions is not supported",
    "dependencies": "dependencies is not supported",
    "$ref": "$ref is not supported",
}
REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
ATOMIC_ITEM = f"must be atomic as item of a list with {LIST_TYPE}=set"


@dataclass(frozen=True)
class SchemaPosition:
    """The position of a schema, and the restrictions there."""

    raw: Raw
    at: str
    root: bool = False
    no_defaults: str | None = None
    """The reason why defaults are forbidden. None if they are allowed."""
    in_metadata: bool = False
    uncorrelated: str = ""
    """The ancestor from which on no old value is known."""
    judged: bool = True
    """Whether rules are validated here."""
    steps: tuple[str, ...] = field(default=())
    """The path from the root, which gives the type of values."""

    def at_field(self, name: str, raw: Raw, **changes: Any) -> SchemaPosition:
        """Return a position below."""
        return replace(self, raw=raw, at=f"{self.at}.{name}", root=False, **changes)


def problems(whole: SchemaPosition, judge: JudgeRules) -> list[Problem]:
    """Validate a schema: first all keywords, then all rules."""
    found: list[Problem] = []
    rules: list[Problem] = []
    _look(whole, judge, found, rules)
    return found + rules


def no_rules(_place: SchemaPosition, _listed: list[Raw]) -> Iterator[Problem]:
    """Accept any rules."""
    yield from ()


def _look(place: SchemaPosition, judge: JudgeRules, found: list[Problem], rules: list[Problem]) -> None:
    start = len(found)
    found.extend(_single(place))
    for inner in _inside(place):
        _look(inner, judge, found, rules)
    found.extend(_combined(place))
    listed = place.raw.get(RULES) or []
    found.extend(_of_rules(place, listed))
    if listed and place.judged and len(found) == start:
        rules.extend(judge(place, listed))


def _single(place: SchemaPosition) -> Iterator[Problem]:
    raw, at = place.raw, place.at
    kind = raw.get("type")
    if kind and kind not in TYPES:
        yield unsupported(f"{at}.type", kind, list(TYPES))
    if raw.get("default") is not None and place.no_defaults is not None:
        yield forbidden(f"{at}.default", f"must not be set {place.no_defaults}".rstrip())
    for word, why in FORBIDDEN.items():
        if raw.get(word) or (raw.get(word) is not None and word in ("additionalItems", "dependencies")):
            yield forbidden(f"{at}.{word}", why)
    if kind == "null":
        yield forbidden(f"{at}.type", "type cannot be set to null, use nullable as an alternative")
    if isinstance(raw.get("items"), list) and raw["items"]:
        yield forbidden(f"{at}.items", "items must be a schema object and not an array")
    if place.in_metadata and raw.get(EMBEDDED):
        yield forbidden(f"{at}.{EMBEDDED}", "must not be used inside of resource meta")
    if raw.get("uniqueItems"):
        why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        yield forbidden(f"{at}.uniqueItems", why)
    extra = raw.get("additionalProperties")
    if extra is not None and raw.get("properties") and extra is not True:
        yield forbidden(f"{at}.additionalProperties", "additionalProperties and properties are mutual exclusive")


def _inside(place: SchemaPosition) -> Iterator[SchemaPosition]:
    """The schemas inside a schema, in the order of the server."""
    raw = place.raw
    if isinstance(raw.get("additionalProperties"), dict):
        why = "inside additionalProperties applying to object metadata" if place.in_metadata else place.no_defaults
        inner = raw["additionalProperties"]
        yield place.at_field("additionalProperties", inner, no_defaults=why, steps=(*place.steps, "{}"))
    for name, one in as_map(raw.get("properties")).items():
        yield _property(place, name, as_map(one))
    if isinstance(raw.get("not"), dict):
        yield place.at_field("not", raw["not"], judged=False)
    for word in ("allOf", "oneOf", "anyOf"):
        for index, one in enumerate(raw.get(word) or ()):
            yield place.at_field(f"{word}[{index}]", as_map(one), judged=False)
    for name, one in as_map(raw.get("definitions")).items():
        yield place.at_field(f"definitions[{name}]", as_map(one), judged=False)
    items = raw.get("items")
    above = place.uncorrelated or ("" if raw.get(LIST_TYPE) == "map" else place.at)
    if isinstance(items, dict):
        yield place.at_field("items", items, uncorrelated=above, steps=(*place.steps, "[]"))
    for index, one in enumerate(items if isinstance(items, list) else ()):
        yield place.at_field(f"items[{index}]", as_map(one), uncorrelated=above, judged=False)


def _property(place: SchemaPosition, name: str, raw: Raw) -> SchemaPosition:
    changes: dict[str, Any] = {"steps": (*place.steps, name)}
    if place.raw.get(MAP_TYPE) not in (None, "granular", "atomic") and not place.uncorrelated:
        changes["uncorrelated"] = place.at
    if (place.root or place.raw.get(EMBEDDED)) and name in META:
        changes["in_metadata"] = True
        if place.root:
            changes["no_defaults"] = f"in top-level {name}"
    return place.at_field(f"properties[{name}]", raw, **changes)


# ---- combinations of keywords --------------------------------------------------------------------------------------


def _combined(place: SchemaPosition) -> Iterator[Problem]:
    raw, at = place.raw, place.at
    if raw.get("x-kubernetes-preserve-unknown-fields") is False:
        yield invalid(f"{at}.x-kubernetes-preserve-unknown-fields", False, "must be true or undefined")
    kind = raw.get("type") or ""
    yield from _typed(raw, at, kind, MAP_TYPE, "object")
    map_type, list_type = raw.get(MAP_TYPE), raw.get(LIST_TYPE)
    if map_type is not None and map_type not in ("atomic", "granular"):
        yield unsupported(f"{at}.{MAP_TYPE}", map_type, ["atomic", "granular"])
    yield from _typed(raw, at, kind, LIST_TYPE, "array")
    items = raw.get("items")
    if list_type == "set" and kind == "array" and isinstance(items, dict):
        yield from _of_set(items, f"{at}.items")
    if list_type is not None and list_type not in ("atomic", "set", "map"):
        yield unsupported(f"{at}.{LIST_TYPE}", list_type, ["atomic", "set", "map"])
    keys = raw.get(KEYS) or []
    if keys and list_type != "map":
        why = f"must be map if {KEYS} is non-empty"
        yield (
            invalid(f"{at}.{LIST_TYPE}", list_type, why)
            if list_type is not None
            else required(f"{at}.{LIST_TYPE}", why)
        )
    if list_type == "map":
        yield from _of_map(items, keys, at)
    if list_type in ("set", "map") and isinstance(items, dict):
        yield from _never_null(items, keys if list_type == "map" else [], str(list_type), f"{at}.items")


def _typed(raw: Raw, at: str, kind: str, word: str, wanted: str) -> Iterator[Problem]:
    if raw.get(word) is not None and kind != wanted:
        why = f"must be {wanted} if {word} is specified"
        yield invalid(f"{at}.type", kind, why) if kind else required(f"{at}.type", why)


def _of_set(items: Raw, at: str) -> Iterator[Problem]:
    kind, list_type = items.get("type"), items.get(LIST_TYPE)
    if kind == "array" and list_type not in (None, "atomic"):
        yield invalid(f"{at}.{LIST_TYPE}", list_type, ATOMIC_ITEM)
    if kind == "object" and items.get(MAP_TYPE) != "atomic":
        yield invalid(f"{at}.{MAP_TYPE}", list_type, ATOMIC_ITEM)


def _of_map(items: Any, keys: list[Any], at: str) -> Iterator[Problem]:
    if not keys:
        yield required(f"{at}.{KEYS}", f"must not be empty if {LIST_TYPE} is map")
    if items is None:
        yield required(f"{at}.items", f"must have a schema if {LIST_TYPE} is map")
    if not isinstance(items, dict):
        return
    kind = items.get("type") or ""
    if kind != "object":
        yield invalid(f"{at}.items.type", kind, f"must be object if parent array's {LIST_TYPE} is map")
        return
    seen: set[Any] = set()
    for key in keys:
        known = as_map(items.get("properties")).get(key)
        if known is None:
            yield invalid(f"{at}.{KEYS}", keys, "entries must all be names of item properties")
        elif as_map(known).get("type") in ("array", "object"):
            why = f"must be a scalar type if parent array's {LIST_TYPE} is map"
            yield invalid(f"{at}.items.properties[{key}].type", kind, why)
        if key in seen:
            yield invalid(f"{at}.{KEYS}", keys, "must not contain duplicate entries")
        seen.add(key)


def _never_null(items: Raw, keys: list[Any], list_type: str, at: str) -> Iterator[Problem]:
    if items.get("nullable"):
        yield forbidden(f"{at}.nullable", f"cannot be nullable when {LIST_TYPE} is {list_type}")
    needed = items.get("required") or []
    for key in keys:
        known = as_map(items.get("properties")).get(key)
        if known is None:
            continue
        one = as_map(known)
        said = f"this property is in {KEYS}, so it"
        if key not in needed and one.get("default") is None:
            yield required(f"{at}.properties[{key}].default", f"{said} must have a default or be a required property")
        if one.get("nullable"):
            yield forbidden(f"{at}.properties[{key}].nullable", f"{said} cannot be nullable")


# ---- rules -----------------------------------------------------------------------------------------------------------


def _of_rules(place: SchemaPosition, listed: list[Raw]) -> Iterator[Problem]:
    """Validate rules before they are compiled."""
    for index, rule in enumerate(listed):
        at = f"{place.at}.{RULES}[{index}]"
        yield from _sentence(rule, at)
        if rule.get("messageExpression") and not rule["messageExpression"].strip():
            yield required(f"{at}.messageExpression", "messageExpression must be non-empty if specified")
        reason = rule.get("reason")
        if reason is not None and reason not in REASONS:
            yield unsupported(f"{at}.reason", reason, list(REASONS))
        path = rule.get("fieldPath") or ""
        if path and not path.strip():
            yield invalid(f"{at}.fieldPath", path, "must be non-empty if specified")
        if _has_lines(path):
            yield invalid(f"{at}.fieldPath", path, "must not contain line breaks")
        if path and isinstance(field_path(path, place.raw), str) and not unsupported_word(place.raw):
            yield invalid(f"{at}.fieldPath", path, "must be a valid path")


def _sentence(rule: Raw, at: str) -> Iterator[Problem]:
    text, message = (rule.get("rule") or "").strip(), (rule.get("message") or "").strip()
    if not text:
        yield required(f"{at}.rule", "rule is not specified")
    elif rule.get("message") and not message:
        yield invalid(f"{at}.message", rule["message"], "must be non-empty if specified")
    elif _has_lines(message):
        yield invalid(f"{at}.message", rule["message"], "must not contain line breaks")
    elif _has_lines(text) and not message:
        yield required(f"{at}.message", "message must be specified if rule contains line breaks")


def _has_lines(text: str) -> bool:
    return "\n" in text or "\r" in text
