"""Types of expressions and of schemas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .lexer import LITERALS, RESERVED

if TYPE_CHECKING:
    from ...schemas.schemas import Schema

KEYWORDS = frozenset([*LITERALS, "in", *RESERVED])
"""Reserved words."""
_PARTS = re.compile(r"(__|[-./]|[^a-zA-Z0-9\-./_])")
_NAMES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}


OBJECT = "object"


class Type(NamedTuple):
    """A type: its name, its type parameters, and for objects the schema."""

    name: str
    inner: tuple[Type, ...] = ()
    schema: Schema | None = None
    fields: tuple[tuple[str, Type], ...] = ()
    """The fields of an object without a schema."""
    called: str = OBJECT

    def __str__(self) -> str:
        if self.name == OBJECT:
            return self.called
        return f"{self.name}({', '.join(map(str, self.inner))})" if self.inner else self.name


DYN, BOOL, INT, UINT, DOUBLE = Type("dyn"), Type("bool"), Type("int"), Type("uint"), Type("double")
STRING, BYTES, NULL = Type("string"), Type("bytes"), Type("null")
TIME, DURATION, ERROR = Type("timestamp"), Type("duration"), Type("!error!")
NAMED: dict[str, Type] = {
    **{one.name: one for one in (DYN, BOOL, INT, UINT, DOUBLE, STRING, BYTES)},
    "list": Type("list", (DYN,)),
    "map": Type("map", (DYN, DYN)),
    "null_type": NULL,
    "type": Type("type"),
    "optional_type": Type("optional_type", (DYN,)),
    "google.protobuf.Timestamp": TIME,
    "google.protobuf.Duration": DURATION,
    "net.IP": Type("net.IP"),
    "net.CIDR": Type("net.CIDR"),
    "kubernetes.URL": Type("kubernetes.URL"),
    "kubernetes.Quantity": Type("kubernetes.Quantity"),
    "kubernetes.Semver": Type("kubernetes.Semver"),
    "kubernetes.NamedFormat": Type("kubernetes.NamedFormat"),
}
"""Types that an expression can name."""
FORMATS = {"byte": BYTES, "duration": DURATION, "date": TIME, "date-time": TIME}
SIMPLE = {"boolean": BOOL, "number": DOUBLE, "integer": INT}


RUNTIME = {"timestamp": "google.protobuf.Timestamp", "duration": "google.protobuf.Duration", "null": "null_type"}


def runtime_name(of: Type) -> str:
    """Return the name of a type in expressions, such as `type(x) == google.protobuf.Duration`."""
    return RUNTIME.get(of.name, of.name)


def list_of(inner: Type) -> Type:
    """Return a list type."""
    return Type("list", (inner,))


def map_of(key: Type, value: Type) -> Type:
    """Return a map type."""
    return Type("map", (key, value))


def optional(inner: Type) -> Type:
    """Return an optional type."""
    return Type("optional_type", (inner,))


def named(called: str, fields: dict[str, Type]) -> Type:
    """Return the type of an object with these fields."""
    return Type("object", fields=tuple(fields.items()), called=called)


def type_of(schema: Schema, *, root: bool = False) -> Type | None:
    """Return the type of a schema's values. None if rules cannot use them."""
    kind = schema.type
    if len(schema.types) > 1:
        return DYN
    if kind == "array":
        inner = type_of(schema.items, root=schema.items.embedded) if schema.items is not None else None
        return list_of(inner) if inner is not None else None
    if kind == "object":
        if schema.extra is not None:
            inner = type_of(schema.extra, root=schema.extra.embedded)
            return map_of(STRING, inner) if inner is not None else None
        return Type("object", schema=schema.as_root if root else schema)
    if kind == "string":
        return FORMATS.get(str(schema.raw.get("format") or ""), STRING)
    return SIMPLE.get(kind)


def field_of(of: Type, name: str) -> Type | None:
    """Return the type of an object's field, by its name in expressions."""
    if of.schema is None:
        return dict(of.fields).get(name)
    inner = of.schema.field(unescaped(name))
    found = type_of(inner, root=inner.embedded) if inner is not None else None
    return found if found is None or of.called == OBJECT else with_name(found, f"{of.called}.{name}")


def with_name(of: Type, name: str) -> Type:
    """Return a schema's type in which objects are named after their place."""
    if of.name == OBJECT:
        return of._replace(called=name)
    if of.name == "list":
        return list_of(with_name(of.inner[0], f"{name}.@idx"))
    return map_of(of.inner[0], with_name(of.inner[1], f"{name}.@elem")) if of.name == "map" else of


def escaped(name: str) -> str:
    """Return the name of a field in expressions. Empty if they cannot access it."""
    if not name or name[0].isdigit():
        return ""
    if name in KEYWORDS:
        return f"__{name}__"
    if _PARTS.search(name) is None:
        return name
    if any(part not in _NAMES for part in _PARTS.findall(name)):
        return ""
    return _PARTS.sub(lambda found: _NAMES[found[0]], name)


def unescaped(name: str) -> str:
    """Return the field for a name in expressions. Reserved words may stand for themselves.

    Names in backquotes are also escaped: `n__dash__a`, and not `n-a`.
    """
    if "__" not in name:
        return name if name.isidentifier() else ""
    plain = name
    for sign, word in _NAMES.items():
        if sign != "__":
            plain = plain.replace(word, sign)
    plain = plain.replace("__underscores__", "__")
    if plain.startswith("__") and plain.endswith("__") and plain[2:-2] in KEYWORDS:
        plain = plain[2:-2]
    return plain if escaped(plain) == name else ""
