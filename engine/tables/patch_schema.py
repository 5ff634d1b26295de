"""Precomputed merge rules for the patch functions.

Lookups work as in the reference, which has Go types. A field is found by its exact name, else case-insensitively.
Values of maps with free keys have no fields. Where a field should hold an object and holds a list, the elements have
the type of the object, as with pointers in Go. A scalar field cannot hold a list.
"""

from __future__ import annotations

from functools import cached_property

from ..errors import BadStrategy, NotASchema, UnexpectedList, UnknownField
from .behaviour import NEWEST
from .identity import Keys
from .rules import SCALARS, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .behaviour import Behaviour
    from .rules import Type
    from .schema import Schema
    from .types import Types


class PatchMeta:
    """The merge rule of one field, as in `strategicpatch.PatchMeta` upstream.

    merges, replaces, retains   the words of its patch strategy
    merge_key                   the merge key of its list, or ""
    faulty                      true if its patch strategy has contradictory words
    """

    def __init__(self, name: str, rule: Rule, types: Types | None) -> None:
        self.name, self.rule, self._types = name, rule, types
        words = rule.strategies
        self.retains = "retainKeys" in words
        word = next((word for word in words if word != "retainKeys"), "")
        self.merges, self.replaces = word == "merge", word == "replace"
        self.faulty = len(words) > 2 or (len(words) == 2 and not self.retains)
        self.merge_key = rule.merge_key or ""

    # References to other types are resolved on first use, because types form cycles.

    @cached_property
    def inside(self) -> PatchSchema:
        """The schema of its value, if that is a map."""
        rule = self.rule
        if rule.kind == "any":
            return ANYTHING
        if rule.kind != "map" or rule.free_keys:
            return PatchSchema(f"the field {self.name!r}", None, {})
        return self._shape_of(rule.of)

    @cached_property
    def element(self) -> PatchSchema:
        """The schema of its elements, if its value is a list."""
        if self.rule.kind == "list":
            return self._shape_of(self.rule.of)
        return self.inside

    @cached_property
    def keys(self) -> Keys:
        """The full identity of the elements of its list."""
        return Keys(self.rule, self._types)

    @cached_property
    def lists(self) -> bool:
        """True if the value may be a list whose elements matter."""
        rule = self.rule
        if rule.kind == "list" and rule.of is not None and rule.of not in SCALARS and self._types is not None:
            return self._types[rule.of].rule.kind != "list"
        return not rule.free_keys and (rule.kind != "primitive" or rule.of in ("int-or-string", "quantity"))

    @cached_property
    def skip_equal(self) -> bool:
        """True if two equal values can be skipped: they cause no patch and no error, at any depth."""
        return not self.acts_when_equal and can_skip_equal(self.inside) and can_skip_equal(self.element)

    @cached_property
    def of_maps(self) -> tuple[bool, bool, PatchSchema, bool]:
        """True if maps merge by it, and `skip_equal`, `inside` and `retains`. One lookup is faster than four."""
        merges = not self.faulty and not self.replaces
        return merges, merges and self.skip_equal, self.inside, self.retains

    @cached_property
    def of_elements(self) -> tuple[str, PatchSchema, bool, bool, bool] | None:
        """`merge_key` and `element` of a list, True if equal elements can be skipped, `retains` and `merges`.

        None if the value cannot be a list, or the strategy is faulty.
        """
        if self.faulty or not self.lists:
            return None
        if not self.merges:
            return "", ANYTHING, True, False, False
        return self.merge_key, self.element, can_skip_equal(self.element), self.retains, True

    @property
    def acts_when_equal(self) -> bool:
        """True if even an unchanged value of this field may cause a patch or an error."""
        return self.merges or self.replaces or self.faulty

    mixes = False
    """True if a merging list may have scalars of several types; a strategic merge patch rejects them."""

    def suits(self, *lists: list[Any]) -> bool:  # noqa: ARG002 - fields of custom resources use it
        """True if these lists can be merged by the rule of the field; if not, they are replaced."""
        return True

    @property
    def strategies(self) -> tuple[str, ...]:
        """The words of the patch strategy, as in the specification."""
        return self.rule.strategies

    @property
    def is_map(self) -> bool:
        """True if the field should hold an object."""
        return self.rule.kind == "map"

    def _shape_of(self, name: str | None) -> PatchSchema:
        if name is None:
            return ANYTHING
        if name in SCALARS or self._types is None:
            return PatchSchema(f"the {name} {self.name!r}", None, {})
        return patch_schema_of(self._types, self._types[name])


