"""Values of a wrong type, which an API server cannot read, before any other check.

A server reads an object into Go types, and answers with the first value that does not fit. The tables say
what a field holds. Fields that the release does not know, and fields of any type, may hold anything; null is absent.
"""

from __future__ import annotations

from engine.paths import render
from engine.values.guard import with_room
from engine.values.immutable import Immutable

from ....errors import BadRequest
from .go_times import MICRO_TIMES, TIMES, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engine import Schema
    from engine.paths import Steps
    from engine.tables.rules import Rule

    from ....protocol import Object, Resource
    from ...kinds import Kinds

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
SCALARS: dict[str | None, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
    "int-or-string": frozenset({int, str}),
    "quantity": frozenset(),
}
GO_TYPES = {
    "string": "string",
    "integer": "int32",
    "number": "float64",
    "boolean": "bool",
    "int-or-string": "int32",
    "quantity": "resource.Quantity",
}
WHOLE = frozenset({"integer", "int-or-string"})
INT32, INT64 = 2**31, 2**63
"""The integers from minus this number up to it, without it."""
_LONG = """
    activeDeadlineSeconds capacity defaultUser deletionGracePeriodSeconds fsGroup generation gid gracePeriodSeconds int
    ints maxItems maxLength maxProperties minItems minLength minProperties nodeAllocatableUpdatePeriodSeconds
    observedGeneration remainingItemCount resourceSliceCount revision runAsGroup runAsUser seconds sizeBytes
    startingDeadlineSeconds supplementalGroups terminationGracePeriodSeconds tolerationSeconds uid user
"""
LONG = frozenset(_LONG.split())
"""The fields that are int64 in every built-in type that has them; other integers are int32 (OpenAPI of 1.37)."""
LONG_IN = {
    "count": ("DeviceRequest", "DeviceSubRequest", "ExactDeviceRequest"),
    "expirationSeconds": ("ServiceAccountTokenProjection", "TokenRequest", "TokenRequestSpec"),
}
"""Fields that are int64 in these types only."""
JSON_TYPES = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}


class Key(str):
    """A step to a value of a map with free keys, which Go does not name."""

    __slots__ = ()


class Misfit(Immutable):
    """A value that its field cannot hold; `owner` is the type that has the field."""

    __slots__ = ("at", "value", "rule", "owner")  # noqa: RUF023 - the order in which they are filled
    at: Steps
    value: Any
    rule: Rule
    owner: str

    def __init__(self, at: Steps, value: Any, rule: Rule, owner: str) -> None:
        self._fill(at, value, rule, owner)

    def placed(self, at: Steps) -> Misfit:
        """The same at another place."""
        return Misfit(at, self.value, self.rule, self.owner)


def check(content: Object, resource: Resource, kinds: Kinds) -> None:
    """Raise BadRequest for the first value that does not fit."""
    problem, advice = unreadable(content, resource, kinds)
    if problem:
        raise BadRequest(f"{read_as(resource)}: {problem}", advice=advice)


def read_as(resource: Resource) -> str:
    """How a server begins when it cannot read an object."""
    return f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}'


def unreadable(content: Object, resource: Resource, kinds: Kinds, *, strategic: bool = False) -> tuple[str, str]:
    """Why a server cannot read an object, and where to look; empty if it can.

    Custom resources only have types in their metadata. What a strategic patch has made is not read from JSON.
    """
    if resource.built_in:
        schema = kinds.schema(resource)
        found = misfit(content, schema)
    else:
        schema = kinds.tables.definition(OBJECT_META)
        found = misfit(content["metadata"], schema, ("metadata",))
    said = why_converted if strategic else why
    return ("", "") if found is None else (said(found, schema), f"look at {render(found.at)}")


def misfit(content: Object, schema: Schema, at: Steps = ()) -> Misfit | None:
    """The first value that does not fit, in the order of the object; None if all do."""
    found = with_room(lambda: _misfit(content, schema.type.rule, schema, schema.type.name))
    return found and found.placed((*at, *reversed(found.at)))


def _misfit(value: Any, rule: Rule, schema: Schema, owner: str) -> Misfit | None:
    """The first value that does not fit. Its place is put together on the way out, the innermost step first."""
    kind = rule.kind
    if kind == "primitive":
        return None if _is_scalar(value, rule.of) else Misfit((), value, rule, owner)
    if kind == "any" or (kind == "map" and rule.of is None):
        return None
    if kind == "list" and isinstance(value, list):
        return _in_list(value, schema.inside(rule)[0], schema, owner)
    if kind == "list" or not isinstance(value, dict):
        return Misfit((), value, rule, owner)
    if rule.free_keys:
        return _in_map(value, schema.inside(rule)[0], schema, owner)
    return _in_struct(value, schema, str(rule.of))


