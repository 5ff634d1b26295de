"""Draw objects of a CustomResourceDefinition by its structural schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .repair import Repairer
from .values import TEXTS, hypothesis_strategies

if TYPE_CHECKING:
    from collections.abc import Callable

    from .validator import Validator
    from .values import Values

    Draw = Callable[[Any], Any]

FORMATS = {
    "date-time": ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00.5+01:00"),
    "date": ("2024-01-01",),
    "duration": ("60s", "1m0s", "1h30m"),
    "byte": ("YQ==", ""),
    "ipv4": ("10.0.0.1",),
    "ipv6": ("2001:db8::1",),
    "cidr": ("10.0.0.0/8",),
    "uri": ("https://a.example/b",),
    "email": ("a@example.com",),
    "hostname": ("a.example.com",),
    "uuid": ("123e4567-e89b-42d3-a456-426614174000",),
    "password": ("a",),
}
EMBEDDED = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
DEPTH = 8


class StructuralDrawing:
    """Generates one object from a structural schema."""

    def __init__(self, validator: Validator, values: Values, draw: Draw) -> None:
        self._validator, self._values, self._draw = validator, values, draw
        self._st = hypothesis_strategies()
        self._optional = True

    def object(self, schema: dict[str, Any]) -> dict[str, Any] | None:
        """A valid object. None if the server rejects even one without optional fields."""
        for optional in (True, False):
            self._optional = optional
            metadata = {"name": self._draw(self._values.name)}
            if optional and (labels := self._draw(self._values.labels)):
                metadata["labels"] = labels
            content = {"apiVersion": self._validator.api_version, "kind": self._validator.kind, "metadata": metadata}
            content |= self._map({**schema, "x-kubernetes-embedded-resource": False}, ("metadata", "status"), DEPTH)
            repairer = Repairer(None, lambda values: self._draw(self._values.one_of(values)))
            if self._validator.repaired(content, repairer):
                return content
        return None

    def _value(self, schema: dict[str, Any], depth: int) -> Any:
        if "enum" in schema:
            return self._draw(self._values.one_of(schema["enum"]))
        if schema.get("x-kubernetes-int-or-string"):
            return self._draw(self._values.int_or_string)
        type_ = schema.get("type")
        if type_ == "object":
            return self._map(schema, (), depth)
        if type_ == "array":
            return self._list(schema, depth)
        if type_ == "string":
            return self._text(schema)
        if type_ in ("integer", "number"):
            return self._number(schema, type_)
        return self._draw(self._values.boolean) if type_ == "boolean" else self._draw(self._values.text)

    def _map(self, schema: dict[str, Any], without: tuple[str, ...], depth: int) -> dict[str, Any]:
        if schema.get("x-kubernetes-embedded-resource"):
            return dict(EMBEDDED)
        fields = {name: one for name, one in (schema.get("properties") or {}).items() if name not in without}
        required = [name for name in schema.get("required") or () if name in fields]
        optional = tuple(name for name in fields if name not in {*required, "apiVersion", "kind"})
        chosen = required
        if self._optional and optional and depth > 0:
            chosen = [*required, *self._draw(self._values.some_of(optional, 5))]
        found = {name: self._value(fields[name], depth - 1) for name in chosen}
        more = schema.get("additionalProperties")
        least = schema.get("minProperties") or 0
        if isinstance(more, dict) and (self._optional or least):
            most = max(least, min(schema.get("maxProperties", 2), 2))
            names = self._values.name
            keys = self._values.cached(
                f"{least} {most}", lambda: self._st.lists(names, min_size=least, max_size=most, unique=True)
            )
            found |= {key: self._value(more, depth - 1) for key in self._draw(keys)}
        return found

    def _list(self, schema: dict[str, Any], depth: int) -> list[Any]:
        least = schema.get("minItems") or 0
        most = max(least, min(schema.get("maxItems", 3), 3))
        count = self._draw(self._st.integers(least, most if self._optional else least))
        keys = schema.get("x-kubernetes-list-map-keys") or ()
        is_set = schema.get("x-kubernetes-list-type") == "set"
        found: list[Any] = []
        seen: list[Any] = []
        for _ in range(count):
            one = self._value(schema.get("items") or {}, depth - 1)
            identity = [one.get(key) for key in keys] if keys and isinstance(one, dict) else one
            if not (keys or is_set) or identity not in seen:
                seen.append(identity)
                found.append(one)
        return found

    def _text(self, schema: dict[str, Any]) -> str:
        if schema.get("format") in FORMATS and "pattern" not in schema:
            return str(self._draw(self._values.one_of(FORMATS[schema["format"]])))
        least, most, pattern = schema.get("minLength") or 0, schema.get("maxLength"), schema.get("pattern")
        return str(
            self._draw(self._values.cached(f"{least} {most} {pattern}", lambda: self._texts(least, most, pattern)))
        )

    def _texts(self, least: int, most: int | None, pattern: str | None) -> Any:
        if pattern is not None:
            longest = 64 if most is None else most
            return self._st.from_regex(_anchored(pattern)).filter(lambda one: least <= len(one) <= longest)
        longest = least + 8 if most is None else min(most, least + 8)
        known = [one for one in TEXTS if least <= len(one) <= longest] or ["a" * least]
        return self._st.sampled_from(known) | self._st.text(min_size=least, max_size=longest)

    def _number(self, schema: dict[str, Any], type_: str) -> Any:
        bits = 31 if schema.get("format") == "int32" else 53
        least = schema.get("minimum", -(2**bits)) + (1 if schema.get("exclusiveMinimum") else 0)
        most = schema.get("maximum", 2**bits - 1) - (1 if schema.get("exclusiveMaximum") else 0)
        step = schema.get("multipleOf") or 1
        if type_ == "number" and "multipleOf" not in schema and least < most:
            return self._draw(self._st.floats(least, most, allow_nan=False))
        if not isinstance(step, int):
            return least
        first, last = -(-int(least) // step), int(most) // step
        return self._draw(self._st.integers(first, max(first, last))) * step


def _anchored(pattern: str) -> str:
    """Translate a Go pattern to Python: in Go, `$` and `\\z` match only at the end of the text."""
    pattern = pattern.replace("\\z", "\\Z")
    return pattern[:-1] + "\\Z" if pattern.endswith("$") and not pattern.endswith("\\$") else pattern
