"""Types as server-side apply sees them: the possible kinds of a value, and their ownership.

Only this module reads list types, map keys, key defaults and map types from the tables.
"""

from __future__ import annotations

from ...tables.behaviour import (
    APPENDS_NEW_ELEMENTS,
    DEDUCES_WITH_INT_OR_STRING,
    OWNS_UNTYPED_AS_WHOLE,
    PRINTS_TEMPLATE_TIMES,
    REQUIRES_ALL_KEYS,
)
from ...tables.rules import SCALARS
from ...tables.types import is_valid_in
from .zero_value_tables import CREATION_TIME, OBJECT_META, nulls_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any, TypeAlias

    from ...tables.rules import Rule
    from ...tables.schema import Schema
    from ...tables.types import Types

    Part: TypeAlias = "Scalar | List | Map"

_OF = 4
"""The column of a table row with the type of the field, of its elements or of its values."""
SCALAR_TYPES = (str, int, float, bool)
_ACCEPTED = {
    "numeric (int or float)": frozenset({int, float}),
    "string": frozenset({str}),
    "boolean": frozenset({bool}),
    "any scalar": frozenset(SCALAR_TYPES),
}
_WORDS = {
    "integer": "numeric (int or float)",
    "number": "numeric (int or float)",
    "string": "string",
    "boolean": "boolean",
}
"""The API server's names for scalar types; all others (quantities, int-or-string) may be any scalar."""


RAW = frozenset(
    {
        "AllocatedDeviceStatus.data",
        "ControllerRevision.data",
        "DriverAllocationResult.vendorRequestParameters",
        "DriverRequests.vendorParameters",
        "OpaqueDeviceConfiguration.parameters",
        "ResourceRequest.vendorParameters",
        "StructuredResourceHandle.vendorClaimParameters",
        "StructuredResourceHandle.vendorClassParameters",
        "VendorParameters.parameters",
        "WatchEvent.object",
    }
)
"""RawExtension fields of Kubernetes' own types, which are owned as a whole. The tables do not distinguish them from
maps with free keys.
"""


_ZEROS = {"integer": 0, "number": 0, "string": "", "boolean": False, "quantity": "0", "int-or-string": 0}


class Scalar:
    """A scalar, owned as a whole. `zero` is the Go value for a null under a free key."""

    __slots__ = ("accepts", "word", "zero")
    atomic = True

    def __init__(self, word: str, zero: Any = None) -> None:
        self.word, self.zero, self.accepts = word, zero, _ACCEPTED[word]


class List:
    """A list, owned as a whole (atomic), by element values (no keys), or by the keys of its elements.

    `keys` are pairs sorted by name: the key, and its default value or None. `appends` and `requires_keys` are
    behaviours of older releases.
    """

    __slots__ = ("_element", "_make", "appends", "atomic", "keys", "requires_keys")

    def __init__(
        self,
        atomic: bool,
        keys: tuple[tuple[str, Any], ...],
        make: Callable[[], Atom],
        *,
        appends: bool = False,
        requires_keys: bool = False,
    ) -> None:
        self.atomic, self.keys, self._make = atomic, keys, make
        self.appends, self.requires_keys = appends, requires_keys
        self._element: Atom | None = None

    @property
    def element(self) -> Atom:
        """The type of the elements, made on first use, like all nested types."""
        if self._element is None:
            self._element = self._make()
        return self._element


class Map:
    """A map with fields, free keys, or both, owned as a whole (atomic) or key by key.

    `names` are the fields of the type, `known` the field types made so far, `nulls` the fields that Go prints as null.
    `deduced`: there is no declared type, so the API server does not check for changed types.
    """

    __slots__ = ("_make", "_values", "_values_made", "atomic", "deduced", "known", "names", "nulls")

    def __init__(
        self,
        atomic: bool,
        values: Callable[[], Atom] | None,
        names: Collection[str] = (),
        make: Callable[[str], Atom] | None = None,
        *,
        nulls: Collection[str] = (),
        deduced: bool = False,
    ) -> None:
        self.atomic, self.names, self.nulls, self.deduced = atomic, names, nulls, deduced
        self._values, self._make = values, make
        self._values_made: Atom | None = None
        self.known: dict[str, Atom] = {}

    def atom(self, key: str) -> Atom | None:
        """The type of the value under a key; None if the key is not allowed."""
        found = self.known.get(key)
        if found is None and self._make is not None and key in self.names:
            found = self.known[key] = self._make(key)
        return found or self.values

    @property
    def values(self) -> Atom | None:
        """The type of the values under free keys; None if there are none."""
        if self._values_made is None and self._values is not None:
            self._values_made = self._values()
        return self._values_made


