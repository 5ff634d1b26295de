"""One field's merge rule, and the type that a set of them makes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

SCALARS = frozenset({"string", "integer", "number", "boolean", "int-or-string", "quantity"})
"""What `Rule.of` says of a value that has no fields of its own; every other word names a type."""


class Rule:
    """How one field merges, under strategic merge patch and under server-side apply. Never changes.

    kind        "primitive", "map" or "list", or "any" where the specification leaves the kind open
    of          what it holds: a scalar word, a type's name, or None where that is left open. For a list this is
                said of each element, for a map with free keys of each value
    strategies  the words of the patch strategy: "merge", "replace", "retainKeys"; often none
    merge_key   the field that identifies an element of a list under strategic merge patch, or None
    list_type   "map", "set" or "atomic": how server-side apply sees a list; None for what is no list
    map_keys    the fields that identify an element of a list under server-side apply
    derived     list_type and map_keys follow from the patch strategy; the specification does not state them
    map_type    "atomic" where server-side apply owns a map as a whole, "granular" or None otherwise
    default     the value that a missing key of an element stands for, where the field is such a key
    free_keys   the keys of this map are data (labels), not fields of a type (spec)
    open        unknown fields are kept by the server (x-kubernetes-preserve-unknown-fields)
    """

    __slots__ = (
        "default",
        "derived",
        "free_keys",
        "kind",
        "list_type",
        "map_keys",
        "map_type",
        "merge_key",
        "of",
        "open",
        "strategies",
    )

    kind: str
    of: str | None
    strategies: tuple[str, ...]
    merge_key: str | None
    list_type: str | None
    map_keys: tuple[str, ...]
    derived: bool
    map_type: str | None
    default: Any
    free_keys: bool
    open: bool

    def __init__(
        self,
        kind: str,
        of: str | None = None,
        strategies: str | None = None,
        merge_key: str | None = None,
        list_type: str | None = None,
        map_keys: tuple[str, ...] | None = None,
        derived: int | None = None,
        map_type: str | None = None,
        default: Any = None,
        free_keys: int | None = None,
        open: int | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "of", of)
        put(self, "strategies", tuple(strategies.split(",")) if strategies else ())
        put(self, "merge_key", merge_key)
        put(self, "list_type", list_type)
        put(self, "map_keys", map_keys or ())
        put(self, "derived", bool(derived))
        put(self, "map_type", map_type)
        put(self, "default", default)
        put(self, "free_keys", bool(free_keys))
        put(self, "open", bool(open))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Rule never changes; {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Rule never changes; {name!r} cannot be removed")

    def _facts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __reduce__(self) -> tuple[Any, ...]:
        return Rule, (
            self.kind,
            self.of,
            ",".join(self.strategies) or None,
            self.merge_key,
            self.list_type,
            self.map_keys,
            self.derived,
            self.map_type,
            self.default,
            self.free_keys,
            self.open,
        )

    def __repr__(self) -> str:
        said = [f"{name}={value!r}" for name in _SPOKEN if (value := getattr(self, name)) not in (None, (), False)]
        return f"Rule({self.kind!r}{''.join(', ' + part for part in said)})"


_SPOKEN = (
    "of",
    "strategies",
    "merge_key",
    "list_type",
    "map_keys",
    "derived",
    "map_type",
    "default",
    "free_keys",
    "open",
)


class Type:
    """A named set of fields with their rules; `rule` says how a value of the type merges as a whole.

    A type with free keys, a list or a scalar has no fields: its rule says it all. Never changes; built by the
    tables when the type is first touched.
    """

    __slots__ = ("fields", "name", "rule")

    def __init__(self, name: str, rule: Rule, fields: Mapping[str, Rule]) -> None:
        self.name, self.rule, self.fields = name, rule, fields

    def __repr__(self) -> str:
        return f"Type({self.name!r}, {len(self.fields)} fields)"
