"""Size limits of a schema's values in one request, for cost estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_map
from .language.types import escaped

if TYPE_CHECKING:
    from ..schemas.schemas import Schema

REQUEST = 3 * 1024 * 1024
"""The maximum size of a request in bytes."""
LEAST = {"string": 2, "boolean": 4, "number": 1, "integer": 1}
"""The minimum size of a scalar in JSON, in bytes."""
TIMES = {"duration": (3, 32), "date": (12, 12), "date-time": (21, 32)}
"""The minimum bytes and the maximum characters of a text with one of these formats."""


class Declared:
    """The size limits of one schema's values."""

    __slots__ = ("element", "fields", "key", "least", "most")

    def __init__(
        self,
        least: int,
        most: int = 0,
        element: Declared | None = None,
        key: Declared | None = None,
        fields: dict[str, Declared] | None = None,
    ) -> None:
        self.least, self.most = least, most
        """The minimum bytes, and the maximum characters or elements."""
        self.element, self.key = element, key
        self.fields = fields if fields is not None else {}
        """The size limits of fields, by their names in expressions."""

    def at(self, path: tuple[str, ...]) -> int | None:
        """Return the maximum characters or elements at a path below. None if it is unknown."""
        here: Declared | None = self
        for step in path:
            if here is None:
                return None
            if step in ("@items", "@values"):
                here = here.element
            elif step == "@keys":
                here = here.key
            else:
                here = here.fields.get(step)
        return here.most if here is not None else None


def declared(schema: Schema, *, root: bool = False) -> Declared | None:
    """Return the size limits of a schema's values. None if rules cannot use them."""
    if root:
        schema = schema.as_root
    if schema.declared is None:
        schema.declared = (_declared(schema),)
    found: Declared | None = schema.declared[0]
    return found


def _declared(schema: Schema) -> Declared | None:
    if len(schema.types) > 1:
        length = schema.raw.get("maxLength")
        return Declared(1, REQUEST - 2 if length is None else 4 * max(0, length))
    if schema.type == "array":
        return _list(schema)
    if schema.type == "object":
        return _map(schema) if schema.extra is not None else _object(schema)
    if schema.type == "string":
        return _text(schema)
    least = LEAST.get(schema.type)
    return Declared(least) if least is not None else None


def _list(schema: Schema) -> Declared | None:
    inner = declared(schema.items, root=schema.items.embedded) if schema.items is not None else None
    if inner is None:
        return None
    most = schema.raw.get("maxItems")
    return Declared(2, (REQUEST - 2) // (inner.least + 1) if most is None else max(0, most), inner)


def _map(schema: Schema) -> Declared | None:
    inner = declared(schema.extra, root=schema.extra.embedded) if schema.extra is not None else None
    if inner is None:
        return None
    most = schema.raw.get("maxProperties")
    count = (REQUEST - 2) // (inner.least + 6) if most is None else max(0, most)
    return Declared(2, count, inner, Declared(LEAST["string"]))


def _object(schema: Schema) -> Declared:
    fields: dict[str, Declared] = {}
    least = 2
    for name in schema.properties:
        field = schema.field(name)
        found = declared(field, root=field.embedded) if field is not None else None
        if found is None:
            continue
        called = escaped(name)
        if called:
            fields[called] = found
        if name in schema.required and as_map(schema.properties[name]).get("default") is None:
            least += len(name.encode()) + found.least + 4
    return Declared(least, fields=fields)


def _text(schema: Schema) -> Declared:
    form, length = schema.raw.get("format") or "", schema.raw.get("maxLength")
    if form in TIMES:
        return Declared(*TIMES[form])
    if length is not None:
        return Declared(LEAST["string"], max(0, length) * (1 if form == "byte" else 4))
    if schema.enum and form != "byte":
        return Declared(LEAST["string"], max([len(one.encode()) for one in schema.enum if isinstance(one, str)] or [0]))
    return Declared(LEAST["string"], REQUEST - 2)
