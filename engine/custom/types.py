"""Types of custom resources, with lists that merge by the map keys of their schema."""

from __future__ import annotations

from ..tables.identity import fields_of_elements
from ..tables.rules import Rule, Type
from ..tables.types import Types

POD_SPEC = "core_v1.PodSpec"
OBJECT_META = Rule("map", "meta_v1.ObjectMeta")


def merging_types(types: Types) -> MergingLists:
    """The types with merging lists, made once per set of types."""
    return types.once("merging lists", MergingLists, types)


class MergingLists(Types):
    """The types of a specification, with lists that merge by list type. Built-in types stay unchanged."""

    def __init__(self, types: Types) -> None:
        super().__init__(types.data, types.minor, None, types.patch)
        self._types = types

    def __missing__(self, name: str) -> Type:
        type_ = self._types[name]
        if self.is_custom(name):
            fields = {field: _merging(rule) for field, rule in type_.fields.items()}
            fields.update(self._pod_fields(type_))
            type_ = Type(name, _merging(type_.rule), fields)
        return self.setdefault(name, type_)

    def is_custom(self, name: str) -> bool:
        """True if a type belongs to the custom resource itself."""
        return self._types.own(name) is not None and self._types.minor is None

    def guesses(self, name: str, field: str) -> bool:
        """True if a list merges although the custom resource's definition does not state it."""
        own = self._types.own(name)
        return own is None or field not in own.fields or _merging(own.fields[field]) is own.fields[field]

    def _pod_fields(self, type_: Type) -> dict[str, Rule]:
        """The fields with built-in rules, if this is a pod template or its spec; else empty."""
        if self._is_template(type_):
            return {"metadata": OBJECT_META}
        if not self._is_spec(type_):
            return {}
        known = self._types[POD_SPEC].fields
        return {
            name: known[name] for name, rule in type_.fields.items() if name in known and known[name].kind == rule.kind
        }

    def _is_template(self, type_: Type) -> bool:
        """True for a pod template: metadata and a pod spec, without apiVersion and kind."""
        spec = self._types.struct(type_.fields.get("spec"))
        if spec is None or "metadata" not in type_.fields or "kind" in type_.fields:
            return False
        containers = spec.fields.get("containers")
        if containers is None or containers.kind != "list":
            return False
        return {"image", "name"} <= fields_of_elements(containers, self._types).keys()

    def _is_spec(self, type_: Type) -> bool:
        """True for the spec of a pod template; other types may have containers, too."""
        return type_.name.endswith(".spec") and self._is_template(self._types[type_.name.removesuffix(".spec")])


def _merging(rule: Rule) -> Rule:
    """The rule; a list of type `map` or `set` gets the strategy merge and its first key as the merge key."""
    if rule.kind != "list" or rule.strategies or rule.derived or rule.list_type not in ("map", "set"):
        return rule
    key = rule.map_keys[0] if rule.map_keys else None
    return Rule("list", rule.of, "merge", key, rule.list_type, rule.map_keys)