class Atom:
    """The type of a value: a scalar, a list, a map, or several of them. Upstream: `schema.Atom`.

    `parts` has the kind to use by Python type. A null or a value of a wrong type counts as a map if allowed, else as a
    scalar, else as a list. `plain` are the Python types that need no further checks.
    """

    __slots__ = ("default", "list", "map", "parts", "plain", "scalar")

    def __init__(self, scalar: Scalar | None = None, list_: List | None = None, map_: Map | None = None) -> None:
        self.scalar, self.list, self.map = scalar, list_, map_
        default: Any = map_ or scalar or list_
        self.default: Part = default
        self.parts: dict[type, Part] = {dict: map_ or default, list: list_ or default, type(None): default}
        self.parts.update(dict.fromkeys(SCALAR_TYPES, scalar or default))
        self.plain: frozenset[type] = scalar.accepts if scalar else frozenset()


_ANY_SCALAR = Scalar("any scalar")
_WHOLE_LIST = List(True, (), lambda: WHOLE)
WHOLE: Atom = Atom(_ANY_SCALAR, _WHOLE_LIST, Map(True, lambda: WHOLE))
"""Untyped values inside an atomic value."""
DEDUCED: Atom = Atom(_ANY_SCALAR, _WHOLE_LIST, Map(False, lambda: DEDUCED, deduced=True))
"""Untyped values: maps are owned key by key, lists as a whole."""
_SCALAR_SHAPES = {word: Atom(Scalar(_WORDS.get(word, "any scalar"), _ZEROS[word])) for word in SCALARS}


def atom_of(schema: Schema | None) -> Atom:
    """The type of a kind's objects; without a schema, it is deduced."""
    if schema is None or _is_deduced(schema):
        return DEDUCED
    types = schema.types
    return types.once(("owned", schema.type.name), _Maker(types).named, schema.type.name)


class Versions:
    """The apiVersions in which a kind is served, and its type in each."""

    __slots__ = ("_types", "deduced", "named")

    def __init__(self, types: Types, named: dict[str, str], *, deduced: bool) -> None:
        self._types, self.named, self.deduced = types, named, deduced

    def atom(self, version: str, otherwise: Atom) -> Atom:
        """The type in a version; `otherwise` if the tables do not have it."""
        name = self.named.get(version)
        if name and self.deduced:
            return DEDUCED
        return self._types.once(("owned", name), _Maker(self._types).named, name) if name else otherwise


def versions_of(schema: Schema | None) -> Versions | None:
    """The apiVersions in which the kind of a schema is served; None if unknown."""
    if schema is None or schema.key is None:
        return None
    return schema.types.once(("versions", *schema.key), _versions, schema)


def _versions(schema: Schema) -> Versions:
    version, kind = schema.key or ("", "")
    group = version.rpartition("/")[0]
    named = {
        row[0]: row[4]
        for types, row in schema.types.kind_rows(kind)
        if is_valid_in(row, types.minor, 2) and _is_alike(row[0].rpartition("/")[0], group, schema)
    }
    return Versions(schema.types, named, deduced=_is_deduced(schema))


def _is_deduced(schema: Schema) -> bool:
    """True if a server of the release cannot read the types of the custom resource."""
    if schema.built_in or schema.key is None or DEDUCES_WITH_INT_OR_STRING not in schema.types.behaviour:
        return False
    return schema.types.once(("deduced", *schema.key), _has_int_or_string, schema)


