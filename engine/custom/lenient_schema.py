"""Lenient patch schemas, for merges that are sent as JSON merge patches: unknown fields are not errors.

A strategic merge patch fails at a field without a rule. A JSON merge patch does not: open parts of a custom resource,
unknown fields, and fields newer than the release merge as plain JSON.
"""

from __future__ import annotations

from functools import cached_property

from ..tables.patch_schema import ANY_FIELD, ANYTHING, PatchMeta, PatchSchema
from ..tables.rules import SCALARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.rules import Rule, Type
    from .types import MergingLists


class LenientPatchMeta(PatchMeta):
    """Merge rule of one field. A value that does not fit the rule merges as plain JSON."""

    mixes = True

    def __init__(self, name: str, rule: Rule, types: MergingLists, *, guessed: bool) -> None:
        super().__init__(name, rule, types)
        self.types, self.guessed = types, guessed
        """True if the list merges by a built-in rule that the custom resource's definition does not state."""

    def suits(self, *lists: list[Any]) -> bool:
        """True if these lists can be merged. If a stated key is missing, the server rejects the list anyway."""
        elements = [element for list_ in lists for element in list_]
        if not self.merge_key:
            return not any(type(element) in (dict, list) for element in elements)
        key = self.merge_key
        return not self.guessed or all(type(item) is dict and item.get(key) is not None for item in elements)

    @cached_property
    def lists(self) -> bool:
        """True if the value may be a list whose elements matter."""
        return self.rule.kind == "list"

    @cached_property
    def inside(self) -> PatchSchema:
        """The schema of the value if it is a map."""
        rule = self.rule
        if rule.kind != "map":
            return ANYTHING
        return LenientPatchSchema.of_values(rule, self.types) if rule.free_keys else self._shape_of(rule.of)

    @cached_property
    def element(self) -> PatchSchema:
        """The schema of the elements if the value is a list."""
        return self._shape_of(self.rule.of) if self.rule.kind == "list" else ANYTHING

    def _shape_of(self, name: str | None) -> PatchSchema:
        return ANYTHING if name is None or name in SCALARS else lenient_schema_of(self.types, self.types[name])


class LenientPatchSchema(PatchSchema):
    """The fields of a type. All other names use the rule `others`."""

    __slots__ = ("others",)

    def __init__(
        self, name: str, types: MergingLists, fields: dict[str, PatchMeta], others: PatchMeta = ANY_FIELD
    ) -> None:
        super().__init__(name, types, {}, open_=True)
        self.fields, self.others = fields, others

    @staticmethod
    def of_type(type_: Type, types: MergingLists) -> PatchSchema:
        fields: dict[str, PatchMeta] = {
            name: LenientPatchMeta(name, rule, types, guessed=types.guesses(type_.name, name))
            for name, rule in type_.fields.items()
        }
        return LenientPatchSchema(type_.name, types, fields)

    @staticmethod
    def of_values(rule: Rule, types: MergingLists) -> PatchSchema:
        """The schema of a map with free keys, from the rule of its values."""
        if rule.of is None or rule.of in SCALARS:
            return ANYTHING
        return LenientPatchSchema("", types, {}, LenientPatchMeta("", types[rule.of].rule, types, guessed=False))

    def field(self, name: str) -> PatchMeta:
        """The rule of this field; there is always one."""
        return self.fields.get(name, self.others)

    def list_field(self, name: str) -> PatchMeta:
        return self.field(name)


def lenient_schema_of(types: MergingLists, type_: Type) -> PatchSchema:
    """The schema of a type, made once per set of types."""
    return types.once(("schema", type_.name), _resolve, types, type_)


def _resolve(types: MergingLists, type_: Type) -> PatchSchema:
    rule = type_.rule
    return LenientPatchSchema.of_values(rule, types) if rule.free_keys else LenientPatchSchema.of_type(type_, types)
