"""Custom resources that merge like built-in kinds: their lists by the keys that their definition gives them.

kubectl replaces the lists of custom resources, because it knows nothing of them. Their definition does: lists of type
`map` and `set` have an identity, and an embedded pod template is one whoever declares it.
"""

from __future__ import annotations

from ..lossless.merge import desired_maps
from ..tables.rules import SCALARS, Rule, Type
from ..tables.tables import Types
from ..values.plain import ABSENT, copied, same
from ..values.preconditions import checked
from .shapes import lenient_shape_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..tables.schema import Schema
    from ..values.plain import Object

POD_SPEC = "core_v1.PodSpec"
OBJECT_META = Rule("map", "meta_v1.ObjectMeta")


def patch_by_schema(last: Object, config: Object, live: Object, schema: Schema, unchanged: Sequence[str]) -> Object:
    """The JSON merge patch that brings a custom resource to what config means, its lists merged by its own schema."""
    types = view_of(schema.types)
    wanted = desired_maps(config, last, live, lenient_shape_of(types, types[schema.type.name]))
    return checked(difference(live, wanted), unchanged)


def difference(live: Object, wanted: Object) -> Object:
    """The JSON merge patch from one object to another; lists are sent whole."""
    patch: Object = {key: None for key in live if key not in wanted}
    for key, value in wanted.items():
        old = live.get(key, ABSENT)
        if old is not ABSENT and same(old, value):
            continue
        patch[key] = difference(old, value) if type(old) is dict and type(value) is dict else copied(value)
    return patch


def merging_lists(schema: Schema) -> Schema:
    """The same kind, with rules under which lists of type `map` and `set` merge."""
    return schema.of_types(view_of(schema.types))


def view_of(types: Types) -> MergingLists:
    """The types under those rules, made once."""
    found: Any = types.views.get("lists") or types.views.setdefault("lists", MergingLists(types))
    view: MergingLists = found
    return view


class MergingLists(Types):
    """The types of a specification as if kubectl knew their list types. Built-in types stay as they are."""

    def __init__(self, types: Types) -> None:
        super().__init__(types.data, types.minor, None)
        self._types = types

    def __missing__(self, name: str) -> Type:
        type_ = self._types[name]
        if self._types.own(name) is not None and self._types.minor is None:
            fields = {field: _merging(rule) for field, rule in type_.fields.items()}
            fields.update(self._pod_fields(type_))
            type_ = Type(name, _merging(type_.rule), fields)
        return self.setdefault(name, type_)

    def guesses(self, name: str, field: str) -> bool:
        """Whether a list merges though the custom resource's definition does not say so."""
        own = self._types.own(name)
        return own is None or field not in own.fields or _merging(own.fields[field]) is own.fields[field]

    def _pod_fields(self, type_: Type) -> dict[str, Rule]:
        """The fields that merge by the built-in rules, if this is a pod template or the spec of one."""
        if self._is_template(type_):
            return {"metadata": OBJECT_META}
        if not self._is_spec(type_):
            return {}
        known = self._types[POD_SPEC].fields
        return {
            name: known[name] for name, rule in type_.fields.items() if name in known and known[name].kind == rule.kind
        }

    def _is_template(self, type_: Type) -> bool:
        """Metadata beside the spec of a pod make a template, unless apiVersion and kind make it an object."""
        spec = type_.fields.get("spec")
        if "metadata" not in type_.fields or "kind" in type_.fields or spec is None or spec.kind != "map":
            return False
        return spec.of is not None and not spec.free_keys and self._has_containers(self._types[spec.of])

    def _is_spec(self, type_: Type) -> bool:
        """The spec of a pod is one only inside of a template; many other things have containers, too."""
        return type_.name.endswith(".spec") and self._is_template(self._types[type_.name.removesuffix(".spec")])

    def _has_containers(self, type_: Type) -> bool:
        rule = type_.fields.get("containers")
        if rule is None or rule.kind != "list" or rule.of is None or rule.of in SCALARS:
            return False
        return {"image", "name"} <= self._types[rule.of].fields.keys()


def _merging(rule: Rule) -> Rule:
    """The rule, if it is one of a list, with the strategy that its list type stands for."""
    if rule.kind != "list" or rule.strategies or rule.derived or rule.list_type not in ("map", "set"):
        return rule
    if rule.list_type == "map" and not rule.map_keys:
        return rule
    key = rule.map_keys[0] if rule.list_type == "map" else None
    return Rule("list", rule.of, "merge", key, rule.list_type, rule.map_keys)
