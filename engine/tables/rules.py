"""The merge rule of a field, and a type: a named set of fields with their rules."""

from __future__ import annotations

from types import MappingProxyType

from .. import aliases
from ..values.immutable import Immutable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCALARS = frozenset({"string", "integer", "number", "boolean", "int-or-string", "quantity"})
"""The values of `Rule.of` for scalars; any other value names a type."""


class Rule(Immutable):
    """The merge rule of one field, in strategic merge patches and in server-side apply. Immutable.

    kind        "primitive", "map" or "list", or "any" where the specification leaves the kind open
    of          the type of the value: a scalar, the name of a type, or None where that is open. For a list it describes
                each element, for a map with free keys each value
    strategies  the words of the patch strategy: "merge", "replace", "retainKeys"; often none
    merge_key   the field that identifies an element of a list under strategic merge patch, or None
    list_type   "map", "set" or "atomic": the list type in server-side apply; None if the field is not a list
    map_keys    the fields that identify an element of a list under server-side apply
    derived     list_type and map_keys follow from the patch strategy; the specification does not state them
    map_type    "atomic" where server-side apply owns a map, or each element of a list with keys, as a whole;
                "granular" or None otherwise. Includes the map type of the referenced type
    default     the value that server-side apply uses for a missing field, if it is a key of list elements
    free_keys   the keys of this map are data (labels), not fields of a type (spec)
    open        unknown fields are preserved by the server (x-kubernetes-preserve-unknown-fields)
    """

    __slots__ = (  # noqa: RUF023 - the order of the columns
        "kind",
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

    kind: aliases.RuleKind
    of: str | None
    strategies: tuple[str, ...]
    merge_key: str | None
    list_type: aliases.ListType | None
    map_keys: tuple[str, ...]
    derived: bool
    map_type: aliases.MapType | None
    default: aliases.Any
    free_keys: bool
    open: bool

    def __init__(
        self,
        kind: aliases.RuleKind,
        of: str | None = None,
        strategies: str | None = None,
        merge_key: str | None = None,
        list_type: aliases.ListType | None = None,
        map_keys: tuple[str, ...] | None = None,
        derived: int | None = None,
        map_type: aliases.MapType | None = None,
        default: aliases.Any = None,
        free_keys: int | None = None,
        open: int | None = None,
    ) -> None:
        words = tuple(strategies.split(",")) if strategies else ()
        self._fill(
            kind,
            of,
            words,
            merge_key,
            list_type,
            map_keys or (),
            bool(derived),
            map_type,
            default,
            bool(free_keys),
            bool(open),
        )

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name in self.__slots__[1:] if (value := getattr(self, name)) not in _EMPTY]
        return f"Rule({self.kind!r}{''.join(', ' + part for part in shown)})"


_EMPTY: tuple[object, ...] = (None, (), False)


class Type(Immutable):
    """A named set of fields with their rules. `rule` is the merge rule of a value of the type as a whole.

    A map with free keys, a list or a scalar has no fields, only the rule. Immutable; made by the tables when the type
    is first used.
    """

    __slots__ = ("name", "rule", "fields")  # noqa: RUF023 - the order in which they are filled

    name: str
    rule: Rule
    fields: aliases.Mapping[str, Rule]

    def __init__(self, name: str, rule: Rule, fields: aliases.Mapping[str, Rule]) -> None:
        self._fill(name, rule, MappingProxyType(dict(fields)))

    def _facts(self) -> tuple[Any, ...]:
        return self.name, self.rule, tuple(self.fields.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return Type, (self.name, self.rule, dict(self.fields))

    def __repr__(self) -> str:
        return f"Type({self.name!r}, {len(self.fields)} fields)"
