"""How server-side apply sees a value: what kinds of values a place may hold, and how each of them is owned.

This is the one place that reads list types, map keys, defaults of keys and map types off the tables.
"""

from __future__ import annotations

from ...tables.rules import SCALARS, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from ...tables.schema import Schema
    from ...tables.types import Types

    Part: TypeAlias = "Scalar | List | Map"

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
"""How the API server calls the scalars of the tables; all others (quantities, int-or-string) may be any scalar."""


class Scalar:
    """A scalar, which is owned as one."""

    __slots__ = ("accepts", "word")
    atomic = True

    def __init__(self, word: str) -> None:
        self.word, self.accepts = word, _ACCEPTED[word]


class List:
    """A list: owned as a whole (atomic), by element values (no keys), or by the keys of its elements."""

    __slots__ = ("_element", "_make", "atomic", "keys")

    def __init__(self, atomic: bool, element: Shape | None = None) -> None:
        self.atomic = atomic
        self.keys: tuple[tuple[str, Any], ...] = ()
        self._element = element
        self._make: tuple[_Maker, str | None, str] | None = None

    @property
    def element(self) -> Shape:
        """The shape of its elements."""
        if self._element is None:
            assert self._make is not None
            maker, of, place = self._make
            self._element = maker.inside(of, place)
        return self._element


class Map:
    """A map: fields of a type, free keys, or both; owned as a whole (atomic) or key by key."""

    __slots__ = ("_make", "_shapes", "_values", "atomic", "deduced", "rules")

    def __init__(self, atomic: bool, rules: Mapping[str, Rule] | None = None, *, deduced: bool = False) -> None:
        self.atomic, self.deduced = atomic, deduced
        self.rules: Mapping[str, Rule] = rules or {}
        self._shapes: dict[str, Shape | None] = {}
        self._values: Shape | bool | None = None
        self._make: tuple[_Maker, str | None, str, bool] | None = None

    def shape(self, key: str) -> Shape | None:
        """The shape of the value at a key; None if there can be no such key."""
        try:
            return self._shapes[key]
        except KeyError:
            rule = self.rules.get(key)
            if rule is None:
                return self.values
            assert self._make is not None
            maker, _, place, is_open = self._make
            found = self._shapes[key] = maker.of_rule(rule, f"{place}.{key}", is_open)
            return found

    @property
    def values(self) -> Shape | None:
        """The shape of the values at free keys; None if there are no free keys."""
        if self._values is None:
            self._values = False
            if self._make is not None and not self.rules:
                maker, of, place, is_open = self._make
                self._values = DEDUCED if of is None else maker.inside(of, place, is_open)
        return self._values if isinstance(self._values, Shape) else None


class Shape:
    """What a place may hold: a scalar, a list, a map, or several of them.

    `parts` has, by the type of a value, the part that it is seen as. A null, and a value of a wrong type, counts as a
    map where there may be one, else as a scalar, else as a list. `plain` are the types that need no further look.
    """

    __slots__ = ("default", "list", "map", "parts", "plain", "scalar")

    def __init__(self, scalar: Scalar | None = None, list_: List | None = None, map_: Map | None = None) -> None:
        self.scalar, self.list, self.map = scalar, list_, map_
        default = map_ or scalar or list_
        assert default is not None
        self.default: Part = default
        self.parts: dict[type, Part] = {dict: map_ or default, list: list_ or default, type(None): default}
        self.parts.update(dict.fromkeys(SCALAR_TYPES, scalar or default))
        self.plain: frozenset[type] = scalar.accepts if scalar else frozenset()


def _deduced() -> tuple[Shape, Shape]:
    """The shapes of values without a type: maps are owned key by key, lists as a whole with all inside them."""
    scalar = Scalar("any scalar")
    whole_map, open_map = Map(True), Map(False, deduced=True)
    whole_list = List(True)
    whole, deduced = Shape(scalar, whole_list, whole_map), Shape(scalar, whole_list, open_map)
    whole_list._element = whole
    whole_map._values = whole
    open_map._values = deduced
    return whole, deduced


WHOLE, DEDUCED = _deduced()
"""Values without a type, as a part of one that is owned as a whole; and those owned key by key."""
ANY_SCALAR = Shape(Scalar("any scalar"))
_SCALAR_SHAPES = {word: Shape(Scalar(_WORDS[word])) if word in _WORDS else ANY_SCALAR for word in SCALARS}


def shape_of(schema: Schema | None) -> Shape:
    """The shape of the objects of a kind; without a schema, everything is deduced."""
    if schema is None:
        return DEDUCED
    types = schema.types
    return types.once(("owned", schema.type.name), _Maker(types).named, schema.type.name)


class _Maker:
    """Makes the shapes of one set of types; those inside a type are made when they are first needed."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.known: dict[tuple[str, bool, bool | None], Shape] = {}

    def named(self, name: str, is_open: bool = False, atomic: bool | None = None) -> Shape:
        """The shape of a type by its name. `is_open`: the type around it keeps unknown fields, so this one does too.

        `atomic` is what the field says that refers to the type, which counts more than what the type says itself.
        """
        found = self.known.get((name, is_open, atomic))
        if found is None:
            found = self.known[name, is_open, atomic] = self._of_type(name, is_open, atomic)
        return found

    def _of_type(self, name: str, is_open: bool, atomic: bool | None) -> Shape:
        type_ = self.types[name]
        rule = type_.rule
        if rule.kind != "map" or rule.free_keys or not type_.fields:
            return self.of_rule(rule, name, is_open, atomic)
        whole = rule.map_type == "atomic" if atomic is None else atomic
        made = Map(whole, type_.fields)
        made._make = (self, None, name, is_open or rule.open)
        made._values = DEDUCED if is_open or rule.open else False
        return Shape(map_=made)

    def of_rule(self, rule: Rule, place: str, is_open: bool, atomic: bool | None = None) -> Shape:
        """The shape of a field; `place` names the type that it has if it has none of its own."""
        if rule.kind == "primitive":
            return _SCALAR_SHAPES[rule.of or "quantity"]
        if rule.kind == "list":
            return Shape(list_=self._list(rule, place))
        if rule.kind == "any":
            return DEDUCED
        stated = rule.map_type == "atomic" if rule.map_type else atomic
        if rule.of is not None and not rule.free_keys:
            if rule.of == place and not self.types[rule.of].fields:
                return _free(self, None, place, is_open, bool(stated))
            return self.named(rule.of, is_open and rule.of.startswith(place), stated)
        return _free(self, rule.of, place, is_open, bool(stated))

    def _list(self, rule: Rule, place: str) -> List:
        made = List(rule.list_type not in ("set", "map"))
        made._make = (self, rule.of, place)
        if rule.list_type == "map":
            fields = self._fields(rule.of)
            defaults = {key: fields[key].default if key in fields else None for key in rule.map_keys}
            made.keys = tuple(sorted(defaults.items()))
        return made

    def _fields(self, name: str | None) -> Mapping[str, Rule]:
        return {} if name is None or name in SCALARS else self.types[name].fields

    def inside(self, of: str | None, place: str, is_open: bool = False) -> Shape:
        """The shape of the elements of a list, or of the values of a map."""
        if of is None:
            return DEDUCED
        if of in SCALARS:
            return _SCALAR_SHAPES[of]
        return self.named(of, is_open and of.startswith(place))


def _free(maker: _Maker, of: str | None, place: str, is_open: bool, atomic: bool) -> Shape:
    """A map with free keys."""
    made = Map(atomic, deduced=of is None)
    made._make = (maker, of, place, is_open)
    return Shape(map_=made)