def _in_struct(value: Object, schema: Schema, owner: str) -> Misfit | None:
    fields = schema.types[owner].fields
    for field, inner in value.items():
        rule = fields.get(field)
        if rule is None or inner is None:
            continue
        if rule.kind == "primitive" and _is_scalar(inner, rule.of):
            if _fits(inner, rule.of, owner, field):
                continue
            return Misfit((field,), inner, rule, owner)
        found = _misfit(inner, rule, schema, owner)
        if found is not None:
            return found.placed((*found.at, field))
    return None


def _fits(value: Any, of: str | None, owner: str, field: str) -> bool:
    """Whether the field can hold a scalar of its type: a number has to be in its range, and a time to be one."""
    kind = type(value)
    if kind in (int, float) and of in WHOLE:
        return -INT32 <= value < INT32 or (_is_long(owner, field) and -INT64 <= value < INT64)
    if kind is str and (field in TIMES or field in MICRO_TIMES):
        return not problem(value, micro=field in MICRO_TIMES)
    return True


def _is_long(owner: str, field: str) -> bool:
    return field in LONG or owner.rpartition(".")[2] in LONG_IN.get(field, ())


def _in_map(value: Object, rule: Rule, schema: Schema, owner: str) -> Misfit | None:
    for key, inner in value.items():
        found = None if inner is None else _misfit(inner, rule, schema, owner)
        if found is not None:
            return found.placed((*found.at, Key(key)))
    return None


def _in_list(value: list[Any], rule: Rule, schema: Schema, owner: str) -> Misfit | None:
    for index, inner in enumerate(value):
        found = None if inner is None else _misfit(inner, rule, schema, owner)
        if found is not None:
            return found.placed((*found.at, index))
    return None


def _is_scalar(value: Any, of: str | None) -> bool:
    """Whether a field of this scalar holds the value; a whole number may be written with a fraction of zero."""
    if of is None:
        return True
    if of == "quantity":
        return not _problem_of_quantity(value)
    types = SCALARS[of]
    return type(value) in types or (type(value) is float and int in types and value.is_integer())


def _problem_of_quantity(value: Any) -> str:
    from engine.values import quantities  # late, because decimals take a while to import

    return quantities.problem(value)


# ---- in the words of Go ----------------------------------------------------------------------------------------------


def why(found: Misfit, schema: Schema) -> str:
    """Go's message about the value; it names neither keys of a map nor places in a list."""
    if found.rule.of == "quantity" and found.rule.kind == "primitive":
        return _problem_of_quantity(found.value)
    fields = ".".join(step for step in found.at if isinstance(step, str) and not isinstance(step, Key))
    owner, field = found.owner.rpartition(".")[2], fields.rpartition(".")[2]
    if isinstance(found.value, str) and found.rule.of == "string" and found.rule.kind == "primitive":
        return problem(found.value, micro=field in MICRO_TIMES)
    whole = go_type(found.rule, schema)
    if whole == GO_TYPES["integer"] and _is_long(owner, field):
        whole = "int64"
    said = JSON_TYPES[type(found.value)]
    if said == "number" and whole in ("int32", "int64"):
        said = f"number {_digits(found.value)}"
    return f"json: cannot unmarshal {said} into Go struct field {owner}.{fields} of type {whole}"


def _digits(value: float) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


GO_KINDS: dict[type, str] = {dict: "map", list: "slice", str: "string", bool: "bool", int: "int64", float: "float64"}
_CONVERTED = {int: ("string",), float: ("integer",)}
"""What Go could make of a number, and a server does not."""


def why_converted(found: Misfit, schema: Schema) -> str:
    """The message about a value that is converted from plain values, and not read from JSON."""
    rule, given = found.rule, GO_KINDS[type(found.value)]
    if rule.kind == "primitive" and rule.of not in ("quantity", "int-or-string"):
        whole = GO_TYPES[str(rule.of)]
        if rule.of in _CONVERTED.get(type(found.value), ()):
            return f"cannot convert {given} to {whole}"
        return f"unrecognized type: {whole}"
    if rule.kind == "list":
        return f"cannot restore slice from {given}"
    if rule.kind == "map":
        return f"cannot restore map from {given}" if rule.free_keys else f"cannot restore struct from: {given}"
    return why(found, schema)


def go_type(rule: Rule, schema: Schema) -> str:
    """The Go type of a field, as far as the tables know it: `int32`, `[]v1.Container`, `map[string]string`."""
    if rule.kind == "list":
        return "[]" + go_type(schema.inside(rule)[0], schema)
    if rule.kind == "map" and rule.free_keys:
        return "map[string]" + go_type(schema.inside(rule)[0], schema)
    if rule.kind == "map":
        module, _, name = str(rule.of).rpartition(".")
        return f"{module.rpartition('_')[2]}.{name}"
    return GO_TYPES.get(str(rule.of), "interface {}")