class PatchSchema:
    """The fields of a type by exact name; empty for a type without fields."""

    __slots__ = ("_types", "behaviour", "fields", "name", "open", "skip_equal", "struct", "with_extra_keys")

    behaviour: Behaviour
    """The differences of the release's merge algorithms from the newest ones."""
    skip_equal: bool
    with_extra_keys: dict[str, PatchMeta]
    """Filled by `engine.lossless.hazards`."""

    def __init__(
        self, name: str, types: Types | None, rules: dict[str, Rule], *, struct: bool = False, open_: bool = False
    ) -> None:
        self.name, self._types, self.struct, self.open = name, types, struct, open_
        self.fields = {name: PatchMeta(name, rule, types) for name, rule in rules.items()}
        self.behaviour = NEWEST if types is None else types.behaviour

    def field(self, name: str) -> PatchMeta:
        """The field of this name; an error if there is none, or if its patch strategy is faulty."""
        found = self.fields.get(name)
        if found is None:
            found = self._by_any_case(name)
        if found.faulty:
            raise BadStrategy(name, found.strategies)
        return found

    def list_field(self, name: str) -> PatchMeta:
        """The list field of this name; an error if it cannot hold a list."""
        found = self.field(name)
        if not found.lists or (found.is_map and name not in self.fields):
            raise UnexpectedList(name, self.name)
        return found

    def _by_any_case(self, name: str) -> PatchMeta:
        if self.struct:
            folded = fold(name)
            for known, field in self.fields.items():
                if fold(known) == folded:
                    return field
        if self.open:
            return ANY_FIELD
        raise UnknownField(name, self.name, has_fields=self.struct)


def fold(name: str) -> str:
    """A field name folded as in Go's case-insensitive comparison: two non-ASCII letters count as k and s."""
    return name.replace("\u212a", "k").replace("\u017f", "s").lower()


ANYTHING = PatchSchema("an object of any shape", None, {}, open_=True)
"""Untyped values: maps merge key by key, lists are replaced."""
ANY_FIELD = PatchMeta("", Rule("any"), None)


def patch_schema(schema: Schema) -> PatchSchema:
    """The patch schema of a kind or type."""
    try:
        types, type_ = schema._types, schema.type
    except AttributeError:
        raise NotASchema(schema) from None
    return patch_schema_of(types, type_)


def patch_schema_of(types: Types, type_: Type) -> PatchSchema:
    """The patch schema of a type, made once per set of types."""
    return types.once(("schema", type_.name), _resolve, types, type_)


def _resolve(types: Types, type_: Type) -> PatchSchema:
    rule = type_.rule
    struct = rule.kind == "map" and not rule.free_keys
    open_ = rule.kind == "any" or rule.open
    return PatchSchema(type_.name, types, dict(type_.fields) if struct else {}, struct=struct, open_=open_)


def can_skip_equal(start: PatchSchema) -> bool:
    """True if two equal values of this schema cause no patch and no error, at any depth."""
    try:
        return start.skip_equal
    except AttributeError:
        start.skip_equal = not any(
            field.acts_when_equal for schema in reachable(start) for field in schema.fields.values()
        )
        return start.skip_equal


def reachable(start: PatchSchema) -> Iterator[PatchSchema]:
    """This schema and all schemas reachable from it, nearest first; cycles are allowed.

    Schemas are made on demand: a kind refers to hundreds of them, and a few are enough for most lookups.
    """
    found = {id(start)}
    queue = [start]
    for schema_ in queue:
        yield schema_
        for field in schema_.fields.values():
            for next_ in (field.inside, field.element):
                if id(next_) not in found:
                    found.add(id(next_))
                    queue.append(next_)