def _has_int_or_string(schema: Schema) -> bool:
    version, kind = schema.key or ("", "")
    group = version.rpartition("/")[0]
    return any(
        len(field) > _OF and field[_OF] == "int-or-string"
        for types, row in schema.types.kind_rows(kind)
        if types.minor is None and row[0].rpartition("/")[0] == group
        for name, fields in types.data.types_of(row[4].partition(".")[0]).items()
        if f"{name}.".startswith(f"{row[4].partition('.')[2]}.")
        for field in fields
    )


def _is_alike(one: str, other: str, schema: Schema) -> bool:
    """True if a server converts objects between two groups: kinds that moved out of `extensions`."""
    return one == other or (schema.built_in and "extensions" in (one, other))


class _Maker:
    """Makes the types of one schema; nested types are made on first use."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.untyped = WHOLE if OWNS_UNTYPED_AS_WHOLE in types.behaviour else DEDUCED
        self.known: dict[tuple[str, bool, bool | None], Atom] = {}

    def named(self, name: str, is_open: bool = False, atomic: bool | None = None) -> Atom:
        """The type of this name. `is_open`: the parent preserves unknown fields, so this type does too.

        `atomic` is the mark of the referring field, which takes precedence over the mark of the type.
        """
        found = self.known.get((name, is_open, atomic))
        if found is None:
            found = self.known[name, is_open, atomic] = self._of_type(name, is_open, atomic)
        return found

    def _of_type(self, name: str, is_open: bool, atomic: bool | None) -> Atom:
        type_ = self.types[name]
        rule, fields = type_.rule, type_.fields
        if rule.kind != "map" or rule.free_keys or not fields:
            return self.of_rule(rule, name, is_open, atomic)
        whole = rule.map_type == "atomic" if atomic is None else atomic
        is_open = is_open or rule.open
        values = (lambda: DEDUCED) if is_open else None
        nulls = () if self.types.minor is None else nulls_of(name, self.types.minor)
        if name.endswith(OBJECT_META) and PRINTS_TEMPLATE_TIMES in self.types.behaviour:
            nulls = frozenset((CREATION_TIME,))
        make: Callable[[str], Atom] = lambda key: self.of_rule(fields[key], f"{name}.{key}", is_open)  # noqa: E731
        return Atom(map_=Map(whole, values, fields, make, nulls=nulls))

    def of_rule(self, rule: Rule, place: str, is_open: bool, atomic: bool | None = None) -> Atom:
        """The type of a field. `place` is used as its name if it has none."""
        if rule.kind == "primitive":
            return _SCALAR_SHAPES[rule.of or "quantity"]
        if rule.kind == "list":
            return Atom(list_=self._list(rule, place))
        if rule.kind == "any":
            return self.untyped
        if rule.of is None and self.types.minor is not None and place.partition(".")[2] in RAW:
            return WHOLE
        stated = rule.map_type == "atomic" if rule.map_type else atomic
        if rule.of is not None and not rule.free_keys and self.types[rule.of].fields:
            return self.named(rule.of, is_open and rule.of.startswith(place), stated)
        of = rule.of if rule.free_keys else None
        return Atom(map_=Map(bool(stated), lambda: self.inside(of, place, is_open), deduced=of is None))

    def _list(self, rule: Rule, place: str) -> List:
        keys = {}
        if rule.list_type == "map":
            fields = {} if rule.of is None or rule.of in SCALARS else self.types[rule.of].fields
            keys = {key: fields[key].default if key in fields else None for key in rule.map_keys}
        is_whole = rule.list_type not in ("set", "map")
        behaviour = self.types.behaviour
        return List(
            is_whole,
            tuple(sorted(keys.items())),
            lambda: self.inside(rule.of, place),
            appends=APPENDS_NEW_ELEMENTS in behaviour,
            requires_keys=REQUIRES_ALL_KEYS in behaviour,
        )

    def inside(self, of: str | None, place: str, is_open: bool = False) -> Atom:
        """The type of list elements or of map values."""
        if of is None:
            return self.untyped
        if of in SCALARS:
            return _SCALAR_SHAPES[of]
        return self.named(of, is_open and of.startswith(place))
